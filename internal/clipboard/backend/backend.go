// Package backend holds the ways to put a text on a clipboard and remove it
// again, and chooses the one for the session at hand. All of it runs in the
// guard.
package backend

import (
	"context"
	"errors"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// ErrNoDisplay means that the display cannot be reached. It has ended, and the
// clipboard with it, unless it only refuses for a while.
var ErrNoDisplay = errors.New("the display cannot be reached")

// Backend is one way to a clipboard. Its calls end within a few seconds
// whatever the clipboard does.
type Backend interface {
	// Copy replaces the clipboard by a text whose mark is in the set. It has
	// been read back when Copy returns Copied; Sent promises nothing.
	Copy(ctx context.Context, id uint64, text []byte, set mark.Set) (wire.Outcome, error)
	// Clear removes texts of the set from the clipboard and leaves any other:
	// Cleared, Blanked, or the Other or Empty that it found.
	Clear(ctx context.Context, set mark.Set) (wire.Outcome, error)
	// Check reports whether the clipboard holds a text of the set: Ours, Other or
	// Empty; Sent when that cannot be known.
	Check(ctx context.Context, set mark.Set) (wire.Outcome, error)
	// Release frees what the backend holds itself, and leaves the clipboard
	// as it is.
	Release(ctx context.Context, set mark.Set) error
	// Lost delivers the ids of copies that the clipboard gave up by itself. It
	// is nil for backends that are not told.
	Lost() <-chan uint64
}
