// Package rows reads the cards that every measured program shows.
package rows

import (
	"bufio"
	"os"
	"strings"
)

// Titles name the columns.
var Titles = []string{"label", "card", "status", "network", "balance", "spent", "last", "id"}

// Widths are the columns' cells.
var Widths = []int{30, 10, 10, 12, 12, 12, 22, 36}

// Read reads a file of lines with a tab between the columns.
func Read(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all [][]string
	in := bufio.NewScanner(f)
	for in.Scan() {
		all = append(all, strings.Split(in.Text(), "\t"))
	}
	return all, in.Err()
}

// Filter keeps the rows whose label holds the text.
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
