//go:build unix

package usage

import (
	"errors"

	"golang.org/x/sys/unix"
)

// alive reports whether a process of this machine runs, another user's too.
func alive(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}
