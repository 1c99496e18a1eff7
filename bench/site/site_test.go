package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryLinkLeadsSomewhere builds the site from this repository.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	out := t.TempDir()
	n, err := build("../..", out)
	if err != nil {
		t.Fatal(err)
	}
	if n.links, err = check(out); err != nil {
		t.Fatal(err)
	}
	if n.pages < 40 || n.links < 40*n.pages {
		t.Errorf("%+v: too few", n)
	}
	first, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(first), `src="pictures/checkout.svg"`) {
		t.Error("the first page shows no checkout")
	}
}

// TestALinkToNowhereIsAnError: to a page, to a heading, and to a picture.
func TestALinkToNowhereIsAnError(t *testing.T) {
	for text, wrong := range map[string]bool{
		"# a\n\n[b](docs/B.md)":           false,
		"# a\n\n[b](docs/B.md#there)":     false,
		"# a\n\n[b](docs/B.md#nowhere)":   true,
		"# a\n\n[b](docs/C.md)":           true,
		"# a\n\n![b](docs/b.svg)":         true,
		"# a\n\n[b](LICENSE)":             false, // no page: it is in the repository
		"# a\n\n[b](LICENCE)":             true,
		"# a\n\n[b](CHANGELOG.md#news)":   false,
		"# a\n\n[b](.github/SECURITY.md)": false,
		"# a\n\n[b](https://a.example)":   false,
	} {
		root, out := t.TempDir(), t.TempDir()
		for name, content := range map[string]string{
			"README.md": text, "docs/B.md": "# b\n\n## There\n", "LICENSE": "MIT", "CHANGELOG.md": "# c\n\n## News\n", ".github/SECURITY.md": "# s\n",
		} {
			if err := write(filepath.Join(root, name), []byte(content)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := build(root, out); err != nil {
			t.Fatal(err)
		}
		if _, err := check(out); (err != nil) != wrong {
			t.Errorf("%q: %v", text, err)
		}
	}
}
