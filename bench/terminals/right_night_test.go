//go:build night

package terminals

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// moving is what changes while nothing happens: times of day, ages, countdowns, how much
// of the API is used, how many alerts there are, and how long the money lasts, which are
// told once a minute.
var moving = regexp.MustCompile(` *\b\d+:\d\d(:\d\d)?\b| *\b(\d+[smhd]|now)\b( ago)?|API +\d+%| *! \d+ alerts?| *\blasts [\d.]+\+? \w+( \([^()]*\))?`)

// differs returns the first line of two screens that is not the same, times aside.
func differs(a, b string) error {
	left, right := lines(a), lines(b)
	if len(left) != len(right) {
		return fmt.Errorf("%d lines and then %d", len(left), len(right))
	}
	for i := range left {
		if left[i] != right[i] {
			return fmt.Errorf("line %d:\n%s\nand then\n%s", i+1, left[i], right[i])
		}
	}
	return nil
}

// lines returns the lines of a screen without what moves, nor blanks at the ends.
func lines(screen string) []string {
	out := strings.Split(strings.TrimRight(screen, "\n\f "), "\n")
	for i, l := range out {
		out[i] = strings.TrimRight(moving.ReplaceAllString(l, " ~"), " \r")
	}
	return out
}

// TestOnlyTimesMayDiffer holds that a stray character, a cut line and another amount
// are seen, and a countdown is not.
func TestOnlyTimesMayDiffer(t *testing.T) {
	t.Parallel()
	screen := "│ fb/brand  •••• 0240  350.00  59s│\n│ 076 263  $31.55  3:05│\n lasts 1.2 d (1.0–20)   ! 6 alerts  API 9%"
	for _, same := range []string{
		"│ fb/brand  •••• 0240  350.00  now│\n│ 076 263  $31.55  2:59│\n lasts 30 h (20–40)  ! 14 alerts  API 11%\n",
		"│ fb/brand  •••• 0240  350.00  now│\n│ 076 263  $31.55  2:59│\n lasts 30+ d  ! 1 alert  API 11%\n",
		screen + "  \n\n",
	} {
		if err := differs(screen, same); err != nil {
			t.Errorf("%q: %v", same, err)
		}
	}
	for _, other := range []string{
		strings.Replace(screen, "350", "351", 1), strings.Replace(screen, "fb/", "fbX", 1),
		strings.Replace(screen, "│", " ", 1), strings.TrimSuffix(screen, "\n lasts 1.2 d (1.0–20)   ! 6 alerts  API 9%"), strings.Replace(screen, "0240", "024", 1),
	} {
		if differs(screen, other) == nil {
			t.Errorf("%q is taken for the same", other)
		}
	}
}
