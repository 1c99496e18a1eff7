//go:build long

package e2e

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/internal/goldentest"
)

// nudge is a message that means nothing.
type nudge struct{}

func TestAFrameInWhichNothingMovedWritesNothing(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		for range 20 {
			// Just after a whole second, when the ages have moved.
			d.wait(time.Second - time.Duration(clock().Nanosecond()) + 250*time.Millisecond)
			got := d.sentSince(func() {
				for range 30 {
					d.prog.Send(nudge{})
				}
				d.wait(500 * time.Millisecond)
			})
			if got != "" {
				t.Fatalf("%d bytes: %q", len(got), got)
			}
		}
	})
}

// TestAnIdleSecondWritesNothing watches an account on which nothing happens:
// only the minutes of the ages pass in it.
func TestAnIdleSecondWritesNothing(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.wait(6 * time.Minute) // No code is waiting any more, and nothing is seconds old.
		silent := 0
		for range 60 {
			got := d.sentSince(func() { d.wait(time.Second) })
			switch n := len(got); {
			case n == 0:
				silent++
			case n > 100:
				t.Errorf("%d bytes in a second: %q", n, got)
			}
		}
		if silent < 30 {
			t.Errorf("%d of 60 seconds wrote nothing", silent)
		}
	})
}

// fills tells whether the boxes reach to the right edge, and the footer is the
// last line.
func (d *driver) fills(w, h int) {
	d.t.Helper()
	lines := strings.Split(d.screen(), "\n")
	boxes := 0
	for _, l := range lines {
		if utf8.RuneCountInString(l) == w && strings.HasSuffix(l, "│") {
			boxes++
		}
	}
	if boxes == 0 || len(lines) < h || !strings.Contains(lines[h-1], "inspect") {
		d.t.Errorf("not laid out for %d x %d:\n%s", w, h, d.screen())
	}
}

func TestAStormOfSizesLeavesNoTornFrame(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 10 {
			for range 30 {
				w, h := 20+r.IntN(200), 5+r.IntN(60)
				d.term.mu.Lock()
				d.term.vt.Resize(w, h)
				d.term.mu.Unlock()
				d.prog.Send(tea.WindowSizeMsg{Width: w, Height: h})
				if r.IntN(3) == 0 {
					d.wait(time.Duration(r.IntN(150)) * time.Millisecond)
				}
			}
			w, h := 40+r.IntN(160), 12+r.IntN(50)
			d.prog.Send(tea.WindowSizeMsg{Width: w, Height: h})
			d.term.mu.Lock()
			d.term.vt.Resize(w, h)
			d.term.mu.Unlock()
			d.wait(150 * time.Millisecond) // A frame or two: before anything else makes it lay the screen out.
			d.fills(w, h)
			d.wait(time.Second - time.Duration(clock().Nanosecond()) + 250*time.Millisecond)
			before := d.screen()
			d.send("\x0c") // Drawn anew, whole.
			d.wait(300 * time.Millisecond)
			if after := d.screen(); before != after {
				t.Fatalf("at %d x %d the screen was torn:\n%s", w, h, goldentest.Diff(after, before))
			}
		}
	})
}
