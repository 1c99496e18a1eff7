package shell

import (
	"context"
	"os"
	"os/exec"
)

// CommandAt is Command for a line that may ask the user on a terminal. It stays in the process group of this
// program, which is the one that the terminal lets read and that ctrl+c ends.
func CommandAt(ctx context.Context, tty *os.File, line string, env []string) *exec.Cmd {
	cmd := Command(ctx, line, env)
	cmd.SysProcAttr = nil
	cmd.Cancel = func() error { return cmd.Process.Kill() }
	cmd.Stdin, cmd.Stderr = tty, tty
	return cmd
}
