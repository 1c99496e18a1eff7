package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui"
)

// fingersOn is somebody who presses anything, and whoever watches the screen
// for a number that was not asked for.
type fingersOn struct {
	d     *driver
	rng   *rand.Rand
	keys  []string
	cards map[string]string // numbers as they are shown, to ids
	// asked is when reveal was last pressed, in nanoseconds.
	asked atomic.Int64
	// early counts frames with a number that nobody can have asked for.
	early atomic.Int64
	calls []time.Time
	wrong []string
	last  string // the screen before the key
	seen  int
}

// revealTime is how long a number may stay, with what a frame takes.
const revealTime = 15*time.Second + 200*time.Millisecond

var (
	shownNumber = regexp.MustCompile(`\d{4} \d{4} \d{4} \d{4}|\d{16}`)
	shownCVV    = regexp.MustCompile(`CVV +\d{3}`)
	// What is as many digits as a number and is none: those of a crypto amount,
	// and those of an id that happens to have no letters.
	notNumbers = regexp.MustCompile(`\d\.\d+|\b[a-z]+_[0-9a-f]+`)
)

// TestRandomKeysShowNoNumber presses random keys, moves the focus, resizes and
// waits. No frame holds a number or a CVV but while the store says so, for a
// key that was pressed at most 15 seconds before; no details are asked for
// without the key; never more than 30 times in a minute.
func TestRandomKeysShowNoNumber(t *testing.T) {
	t.Parallel()
	const sequences = 50 // of a story
	few := sequences / 5
	if nighttest.On && !raced {
		few = 2 * sequences
	}
	total := rounds(t, few)
	clean, seen, asked := 0, 0, 0
	for at := 0; at < total; at += sequences {
		n := min(sequences, total-at)
		stop := func() error { return nil }
		story(t, options{cards: 12, change: func(c *ui.Config) { c.Stop = stop }}, func(d *driver) {
			f := newFingers(d, uint64(at))
			for i := range n {
				if f.sequence() {
					clean++
				}
				if f.over() {
					n -= i + 1
					at -= n // The rest is for another session.
					break
				}
			}
			seen, asked = seen+f.seen, asked+len(f.calls)
		})
	}
	proved(t, "random keys: no number but where it was asked for", clean, total)
	t.Logf("a number was seen after %d keys; details were asked for %d times", seen, asked)
	if seen == 0 {
		t.Error("no number was ever seen: the keys do nothing")
	}
}

func newFingers(d *driver, seed uint64) *fingersOn {
	d.t.Helper()
	f := &fingersOn{d: d, rng: rand.New(rand.NewPCG(seed, 7)), cards: map[string]string{}}
	for _, b := range keymap.Defaults() {
		if b.Action != keymap.Quit {
			f.keys = append(f.keys, b.Keys...)
		}
	}
	// Keys that lead to a number, and those that take it away, come more often.
	f.keys = append(f.keys, strings.Fields("r r r r r r r r y y 1 1 tab esc esc esc esc enter к н 4 9 x blur blur blur focus small small large ctrl+z wait long")...)
	for _, c := range objects(d.t, d.api(http.MethodGet, "/cards?per_page=100", nil)["data"]) {
		id := text(d.t, c["id"])
		f.cards[d.number(id)] = id
	}
	d.wait(time.Minute) // The server's minute of details is over.
	d.calls.mu.Lock()
	d.calls.seen = nil
	d.calls.mu.Unlock()
	f.asked.Store(-int64(time.Hour))
	d.term.mu.Lock()
	d.term.watch = f.frame
	d.term.mu.Unlock()
	return f
}

// frame looks at everything that is drawn, also for a moment.
func (f *fingersOn) frame(screen string) {
	if since := time.Duration(clock().UnixNano() - f.asked.Load()); f.shows(screen) && since > revealTime {
		f.early.Add(1)
		f.d.t.Logf("a number %v after the key that asks for one:\n%s", since, f.masked(screen))
	}
}

// masked is a screen as it may stand in a log: the first digits of a number
// tell enough.
func (f *fingersOn) masked(screen string) string {
	screen = shownNumber.ReplaceAllStringFunc(screen, func(number string) string { return number[:4] + strings.Repeat("x", len(number)-4) })
	return shownCVV.ReplaceAllString(screen, "CVV xxx")
}

// shows tells whether a screen holds a number or a CVV.
func (f *fingersOn) shows(screen string) bool {
	return number(screen) != "" || shownCVV.MatchString(screen)
}

// number is the first card number on a screen.
func number(screen string) string {
	return shownNumber.FindString(notNumbers.ReplaceAllString(screen, ""))
}

