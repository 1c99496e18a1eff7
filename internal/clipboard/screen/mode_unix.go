//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package screen

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

type mode = unix.Termios

func getMode(tty *os.File) (*mode, error) {
	return unix.IoctlGetTermios(int(tty.Fd()), getTermios)
}

// restoreMode sets the saved settings if the terminal is still raw. A shell
// that has come back first has set its own, which must stay.
func restoreMode(tty *os.File, saved *mode) error {
	now, err := getMode(tty)
	if err != nil {
		return fmt.Errorf("read terminal settings: %w", err)
	}
	if !raw(now) {
		return nil
	}
	if err := unix.IoctlSetTermios(int(tty.Fd()), setTermios, saved); err != nil {
		return fmt.Errorf("restore terminal settings: %w", err)
	}
	return nil
}

// raw reports whether neither lines nor signals are made of keys, as while the
// dashboard runs. Line editors of shells keep the signals.
func raw(m *mode) bool {
	return m.Lflag&(unix.ICANON|unix.ECHO|unix.ISIG) == 0
}
