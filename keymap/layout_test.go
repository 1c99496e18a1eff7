package keymap

import (
	"strings"
	"testing"
)

// TestEveryLetterWorksOnEveryLayout types each letter and digit that the table
// binds on the keys of other layouts: by their place where the letters are not
// Latin, by what is printed on them where they are.
func TestEveryLetterWorksOnEveryLayout(t *testing.T) {
	const us = "qwertyuiopasdfghjklzxcvbnm1234567890"
	layouts := map[string]string{
		"ru": "йцукенгшщзфывапролдячсмить1234567890",
		"uk": "йцукенгшщзфівапролдячсмить1234567890",
		"de": "qwertyuiopasdfghjklzxcvbnm1234567890", // z and y count by their print.
		"fr": "qwertyuiopasdfghjklzxcvbnm&é\"'(-è_çà",
	}
	m := New(Defaults())
	bound := 0
	for name, typed := range layouts {
		keys := []rune(typed)
		for i, letter := range us {
			for _, shifted := range []bool{false, true} {
				want, press := string(letter), string(keys[i])
				if shifted && letter >= 'a' {
					want, press = strings.ToUpper(want), strings.ToUpper(press)
				}
				for _, mod := range []string{"", "ctrl+"} {
					for _, b := range Defaults() {
						act, ok := m.Resolve(mod+want, b.Context)
						if !ok || strings.ContainsAny(press, "(-_") {
							continue
						}
						bound++
						got, ok := m.Resolve(mod+press, b.Context)
						if !ok {
							got, _ = m.Resolve(mod+press, b.Context)
						}
						if got != act {
							t.Errorf("%s: %q does %q, and %q is %q", name, mod+press, got, mod+want, act)
						}
					}
				}
			}
		}
	}
	if bound < 500 {
		t.Fatalf("only %d keys were tried", bound)
	}
}
