package keymap

import "strings"

// Physical keys of the letter rows, US layout beside ЙЦУКЕН, in the same
// order, so that a shortcut works by its position.
const (
	latin    = "`qwertyuiop[]asdfghjkl;'zxcvbnm,./" + "~QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>?"
	cyrillic = "ёйцукенгшщзхъфывапролджэячсмитьбю." + "ЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ,"
	// Ukrainian differs from Russian on these positions.
	ukrainian = "іїєґ" + "ІЇЄҐ"
	ukrLatin  = "s]'`" + "S}\"~"
	// The digits of a French keyboard need shift; these are what their keys type
	// without it, but for those that are signs of shortcuts.
	french = "&é\"'(èçà"
	digits = "12345790"
)

// ByPosition maps a key of another layout to the one of the US layout on the
// same physical key: Cyrillic letters, and the keys of French digits. Latin
// letters count by what is printed on them, and every other key stays as it is.
// It is for keys that no binding claims, never for text.
func ByPosition(key string) string {
	mod, letter := splitModifiers(key)
	runes := []rune(letter)
	if len(runes) != 1 {
		return key
	}
	if at := indexRune(french, runes[0]); at >= 0 {
		return mod + digits[at:at+1]
	}
	if at := indexRune(cyrillic, runes[0]); at >= 0 {
		return mod + string([]rune(latin)[at])
	}
	if at := indexRune(ukrainian, runes[0]); at >= 0 {
		return mod + string([]rune(ukrLatin)[at])
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
