//go:build unix

package shell

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// FieldsAllowed reports whether a line may hold fields: it needs a POSIX shell.
const FieldsAllowed = true

// detach starts a command in a session of its own, without the dashboard's
// terminal: what it printed there would stay on the screen, and nobody could
// answer what it asked. The session is a process group as well.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// Command makes a command of a shell line, with an environment. It runs in a
// process group of its own, which is killed when the context ends.
func Command(ctx context.Context, line string, env []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", line) //nolint:gosec // the user's own command from a trusted file
	cmd.Env = env
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
