//go:build unix

package fsafe

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// mostLinks bounds how many links a way may go through, as systems do.
const mostLinks = 40

// checkWay accepts the way to a directory when nobody but the user and the
// system can exchange what lies on it. Links are followed, one after the other:
// a configuration stored elsewhere is the user's choice, as long as
// the links and the directories that they lead through are. Directories that
// hold the home are the system's, whatever user owns them there (Android's are of
// a user of its own).
func checkWay(dir string) error {
	way, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("find %s: %w", dir, err)
	}
	home := homes()
	for range mostLinks {
		next, err := checkToLink(way, home)
		if err != nil || next == "" {
			return err
		}
		way = next
	}
	return &TrustError{Path: dir, Reason: "its path goes through too many symbolic links"}
}

// checkToLink checks the directories above the last one, up to the first that
// is a link, and returns the way that this leads to; empty when none is.
func checkToLink(way string, home []string) (next string, err error) {
	for end := 1; end < len(way); end++ {
		if way[end] != '/' {
			continue
		}
		at := way[:end]
		info, err := os.Lstat(at)
		if err != nil {
			return "", fmt.Errorf("inspect %s: %w", at, err)
		}
		if !holds(at, home) {
			if err := checkStep(at, info); err != nil {
				return "", err
			}
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		target, err := os.Readlink(at)
		if err != nil {
			return "", fmt.Errorf("follow %s: %w", at, err)
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(at), target)
		}
		return filepath.Join(target, way[end:]), nil
	}
	return "", nil
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

func checkStep(path string, info fs.FileInfo) error {
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
