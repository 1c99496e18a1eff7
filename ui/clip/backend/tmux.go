package backend

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/ui/clip/helper"
	"github.com/cardtop/cardtop/ui/clip/mark"
	"github.com/cardtop/cardtop/ui/clip/wire"
)

// Tmux hands the text to tmux under a buffer name of its own and has tmux send
// it on to the terminal (OSC 52). An escape sequence written by us would be
// dropped with tmux's default set-clipboard, and would stay behind in an
// automatic buffer with set-clipboard on.
type Tmux struct{ buffer string }

// NewTmux returns the backend; the number tells apart the guards of one server.
func NewTmux(pid int) *Tmux { return &Tmux{buffer: "cardtop-" + strconv.Itoa(pid)} }

// Copy loads the buffer from standard input and sends it to the terminal.
func (t *Tmux) Copy(ctx context.Context, _ uint64, text []byte, _ mark.Set) (wire.Outcome, error) {
	mode, err := t.run(ctx, nil, "show-options", "-gsv", "set-clipboard")
	if err != nil {
		return "", err
	}
	if mode == "off" {
		return "", errors.New("tmux keeps the clipboard to itself: set-clipboard is off")
	}
	if _, err := t.run(ctx, text, "load-buffer", "-w", "-b", t.buffer, "-"); err != nil {
		return "", err
	}
	return wire.Sent, nil
}

// Clear sends a blank in place of the text, because terminals ignore an empty
// one, and deletes the buffer.
func (t *Tmux) Clear(ctx context.Context, _ mark.Set) (wire.Outcome, error) {
	if _, err := t.run(ctx, nil, "set-buffer", "-w", "-b", t.buffer, " "); err != nil {
		return "", err
	}
	if _, err := t.run(ctx, nil, "delete-buffer", "-b", t.buffer); err != nil {
		return "", err
	}
	return wire.Blanked, nil
}

// Check cannot know.
func (t *Tmux) Check(context.Context, mark.Set) (wire.Outcome, error) { return wire.Sent, nil }

// Lost is nil.
func (t *Tmux) Lost() <-chan uint64 { return nil }

func (t *Tmux) run(ctx context.Context, text []byte, args ...string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, helper.Deadline, errors.New("tmux does not answer"))
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", args...) //nolint:gosec // the arguments are fixed
	var said, out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", fmt.Errorf("start tmux: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("start tmux: %w", err)
	}
	_, werr := in.Write(text)
	werr = errors.Join(werr, in.Close())
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", fmt.Errorf("tmux %s: %s (%w)", args[0], helper.Plain(said.String()), err)
	}
	return strings.TrimSpace(out.String()), werr
}
