package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestALinkToWhatIsNotReleasedIsAnError to pages and pictures, from the folder of the page.
func TestALinkToWhatIsNotReleasedIsAnError(t *testing.T) {
	for text, wrong := range map[string]string{
		"[b](docs/B.md#there) ![c](docs/c.svg)":       "",
		"[site](https://a.example) <img src=\"d:e\">": "",
		"[b](#here)":                 "",
		"[b](../B.md)":               "../B.md",
		`<a href="docs/B.md#there">`: "",
		`<a href="docs/E.md">`:       "docs/E.md",
		"[b](docs/none.md)":          "docs/none.md",
		"![c](none.svg)":             "none.svg",
		`<img src="docs/d.svg">`:     "docs/d.svg",
	} {
		dir := filepath.Join(t.TempDir(), "released")
		if err := os.MkdirAll(filepath.Join(dir, "docs"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string]string{"README.md": text, "docs/B.md": "[up](../README.md)", "docs/c.svg": "[x](none)", "../B.md": ""} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		err := checkLinks(dir)
		if (err != nil) != (wrong != "") || err != nil && !strings.Contains(err.Error(), "leads to "+wrong) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
