package api

import (
	"strings"
)

// longestID is the longest identifier that is put into a path, in bytes.
const longestID = 128

// IsID reports whether a text has the form of an identifier: letters, digits, dashes and
// underscores. Nothing else is put into a path: what stands between here and the provider
// may decode an escaped slash and take another path for it.
func IsID[T ~string](id T) bool {
	if id == "" || len(id) > longestID {
		return false
	}
	for _, c := range []byte(id) {
		if !isIDByte(c) {
			return false
		}
	}
	return true
}

func isIDByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// IsRuleName reports whether a text has the form of the name of a rule: an identifier that
// may have dots behind its first character.
func IsRuleName(name string) bool {
	return name != "" && name[0] != '.' && IsID(strings.ReplaceAll(name, ".", "_"))
}

// Segment returns an identifier as a part of a path.
func Segment[T ~string](what string, id T) (string, error) {
	switch {
	case id == "":
		return "", Invalid("%s id is missing", what)
	case !IsID(id):
		return "", Invalid("%s id is not valid: it may have letters, digits, - and _", what)
	}
	return string(id), nil
}
