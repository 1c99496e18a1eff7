//go:build night

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestProfilesShareNothing runs the built program on two sandboxes: after the
// turn nothing of the one is on the screen of the other, on the clipboard of
// the terminal, or in its folders; a profile that cannot be opened leads back.
func TestProfilesShareNothing(t *testing.T) {
	t.Parallel()
	exe, home := buildBinary(t), t.TempDir()
	one, two := serve(t, exe, "--seed", "1"), serve(t, exe, "--seed", "2")
	first, second := newest(t, one), newest(t, two)
	for _, dir := range []string{"config/cardtop", "tmp", "run"} {
		must(t, os.MkdirAll(filepath.Join(home, dir), 0o700))
	}
	file := fmt.Sprintf("profile = 'team'\n[clipboard]\nosc52 = true\n[profiles.team]\nbase_url = '%s'\napi_key = '%s'\n[profiles.agency]\nbase_url = '%s'\napi_key = '%s'\n[profiles.broken]\nbase_url = '%s'\napi_key = 'sk_test_wrong'\n",
		one, binaryKey, two, binaryKey, two)
	must(t, os.WriteFile(filepath.Join(home, "config", "cardtop", "config.toml"), []byte(file), 0o600))
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = environment(home, "SSH_TTY=/dev/pts/0")
	s := showScreen(t, home, cmd)
	s.await("● live", "team", first.label)
	s.typed("o")
	s.await(" sent")
	s.typed("W")
	s.await("▸  agency")
	s.insist("\r", "TEST   agency")
	s.await("● live", second.label)
	if left := s.term.text(); strings.Contains(left, first.label) || strings.Contains(left, first.otp) {
		t.Errorf("what is the other's is on the screen:\n%s", left)
	}
	// The terminal's clipboard was emptied with the account it was of.
	if sent := s.term.sent(); !strings.HasPrefix(sent[strings.LastIndex(sent, "\x1b]52;c;"):], "\x1b]52;c;IA==") {
		t.Error("the code stays on the clipboard")
	}
	s.typed("W")
	s.await("▸  team")
	s.typed("G")
	s.await("▸  demo")
	s.typed("k")
	s.await("▸  broken")
	s.insist("\r", "cannot switch to broken: the API refused its key")
	s.await("● live", "agency", second.label)
	if err := s.quit(); err != nil {
		t.Fatalf("quit: %v", err)
	}
	scan(t, home, map[string]string{"number": first.pan, "other number": second.pan, "code": first.otp, "other code": second.otp})
	folders, err := filepath.Glob(filepath.Join(home, "cache", "cardtop", "profiles", "*"))
	if err != nil || len(folders) != 2 {
		t.Errorf("caches of their own: %v, %v", folders, err)
	}
}
