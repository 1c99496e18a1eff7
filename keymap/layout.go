package keymap

import (
	"strings"
)

// layouts are what keys of other layouts type, and what the same keys type on the US layout, so that a shortcut works
// by its position. Letters that two layouts have on different keys are those of the first; a terminal that tells the
// key itself is not asked here.
var layouts = [...]struct{ typed, us string }{
	// Russian.
	{"ёйцукенгшщзхъфывапролджэячсмитьбю.", "`qwertyuiop[]asdfghjkl;'zxcvbnm,./"},
	{"ЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ,", "~QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>?"},
	// Ukrainian, Belarusian and Kazakh, where they differ. The і of the first is another key on the others.
	{"іїєґўәңғүұқөһ", "s]'`o245890-="},
	{"ІЇЄҐЎӘҢҒҮҰҚӨҺ", "S}\"~O@$%*()_+"},
	{"ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"},
	{"ΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ", "ERTYUIOPASDFGHJKLZXCVBNM"},
	{"קראטוןםפשדגכעיחלךףזסבהנמצתץ", "ertyuiopasdfghjkl;zxcvbnm,."},
	{"ქწერტყუიოპასდფგჰჯკლზხცვბნმ", "qwertyuiopasdfghjklzxcvbnm"},
	{"ჭღთშჟძჩ", "WRTSJZC"},
	// The dotless i of Turkish is on the key of the i.
	{"ıİ", "iI"},
	// The digits of a French keyboard need shift; these are what their keys type
	// without it, but for those that are signs of shortcuts.
	{"&é\"'(èçà", "12345790"},
}

// ByPosition maps a key of another layout to the one of the US layout on the
// same physical key. Latin letters count by what is printed on them, and every other key stays as it is.
// It is for keys that no binding claims, never for text.
func ByPosition(key string) string {
	if key == "shift+space" { // Most terminals do not tell them apart.
		return "space"
	}
	mod, letter := splitModifiers(key)
	runes := []rune(letter)
	if len(runes) != 1 {
		return key
	}
	for _, l := range layouts {
		if at := indexRune(l.typed, runes[0]); at >= 0 {
			return mod + string([]rune(l.us)[at])
		}
	}
	return key
}

func splitModifiers(key string) (mod, letter string) {
	at := strings.LastIndex(key, "+")
	if at <= 0 || at == len(key)-1 {
		return "", key
	}
	return key[:at+1], key[at+1:]
}

func indexRune(s string, r rune) int {
	for i, c := range []rune(s) {
		if c == r {
			return i
		}
	}
	return -1
}
