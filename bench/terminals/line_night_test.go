//go:build night && linux

package terminals

import (
	"math/rand/v2"
	"testing"
	"time"
)

const (
	slow = 50_000 // bytes a second
	// pressing is how long keys are pressed on a slow line.
	pressing = 5 * time.Second
)

// TestASlowLineHoldsNothingUp presses keys faster than the line takes their frames.
// None is blocked, the server is asked as before, and the last frame is the one
// that is shown.
func TestASlowLineHoldsNothingUp(t *testing.T) {
	n := rounds(t)
	t.Parallel()
	w := openWorld(t)
	c := openConsole(t, slow, w.env(), w.exe)
	awaitList(t, c)
	home(t, c)
	settled(c)
	pid := w.pid()
	before := memory(t, pid)
	full, free, polled, right, soon := 0, 0, 0, 0, 0
	var latest, longest time.Duration
	for range n {
		asked, sent := w.polls(), len(c.received())
		took := press(c)
		longest = max(longest, took)
		free += count(took < 250*time.Millisecond)
		full += count(len(c.received())-sent >= int(slow*pressing.Seconds()*7/10))
		polled += count(w.polls()-asked >= int(pressing.Seconds()*7/10))
		at := now()
		c.keys("g")
		await(t, c, "the first row", has("▸●  "+firstLabel(w)))
		wait := now().Sub(at)
		latest = max(latest, wait)
		soon += count(wait < 2*time.Second)
		if err := wrong(w, c); err == nil {
			right++
		} else {
			t.Error(err)
		}
	}
	grown := memory(t, pid) - before
	t.Logf("at 50 kB/s: a key is taken within %s, the last frame is there after %s, memory grew by %d MiB", longest.Round(time.Millisecond), latest.Round(time.Millisecond), grown)
	proved(t, "slow line: it is full", full, n)
	proved(t, "slow line: each key is taken within 250 ms", free, n)
	proved(t, "slow line: codes are read every second", polled, n)
	proved(t, "slow line: the last frame within 2 s", soon, n)
	proved(t, "slow line: right", right, n)
	proved(t, "slow line: memory within 8 MiB", count(grown <= 8), 1)
}

// press presses keys that redraw the list, a hundred a second, and returns how long
// the slowest was in being taken.
func press(c *console) (slowest time.Duration) {
	walk := []string{"Next", "Next", "Next", "g", "G", "Prior", "g"}
	for end, i := now().Add(pressing), 0; now().Before(end); i++ {
		at := now()
		c.keys(walk[i%len(walk)])
		slowest = max(slowest, now().Sub(at))
		<-time.After(10 * time.Millisecond)
	}
	return slowest
}

// firstLabel returns the label of the first card of the list.
func firstLabel(w *world) string {
	w.t.Helper()
	var page struct{ Data []struct{ Label string } }
	w.call("GET", "/v1/cards?per_page=100&page=1", "", &page)
	first := page.Data[0].Label
	for p := 1; len(page.Data) == 100; p++ {
		w.call("GET", "/v1/cards?per_page=100&page="+string(rune('0'+p)), "", &page)
		for _, c := range page.Data {
			first = min(first, c.Label)
		}
	}
	return first
}

// TestAStormOfSizesAtOnce resizes as fast as the system takes it.
func TestAStormOfSizesAtOnce(t *testing.T) {
	n := rounds(t)
	t.Parallel()
	w := openWorld(t)
	c := openConsole(t, 0, w.env(), w.exe)
	awaitList(t, c)
	random := rand.New(rand.NewPCG(3, 4))
	right := 0
	for range n {
		for range 500 {
			c.resize(1+random.IntN(400), 1+random.IntN(100))
			<-time.After(time.Millisecond)
		}
		c.resize(160, 45)
		home(t, c)
		if err := wrong(w, c); err == nil {
			right++
		} else {
			t.Error(err)
		}
	}
	proved(t, "500 sizes in half a second: then right", right, n)
}
