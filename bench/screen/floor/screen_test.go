package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hinshun/vt10x"
)

// TestTheTerminalShowsTheList presses keys at random and compares an emulated
// terminal with the lines of the list after each.
func TestTheTerminalShowsTheList(t *testing.T) {
	t.Parallel()
	const width, height = 80, 10
	var all [][]string
	for i := range 100 {
		all = append(all, []string{fmt.Sprintf("fb/brand/%02d", i%37), "•••• 0240", "active", "visa", "1.00", "0.00", "–", fmt.Sprint(i)})
	}
	l := &list{all: all, kept: all, height: height - 1}
	s, term := newScreen(width, height), vt10x.New(vt10x.WithSize(width, height))
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 2000 {
		l.press("jjjjkkgG\x06/brand\x1b"[random.IntN(16)])
		lines := l.lines(width)
		if _, err := term.Write(s.draw(lines)); err != nil {
			t.Fatal(err)
		}
		want := ""
		for _, line := range lines {
			want += string(line.cells) + "\n"
		}
		if got := term.String(); strings.TrimRight(got, "\n") != strings.TrimRight(want, "\n") {
			t.Fatalf("after %d keys the terminal shows\n%s\nwant\n%s", n, got, want)
		}
		if l.cursor < l.top || l.cursor >= l.top+l.height && len(l.kept) > 0 {
			t.Fatalf("after %d keys the cursor %d is not in the window from %d", n, l.cursor, l.top)
		}
	}
}
