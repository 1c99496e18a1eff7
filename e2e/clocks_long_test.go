//go:build long

package e2e

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
)

// machine is a computer's two clocks: the wall clock can be set, and goes on
// while the steady one stands still in sleep.
type machine struct {
	t     *testing.T
	mu    sync.Mutex
	ahead time.Duration
}

// set puts the wall clock forward or back.
func (m *machine) set(by time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ahead += by
}

// now is a moment of two clocks. Only the system makes such times, and none in
// a bubble, so the fields of time.Time are written here.
func (m *machine) now() time.Time {
	const (
		from1885 = 2_682_288_000 // seconds until 1970
		begun    = 946_684_800   // when a bubble's time begins
	)
	m.mu.Lock()
	defer m.mu.Unlock()
	right := clock()
	wall := right.Add(m.ahead)
	made := struct {
		wall uint64
		ext  int64
		loc  *time.Location
	}{1<<63 | uint64(wall.Unix()+from1885)<<30 | uint64(wall.Nanosecond()), int64(time.Hour + right.Sub(time.Unix(begun, 0))), time.UTC}
	now := *(*time.Time)(unsafe.Pointer(&made))
	if !now.Round(0).Equal(wall) || now.Add(-m.ahead).Round(0).Sub(right) != 0 {
		panic("the clocks are not apart by what was set")
	}
	return now
}

// serverAhead puts the server's clock forward.
func (d *driver) serverAhead(by time.Duration) {
	d.t.Helper()
	d.control(http.MethodPost, "/sandbox/clock", map[string]any{"advance_seconds": int(by / time.Second)})
}

// countdown reads how long the screen says that a code still holds; false when
// it is not there.
func (d *driver) countdown(merchant string) (time.Duration, bool) {
	d.t.Helper()
	found := regexp.MustCompile(merchant + `.* !{0,2}(\d+):(\d\d)│`).FindStringSubmatch(d.screen())
	if found == nil {
		return 0, false
	}
	m, _ := strconv.Atoi(found[1])
	s, _ := strconv.Atoi(found[2])
	return time.Duration(m)*time.Minute + time.Duration(s)*time.Second, true
}

// TestAWrongClockCountsDownRight sets this machine's clock wrong, before the
// start and in the middle.
func TestAWrongClockCountsDownRight(t *testing.T) {
	t.Parallel()
	const life = 300 * time.Second
	for name, x := range map[string]struct{ before, during time.Duration }{
		"ten minutes fast":      {10 * time.Minute, 0},
		"ten minutes slow":      {-10 * time.Minute, 0},
		"put forward meanwhile": {0, 10 * time.Minute},
		"put back meanwhile":    {0, -10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong := &machine{t: t}
			wrong.set(x.before)
			story(t, options{cards: 12, now: wrong.now}, func(d *driver) {
				d.see("● live")
				card := d.active()
				d.challenge(card, "Acme Store", "482913", 25)
				ends := clock().Add(life)
				right := func() {
					t.Helper()
					shown, ok := d.countdown("Acme Store")
					if off := ends.Sub(clock()) - shown; !ok || off < 0 || off > time.Second+100*time.Millisecond {
						t.Errorf("%v before its end the code holds for %v: %s", ends.Sub(clock()), shown, d.line("Acme Store"))
					}
				}
				d.wait(1300 * time.Millisecond)
				right()
				wrong.set(x.during)
				d.wait(1500 * time.Millisecond)
				for range 4 {
					right()
					d.wait(733 * time.Millisecond)
				}
				d.see("● live")
				d.seeNot("STALE")
				d.wearOn(ends.Sub(clock()) - 4500*time.Millisecond)
				right()
				d.press("o")
				d.onClipboard("482913")
				d.wait(ends.Sub(clock()) + time.Second)
				d.press("2", "o", "y")
				if n := d.board.Copies(); n != 1 || d.board.Text() != "" {
					t.Errorf("after its end there were %d copies, and the clipboard holds %d characters", n, len(d.board.Text()))
				}
				d.seeNot("482 913")
				if strings.Contains(d.line("Acme Store"), "0:0") {
					t.Errorf("after its end it still counts: %s", d.line("Acme Store"))
				}
			})
		})
	}
}

// TestAfterASleepNothingLooksFreshBeforeItIs lets the machine sleep through a
// night, with requests under way, and wake to an account that has moved on.
func TestAfterASleepNothingLooksFreshBeforeItIs(t *testing.T) {
	t.Parallel()
	const night = 8 * time.Hour
	for name, x := range map[string]struct {
		first way           // on waking
		dark  time.Duration // how long it lasts
		words []string
	}{
		"to a slow network":           {late(1500 * time.Millisecond), 1500 * time.Millisecond, []string{"late 8h"}},
		"to none for a while":         {fails(errNoHost), 16 * time.Second, []string{"OFFLINE since", "no such host"}},
		"to one that answers nothing": {late(time.Minute), 16 * time.Second, []string{"OFFLINE since", "timed out"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &machine{t: t}
			troubled(t, options{cards: 12, now: m.now}, func(d *driver, g *gate) {
				card := d.active()
				d.challenge(card, "Last Night", "111222", 25)
				d.wait(2 * time.Second)
				d.see("111 222", "● live")
				// What is asked for now is answered at once, and read in the morning.
				g.set(late(1500 * time.Millisecond))
				for from := clock().Add(time.Nanosecond); len(d.asked(g, "/v1/3ds", from)) == 0; {
					d.wait(10 * time.Millisecond)
				}
				d.wait(1400 * time.Millisecond)
				m.set(night)
				d.serverAhead(night)
				woke := clock().Add(time.Nanosecond)
				d.challenge(card, "This Morning", "604913", 25)
				d.charge(card, 0, 5)
				g.set(x.first)
				tried := false
				for from := clock(); clock().Sub(from) < x.dark; d.wait(100 * time.Millisecond) {
					if clock().Sub(from) < time.Second {
						continue // The frame of the evening stands until the clock ticks.
					}
					d.seeNot("● live", "every ", "no pending codes", "s ago", "111 222", "3 Transactions  live")
					d.feet("STALE 8h")
					if !tried {
						tried = true
						d.press("o")
						d.see("no code is known, and codes cannot be read now")
					}
					if n := d.board.Copies(); n != 0 {
						t.Error("a code of last night was copied")
					}
				}
				d.see(x.words...)
				if x.dark > 5*time.Second {
					d.recovers(g, card, func() { g.set(nil) }, 5500*time.Millisecond, false)
				}
				d.codesFirst(g, woke)
				g.set(nil)
				d.reaches("code of the morning", 2*time.Second, shows("604 913"))
				d.reaches("fresh screen", 6*time.Second, fresh)
				d.see("604 913", "3 Transactions  live", "1 Cards  12")
				d.seeNot("111 222")
				d.whole(5)
			})
		})
	}
}
