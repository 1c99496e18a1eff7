package config_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/cardtop/cardtop/internal/config"
)

// terminal opens a terminal for a command, and returns the user's end of it.
func terminal(t *testing.T) (user *os.File, open func() *os.File) {
	t.Helper()
	user, tty, err := pty.Open()
	must(t, err)
	t.Cleanup(func() {
		if err := errors.Join(tty.Close(), user.Close()); err != nil {
			t.Error(err)
		}
	})
	return user, func() *os.File {
		again, err := os.OpenFile(tty.Name(), os.O_RDWR|syscall.O_NOCTTY, 0)
		if err != nil {
			t.Error(err)
		}
		return again
	}
}

// TestCommandAsksOnTheTerminal for as long as the user takes.
func TestCommandAsksOnTheTerminal(t *testing.T) {
	t.Parallel()
	user, open := terminal(t)
	ks := store(&memory{}).At(open)
	ks.CommandTimeout = time.Nanosecond
	go func() {
		prompt := make([]byte, len("PIN: "))
		if _, err := io.ReadFull(user, prompt); err != nil || string(prompt) != "PIN: " {
			t.Errorf("the user reads %q, %v", prompt, err)
		}
		if _, err := user.WriteString("77\n"); err != nil {
			t.Error(err)
		}
	}()
	r := resolve(t, config.Profile{BaseURL: apiURL, APIKeyCommand: `printf 'PIN: ' >&2; read pin; echo "sk_test_$pin"`}, config.Env{}, config.Flags{})
	if key, err := ks.LoadKey(t.Context(), r); err != nil || key.APIKey.Expose() != "sk_test_77" {
		t.Errorf("LoadKey = %q, %v", key.APIKey.Expose(), err)
	}
}

// TestACommandOnTheTerminalIsInterrupted, and the terminal echoes again.
func TestACommandOnTheTerminalIsInterrupted(t *testing.T) {
	t.Parallel()
	user, open := terminal(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if _, err := io.ReadFull(user, make([]byte, 1)); err != nil {
			t.Error(err)
		}
		cancel()
	}()
	r := resolve(t, config.Profile{BaseURL: apiURL, APIKeyCommand: "stty -echo; printf x >&2; read pin"}, config.Env{}, config.Flags{})
	if _, err := store(&memory{}).At(open).LoadKey(ctx, r); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "killed") {
		t.Errorf("LoadKey = %v, want it interrupted", err)
	}
	if _, err := user.WriteString("echoed\n"); err != nil {
		t.Fatal(err)
	}
	if back, err := io.ReadFull(user, make([]byte, len("echoed"))); err != nil {
		t.Errorf("echoed %d bytes, %v", back, err)
	}
}
