package clipboard

import (
	"context"
	"fmt"
)

// Off is a board without a clipboard, for when the guard cannot be started:
// copying without one would leave secrets behind.
type Off struct {
	reason error
	box    *mailbox
}

var _ Board = (*Off)(nil)

// NewOff returns a board that refuses every copy with the reason.
func NewOff(reason error) *Off {
	return &Off{reason: reason, box: newMailbox()}
}

// Copy refuses.
func (o *Off) Copy(context.Context, Item) (Report, error) {
	err := fmt.Errorf("%w: %w", ErrNoTool, o.reason)
	return Report{State: NoTool, Err: err}, err
}

// Clear has nothing to clear.
func (o *Off) Clear(context.Context) error { return nil }

// HoldScreen does nothing: there is no guard to restore the terminal.
func (o *Off) HoldScreen(context.Context, bool) error { return nil }

// AllowOSC52 does nothing: without a guard nothing is copied.
func (o *Off) AllowOSC52(bool) {}

// Reports never delivers.
func (o *Off) Reports() <-chan Report { return o.box.ch }

// Info returns why there is no clipboard.
func (o *Off) Info() Info {
	return Info{Mode: "none", Promise: "nothing is copied", Warnings: []string{o.reason.Error()}}
}

// Close does nothing.
func (o *Off) Close(bool) error { return nil }
