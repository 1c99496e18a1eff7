package tty

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
)

// printed are what the keys of each layout type: those of the US letters, in that order. A space is a key whose letter
// is no other than one of ASCII, which counts by its print.
const usLetters = "qwertyuiopasdfghjklzxcvbnm"

var printed = map[string]string{
	"US":         usLetters,
	"German":     usLetters,
	"French":     usLetters,
	"Turkish":    usLetters,
	"Russian":    "йцукенгшщзфывапролдячсмить",
	"Ukrainian":  "йцукенгшщзфівапролдячсмить",
	"Belarusian": "йцукенгшўзфывапролдячсміть",
	"Kazakh":     "йцукенгшщзфывапролдячсмить",
	"Greek":      " ςερτυθιοπασδφγηξκλζχψωβνμ",
	"Hebrew":     "  קראטוןםפשדגכעיחלךזסבהנמצ",
	"Georgian":   "ქწერტყუიოპასდფგჰჯკლზხცვბნმ",
}

// moved are letters that stand on another key than on the US layout: that key, by the letter on it there.
var moved = map[string]string{
	"German": "zyyz",
	"French": "aqqazwwz",
}

// recorder keeps the names of the keys that come.
type recorder struct{ keys *[]string }

func (recorder) Init() tea.Cmd  { return nil }
func (recorder) View() tea.View { return tea.View{} }

func (r recorder) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		*r.keys = append(*r.keys, k.String())
	}
	return r, nil
}

// encodings are how terminals send a key with a modifier: what is printed on it, and the US letter in its place.
var encodings = map[string]func(letter, place rune, mod int) string{
	"kitty": func(letter, place rune, mod int) string {
		if letter == place {
			return fmt.Sprintf("\x1b[%d;%du", letter, mod)
		}
		return fmt.Sprintf("\x1b[%d::%d;%du", letter, place, mod)
	},
	"modifyOtherKeys": func(letter, _ rune, mod int) string { return fmt.Sprintf("\x1b[27;%d;%d~", mod, letter) },
	"legacy": func(letter, place rune, mod int) string {
		switch {
		case mod == 3:
			return "\x1b" + string(letter)
		case letter < 0x80:
			return string(letter & 0x1f)
		}
		return string(place & 0x1f) // As VTE and Konsole send it.
	},
}

// TestControlKeysOfEveryLayout holds that ctrl and alt with a letter do the same on each layout, in each encoding and
// wherever they are bound: in a list, a filter, a form, a dialog, at the lock, in the help.
func TestControlKeysOfEveryLayout(t *testing.T) {
	bindings := keymap.New(keymap.Defaults())
	var contexts []keymap.Context
	for _, b := range keymap.Defaults() {
		if !slices.Contains(contexts, b.Context) {
			contexts = append(contexts, b.Context)
		}
	}
	cells := 0
	for layout, letters := range printed {
		for encoding, encode := range encodings {
			t.Run(layout+" in "+encoding, func(t *testing.T) {
				for i, place := range usLetters {
					letter := []rune(letters)[i]
					if letter == ' ' || layout == "Belarusian" && letter == 'і' && encoding != "kitty" { // Ukrainian has it elsewhere.
						continue
					}
					want, on := place, place
					if letter < 0x80 { // It counts by its print.
						want = letter
						if at := strings.IndexRune(moved[layout], letter); at >= 0 && at%2 == 0 {
							on = rune(moved[layout][at+1])
						}
					}
					for mod, name := range map[int]string{5: "ctrl+", 3: "alt+"} {
						if want == 'h' && mod == 5 && encoding == "legacy" {
							continue // Backspace.
						}
						got := typed(t, encode(letter, on, mod))
						if len(got) != 1 {
							t.Errorf("%s%c came as %q", name, letter, got)
							continue
						}
						for _, c := range contexts {
							key := name + string(want)
							if same, ok := map[string]string{"ctrl+i": "tab", "ctrl+m": "enter"}[key]; ok && (letter < 0x80 || encoding == "legacy") {
								key = same // Whether the terminal tells them apart or not.
							}
							a, _ := bindings.Resolve(key, c)
							if b, _ := bindings.Resolve(got[0], c); a != b {
								t.Errorf("%s%c came as %s, which does %q at %v, want %q", name, letter, got[0], b, c, a)
							}
							cells++
						}
					}
				}
			})
		}
	}
	if cells < 10_000 {
		t.Errorf("only %d cells", cells)
	}
}

// typed returns the names of the keys that a program gets of what a terminal sends, in parts.
func typed(t *testing.T, bytes ...string) (keys []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		in, keyboard := io.Pipe()
		p, err := New(recorder{&keys}, time.Now, Device{In: in, Out: io.Discard, Width: 80, Height: 24}, nil) //nolint:forbidigo // virtual time
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = p.Run()
		}()
		for _, b := range bytes {
			if _, err := io.WriteString(keyboard, b); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond) //nolint:forbidigo // virtual time
		}
		time.Sleep(time.Second) //nolint:forbidigo // virtual time: the library waits for the rest of a sequence
		p.Quit()
		<-ended
		_, _ = in.Close(), keyboard.Close()
	})
	return keys
}
