package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestScriptsNameTestsThatExist: a proof that runs no test proves nothing, and says so to nobody.
func TestScriptsNameTestsThatExist(t *testing.T) {
	t.Parallel()
	listed, err := exec.CommandContext(t.Context(), "git", "ls-files", "*_test.go").Output()
	if err != nil {
		t.Skip("not a checkout of git")
	}
	declared := regexp.MustCompile(`(?m)^func (Test\w+|Benchmark\w+|Fuzz\w+)\(`)
	var tests []string
	for _, path := range strings.Fields(string(listed)) {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // Deleted and not committed.
		}
		for _, m := range declared.FindAllStringSubmatch(string(data), -1) {
			tests = append(tests, m[1])
		}
	}
	scripts, err := filepath.Glob("bench/*.sh")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?:(?:prove|cases) "[^"]*"\s*(?:\\\n\s*)?|-(?:run|skip) )['"]?\^?\(?([A-Z][A-Za-z0-9|]*)`)
	found := 0
	for _, path := range append(scripts, ".ci/run", ".ci/nightly") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(data), -1) {
			for name := range strings.SplitSeq(m[1], "|") {
				found++
				if !slices.ContainsFunc(tests, func(test string) bool { return strings.Contains(test, name) }) {
					t.Errorf("%s runs %s, and there is no such test", path, name)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d names are found in scripts", found)
	}
}
