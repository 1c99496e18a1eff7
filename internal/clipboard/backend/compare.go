package backend

import (
	"context"
	"fmt"

	"github.com/cardtop/cardtop/internal/clipboard/helper"
	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

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
