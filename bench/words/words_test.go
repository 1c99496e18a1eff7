package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cardtop/cardtop/internal/lang"
)

// TestEveryTextIsTranslated compares the catalogue with the code: each text is in it once,
// translated, and nothing else is.
func TestEveryTextIsTranslated(t *testing.T) {
	t.Parallel()
	const root = "../.."
	used, err := texts(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(used) < 1000 {
		t.Fatalf("%d texts found", len(used))
	}
	for _, name := range lang.Names()[1:] {
		known := make(map[string]bool)
		err := lang.Entries(os.DirFS(filepath.Join(root, "internal", "lang", "po")), ".", name, func(e lang.Entry) {
			u, shown := used[e.Key()]
			switch {
			case known[e.Key()]:
				t.Errorf("%s: %q is there twice", name, e.ID)
			case !shown:
				t.Errorf("%s: nobody shows %q: go run ./bench/words", name, e.ID)
			case len(e.Forms) != u.forms() || slices.Contains(e.Forms, "") || e.Fuzzy:
				t.Errorf("%s: %s: %q is not translated", name, u.file, e.ID)
			}
			known[e.Key()] = true
		})
		if err != nil {
			t.Fatal(err)
		}
		for key, u := range used {
			if !known[key] {
				t.Errorf("%s: %s: %q is not in the catalogue: go run ./bench/words", name, u.file, u.id)
			}
		}
	}
}

// TestTheScannerFindsTexts reads a file with each way to show one.
func TestTheScannerFindsTexts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const code = "package ui\n\nfunc f() {\n\tw.T(\"a\" + \"b\")\n\tw.Tc(\"verb\", \"open\")\n\tw.Tf(\"%d of\", 1)\n\tw.Tn(2, \"%d card\", \"%d cards\")\n\tx := lang.N(\"marked\")\n\tw.T(x)\n\tother.N(\"not\")\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "f.go"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := texts(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"ab", "verb\x04open", "%d of", "%d card", "marked"} {
		if _, found := got[key]; !found {
			t.Errorf("%q is not found", key)
		}
	}
	if _, found := got["not"]; found || len(got) != 5+len(spans()) || got["%d card"].plural != "%d cards" {
		t.Errorf("found %v", got)
	}
}
