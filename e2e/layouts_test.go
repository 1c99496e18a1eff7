package e2e

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
)

// usKeys are the letters of the US layout.
const usKeys = "qwertyuiopasdfghjklzxcvbnm"

// printedOn are what the same keys type on other layouts. A blank is a key that counts by the sign of ASCII on it.
var printedOn = map[string]string{
	"US":         usKeys,
	"German":     "qwertyuiopasdfghjklzxcvbnm",
	"French":     "qwertyuiopasdfghjklzxcvbnm",
	"Turkish":    "qwertyuıopasdfghjklzxcvbnm",
	"Russian":    "йцукенгшщзфывапролдячсмить",
	"Ukrainian":  "йцукенгшщзфівапролдячсмить",
	"Belarusian": "йцукенгшўзфывапролдячсм ть", // Its і is another key than that of the Ukrainian one.
	"Kazakh":     "йцукенгшщзфывапролдячсмить",
	"Greek":      " ςερτυθιοπασδφγηξκλζχψωβνμ",
	"Hebrew":     "  קראטוןםפשדגכעיחלךזסבהנמצ",
	"Georgian":   "ქწერტყუიოპასდფგჰჯკლზხცვბნმ",
}

// encoded is what terminals send for a key with ctrl (5) or alt (3): what is printed on it, and the US key in its place.
var encoded = map[string]func(printed, us rune, mod int) string{
	"kitty": func(printed, us rune, mod int) string {
		if printed == us {
			return fmt.Sprintf("\x1b[%d;%du", us, mod)
		}
		return fmt.Sprintf("\x1b[%d:%d:%d;%du", printed, unicode.ToUpper(printed), us, mod)
	},
	"kitty with num lock": func(printed, us rune, mod int) string {
		return fmt.Sprintf("\x1b[%d::%d;%du", printed, us, mod+128)
	},
	"modifyOtherKeys": func(printed, _ rune, mod int) string { return fmt.Sprintf("\x1b[27;%d;%d~", mod, printed) },
	"modifyOtherKeys with caps lock": func(printed, _ rune, mod int) string {
		if printed == 'ς' || unicode.ToUpper(printed) >= 'Ა' { // The first has no capital of its own, the others are typed nowhere.
			return ""
		}
		return fmt.Sprintf("\x1b[27;%d;%d~", mod, unicode.ToUpper(printed))
	},
	"legacy": func(printed, us rune, mod int) string {
		switch {
		case mod == 3:
			return "\x1b" + string(printed)
		case strings.ContainsRune("him", us):
			return "" // Backspace, tab and enter.
		}
		return string(us & 0x1f)
	},
}

// place is where keys are typed.
type place struct {
	name string
	open []string // the keys that go there
	// field: text is typed there, and what a key did is the text afterwards.
	field bool
	// shows is what keys show in a list, with no modifier or with ctrl; back goes back from there.
	shows map[string]string
	back  []string
}

func places() []place {
	return []place{
		{name: "list", back: []string{"esc", "esc", "1"}, shows: map[string]string{
			"e": "╭▸Edit", "n": "╭▸Choose a BIN", "i": "╭▸Alert lines", "E": "╭▸Export", "N": "╭▸Issue", "Y": "╭▸Copy", "w": "╭▸1 Webhooks",
			"b": "╭▸1 BINs", "d": "╭▸1 Deposits", "H": "╭▸1 History", "X": "╭▸1 Declines", "/": "/ ▏", ":": "╭▸Find", "ctrl+p": "╭▸Find",
			"ctrl+r": "╭▸1 Requests", "ctrl+x": "╭▸Terminate",
		}},
		{name: "filter", open: []string{"/"}, field: true},
		{name: "form", open: []string{"n", "shift+tab"}, field: true},
		{name: "help", open: []string{"?", "/"}, field: true},
		{name: "dialog", open: []string{"Y"}, shows: map[string]string{"L": "LOCKED"}, back: []string{"enter"}},
		{name: "private dialog", open: []string{"Y"}, shows: map[string]string{"P": "PRIVATE"}, back: []string{"P"}},
		{name: "lock", open: []string{"L"}, shows: map[string]string{"f": "locked: enter unlocks", "ctrl+x": "locked: enter unlocks"}},
	}
}

// TestEveryKeyOfEveryLayoutInEveryPlace types the keys of each layout, with ctrl, alt and none, as terminals encode
// them, into the running program. In a list, a dialog and at the lock a key does what the US key in its place does; in a
// field its letter is typed.
func TestEveryKeyOfEveryLayoutInEveryPlace(t *testing.T) {
	t.Parallel()
	for _, at := range places() {
		for name, encode := range encoded {
			if strings.Contains(name, "lock") && at.name != "list" && at.name != "filter" {
				continue // A lock is the same in each field.
			}
			t.Run(at.name+" in "+name, func(t *testing.T) {
				t.Parallel()
				story(t, options{w: 100, h: 24, cards: 12, txns: 1}, func(d *driver) {
					d.press("1")
					d.goTo(at)
					if at.field {
						d.edits(at, encode)
						d.types(at, name == "kitty")
						return
					}
					d.commands(at, encode)
				})
			})
		}
	}
}

