//go:build unix

package private

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// checkWay accepts the way to a directory when nobody but the user and the
// system can exchange what lies on it. Links are followed: a configuration
// that is kept elsewhere is the user's own doing, as long as the link and the
// directories that it leads through are. Directories that hold the home are the
// system's, whoever they belong to there (Android's are of a user of its own).
func checkWay(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("find %s: %w", dir, err)
	}
	resolved, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return fmt.Errorf("find %s: %w", dir, err)
	}
	home := homes()
	for at := filepath.Dir(abs); !holds(at, home); at = filepath.Dir(at) {
		if err := checkStep(at); err != nil {
			return err
		}
	}
	if resolved == abs {
		return nil
	}
	for at := filepath.Dir(resolved); !holds(at, home); at = filepath.Dir(at) {
		if err := checkStep(at); err != nil {
			return err
		}
	}
	return nil
}

// homes are the names of the home directory, as it is called and as it is.
func homes() []string {
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return nil
	}
	home = filepath.Clean(home)
	if resolved, err := filepath.EvalSymlinks(home); err == nil && resolved != home {
		return []string{home, resolved}
	}
	return []string{home}
}

// holds is whether one of the homes is a directory or lies in it. The root
// holds everything.
func holds(dir string, homes []string) bool {
	if dir == "/" {
		return true
	}
	for _, home := range homes {
		if home == dir || strings.HasPrefix(home, dir+"/") {
			return true
		}
	}
	return false
}

func checkStep(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("inspect %s: %w", path, err)
	}
	what := "the directory"
	if info.Mode()&fs.ModeSymlink != 0 {
		what = "the link"
	}
	if uid, known := owner(info); !known || (uid != os.Geteuid() && uid != 0) {
		return &TrustError{
			Path: path, Reason: what + " belongs to another user, who could exchange what is in it",
			Mend: fmt.Sprintf("sudo chown -h %d %s", os.Geteuid(), shellQuote(path)),
		}
	}
	if info.IsDir() && info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 {
		return &TrustError{
			Path: path, Reason: fmt.Sprintf("everybody may write to the directory (mode %#o)", info.Mode().Perm()),
			Mend: "chmod o-w " + shellQuote(path),
		}
	}
	return nil
}
