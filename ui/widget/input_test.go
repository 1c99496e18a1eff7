package widget

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// press sends keys by name; what is no name is typed.
func press(in *Input, keys ...string) {
	for _, k := range keys {
		if len(k) > 1 && (strings.Contains(k, "+") || strings.Contains(" left right home end backspace delete ", " "+k+" ")) {
			in.Key(k, "")
			continue
		}
		in.Key(k, k)
	}
}

// TestWhatIsSelectedIsReplaced by what is typed, pasted or removed next.
func TestWhatIsSelectedIsReplaced(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"1", "0"}, "10"},
		{[]string{"backspace"}, ""},
		{[]string{"delete", "7"}, "7"},
		{[]string{"ctrl+w"}, ""},
		{[]string{"home", "delete"}, "bc"},
		{[]string{"left", "x"}, "abxc"},
		{[]string{"end", "x"}, "abcx"},
		{[]string{"f5x+", "x"}, "x"},
		{nil, "abc"},
	} {
		var in Input
		in.SetValue("abc")
		in.Select()
		if press(&in, c.keys...); in.Value() != c.want {
			t.Errorf("%v: %q, want %q", c.keys, in.Value(), c.want)
		}
	}
	in := Input{Styles: InputStyles{Cursor: "[5m", Selected: "[7m"}}
	in.SetValue("abc")
	in.Select()
	if text := in.View(6, true); strings.Count(text, "[5m") != 1 || !strings.Contains(text, "[7mabc") {
		t.Errorf("%q", text)
	}
	if text := in.View(6, false); strings.Contains(text, "[7m") {
		t.Errorf("%q", text)
	}
	if in.Insert("x"); in.Value() != "x" {
		t.Errorf("pasted: %q", in.Value())
	}
	in.SetValue("")
	if in.Select(); in.selected {
		t.Error("nothing is selected")
	}
}

func TestInputKeys(t *testing.T) {
	for _, c := range []struct {
		what  string
		start string
		keys  []string
		want  string // the cursor is |
	}{
		{"typing", "", []string{"a", "b", "世"}, "ab世|"},
		{"insert inside", "ac", []string{"left", "b"}, "ab|c"},
		{"left stops", "a", []string{"left", "left", "x"}, "x|a"},
		{"right stops", "a", []string{"right", "x"}, "ax|"},
		{"home and end", "abc", []string{"home", "x", "end", "y"}, "xabcy|"},
		{"backspace", "abc", []string{"backspace"}, "ab|"},
		{"backspace at the start", "abc", []string{"home", "backspace"}, "|abc"},
		{"backspace a cluster", "ae\u0301", []string{"backspace"}, "a|"},
		{"delete", "abc", []string{"home", "delete"}, "|bc"},
		{"delete at the end", "abc", []string{"delete"}, "abc|"},
		{"delete a word", "fb/spring 01", []string{"ctrl+w", "ctrl+w"}, "fb/|"},
		{"delete a word of a script", "привет мир", []string{"ctrl+w"}, "привет |"},
		{"word left", "one two", []string{"alt+left", "x"}, "one x|two"},
		{"word right", "one two", []string{"home", "ctrl+right", "x"}, "onex| two"},
		{"delete a word ahead", "one two", []string{"home", "alt+d"}, "| two"},
		{"to the start", "one two", []string{"alt+left", "ctrl+u"}, "|two"},
		{"to the end", "one two", []string{"alt+left", "ctrl+k"}, "one |"},
		{"joined by a deletion", "🇺x🇸", []string{"home", "right", "delete"}, "🇺🇸|"},
	} {
		in := &Input{}
		in.SetValue(c.start)
		press(in, c.keys...)
		if got := in.value[:in.cursor] + "|" + in.value[in.cursor:]; got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

func TestInputRefusesOtherKeys(t *testing.T) {
	in := &Input{}
	for _, k := range []string{"enter", "tab", "up", "f5", "esc"} {
		if in.Key(k, "") {
			t.Errorf("%s was taken", k)
		}
	}
	if in.Key("enter", "\x00") || in.Value() != "" {
		t.Error("a control was taken")
	}
}

func TestInputPasteAndLimit(t *testing.T) {
	in := &Input{Limit: 5}
	if !in.Insert("a\nb\x1b\u202e") || in.Value() != "a b" {
		t.Errorf("pasted %q", in.Value())
	}
	if in.Insert("世界!") || in.Value() != "a b世界" {
		t.Errorf("value %q, want it cut at five code points", in.Value())
	}
	if in.Insert("x") {
		t.Error("more than the limit was taken")
	}
	in.SetErr("too long")
	press(in, "left")
	if in.Err() == "" {
		t.Error("moving cleared the error")
	}
	press(in, "backspace")
	if in.Err() != "" {
		t.Error("the error outlived the change")
	}
}

func TestInputView(t *testing.T) {
	in := &Input{Placeholder: "label", Styles: InputStyles{Cursor: "\x1b[0;7m", Placeholder: "\x1b[0;2m"}}
	view := func(w int) string { return strings.ReplaceAll(in.View(w, true), "\x1b[0;7m", "^") }
	if got := in.View(8, false); got != "\x1b[0;2mlabel\x1b[m   " {
		t.Errorf("empty: %q", got)
	}
	if got := view(8); got != "^ \x1b[0;2mlabel\x1b[m  " {
		t.Errorf("empty with focus: %q", got)
	}
	in.SetValue("abcdefgh")
	if got := view(5); got != "efgh^ \x1b[m" {
		t.Errorf("at the end: %q", got)
	}
	press(in, "home")
	if got := view(5); got != "^a\x1b[mbcde" {
		t.Errorf("at home: %q", got)
	}
	press(in, "end")
	if got := view(5); got != "efgh^ \x1b[m" {
		t.Errorf("back at the end: %q", got)
	}
	press(in, "backspace", "backspace", "backspace", "backspace")
	if got := view(5); got != "abcd^ \x1b[m" {
		t.Errorf("after deleting: %q", got)
	}
}

func TestInputIsExact(t *testing.T) {
	keys := []string{
		"left", "right", "home", "end", "backspace", "delete", "ctrl+w", "alt+left", "alt+right", "alt+d", "ctrl+u", "ctrl+k", "x",
	}
	rapid.Check(t, func(t *rapid.T) {
		in := &Input{
			Placeholder: hostile().Draw(t, "placeholder"), Limit: rapid.IntRange(0, 30).Draw(t, "limit"),
			Styles: InputStyles{Text: bold, Cursor: "\x1b[0;7m", Placeholder: red},
		}
		w := rapid.OneOf(rapid.IntRange(0, 12), width()).Draw(t, "w")
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "paste") {
				in.Insert(hostile().Draw(t, "text"))
			} else {
				k := rapid.SampledFrom(keys).Draw(t, "key")
				press(in, k)
			}
			focused := rapid.Bool().Draw(t, "focused")
			line := in.View(w, focused)
			exact(t, []string{line}, w, 1)
			if focused && w > 0 && strings.Count(line, "\x1b[0;7m") != 1 {
				t.Fatalf("no cursor in %q of %q at %d", line, in.value, in.cursor)
			}
			if !utf8.ValidString(in.Value()) || in.Limit > 0 && utf8.RuneCountInString(in.Value()) > in.Limit {
				t.Fatalf("value %q with limit %d", in.Value(), in.Limit)
			}
		}
	})
}
