//go:build !windows

package screen

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/termios"
	"golang.org/x/sys/unix"
)

type consoleState struct {
	in  *term.State
	raw bool
}

func (c *Console) take() (*consoleState, error) {
	fd := c.in.Fd()
	before, err := termios.GetTermios(int(fd))
	if err != nil {
		return nil, err
	}
	in, err := term.MakeRaw(fd)
	return &consoleState{in, before.Lflag&unix.ICANON == 0}, err
}

func (c *Console) give(s *consoleState) []error {
	return []error{term.Restore(c.in.Fd(), s.in)}
}

// waiting reads what nobody has read of a terminal that gives its keys one by one.
func waiting(in *os.File) (keys []byte, err error) {
	fd := int(in.Fd())
	for {
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		switch n, err := unix.Poll(ready, 0); {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil || n == 0 || ready[0].Revents&unix.POLLIN == 0:
			return keys, err
		}
		buf := make([]byte, 256)
		n, err := unix.Read(fd, buf)
		if keys = append(keys, buf[:max(0, n)]...); err != nil || n <= 0 {
			return keys, err
		}
	}
}

// retype puts keys behind those that nobody has read. Systems that take it for an attack refuse it, and they are lost.
func retype(in *os.File, keys []byte) {
	for _, b := range keys {
		if unix.IoctlSetPointerInt(int(in.Fd()), unix.TIOCSTI, int(b)) != nil {
			return
		}
	}
}

// signals are those of new sizes, and of going on after a stop.
func signals() (changes <-chan os.Signal, stop func()) {
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, syscall.SIGWINCH, syscall.SIGCONT)
	return ch, func() { signal.Stop(ch) }
}

// front reports whether the terminal is that of this program's process group, or tells nothing of groups.
func (c *Console) front() bool {
	group, err := unix.IoctlGetInt(int(c.in.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

// stop stops the process group, as the system does with one that sets a terminal which is another's.
func (c *Console) stop() error { return unix.Kill(0, unix.SIGTTOU) }

func goesOn(s os.Signal) bool { return s == syscall.SIGCONT }
