//go:build !unix

package config

import (
	"context"
	"os/exec"
)

// shell runs a line in the command interpreter, which alone is killed when the
// context ends.
func shell(ctx context.Context, line string) *exec.Cmd {
	return exec.CommandContext(ctx, "cmd", "/C", line) //nolint:gosec // the user's own command from a trusted file
}
