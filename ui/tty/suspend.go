package tty

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/ui/screen"
)

// holdTimeout bounds what the clipboard's guard is told; it gives up sooner by
// itself.
const holdTimeout = 5 * time.Second

// ResumedMsg says that the program goes on after it was stopped, on a terminal
// of this size; 0 where it is not known.
type ResumedMsg struct {
	Err           error
	Width, Height int
}

// Suspend returns the command that hands the terminal to the shell until the
// shell brings the program back; what is typed from now on is the shell's. stop stops the program and hold tells the
// clipboard's guard whether the terminal shows it: the guard must not erase the
// shell's screen should the program be killed. It does not use the library's own
// commands, which wait half a second for a reader that there is none, and for ever where nothing can be
// stopped: in a terminal without a shell.
func (s *Session) Suspend(stop func() error, hold func(ctx context.Context, held bool) error) tea.Cmd {
	s.answers.leave()
	held := func(held bool) error {
		ctx, cancel := context.WithTimeout(context.Background(), holdTimeout)
		defer cancel()
		return hold(ctx, held)
	}
	return func() tea.Msg {
		s.answers.wait()
		err := s.part()
		if err == nil {
			err = s.giveBack()
		}
		if err == nil {
			err = held(false)
		}
		if err == nil {
			err = stop()
		}
		taken := s.acquire()
		if errors.Is(taken, screen.ErrEnded) {
			return nil
		}
		if taken != nil {
			return ResumedMsg{Err: errors.Join(err, taken)}
		}
		w, h := s.size()
		return ResumedMsg{errors.Join(err, held(true)), w, h}
	}
}
