//go:build !unix

package config

import (
	"context"
	"os/exec"
)

// shellTakesFields says that the shell is not one of POSIX: the command
// interpreter reads what a variable holds as a part of the line.
const shellTakesFields = false

// apart does nothing: there is no session to leave.
func apart(*exec.Cmd) {}

// shell runs a line in the command interpreter, which alone is killed when the
// context ends.
func shell(ctx context.Context, line string) *exec.Cmd {
	return exec.CommandContext(ctx, "cmd", "/C", line) //nolint:gosec // the user's own command from a trusted file
}
