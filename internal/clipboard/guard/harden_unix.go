//go:build unix

package guard

import (
	"fmt"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// noCore also holds for the clipboard tools, which inherit it.
func noCore() error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("forbid core files: %w", err)
	}
	return nil
}

// quietSignals are those a terminal or a closed pipe sends; none of them may
// end the guard early. SIGTERM clears at once.
func quietSignals() []os.Signal {
	return []os.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTSTP, unix.SIGPIPE, unix.SIGTTOU, unix.SIGTTIN}
}

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
