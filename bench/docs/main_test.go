package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestThePagesAreCurrent(t *testing.T) {
	all, err := made(t.Context(), filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		got, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
			t.Errorf("docs/%s is not what the program says: make docs", name)
		}
	}
}
