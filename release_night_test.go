//go:build night

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheReleaseSetsTheVersion builds the program as the release does and asks
// for its version: the linker passes over a name that is not there.
func TestTheReleaseSetsTheVersion(t *testing.T) {
	text, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	flag := regexp.MustCompile(`-X (\S+)=`).FindSubmatch(text)
	if flag == nil {
		t.Fatal("the release sets no version")
	}
	exe := filepath.Join(t.TempDir(), "cardtop")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", exe, "-ldflags", "-X "+string(flag[1])+"=1.2.3", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), exe, "--version").Output()
	if err != nil || !strings.Contains(string(out), "1.2.3") {
		t.Errorf("%v: %s", err, out)
	}
}
