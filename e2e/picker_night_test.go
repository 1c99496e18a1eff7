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

// TestTheBuiltProgramAsksWhichProfile: with two profiles, none chosen and an
// account in the environment; commands say which profiles there are.
func TestTheBuiltProgramAsksWhichProfile(t *testing.T) {
	t.Parallel()
	exe, home := buildBinary(t), t.TempDir()
	one, own := serve(t, exe, "--seed", "1"), serve(t, exe, "--seed", "2")
	first, second := newest(t, one), newest(t, own)
	for _, dir := range []string{"config/cardtop", "tmp", "run"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := fmt.Sprintf("[profiles.team]\nbase_url = '%s'\napi_key = '%s'\n[profiles.broken]\nbase_url = '%s'\napi_key = 'sk_test_wrong'\n", one, binaryKey, one)
	if err := os.WriteFile(filepath.Join(home, "config", "cardtop", "config.toml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	env := environment(home, "CARDTOP_BASE_URL="+own, "CARDTOP_API_KEY="+binaryKey)
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = env
	s := showScreen(t, home, cmd)
	s.await("▸  default", "from the environment", "broken", "team")
	s.typed("j")
	s.await("▸  broken")
	s.insist("\r", "cannot switch to broken: the API refused its key")
	s.await("▸  default")
	s.insist("\r", "TEST   default")
	s.await("● live", second.label)
	s.typed("W")
	s.await("✓ default", "broken")
	s.typed("G")
	s.await("▸  demo")
	s.typed("k")
	s.await("▸  team")
	s.insist("\r", "TEST   team")
	s.await("● live", first.label)
	if err := s.quit(); err != nil {
		t.Fatalf("quit: %v", err)
	}
	for _, args := range [][]string{{"otp"}, {"watch", "--plain"}, {"history"}, {"keyring", "delete"}, {"doctor"}} {
		cmd := exec.CommandContext(t.Context(), exe, args...)
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "choose a profile (broken, team): --profile NAME") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}
