//go:build !unix

package shell

import (
	"context"
	"os/exec"
)

// FieldsAllowed reports whether a line may hold fields. The command interpreter
// of Windows parses what a variable holds as a part of the line.
const FieldsAllowed = false

// detach does nothing: there is no session to leave.
func detach(*exec.Cmd) {}

// Command makes a command of a line for the command interpreter, with an
// environment. The interpreter alone is killed when the context ends.
func Command(ctx context.Context, line string, env []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd", "/C", line) //nolint:gosec // the user's own command from a trusted file
	cmd.Env = env
	return cmd
}
