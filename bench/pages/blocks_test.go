package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block is a fenced block with commands.
type block struct {
	page string // as README.md or docs/HUB.md
	line int
	text string
}

// first is the first line, by which a block is named: lines move.
func (b block) first() string {
	first, _, _ := strings.Cut(b.text, "\n")
	return b.page + ": " + first
}

var fenced = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// blocksOf are the blocks of a page whose language is a shell's, or not named: what is no
// command says so.
func blocksOf(page, text string) (found []block) {
	for _, m := range fenced.FindAllStringSubmatchIndex(text, -1) {
		if lang := text[m[2]:m[3]]; lang == "" || lang == "sh" || lang == "bash" {
			found = append(found, block{page, 1 + strings.Count(text[:m[0]], "\n"), text[m[4]:m[5]]})
		}
	}
	return found
}

// all are the blocks of every page, by page.
func all(t *testing.T) map[string][]block {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string][]block)
	for _, path := range append(pages, "../../README.md") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		if blocks := blocksOf(page, string(data)); len(blocks) > 0 {
			found[page] = blocks
		}
	}
	return found
}

// elsewhere is why a block cannot run in a test, by its first line.
func elsewhere() map[string]string {
	return map[string]string{
		"README.md: go run .            # the dashboard on an embedded sandbox: no account, no network":                "it runs all tests, as the part short of .ci/run; the dashboard on an embedded sandbox is in FIRST-MINUTE",
		"docs/CONTRIBUTING.md: go run .                                       # the dashboard on the embedded sandbox": "it builds in the checkout, as this test does elsewhere",
		"docs/INSTALL.md: sha256sum --check --ignore-missing checksums.txt":                                            "it needs the files of a release",
		"docs/INSTALL.md: go install .":                                                               "it writes into the Go folder of who runs it",
		"docs/ALERTS.md: umask 077; cat > ~/.config/cardtop/telegram.conf":                            "a token is typed into it",
		"docs/ALERTS.md: #!/bin/sh":                                                                   "a script, which internal/app/telegram_test.go runs",
		"docs/HUB.md: ssh -t -p 2222 hub                                             # the dashboard": "a host called hub; bench/ssh.sh does it on loopback",
		"docs/HUB.md: (umask 077; cardtop hub key > cluster.key)         # the same file on all hubs": "three NATS servers with certificates; bench/hubs.sh has them",
		"docs/HUB.md: cardtop hub people                                             # who is there":  "a lead, and a request that waits: internal/cmd/hub has tests of each",
		"docs/MCP.md: claude mcp add cardtop -- cardtop mcp --profile team":                           "a program of others",
		"docs/SIMULATION.md: go test ./sim                      # 20 seeds, of at most 90 minutes":    "it tests in the checkout, for as long as seeds are given",
		"docs/PUSH.md: ssh -N -o ExitOnForwardFailure=yes -o ServerAliveInterval=15 \\":               "a server of yours",
	}
}

// TestWhatDoesNotRunIsThere holds that the list of them has no entry of a block that is
// gone.
func TestWhatDoesNotRunIsThere(t *testing.T) {
	there := make(map[string]bool)
	for _, blocks := range all(t) {
		for _, b := range blocks {
			there[b.first()] = true
		}
	}
	for first := range elsewhere() {
		if !there[first] {
			t.Errorf("no block begins with %q", first)
		}
	}
	if len(there) < 25 {
		t.Errorf("only %d blocks were found", len(there))
	}
}