// sequence presses some keys and tells whether all was well.
func (f *fingersOn) sequence() bool {
	if f.rng.IntN(3) > 0 {
		// What is open is left, so that more than a form is seen.
		for _, key := range []string{"large", "esc", "esc", "esc", "1", "r"} {
			f.press(key)
		}
	}
	for range 4 + f.rng.IntN(12) {
		f.press(f.keys[f.rng.IntN(len(f.keys))])
		if f.over() {
			break
		}
	}
	if n := f.early.Swap(0); n > 0 {
		f.wrong = append(f.wrong, fmt.Sprintf("%d frames with a number nobody asked for", n))
	}
	for _, w := range f.wrong {
		f.d.t.Error(w)
	}
	ok := len(f.wrong) == 0
	f.wrong = nil
	return ok
}

func (f *fingersOn) over() bool {
	select {
	case err := <-f.d.done:
		f.d.done <- err
		return true
	default:
		return false
	}
}

func (f *fingersOn) press(key string) {
	f.d.t.Helper()
	before := f.d.calls.count("/details")
	act := f.meaning(key)
	f.last = f.d.screen()
	switch {
	case strings.Contains(f.last, "▸Copy from "):
		act = keymap.CopyNext // Whatever the key is, it may choose a field.
	case strings.Contains(f.last, "▸Find ") && key == "enter":
		act = keymap.Reveal // It may be the command that is chosen.
	}
	if act == keymap.Reveal {
		f.asked.Store(clock().UnixNano())
	}
	switch key {
	case "blur":
		f.d.send("\x1b[O")
	case "focus":
		f.d.send("\x1b[I")
	case "small":
		f.d.resize(30, 8)
	case "large":
		size := [][2]int{{160, 45}, {100, 30}, {80, 24}, {40, 12}}[f.rng.IntN(4)]
		f.d.resize(size[0], size[1])
	case "wait":
		f.d.wait(time.Duration(f.rng.IntN(5000)) * time.Millisecond)
	case "long":
		f.d.wait(time.Minute)
	default:
		f.d.press(names()[key])
	}
	f.d.wait(150 * time.Millisecond) // Until the frame is drawn.
	if key == "ctrl+z" {
		f.d.wait(time.Second) // The program waits for the end of its reader, and a pipe has none.
	}
	f.check(key, act, f.d.calls.count("/details")-before)
}

// names are the bytes of keys that the driver has no name for.
func names() map[string]string {
	m := map[string]string{"pgup": "\x1b[5~", "pgdown": "\x1b[6~", "home": "\x1b[H", "end": "\x1b[F"}
	for _, b := range keymap.Defaults() {
		for _, k := range b.Keys {
			if m[k] == "" {
				m[k] = k
			}
		}
	}
	for _, k := range []string{"к", "н", "4", "9"} {
		m[k] = k
	}
	return m
}

// meaning is what a key does wherever it is bound.
func (f *fingersOn) meaning(key string) keymap.Action {
	for _, b := range keymap.Defaults() {
		if slices.Contains(b.Keys, key) || slices.Contains(b.Keys, keymap.ByPosition(key)) {
			return b.Action
		}
	}
	return ""
}

// fetches are the actions that may ask for a card's details.
func fetches() []keymap.Action {
	return []keymap.Action{keymap.Reveal, keymap.CopyNext, keymap.CopyWhole, keymap.CopyNextCard}
}

func (f *fingersOn) check(key string, act keymap.Action, calls int) {
	screen, r, now := f.d.screen(), f.d.revealed(), clock()
	say := func(format string, args ...any) {
		f.wrong = append(f.wrong, fmt.Sprintf("after %q: ", key)+fmt.Sprintf(format, args...))
	}
	if screen == "" && !f.over() {
		say("nothing is drawn")
	}
	if f.shows(screen) && r.Card == "" {
		// Its time was over since the frame, and the driver draws ten a second.
		f.d.wait(150 * time.Millisecond)
		screen, now = f.d.screen(), clock()
	}
	if f.shows(screen) {
		f.seen++
		shown := number(screen)
		if id := f.cards[shown]; r.Card == "" || r.Waiting || id != "" && id != string(r.Card) || !now.Before(r.Until.Add(200*time.Millisecond)) {
			say("a number is shown, and %+v is to be:\n%s", r, f.masked(screen))
		}
		if shownCVV.MatchString(screen) && !r.CVV {
			say("a CVV is shown, and only the number is to be")
		}
		if slices.Contains([]string{"blur", "small", "ctrl+z", "long"}, key) {
			say("a number stays on the screen")
		}
	}
	if calls > 0 && !slices.Contains(fetches(), act) {
		say("details are asked for from\n%s", f.last)
	}
	for range calls {
		f.calls = append(f.calls, now)
	}
	lately := 0
	for _, at := range f.calls {
		if now.Sub(at) < time.Minute {
			lately++
		}
	}
	if lately > 30 {
		say("details are asked for %d times in a minute", lately)
	}
}
