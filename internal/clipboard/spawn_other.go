//go:build !unix && !windows

package clipboard

import (
	"os"
	"os/exec"
)

// detach does nothing on systems that have no sessions.
func detach(*exec.Cmd, *os.File) (hasTTY bool) { return false }
