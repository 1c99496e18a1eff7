//go:build night

package complete

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// odd are labels that shells read in ways of their own.
func odd() []string {
	return []string{
		"fb:spring 01", "it's", "$(touch x)", "`touch x`", "[x]", "~", "~root", "~/x", "🔥 ads", `say "hi"`, `"q"`, `a\b`, `\`, "#1", "a#1", "!!", "a!b",
		"{a,b}", "*", "a*", "?", "a=b", "=ls", "a|b", "a&b", ">x", "a;touch x", "50%", "%d", "^a", "a@b", "@x", "a:b:c", ":", "日本", "Ünï", "a  b", "$HOME",
		"${x}", "+1", "a,b", "''", "a'b\"c", "é e\u0301", "(x)", "a~b", "<x>", "1/2", "/x", "./x", "a/", "x=~y", "if",
	}
}

// TestShellsCompleteOddLabels: what was completed is that card, and nothing of it runs.
func TestShellsCompleteOddLabels(t *testing.T) {
	t.Parallel()
	inShells(t, func(t *testing.T, s shell, dump string) {
		t.Helper()
		for _, label := range odd() {
			begins := []string{""}
			switch label[:1] {
			case ".":
				begins = append(begins, ".")
			case "~":
				begins = append(begins, "'")
			case "a":
				begins = append(begins, "a")
				if !strings.ContainsAny(label, `'"\/`) { // An open quote is closed by a whole word that has none.
					begins = append(begins, "'", "'a")
				}
			}
			for _, begin := range begins {
				home := t.TempDir()
				_, ran := s.run(t, home, dump, standIn, "cardtop cards show "+begin+"\t\r", label+"\t•2039 active\n:4")
				want := "<cards><show><" + label + ">"
				if s.name == "fish" && begin == "" && strings.ContainsAny(label[:1], "~.") {
					want = "<cards><show>" // It would read a tilde itself, and hides what begins with a dot.
				}
				if ran != want {
					t.Errorf("%q after %q runs %s", label, begin, ran)
				}
				if _, err := os.Stat(filepath.Join(home, "x")); err == nil {
					t.Errorf("a part of %q was run", label)
				}
			}
		}
	})
}
