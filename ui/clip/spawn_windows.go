package clip

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach takes the guard off the console, so that closing the window does not
// end it. A console cannot be inherited this way and is not restored.
func detach(cmd *exec.Cmd, _ *os.File) (hasTTY bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP,
	}
	return false
}
