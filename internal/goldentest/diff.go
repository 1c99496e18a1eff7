// Package goldentest says in which lines a text differs from the one that a test has on file.
package goldentest

import (
	"fmt"
	"strings"
)

// Diff returns the lines that are not the same, each as it should be and as it is.
func Diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var b strings.Builder
	for i := range max(len(w), len(g)) {
		var x, y string
		if i < len(w) {
			x = w[i]
		}
		if i < len(g) {
			y = g[i]
		}
		if x != y {
			fmt.Fprintf(&b, "%3d want %s\n    got  %s\n", i+1, x, y)
		}
	}
	return b.String()
}
