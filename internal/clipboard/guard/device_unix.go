//go:build unix

package guard

import (
	"os"
	"strconv"
	"syscall"
)

// device returns a number that identifies a terminal of this machine.
func device(tty *os.File) string {
	info, err := tty.Stat()
	if err != nil {
		return ""
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(uint64(stat.Rdev), 16) //nolint:unconvert // of another type elsewhere
	}
	return ""
}
