package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWhatTheReadmeNamesIsThere holds the targets and files that the README
// leads to.
func TestWhatTheReadmeNamesIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	readme, targets := read("README.md"), read("Makefile")
	found := 0
	for _, m := range regexp.MustCompile("`(?:make )?((?:proof|bench)-[a-z-]+)`|`make ([a-z-]+)`").FindAllStringSubmatch(readme, -1) {
		found++
		if name := m[1] + m[2]; !strings.Contains(targets, "\n"+name+":") {
			t.Errorf("there is no make %s", name)
		}
	}
	for _, m := range regexp.MustCompile(`\]\(([a-zA-Z][^):]*)\)`).FindAllStringSubmatch(readme, -1) {
		found++
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Error(err)
		}
	}
	for _, p := range pictures() {
		found++
		if !strings.Contains(readme, "docs/pictures/"+p.name+".svg") {
			t.Errorf("the README does not show %s", p.name)
		}
	}
	if found < 20 {
		t.Errorf("only %d were found", found)
	}
}
