package main

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hinshun/vt10x"
)

// TestEachLineIsSeenWhileItIs: of four frames the first line is a, b, b, a, and the
// second stays.
func TestEachLineIsSeenWhileItIs(t *testing.T) {
	t.Parallel()
	line := func(c rune) []vt10x.Glyph {
		row := make([]vt10x.Glyph, movieW)
		row[0] = vt10x.Glyph{Char: c, FG: vt10x.DefaultFG, BG: vt10x.DefaultBG}
		return row
	}
	var frames []frame
	for _, c := range "abba" {
		rows := make([][]vt10x.Glyph, movieH)
		for y := range rows {
			rows[y] = line('z')
		}
		rows[0] = line(c)
		frames = append(frames, frame{rows, "says"})
	}
	svg := string(animate(frames))
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(svg, ">z<"); n != movieH-1 {
		t.Errorf("lines that stay are drawn %d times", n)
	}
	groups := regexp.MustCompile(`(?s)values="([^"]*)" keyTimes="([^"]*)"/>(.*?)</g>`).FindAllStringSubmatch(svg, -1)
	if len(groups) != 2 {
		t.Fatalf("%d lines come and go, want a and b", len(groups))
	}
	for i, want := range []string{"1001", "0110"} {
		if got := seenIn(t, groups[i][1], groups[i][2]); got != want {
			t.Errorf("line %d is seen in %s, want %s", i, got, want)
		}
	}
}

// seenIn says for the middle of each of four frames whether something is visible.
func seenIn(t *testing.T, values, times string) (seen string) {
	t.Helper()
	value, at := strings.Split(values, ";"), strings.Split(times, ";")
	if len(value) != len(at) {
		t.Fatalf("%d values at %d times", len(value), len(at))
	}
	for i := range 4 {
		now := "0"
		for n := range at {
			x, err := strconv.ParseFloat(at[n], 64)
			if err != nil {
				t.Fatal(err)
			}
			if x > (float64(i)+.5)/4 {
				break
			}
			now = map[string]string{"visible": "1", "hidden": "0"}[value[n]]
		}
		seen += now
	}
	return seen
}
