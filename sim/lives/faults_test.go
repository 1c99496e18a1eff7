package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryPlantedFaultFitsTheProgram, so that one is not lost when the line that it changes is another.
func TestEveryPlantedFaultFitsTheProgram(t *testing.T) {
	t.Parallel()
	for _, f := range faults() {
		for _, e := range f.edits {
			text, err := os.ReadFile(filepath.Join("..", "..", e.file))
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), e.old); n == 0 {
				t.Errorf("%s: %s has no %q", f.name, e.file, e.old)
			}
		}
	}
}
