package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/internal/clipboard/helper"
	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// screenLimit is the longest device control string that GNU screen passes on.
const screenLimit = 768

// Terminal asks the terminal to take the text (OSC 52). The terminal answers
// nothing, so neither copying nor clearing can be verified, and what the user
// copied since is overwritten.
//
// The guard shares the terminal with the dashboard that draws on it. The kernel
// keeps single writes apart, and the dashboard writes whole sequences.
type Terminal struct {
	tty    io.Writer
	screen bool
}

// NewTerminal returns the backend over a terminal; screen says that GNU screen
// is in between.
func NewTerminal(tty io.Writer, screen bool) *Terminal {
	return &Terminal{tty: tty, screen: screen}
}

// Copy writes the sequence.
func (t *Terminal) Copy(ctx context.Context, _ uint64, text []byte, _ mark.Set) (wire.Outcome, error) {
	return wire.Sent, t.write(ctx, string(text))
}

// Clear overwrites with a blank, because terminals ignore an empty text.
func (t *Terminal) Clear(ctx context.Context, _ mark.Set) (wire.Outcome, error) {
	return wire.Blanked, t.write(ctx, " ")
}

// Check cannot know.
func (t *Terminal) Check(context.Context, mark.Set) (wire.Outcome, error) { return wire.Sent, nil }

// Release holds nothing.
func (t *Terminal) Release(context.Context, mark.Set) error { return nil }

// Lost is nil.
func (t *Terminal) Lost() <-chan uint64 { return nil }

// write gives up on a terminal that has stopped its output. The write itself
// cannot be taken back and goes out when the output goes on.
func (t *Terminal) write(ctx context.Context, text string) error {
	seq := ansi.SetSystemClipboard(text)
	if t.screen {
		seq = ansi.ScreenPassthrough(seq, screenLimit)
	}
	done := make(chan error, 1)
	go func() {
		_, err := io.Copy(t.tty, strings.NewReader(seq))
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("write to terminal: %w", err)
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(helper.Deadline):
		return errors.New("write to terminal: its output is stopped")
	}
}
