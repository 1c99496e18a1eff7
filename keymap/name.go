package keymap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lastFunctionKey is the highest function key that keyboards have.
const lastFunctionKey = 24

// modifiers are those a terminal reports, in the order in which they are
// written.
func modifiers() []string { return []string{"ctrl", "alt", "shift"} }

// named are the keys with a name instead of a letter, beside f1 to f24.
func named() []string {
	return []string{
		"enter", "tab", "esc", "space", "backspace", "delete", "insert",
		"up", "down", "left", "right", "home", "end", "pgup", "pgdown",
	}
}

// aliases are other common names of keys.
func aliases() map[string]string {
	return map[string]string{
		"escape": "esc", "return": "enter", "del": "delete", "ins": "insert", "bs": "backspace",
		"pageup": "pgup", "pagedown": "pgdown", "page-up": "pgup", "page-down": "pgdown", "pgdn": "pgdown",
		"spacebar": "space", "plus": "+", "minus": "-",
		"control": "ctrl", "option": "alt",
	}
}

// KeyError is why a text is not the name of a key.
type KeyError struct {
	Key, Why string
	// Known are the names it may be a misspelling of.
	Known []string
}

func (e *KeyError) Error() string { return fmt.Sprintf("%q %s", e.Key, e.Why) }

// Canonical returns the name of a key press for a name from the configuration:
// Shift+g is G, Escape is esc, alt+ctrl+x is ctrl+alt+x.
func Canonical(key string) (string, error) {
	parts := split(key)
	last := parts[len(parts)-1]
	held := make(map[string]bool, len(parts))
	for _, p := range parts[:len(parts)-1] {
		m := plain(p)
		if !slices.Contains(modifiers(), m) {
			return "", &KeyError{Key: key, Why: "has a modifier that is none of " + strings.Join(modifiers(), ", "), Known: modifiers()}
		}
		held[m] = true
	}
	if utf8.RuneCountInString(last) == 1 {
		return letter(key, []rune(last)[0], held)
	}
	name := plain(last)
	if utf8.RuneCountInString(name) == 1 {
		return letter(key, []rune(name)[0], held)
	}
	if !slices.Contains(named(), name) && !functionKey(name) {
		return "", &KeyError{Key: key, Why: "is no key", Known: named()}
	}
	return with(held, name), nil
}

// split separates modifiers and key; the text may end with the plus key.
func split(key string) []string {
	if key == "+" {
		return []string{key}
	}
	if rest, ok := strings.CutSuffix(key, "++"); ok {
		return append(strings.Split(rest, "+"), "+")
	}
	return strings.Split(key, "+")
}

// plain returns a part in lower case and without alias.
func plain(part string) string {
	part = strings.ToLower(part)
	if name, ok := aliases()[part]; ok {
		return name
	}
	return part
}

// letter returns the name of a key that types something.
func letter(key string, r rune, held map[string]bool) (string, error) {
	commanded := held["ctrl"] || held["alt"]
	switch {
	case r == ' ':
		return with(held, "space"), nil
	case !unicode.IsPrint(r):
		return "", &KeyError{Key: key, Why: "is no key"}
	case !commanded && held["shift"]:
		if !unicode.IsLetter(r) {
			return "", &KeyError{Key: key, Why: "depends on the layout: write the character that it types"}
		}
		return string(unicode.ToUpper(r)), nil
	case !commanded:
		return string(r), nil
	}
	if held["ctrl"] && !held["alt"] && !held["shift"] {
		if same, ok := map[rune]string{'i': "tab", 'm': "enter", '[': "esc"}[unicode.ToLower(r)]; ok {
			return "", &KeyError{Key: key, Why: "is " + same + " to a terminal"}
		}
	}
	if unicode.IsUpper(r) && !held["ctrl"] {
		held["shift"] = true
	}
	return with(held, string(unicode.ToLower(r))), nil
}

func with(held map[string]bool, name string) string {
	var b strings.Builder
	for _, m := range modifiers() {
		if held[m] {
			b.WriteString(m + "+")
		}
	}
	return b.String() + name
}

func functionKey(name string) bool {
	digits, ok := strings.CutPrefix(name, "f")
	n, err := strconv.Atoi(digits)
	return ok && err == nil && n >= 1 && n <= lastFunctionKey && digits[0] != '0'
}

// bare reports whether a key is pressed without ctrl or alt.
func bare(key string) bool {
	return !strings.HasPrefix(key, "ctrl+") && !strings.HasPrefix(key, "alt+")
}
