//go:build unix

package helper

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the deadline end the helper together with the clipboard tool
// it may be waiting for.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
