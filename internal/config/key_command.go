package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"time"

	"github.com/charmbracelet/x/term"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/shell"
)

// maxKeyOutput is more than any key needs, in bytes.
const maxKeyOutput = 4096

// KeyCommandError is that api_key_command of a profile gave no key.
type KeyCommandError struct {
	Profile string
	Err     error
}

func (e *KeyCommandError) Error() string {
	return fmt.Sprintf("run api_key_command of profile %q: %s", e.Profile, e.Err)
}

// Unwrap returns why.
func (e *KeyCommandError) Unwrap() error { return e.Err }

// runCommand runs a shell line whose only line of output is the key. What it
// prints is in no error, on either stream: it may be the key. With a terminal it may take
// as long as the user does, and ctrl+c ends it; else it has CommandTimeout.
func (ks KeyStore) runCommand(ctx context.Context, line string) (api.APIKey, error) {
	var tty *os.File
	if ks.terminal != nil {
		tty = ks.terminal()
	}
	var cmd *exec.Cmd
	if tty != nil {
		defer giveBack(tty)()
		cmd = shell.CommandAt(ctx, tty, line, shell.KeyEnv(ks.Environ))
	} else {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, ks.CommandTimeout)
		defer cancel()
		cmd = shell.Command(ctx, line, shell.KeyEnv(ks.Environ))
	}
	cmd.WaitDelay = time.Second // For children that keep the output open.
	out := &shell.Output{Limit: maxKeyOutput}
	cmd.Stdout = out
	defer out.Wipe()
	err := cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return api.APIKey{}, ctx.Err()
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return api.APIKey{}, fmt.Errorf("no answer in %s", ks.CommandTimeout)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return api.APIKey{}, fmt.Errorf("%w (run it in a shell to see why)", err)
	case out.Over():
		return api.APIKey{}, fmt.Errorf("its output is longer than %d bytes", maxKeyOutput)
	}
	trimmed := bytes.TrimSpace(out.Bytes())
	if bytes.ContainsAny(trimmed, "\r\n") {
		return api.APIKey{}, errors.New("its output is more than one line")
	}
	key, err := NewKey(trimmed)
	if err != nil {
		return api.APIKey{}, fmt.Errorf("its output %w", err)
	}
	return key, nil
}

// AtTerminal returns a store whose command may ask on the terminal: call it only while nothing else reads or
// draws there.
func (ks KeyStore) AtTerminal() KeyStore {
	if !term.IsTerminal(os.Stdin.Fd()) {
		return ks
	}
	ks.terminal = func() *os.File {
		tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
		if err != nil {
			return nil // A session without a terminal of its own.
		}
		return tty
	}
	return ks
}

// giveBack remembers the modes of a terminal and returns what sets them again and closes it: a command that
// is ended while it reads a password leaves the echo off.
func giveBack(tty *os.File) func() {
	modes, err := term.GetState(tty.Fd())
	return func() {
		if err == nil {
			err = term.Restore(tty.Fd(), modes)
		}
		if err := errors.Join(err, tty.Close()); err != nil {
			slog.Debug("give the terminal back", slog.Any("error", err))
		}
	}
}
