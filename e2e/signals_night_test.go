//go:build night

package e2e

import (
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// TestSignalsGiveTheTerminalBack ends the program while a number is shown.
func TestSignalsGiveTheTerminalBack(t *testing.T) {
	t.Parallel()
	exe := buildBinary(t)
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		address := serve(t, exe)
		code := newest(t, address)
		s := openScreen(t, exe, address)
		s.await("● live", "1 Cards")
		s.filter(code.label)
		s.insist("r", "exp ")
		must(t, s.cmd.Process.Signal(sig))
		var ended *exec.ExitError
		if err := s.wait(); !errors.As(err, &ended) || ended.ExitCode() != cli.ExitInterrupted {
			t.Errorf("%v: %v", sig, err)
		}
		if left := s.term.text(); strings.Contains(left, code.pan[:4]+" "+code.pan[4:8]) {
			t.Errorf("%v: the number is left on the screen", sig)
		}
		if !strings.Contains(s.term.sent(), "\x1b[?1049l") {
			t.Errorf("%v: the terminal was not given back", sig)
		}
	}
}

// TestAProgramBehindOthersIsEnded although the system has stopped it: a shell and timeout continue what they end.
func TestAProgramBehindOthersIsEnded(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "timeout 1 "+buildBinary(t)+" --sandbox; exit $?") // timeout has a process group of its own.
	cmd.Env = environment(home)
	s := showScreen(t, home, cmd)
	var ended *exec.ExitError
	if err := s.wait(); !errors.As(err, &ended) || ended.ExitCode() != 124 {
		t.Error(err)
	}
	if s.term.sent() != "" {
		t.Errorf("wrote %q", s.term.sent())
	}
}
