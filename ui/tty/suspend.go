package tty

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
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
// command, which waits for ever where nothing can be stopped: in a terminal
// without a shell.
func (s *Session) Suspend(stop func() error, hold func(ctx context.Context, held bool) error) tea.Cmd {
	away := &suspension{session: s, stop: stop, hold: hold}
	release := tea.Exec(away, func(err error) tea.Msg { return ResumedMsg{err, away.w, away.h} })
	s.answers.leave()
	return func() tea.Msg {
		s.answers.wait()
		// Now, while the program still takes what was read: it stands still until it is brought back.
		if err := s.part(); err != nil {
			return ResumedMsg{Err: errors.Join(err, s.acquire())}
		}
		return release()
	}
}

// suspension is the time in which the terminal is the shell's.
type suspension struct {
	session *Session
	stop    func() error
	hold    func(ctx context.Context, held bool) error
	w, h    int // the size afterwards
}

// Run is called when the terminal may go, and returns when it is the program's again.
func (s *suspension) Run() error {
	err := s.session.giveBack()
	if err == nil {
		err = s.held(false)
	}
	if err == nil {
		err = s.stop()
	}
	if taken := s.session.acquire(); taken != nil {
		return errors.Join(err, taken)
	}
	s.w, s.h = s.session.size()
	return errors.Join(err, s.held(true))
}

func (s *suspension) held(held bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), holdTimeout)
	defer cancel()
	return s.hold(ctx, held)
}

// SetStdin, SetStdout and SetStderr are for programs that use the terminal.
func (*suspension) SetStdin(io.Reader) {}

// SetStdout does nothing.
func (*suspension) SetStdout(io.Writer) {}

// SetStderr does nothing.
func (*suspension) SetStderr(io.Writer) {}
