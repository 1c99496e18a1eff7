// Package fsafe reads and writes files that are private to one user:
// configuration, operations on disk, caches and logs. Directories are 0700 and
// files 0600; a file that another user could have written or swapped is
// refused with the command that fixes it.
//
// Owner and mode are checked on Unix. Windows keeps the user's profile closed
// to others by access control lists, which this package leaves as they are.
package fsafe

import (
	"fmt"
	"io/fs"
	"strings"
)

const (
	dirMode  fs.FileMode = 0o700
	fileMode fs.FileMode = 0o600
)

// TrustError is the refusal of a file or directory that is not the user's
// alone.
type TrustError struct {
	Path   string
	Reason string
	// Mend is the shell command that fixes it; empty when there is none.
	Mend string
}

const isLink = "it is a symbolic link; put the real one in its place"

// Error is one line that names the path, the reason and the remedy.
func (e *TrustError) Error() string {
	text := fmt.Sprintf("refuse %s: %s", e.Path, e.Reason)
	if e.Mend != "" {
		text += "; run: " + e.Mend
	}
	return text
}

// ShellQuote writes a path so that a shell reads it as one word.
func ShellQuote(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("/._-+@:", r)
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
