//go:build !windows

package screen

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/charmbracelet/x/term"
)

type consoleState struct{ in *term.State }

func (c *Console) take() (*consoleState, error) {
	in, err := term.MakeRaw(c.in.Fd())
	return &consoleState{in}, err
}

func (c *Console) give(s *consoleState) []error {
	return []error{term.Restore(c.in.Fd(), s.in)}
}

func sizeChanges() (changes <-chan os.Signal, stop func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGWINCH)
	return ch, func() { signal.Stop(ch) }
}
