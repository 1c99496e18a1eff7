// Package format says whether a file can be read: each kind of file has the version of
// its format in it. A file of a later version is refused and left as it is, so that an
// older program neither misreads nor replaces what a newer one wrote.
package format

import (
	"errors"
	"fmt"
)

// ErrNewer is that a file has a later version than this program reads.
var ErrNewer = errors.New("a newer cardtop wrote it")

// Check returns why a file of a version is not read; nil when it is. Files from before
// there were versions have 0.
func Check(has, reads int) error {
	if has <= reads {
		return nil
	}
	return fmt.Errorf("%w (format %d, this one reads %d): update cardtop, or move the file away", ErrNewer, has, reads)
}
