//go:build unix

package fsafe

import (
	"errors"
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
		_, next, err := checkToLink(way, home)
		if err != nil || next == "" {
			return err
		}
		way = next
	}
	return tooManyLinks(dir)
}

func tooManyLinks(path string) *TrustError {
	return &TrustError{Path: path, Reason: "its path goes through too many symbolic links"}
}

// Resolve returns the path of a file without the symbolic links that lead to it. It refuses, with a
// *TrustError, a link that belongs to others or lies in a directory that others may write to: the
// file itself is checked where it is read. A file that is not there keeps its path; a link to a file
// that is not there is an error, and not fs.ErrNotExist.
func Resolve(path string) (string, error) {
	way, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", path, err)
	}
	home := homes()
	for range mostLinks {
		link, next, err := checkToLink(way+"/", home)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if _, lerr := os.Lstat(path); lerr == nil {
				return "", fmt.Errorf("%s is a symbolic link to %s, which does not exist", path, way)
			}
			return way, nil
		case err == nil && next == "":
			return way, nil
		case err != nil:
			return "", err
		}
		if err := checkLinkDir(link, home); err != nil {
			return "", err
		}
		way = next
	}
	return "", tooManyLinks(path)
}

// checkLinkDir accepts the directory that a link lies in when nobody else can exchange the link.
func checkLinkDir(link string, home []string) error {
	dir := filepath.Dir(link)
	if holds(dir, home) {
		return nil // As on the way to any other file.
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("inspect %s: %w", dir, err)
	}
	return checkDir(dir, info)
}

// checkToLink checks the directories above the last one, up to the first that
// is a link, and returns this link and the way that it leads to; empty when none is.
func checkToLink(way string, home []string) (link, next string, err error) {
	for end := 1; end < len(way); end++ {
		if way[end] != '/' {
			continue
		}
		at := way[:end]
		info, err := os.Lstat(at)
		if err != nil {
			return "", "", fmt.Errorf("inspect %s: %w", at, err)
		}
		if !holds(at, home) {
			if err := checkStep(at, info); err != nil {
				return "", "", err
			}
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		target, err := os.Readlink(at)
		if err != nil {
			return "", "", fmt.Errorf("follow %s: %w", at, err)
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(at), target)
		}
		return at, filepath.Join(target, way[end:]), nil
	}
	return "", "", nil
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
			Mend: fmt.Sprintf("sudo chown -h %d %s", os.Geteuid(), ShellQuote(path)),
		}
	}
	if info.IsDir() && info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 && !fixed(path) {
		return &TrustError{
			Path: path, Reason: fmt.Sprintf("everybody may write to the directory (mode %#o)", info.Mode().Perm()),
			Mend: "chmod o-w " + ShellQuote(path),
		}
	}
	return nil
}
