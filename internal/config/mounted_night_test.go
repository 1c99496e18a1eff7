//go:build night && linux

package config_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cardtop/cardtop/internal/config"
)

// mountedAt names the configuration that the process within reads.
const mountedAt = "CARDTOP_TEST_MOUNTED"

// TestAMountedConfigurationIsRead as a cluster mounts it: a read-only directory with mode 0777, whose files are links
// through a link that is exchanged. Where the same can be written to it is refused.
func TestAMountedConfigurationIsRead(t *testing.T) {
	if path := os.Getenv(mountedAt); path != "" {
		settings, err := config.Source{Path: path}.Load()
		if err != nil || settings.Theme != "dark" {
			t.Errorf("Load = %q, %v", settings.Theme, err)
		}
		return
	}
	if err := exec.Command("unshare", "-m", "true").Run(); err != nil {
		t.Skip("no mounts: ", err)
	}
	for mode, fails := range map[string]bool{"ro": false, "rw": true} {
		dir := t.TempDir()
		script := `mount -t tmpfs t "$1" && cd "$1" && mkdir ..2026 && printf "theme = 'dark'" > ..2026/config.toml &&
ln -s ..2026 ..data && ln -s ..data/config.toml config.toml && chmod 777 . ..2026 && mount -o remount,$2 "$1" && exec "$3" -test.run TestAMountedConfigurationIsRead`
		cmd := exec.CommandContext(t.Context(), "unshare", "-m", "sh", "-c", script, "sh", dir, mode, os.Args[0])
		cmd.Env = append(os.Environ(), mountedAt+"="+filepath.Join(dir, "config.toml"))
		if out, err := cmd.CombinedOutput(); (err != nil) != fails {
			t.Errorf("%s: %v\n%s", mode, err, out)
		}
	}
}
