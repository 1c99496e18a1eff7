package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThePagesNameWhatIsThere holds the targets, files, headings and pictures
// that the README and the pages lead to.
func TestThePagesNameWhatIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	names, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	decisions, err := filepath.Glob(filepath.Join(root, "docs", "adr", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	names = append(append(names, decisions...), filepath.Join(root, "README.md"))
	targets, everything := text(t, filepath.Join(root, "Makefile")), ""
	for _, name := range names {
		page := text(t, name)
		everything += page
		for _, m := range regexp.MustCompile("(?m)(?:`|^)make ([a-z-]+)").FindAllStringSubmatch(page, -1) {
			if !strings.Contains(targets, "\n"+m[1]+":") {
				t.Errorf("%s: there is no make %s", name, m[1])
			}
		}
		for _, m := range regexp.MustCompile(`\]\(([a-zA-Z.][^):]*)\)`).FindAllStringSubmatch(page, -1) {
			file, heading, anchored := strings.Cut(m[1], "#")
			target := filepath.Join(filepath.Dir(name), file)
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if anchored && !headings(text(t, target))[heading] {
				t.Errorf("%s: %s has no heading %q", name, file, heading)
			}
		}
	}
	for _, p := range pictures() {
		if !strings.Contains(everything, "pictures/"+p.name+".svg") {
			t.Errorf("no page shows %s", p.name)
		}
	}
}

// TestTheReadmeIsShort holds that the README is read in one go and leads to
// every page.
func TestTheReadmeIsShort(t *testing.T) {
	root := filepath.Join("..", "..")
	readme := text(t, filepath.Join(root, "README.md"))
	if n := strings.Count(readme, "\n"); n > 200 {
		t.Errorf("the README has %d lines: move some to docs", n)
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		if !strings.Contains(readme, "](docs/"+filepath.Base(p)+")") {
			t.Errorf("the README does not lead to %s", filepath.Base(p))
		}
	}
}

// TestEveryDecisionHasItsParts holds the form of the records under docs/adr.
func TestEveryDecisionHasItsParts(t *testing.T) {
	records, err := filepath.Glob(filepath.Join("..", "..", "docs", "adr", "*.md"))
	if err != nil || len(records) < 17 {
		t.Fatalf("%d records: %v", len(records), err)
	}
	for _, r := range records {
		page := text(t, r)
		for _, part := range []string{"\nStatus: ", "\n## Context\n", "\n## Decision\n", "\n## Consequences\n"} {
			if !strings.Contains(page, part) {
				t.Errorf("%s lacks %q", filepath.Base(r), strings.TrimSpace(part))
			}
		}
	}
}

// headings are the headings of a page as links name them.
func headings(page string) map[string]bool {
	found := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(page, -1) {
		kept := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		found[strings.ReplaceAll(kept, " ", "-")] = true
	}
	return found
}

func text(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(content), "\r\n", "\n")
}
