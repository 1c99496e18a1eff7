package helper

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// Deadline is how long a clipboard may take to answer before the helper and
// all it started are killed.
const Deadline = 2 * time.Second

// reapDelay is how long a killed helper's pipes may stay open.
const reapDelay = 200 * time.Millisecond

// ErrSilent means that the clipboard did not answer within the deadline.
var ErrSilent = errors.New("the clipboard does not answer")

// Caller starts helpers.
type Caller struct {
	// Command is the program and arguments that end up in Serve.
	Command []string
}

// Check returns what is on the clipboard: Ours, Other or Empty, or Gone when
// there is no display to ask.
func (c Caller) Check(ctx context.Context, set mark.Set) (wire.Outcome, error) {
	return c.call(ctx, wire.Frame{Op: wire.Check}, set)
}

// Await returns when the clipboard holds a text of the set.
func (c Caller) Await(ctx context.Context, set mark.Set) error {
	_, err := c.call(ctx, wire.Frame{Op: wire.Await}, set)
	return err
}

// Put copies the text and returns when it can be read back.
func (c Caller) Put(ctx context.Context, text []byte, set mark.Set) error {
	_, err := c.call(ctx, wire.Frame{Op: wire.Put, Payload: text}, set)
	return err
}

// Clear empties the clipboard if it holds a text of the set. It returns
// Cleared, or what it found instead: Other, Empty, or Gone for no display.
func (c Caller) Clear(ctx context.Context, set mark.Set) (wire.Outcome, error) {
	return c.call(ctx, wire.Frame{Op: wire.Clear}, set)
}

func (c Caller) call(ctx context.Context, req wire.Frame, set mark.Set) (wire.Outcome, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, Deadline, ErrSilent)
	defer cancel()
	// The command is the program's own, named by the dashboard at the start.
	cmd := exec.CommandContext(ctx, c.Command[0], c.Command[1:]...) //nolint:gosec // fixed command, no outside input
	ownGroup(cmd)
	cmd.WaitDelay = reapDelay
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", fmt.Errorf("start clipboard helper: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", fmt.Errorf("start clipboard helper: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("start clipboard helper: %w", err)
	}
	req.Key, req.Digests = set.Key, set.Sums
	sent := wire.NewWriter(in).Write(req)
	res, got := wire.NewReader(out).Read()
	if err := errors.Join(cmd.Wait(), sent, got); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", fmt.Errorf("ask clipboard helper: %w", err)
	}
	return res.Outcome, res.Failure()
}
