package pane

import "strings"

// Term asks for a name in a field of a list. A filter has no way to write a quote: of
// a name that has one what stands before it is looked for.
func Term(field, name string) string {
	value, _, cut := strings.Cut(name, `"`)
	op := "="
	if cut {
		op = "~"
	}
	if strings.ContainsAny(value, " \t,=~<>!") || strings.HasPrefix(value, "/") {
		value = `"` + value + `"`
	}
	return field + op + value
}
