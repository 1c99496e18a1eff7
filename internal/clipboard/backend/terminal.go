package backend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
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

// moshServer is what a mosh session runs under on the machine it goes to.
const moshServer = "mosh-server"

// droppedByMosh is what to do about a mosh that is too old.
const droppedByMosh = "mosh drops copies; use ssh, or mosh 1.4"

// mosh is whether a process is in a mosh session, and the version it is of as
// the server tells it.
type mosh struct {
	on      bool
	version string
}

// mosh finds a mosh server above a process.
func (s Session) mosh(pid int) mosh {
	if s.Above == nil || !slices.Contains(s.Above(pid), moshServer) {
		return mosh{}
	}
	return mosh{on: true, version: s.Version(moshServer)}
}

// drops reports whether no copy gets through. A version that is not told may be
// new enough.
func (m mosh) drops() bool { return m.on && m.version != unknown && !atLeast(m.version, 1, 4) }
