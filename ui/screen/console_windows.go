package screen

import (
	"os"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/windows"
)

type consoleState struct {
	in, out *term.State
	raw     bool // false: the command line of a console is edited by nobody but it
}

// take makes the console speak the sequences of terminals, both ways.
func (c *Console) take() (*consoleState, error) {
	in, err := term.MakeRaw(c.in.Fd())
	if err != nil {
		return nil, err
	}
	out, err := term.GetState(c.out.Fd())
	if err != nil {
		return nil, err
	}
	if err := addMode(c.in, windows.ENABLE_VIRTUAL_TERMINAL_INPUT); err != nil {
		return nil, err
	}
	if err := addMode(c.out, windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING|windows.DISABLE_NEWLINE_AUTO_RETURN); err != nil {
		return nil, err
	}
	return &consoleState{in: in, out: out}, nil
}

func addMode(f *os.File, more uint32) error {
	var mode uint32
	if err := windows.GetConsoleMode(windows.Handle(f.Fd()), &mode); err != nil {
		return err
	}
	return windows.SetConsoleMode(windows.Handle(f.Fd()), mode|more)
}

func (c *Console) give(s *consoleState) []error {
	return []error{term.Restore(c.in.Fd(), s.in), term.Restore(c.out.Fd(), s.out)}
}

func retype(*os.File, []byte) {}

// sizeChanges is nil: a console reports its size with the keys.
func signals() (changes <-chan os.Signal, stop func()) { return nil, nil }

func (c *Console) front() bool { return true }

func (c *Console) stop() error { return nil }

func goesOn(os.Signal) bool { return false }

func waiting(*os.File) ([]byte, error) { return nil, nil }
