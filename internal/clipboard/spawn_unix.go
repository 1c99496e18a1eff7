//go:build unix

package clipboard

import (
	"os"
	"os/exec"
	"syscall"
)

// detach puts the guard into a session of its own, out of reach of what the
// terminal sends to the dashboard's processes, and hands it the terminal.
func detach(cmd *exec.Cmd, tty *os.File) (hasTTY bool) {
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if tty == nil {
		return false
	}
	cmd.ExtraFiles = []*os.File{tty}
	return true
}
