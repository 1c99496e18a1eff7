package keymap

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestCanonicalNames(t *testing.T) {
	for in, want := range map[string]string{
		"f": "f", "G": "G", "Shift+g": "G", "shift+G": "G", "Escape": "esc", "Return": "enter", "PageUp": "pgup", " ": "space",
		"Space": "space", "+": "+", "plus": "+", "ctrl++": "ctrl++", "Ctrl+X": "ctrl+x", "alt+ctrl+x": "ctrl+alt+x", "alt+G": "alt+shift+g",
		"F5": "f5", "shift+tab": "shift+tab", "ф": "ф", "shift+ф": "Ф", "/": "/", "control+left": "ctrl+left", "minus": "-",
	} {
		if got, err := Canonical(in); err != nil || got != want {
			t.Errorf("Canonical(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	for in, why := range map[string]string{
		"": "no key", "foo": "no key", "hyper+x": "modifier", "shift+1": "layout", "ctrl+i": "is tab", "ctrl+m": "is enter", "ctrl+[": "is esc",
		"f0": "no key", "f25": "no key", "f01": "no key", "\x07": "no key", "ctrl+": "no key", "x+y": "modifier",
	} {
		got, err := Canonical(in)
		var wrong *KeyError
		if !errors.As(err, &wrong) || !strings.Contains(wrong.Why, why) {
			t.Errorf("Canonical(%q) = %q, %v; want an error with %q", in, got, err, why)
		}
	}
}

func TestRemapMovesAddsAndTakesAwayKeys(t *testing.T) {
	rows, faults := Remap(Defaults(), []Line{
		{"cards.sort", []string{"K", "f2"}},
		{"freeze", []string{"alt+f", "Alt+F"}},
		{"undo", nil},
		{"back", []string{"h"}},
		{"terminate", []string{"ctrl+g"}},
	})
	if len(faults) > 0 {
		t.Fatalf("faults: %+v", faults)
	}
	m := New(rows)
	chain := Chain(Cards)
	for key, want := range map[string]Action{"K": Sort, "f2": Sort, "alt+f": Freeze, "alt+shift+f": Freeze, "esc": Back, "h": Back, "ctrl+g": Terminate, "y": CopyNext} {
		if got, _ := m.Resolve(key, chain...); got != want {
			t.Errorf("%s does %q, want %q", key, got, want)
		}
	}
	for _, gone := range []string{"s", "f", "u", "ctrl+x"} {
		if act, ok := m.Resolve(gone, chain...); ok {
			t.Errorf("%s still does %s", gone, act)
		}
	}
	if len(m.Conflicts()) > 0 {
		t.Errorf("conflicts: %+v", m.Conflicts())
	}
	if strings.Contains(m.Text(), "Undo last change") {
		t.Error("the reference shows an action without a key")
	}
	if slices.ContainsFunc(m.Footer(chain...), func(b Binding) bool { return b.Action == Undo }) {
		t.Error("the footer shows an action without a key")
	}
}

func TestRemapTellsWhatIsWrongInALine(t *testing.T) {
	for _, c := range []struct {
		lines []Line
		at    int
		want  string
		near  string
	}{
		{[]Line{{"freze", []string{"x"}}}, 0, `there is no action "freze"`, "freeze"},
		{[]Line{{"cards.sart", []string{"x"}}}, 0, `there is no action "cards.sart"`, "cards.sort"},
		{[]Line{{"freeze", []string{"hyper+q"}}}, 0, "modifier", "ctrl"},
		{[]Line{{"undo", []string{"q"}}}, 0, `"q" is the key of global.quit already`, ""},
		{[]Line{{"undo", []string{"f"}}}, 0, `"f" is the key of card.freeze already`, ""},
		{[]Line{{"freeze", []string{"u"}}}, 0, `"u" is the key of global.undo already`, ""},
		{[]Line{{"freeze", []string{"ctrl+c"}}}, 0, "always.quit", ""},
		{[]Line{{"freeze", []string{"f7"}}, {"fund", []string{"f7"}}}, 1, `"f7" is the key of card.freeze already`, ""},
		{[]Line{{"terminate", []string{"t"}}}, 0, "put ctrl or alt with it", ""},
		{[]Line{{"terminate", []string{"shift+t"}}}, 0, "put ctrl or alt with it", ""},
		{[]Line{{"terminate", []string{"f9"}}}, 0, "put ctrl or alt with it", ""},
		{[]Line{{"confirm", []string{"y"}}}, 0, "cannot be changed", ""},
		{[]Line{{"always.quit", nil}}, 0, "cannot be changed", ""},
		{[]Line{{"undo", []string{"esc"}}}, 0, `"esc" is the key of`, ""},
	} {
		_, faults := Remap(Defaults(), c.lines)
		if len(faults) != 1 || faults[0].Line != c.at || !strings.Contains(faults[0].Text, c.want) {
			t.Errorf("%v: faults %+v, want one at %d with %q", c.lines, faults, c.at, c.want)
			continue
		}
		if c.near != "" && !slices.Contains(faults[0].Known, c.near) {
			t.Errorf("%v: %q is not among the known %v", c.lines, c.near, faults[0].Known)
		}
	}
}

func TestALineWithItsContextMayTakeAKeyFromFartherOff(t *testing.T) {
	rows, faults := Remap(Defaults(), []Line{{"cards.sort", []string{"u"}}})
	if len(faults) > 0 {
		t.Fatalf("faults: %+v", faults)
	}
	m := New(rows)
	if act, _ := m.Resolve("u", Chain(Cards)...); act != Sort {
		t.Errorf("u does %s in the cards", act)
	}
	if act, _ := m.Resolve("u", Chain(Feed)...); act != Undo {
		t.Errorf("u does %s in the transactions", act)
	}
}

func TestTheKeyThatCountsWhileTypingMovesToNoKeyThatTypes(t *testing.T) {
	for _, c := range []struct {
		lines        []Line
		always, glob string // the keys
		fault        string
	}{
		{nil, "ctrl+o", "o", ""},
		{[]Line{{"always.copy-code", []string{"alt+g", "f6"}}}, "alt+g f6", "o", ""},
		{[]Line{{"always.copy-code", nil}}, "", "o", ""},
		{[]Line{{"copy-code", []string{"K"}}}, "ctrl+o", "K", ""},
		{[]Line{{"copy-code", []string{"K", "alt+c"}}}, "alt+c", "K alt+c", ""},
		{[]Line{{"copy-code", nil}}, "", "", ""},
		{[]Line{{"always.copy-code", []string{"c"}}}, "", "", `"c" counts while you type: put ctrl or alt with it`},
		{[]Line{{"always.copy-code", []string{"enter"}}}, "", "", `"enter" counts while you type`},
		{[]Line{{"always.copy-code", []string{"ctrl+x"}}}, "", "", `"ctrl+x" is the key of`},
		{[]Line{{"edit", []string{"ctrl+o"}}}, "", "", `"ctrl+o" is the key of always.copy-code already`},
	} {
		rows, faults := Remap(append(Defaults(), UserCommand("x", "", false, Card)...), c.lines)
		if c.fault != "" {
			if len(faults) != 1 || !strings.Contains(faults[0].Text, c.fault) {
				t.Errorf("%v: faults %+v", c.lines, faults)
			}
			continue
		}
		m := New(rows)
		always, glob := strings.Join(m.Keys(Always, CopyCode), " "), strings.Join(m.Keys(Global, CopyCode), " ")
		if len(faults) > 0 || always != c.always || glob != c.glob {
			t.Errorf("%v: %q and %q, faults %+v", c.lines, always, glob, faults)
		}
	}
}

func TestSwappedKeysAreNoConflict(t *testing.T) {
	rows, faults := Remap(Defaults(), []Line{{"freeze", []string{"r"}}, {"reveal", []string{"f"}}})
	if len(faults) > 0 {
		t.Fatalf("faults: %+v", faults)
	}
	m := New(rows)
	if act, _ := m.Resolve("r", Chain(Cards)...); act != Freeze {
		t.Errorf("r does %s", act)
	}
}

func TestAPersonsOwnCommandsAreRows(t *testing.T) {
	own := append(UserCommand("ads", "Open the ad account", true, Card), UserCommand("look", "", false, Feed, Charge)...)
	rows, faults := Remap(append(Defaults(), own...), []Line{{"run-ads", []string{"Option+o"}}, {"run-look", []string{"alt+l", "f9"}}})
	if len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	m := New(rows)
	if act, _ := m.Resolve("alt+o", Chain(Alerts)...); act != UserCommandAction("ads") || !m.Any(act, Binding.Lasts) {
		t.Errorf("alt+o does %q", act)
	}
	if act, _ := m.Resolve("f9", Chain(Charge)...); act != UserCommandAction("look") || m.Any(act, func(b Binding) bool { return b.Has(NeedWrite) }) {
		t.Errorf("f9 does %q", act)
	}
	if name, ok := m.Command(UserCommandAction("look")); name != "look" || !ok {
		t.Errorf("%q, %v", name, ok)
	}
	if _, ok := m.Command(Freeze); ok {
		t.Error("freeze is a person's own")
	}
	if !m.Holds(Card, UserCommandAction("ads")) || m.Holds(Cards, UserCommandAction("ads")) {
		t.Error("ads holds elsewhere")
	}
	if text := m.Text(); !strings.Contains(text, "alt+o") || !strings.Contains(text, "Run the command look") {
		t.Errorf("the reference lacks them:\n%s", text)
	}
	for key, want := range map[string]string{"f": "card.freeze", "q": "global.quit", "f9": "transactions.run-look", "j": "lists.down", "ctrl+c": "always.quit"} {
		_, faults = Remap(append(Defaults(), own...), []Line{{"run-look", []string{"f9"}}, {"run-ads", []string{key}}})
		if len(faults) != 1 || faults[0].Line != 1 || !strings.Contains(faults[0].Text, want) {
			t.Errorf("%s: %+v", key, faults)
		}
	}
}
