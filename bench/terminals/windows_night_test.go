//go:build night && linux

package terminals

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"syscall"
	"testing"
	"time"
)

// TestTheScreenIsRightInEveryTerminal types keys and resizes, and compares what the
// terminal shows with what it shows when all of it is drawn anew.
func TestTheScreenIsRightInEveryTerminal(t *testing.T) {
	n := rounds(t)
	t.Parallel()
	for name, open := range map[string]func(*testing.T, *world) *window{"xterm": openXterm, "tmux": openTmux, "screen": openScreen, "mosh": openMosh} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openWorld(t)
			x := open(t, w)
			awaitList(t, x)
			seesAStray(t, w, x)
			random := rand.New(rand.NewPCG(1, uint64(len(name))))
			typed, stormed := 0, 0
			for range n {
				exercise(x, random)
				home(t, x)
				if err := wrong(w, x); err == nil {
					typed++
				} else {
					t.Errorf("%s after keys: %v", name, err)
				}
				for range 15 {
					x.resize(60+random.IntN(110), 15+random.IntN(35))
					exercise(x, random)
				}
				x.resize(160, 45)
				home(t, x)
				if err := wrong(w, x); err == nil {
					stormed++
				} else {
					t.Errorf("%s after a storm of sizes: %v", name, err)
				}
			}
			x.picture(name)
			proved(t, name+": right after keys", typed, n)
			proved(t, name+": right after a storm of sizes", stormed, n)
		})
	}
}

// seesAStray writes to the terminal behind the program's back and expects to be told.
func seesAStray(t *testing.T, w *world, at terminal) {
	t.Helper()
	home(t, at)
	settled(at)
	write(t, fmt.Sprintf("/proc/%d/fd/1", w.pid()), "\x1b[20;20Hstray\x1b[21;30Hstray")
	if wrong(w, at) == nil {
		t.Error("what another program wrote is not noticed")
	}
	if err := wrong(w, at); err != nil {
		t.Errorf("it stays after a redraw: %v", err)
	}
}

// TestAStoppedTerminalHoldsNothingUp stops xterm for a while. The program goes on
// asking the server and keeps nothing but the newest frame.
func TestAStoppedTerminalHoldsNothingUp(t *testing.T) {
	rounds(t)
	t.Parallel()
	w := openWorld(t)
	x := openXterm(t, w)
	awaitList(t, x)
	span := time.Duration(number(t, "CARDTOP_PROVE_STOP")) * time.Second
	pid := w.pid()
	w.traffic(min(span, 20*time.Second)) // It grows to what it needs for as much of it.
	before, asked := memory(t, pid), w.polls()
	must(t, syscall.Kill(x.pid, syscall.SIGSTOP))
	last := w.traffic(span)
	grown, polls := memory(t, pid)-before, w.polls()-asked
	must(t, syscall.Kill(x.pid, syscall.SIGCONT))
	await(t, x, "the last code", has(last))
	err := wrong(w, x)
	if err != nil {
		t.Error(err)
	}
	t.Logf("stopped for %s: memory grew by %d MiB, the codes were asked for %d times", span, grown, polls)
	proved(t, "terminal stopped: then right", count(err == nil), 1)
	proved(t, "terminal stopped: memory within 8 MiB", count(grown <= 8), 1)
	proved(t, "terminal stopped: codes read at least every 3.5 s", count(time.Duration(polls)*3500*time.Millisecond >= span), 1)
}

// traffic creates four codes a second, waits until the last one is read, and returns
// its merchant.
func (w *world) traffic(span time.Duration) (merchant string) {
	w.t.Helper()
	for end, i := now().Add(span), 0; now().Before(end); i++ {
		merchant = fmt.Sprintf("Shop %s %d", span, i)
		w.call(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"merchant":%q,"amount":5}`, merchant), nil)
		<-time.After(250 * time.Millisecond)
	}
	<-time.After(4 * time.Second)
	return merchant
}

func count(held bool) int {
	if held {
		return 1
	}
	return 0
}
