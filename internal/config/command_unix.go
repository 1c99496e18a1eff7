//go:build unix

package config

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// shellTakesFields says that the shell is one of POSIX.
const shellTakesFields = true

// apart takes a command away from the terminal, which is the dashboard's: what
// a command says there would stay on the screen, and what it asked nobody could
// answer. Its session is a process group as well.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// shell runs a line in a process group of its own, which is killed as a whole
// when the context ends.
func shell(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", line) //nolint:gosec // the user's own command from a trusted file
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
	return cmd
}
