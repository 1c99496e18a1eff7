//go:build night && linux

package terminals

import (
	"bytes"
	"math/rand/v2"
	"strings"
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

// delay is the way there and back of a line with 150 ms each way.
const delay = 300 * time.Millisecond

// answers are what a terminal answers to what it is asked at a start.
func answers() map[string]string {
	return map[string]string{
		"\x1b]11;?": "\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\", "\x1b[?u": "\x1b[?0u", "\x1b[?2026$p": "\x1b[?2026;2$y", "\x1b[?2027$p": "\x1b[?2027;2$y",
		"\x1b[c": "\x1b[?62;22c",
	}
}

// answer answers each question once it has come and its answer has gone the way of the line, in the order of the questions,
// until the program has ended. It returns how many there were.
func answer(c *console, ended func() bool) (asked int) {
	type due struct {
		at   time.Time
		text string
	}
	var queue []due
	seen := 0
	for !ended() || len(queue) > 0 {
		for raw := c.received(); seen < len(raw); seen++ {
			for question, text := range answers() {
				if bytes.HasPrefix(raw[seen:], []byte(question)) {
					queue = append(queue, due{now().Add(delay), text})
					asked++
				}
			}
		}
		for len(queue) > 0 && !now().Before(queue[0].at) {
			c.send(queue[0].text)
			queue = queue[1:]
		}
		<-time.After(5 * time.Millisecond)
	}
	return asked
}

// TestALineWithADelayLeavesTheShellNothing quits as soon as anything is drawn: what the terminal was asked is answered later,
// and no byte of it is typed into the shell.
func TestALineWithADelayLeavesTheShellNothing(t *testing.T) {
	n := rounds(t)
	t.Parallel()
	w := openWorld(t)
	clean := 0
	for range n {
		c := openConsole(t, 0, w.env(), "bash", "--norc", "-c", `"$0"; IFS= read -rsd "" -t 2 left; printf 'left %d: %q.' "${#left}" "$left"`, w.exe)
		quit := false
		asked := answer(c, func() bool {
			raw := c.received()
			if !quit && bytes.Contains(raw, []byte("\x1b[?1049h")) {
				c.send("q")
				quit = true
			}
			return bytes.Contains(raw, []byte("left "))
		})
		if text := c.text(); asked == 0 || !strings.Contains(text, "left 0: ") {
			t.Errorf("%d questions, %s", asked, text[max(strings.Index(text, "left "), 0):])
			continue
		}
		clean++
	}
	proved(t, "a line with 150 ms each way: nothing is left to the shell", clean, n)
}
