package main

import (
	"fmt"
	"os"
	"strings"
)

// widths are those of the columns, in cells.
var widths = []int{28, 12, 12, 14, 12, 12, 22, 36}

// writeRows writes the cards as lines of text of a fixed width.
func writeRows(path string, all [][]string) error {
	var b strings.Builder
	for _, row := range all {
		for i, w := range widths {
			fmt.Fprintf(&b, "%-*.*s ", w-1, w-1, row[i])
		}
		b.WriteByte('\n')
	}
	return os.WriteFile(path, []byte(b.String()), 0o600)
}
