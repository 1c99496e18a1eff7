package clipboard

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach sets a console of its own for the guard that is not shown, so that closing
// the window does not end it and its helpers open none. The dashboard's console
// cannot be inherited this way and is not restored.
func detach(cmd *exec.Cmd, _ *os.File) (hasTTY bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP,
	}
	return false
}
