package cmd

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/hub/kept"
)

// TestASecondHubSaysWhoseTheFolderIs and serves nobody.
func TestASecondHubSaysWhoseTheFolderIs(t *testing.T) {
	s := frozen(t)
	if code := s.run("hub", "add", "ann", "--role", "lead", "--labels", "*"); code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, s.errs)
	}
	var dir string
	err := filepath.WalkDir(os.Getenv("XDG_STATE_HOME"), func(path string, _ fs.DirEntry, err error) error {
		if filepath.Base(path) == "team.toml" {
			dir = filepath.Dir(path)
		}
		return err
	})
	if err != nil || dir == "" {
		t.Fatalf("no team in %s: %v", os.Getenv("XDG_STATE_HOME"), err)
	}
	release, err := kept.Dir{Path: dir}.Lock(kept.Owner{PID: 4711, Host: "ship", Since: standing()})
	must(t, err)
	if code := s.run("hub", "--listen", "127.0.0.1:0"); code != cli.ExitFailed || !strings.Contains(s.errs, "process 4711 on ship, since 2026-03-01") {
		t.Errorf("exit code %d: %s%s", code, s.out, s.errs)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
}
