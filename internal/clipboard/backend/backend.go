// Package backend holds the ways to put a text on a clipboard and remove it
// again, and chooses the one for the session at hand. All of it runs in the
// guard.
package backend

import (
	"context"
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/internal/clipboard/helper"
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

// Compare leaves the text to the platform's clipboard and recognises it by its
// mark when the time has come. What the user copies between the comparison and
// the clearing, which is as long as the system needs to start a program, is lost.
type Compare struct{ help helper.Caller }

// NewCompare returns the backend over atotto/clipboard.
func NewCompare(help helper.Caller) *Compare { return &Compare{help: help} }

// Copy writes and reads back.
func (c *Compare) Copy(ctx context.Context, _ uint64, text []byte, set mark.Set) (wire.Outcome, error) {
	if err := c.help.Put(ctx, text, set); err != nil {
		return "", err
	}
	return wire.Copied, nil
}

// Clear compares, overwrites with nothing and reads back. Taking the selection
// over is also what makes wl-copy before 2.3.0 remove its file.
func (c *Compare) Clear(ctx context.Context, set mark.Set) (wire.Outcome, error) {
	found, err := c.help.Clear(ctx, set)
	if err == nil && found == wire.Gone {
		return "", fmt.Errorf("clear clipboard: %w", ErrNoDisplay)
	}
	return found, err
}

// Check compares.
func (c *Compare) Check(ctx context.Context, set mark.Set) (wire.Outcome, error) {
	return c.help.Check(ctx, set)
}

// Release holds nothing.
func (c *Compare) Release(context.Context, mark.Set) error { return nil }

// Lost is nil.
func (c *Compare) Lost() <-chan uint64 { return nil }
