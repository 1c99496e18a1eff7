package backend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/internal/clipboard/helper"
	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// Tmux hands the text to tmux under a buffer name of its own and has tmux send
// it on to the terminal (OSC 52). An escape sequence written by us would be
// dropped with tmux's default set-clipboard, and would stay behind in an
// automatic buffer with set-clipboard on.
type Tmux struct {
	buffer  string
	session Session
}

// NewTmux returns the backend; the number tells apart the guards of one server.
func NewTmux(pid int, s Session) *Tmux {
	return &Tmux{buffer: "cardtop-" + strconv.Itoa(pid), session: s}
}

// Copy loads the buffer from standard input and sends it to the terminal.
func (t *Tmux) Copy(ctx context.Context, _ uint64, text []byte, _ mark.Set) (wire.Outcome, error) {
	mode, err := t.run(ctx, nil, "show-options", "-gsv", "set-clipboard")
	if err != nil {
		return "", err
	}
	if mode == "off" {
		return "", errors.New("tmux keeps the clipboard to itself: set-clipboard is off")
	}
	if err := t.passes(ctx); err != nil {
		return "", err
	}
	if _, err := t.run(ctx, text, "load-buffer", "-w", "-b", t.buffer, "-"); err != nil {
		return "", err
	}
	return wire.Sent, nil
}

// The capability by which tmux has a terminal copy (Ms), as tmux describes its
// terminals: not known of one, and with the selection named, which mosh demands.
const (
	noCopies   = "Ms: [missing]"
	copies     = "Ms: (string)"
	moshCopies = `Ms: (string) \033]52;c;`
)

// passes returns why tmux would drop the text on the way to its terminals. What
// it does not tell is no reason.
func (t *Tmux) passes(ctx context.Context) error {
	terminals, err := t.run(ctx, nil, "info")
	switch {
	case err != nil:
		return nil //nolint:nilerr // The copy itself tells what is wrong with tmux.
	case strings.Contains(terminals, noCopies) && !strings.Contains(terminals, copies):
		return errors.New("the terminal behind tmux is not known to take copies: tmux set -as terminal-features ',*:clipboard'")
	}
	switch m := t.mosh(ctx); {
	case m.drops():
		return errors.New(droppedByMosh)
	case m.on && !strings.Contains(terminals, moshCopies):
		return errors.New(`mosh drops the copies of tmux: tmux set -as terminal-overrides ',*:Ms=\E]52;c;%p2%s\7'`)
	}
	return nil
}

// mosh finds a mosh server above the terminals that show our session.
func (t *Tmux) mosh(ctx context.Context) mosh {
	where := strings.Split(t.session.Env("TMUX"), ",")
	pids, err := t.run(ctx, nil, "list-clients", "-t", "$"+where[len(where)-1], "-F", "#{client_pid}")
	if err != nil {
		return mosh{} // Nothing is known of them.
	}
	for _, word := range strings.Fields(pids) {
		if pid, err := strconv.Atoi(word); err == nil {
			if m := t.session.mosh(pid); m.on {
				return m
			}
		}
	}
	return mosh{}
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

// Release deletes the buffer.
func (t *Tmux) Release(ctx context.Context, _ mark.Set) error {
	_, err := t.run(ctx, nil, "delete-buffer", "-b", t.buffer)
	return err
}

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
		return "", fmt.Errorf("tmux %s: %s (%w)", args[0], helper.Plain(said.String(), func(word []byte) bool { return bytes.Equal(word, text) }), err)
	}
	return strings.TrimSpace(out.String()), werr
}
