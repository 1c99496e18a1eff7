// Package rows reads the cards that every measured program shows.
package rows

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

// Titles returns the names of the columns.
func Titles() []string {
	return []string{"label", "card", "status", "network", "balance", "spent", "last", "id"}
}

// Widths returns the columns' widths in cells.
func Widths() []int { return []int{28, 12, 12, 14, 12, 12, 22, 36} }

// Read reads a file of lines with a tab between the columns.
func Read(path string) (all [][]string, err error) {
	f, err := os.Open(path) //nolint:gosec // the caller's file
	if err != nil {
		return nil, err
	}
	defer func() { err = firstError(err, f.Close()) }()
	in := bufio.NewScanner(f)
	for in.Scan() {
		all = append(all, strings.Split(in.Text(), "\t"))
	}
	return all, in.Err()
}

// Write writes what Read reads; padded, it writes the columns as wide as they
// are shown.
func Write(path string, all [][]string, padded bool) (err error) {
	f, err := os.Create(path) //nolint:gosec // as above
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, f.Close()) }()
	out := bufio.NewWriter(f)
	for _, r := range all {
		line := strings.Join(r, "\t")
		if padded {
			line = Line(r)
		}
		if _, err := io.WriteString(out, line+"\n"); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Line returns a row as text of a fixed width.
func Line(row []string) string {
	var b strings.Builder
	for i, w := range Widths() {
		fmt.Fprintf(&b, "%-*.*s ", w-1, w-1, row[i])
	}
	return b.String()
}

// Filter returns the rows whose label has the text.
func Filter(all [][]string, text string) [][]string {
	if text == "" {
		return all
	}
	text = strings.ToLower(text)
	var out [][]string
	for _, r := range all {
		if strings.Contains(strings.ToLower(r[0]), text) {
			out = append(out, r)
		}
	}
	return out
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
