//go:build unix

package guard

import (
	"fmt"
	"os"

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
