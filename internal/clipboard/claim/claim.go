// Package claim records which of the guards of one user copied last.
//
// A guard recognises its secret by a mark. When another program copies the same
// number, the mark alone would have the first guard clear the second one's copy.
// So who has copied leaves a name in a file of that clipboard, and who finds
// another name there lets go: the clipboard is the other's to clear. Copying and
// clearing exclude each other by a lock on the file, which ends with the process.
//
// What cannot be read, written or locked changes nothing: a guard then clears
// what it recognises.
package claim

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// wait is how long others may hold the clipboard up.
const wait = time.Second

// Claim is one guard's view of one clipboard. The nil Claim knows of no others.
type Claim struct {
	path, name string
	made       bool
}

// New returns the claim of a guard, by its name, on the clipboard at a place.
// Without a place, or a folder that is the user's alone, there is none.
func New(dir, place, name string) *Claim {
	if dir == "" || place == "" || fsafe.MkdirAll(dir) != nil {
		return nil
	}
	sum := sha256.Sum256([]byte(place))
	return &Claim{path: filepath.Join(dir, "clipboard-"+hex.EncodeToString(sum[:8])), name: name}
}

// Hold keeps other guards off the clipboard until the hold is let go.
func (c *Claim) Hold() *Hold {
	if c == nil {
		return &Hold{}
	}
	f, err := fsafe.Lock(c.path, wait)
	if err != nil {
		return &Hold{}
	}
	return &Hold{claim: c, file: f}
}

// Adopt takes over the claim of an earlier guard of the same name.
func (c *Claim) Adopt() {
	if c != nil {
		c.made = true
	}
}

// Hold is a clipboard while no other guard copies or clears.
type Hold struct {
	claim *Claim
	file  *os.File // nil when it could not be locked
}

// Newer reports whether another guard has copied since this one did.
func (h *Hold) Newer() bool {
	if h.file == nil || !h.claim.made {
		return false
	}
	said, err := os.ReadFile(h.claim.path)
	return err == nil && len(said) > 0 && string(said) != h.claim.name
}

// Take notes that this guard has copied. It returns why others cannot know.
func (h *Hold) Take() error {
	if h.file == nil {
		return nil
	}
	err := h.file.Truncate(0)
	if err == nil {
		_, err = io.WriteString(h.file, h.claim.name)
	}
	h.claim.made = err == nil
	return err
}

// Release lets other guards go on.
func (h *Hold) Release() error {
	if h.file == nil {
		return nil
	}
	return h.file.Close()
}