// goTo opens a place.
func (d *driver) goTo(at place) {
	for _, k := range at.open {
		d.press(k)
		d.wait(time.Second)
	}
}

// commands holds that a key shows the same on each layout.
func (d *driver) commands(at place, encode func(printed, us rune, mod int) string) {
	d.t.Helper()
	did := make(map[string]bool) // by the bytes: several layouts send the same
	for _, key := range slices.Sorted(maps.Keys(at.shows)) {
		us := []rune(key)[len(key)-1]
		for _, layout := range slices.Sorted(maps.Keys(printedOn)) {
			letters := printedOn[layout]
			i := strings.IndexRune(usKeys, unicode.ToLower(us))
			if i < 0 { // A sign that each layout types.
				i, letters = 0, string(us)
			}
			printed := []rune(letters)[i]
			bytes := string(printed)
			switch {
			case printed == ' ':
				continue
			case strings.HasPrefix(key, "ctrl+"):
				bytes = encode(printed, us, 5)
			case unicode.IsUpper(us):
				bytes = string(unicode.ToUpper(printed))
			}
			// The others have no capitals on their keys.
			if bytes == "" || did[bytes+key] || unicode.IsUpper(us) && (bytes == string(printed) || layout == "Georgian") {
				continue
			}
			did[bytes+key] = true
			d.send(bytes)
			d.let(150 * time.Millisecond)
			if shows := at.shows[key]; !strings.Contains(d.screen(), shows) {
				d.t.Errorf("%s: %s of %s, sent as %q, does not show %s:\n%s", at.name, key, layout, bytes, shows, d.screen())
			}
			d.press(at.back...)
			d.wait(time.Second)
		}
	}
}

// edits holds that in a field the keys that edit are those in the place of the US layout's.
func (d *driver) edits(at place, encode func(printed, us rune, mod int) string) {
	d.t.Helper()
	did := make(map[string]string) // by the bytes: several layouts send the same
	do := func(bytes string) string {
		if _, known := did[bytes]; !known {
			did[bytes] = d.edited(bytes)
		}
		return did[bytes]
	}
	for mod, keys := range []string{5: "abdefhkuw", 3: "bdfqt"} {
		for _, us := range keys {
			i := strings.IndexRune(usKeys, us)
			want := do(encoded["kitty"](us, us, mod))
			for _, layout := range slices.Sorted(maps.Keys(printedOn)) {
				letters := printedOn[layout]
				printed := []rune(letters)[i]
				bytes := encode(printed, us, mod)
				if printed == ' ' || bytes == "" {
					continue
				}
				if got := do(bytes); got != want {
					d.t.Errorf("%s: %c of %s, sent as %q, makes %q, want %q", at.name, printed, layout, bytes, got, want)
				}
			}
		}
	}
}

// types holds that a field takes the letters of each layout, small and large; told says that the terminal tells them
// with the key in their place, as some do of letters too.
func (d *driver) types(at place, told bool) {
	d.t.Helper()
	for _, layout := range slices.Sorted(maps.Keys(printedOn)) {
		letters := printedOn[layout]
		for shift, word := range []string{letters, strings.ToUpper(letters)} {
			d.send("\x05\x15")
			for i, r := range []rune(word) {
				switch {
				case r == ' ':
				case told:
					d.send(fmt.Sprintf("\x1b[%d:%d:%d;%du", []rune(letters)[i], unicode.ToUpper(r), usKeys[i], 1+shift))
				default:
					d.send(string(r))
				}
			}
			d.let(20 * time.Millisecond)
			if got := d.screen(); !strings.Contains(got, strings.ReplaceAll(word, " ", "")) {
				d.t.Errorf("%s: the letters of %s, %s, are not typed:\n%s", at.name, layout, word, got)
			}
		}
	}
}

// edited is what a key makes of the text of a field.
func (d *driver) edited(bytes string) string {
	d.t.Helper()
	d.send("\x05\x15\x1b[200~alpha beta gamma\x1b[201~\x1b[D\x1b[D" + bytes)
	d.let(110 * time.Millisecond) // An escape is known to stand alone.
	d.send("\x1b[200~|\x1b[201~")
	d.let(20 * time.Millisecond)
	return edited.FindString(d.screen())
}

var edited = regexp.MustCompile(`[a-z ]*\|[a-z ]*`)
