package ui

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
)

// resumedMsg says that the program goes on after it was stopped, on a terminal
// of this size; 0 where it is not known.
type resumedMsg struct {
	err  error
	w, h int
}

// holdTimeout bounds what the clipboard's guard is told; it gives up sooner by
// itself.
const holdTimeout = 5 * time.Second

const cannotSuspend = "this system cannot suspend a program"

// suspend stops the program until the shell brings it back. Nothing sensitive
// stays on the screen or in memory meanwhile. It does not use the library's
// own command, which waits for ever where nothing can be stopped: in a terminal
// without a shell.
func (a *App) suspend() tea.Cmd {
	if a.cfg.Stop == nil {
		a.sync(a.store.Notices.Add(state.Warn, cannotSuspend))
		return nil
	}
	hidden := a.dispatch(state.HideSecrets{Forget: true})
	away := &absence{stop: a.cfg.Stop, hold: a.cfg.HoldScreen, terminal: a.terminal}
	return tea.Sequence(hidden, tea.Exec(away, func(err error) tea.Msg { return resumedMsg{err, away.w, away.h} }))
}

// onResumed draws the whole screen: the terminal has shown the shell's.
func (a *App) onResumed(m resumedMsg) tea.Cmd {
	if m.err != nil {
		a.sync(a.store.Notices.Add(state.Warn, m.err.Error()))
	}
	if m.w == 0 {
		return nil
	}
	return a.resize(m.w, m.h)
}

// absence is the time in which the terminal is the shell's. The guard must not
// erase it then, should the program be killed.
type absence struct {
	stop     func() error
	hold     HoldScreen
	terminal *tty
	w, h     int // what it has come back to
}

// Run is called when the terminal is given back, and returns to take it again.
func (s *absence) Run() error {
	err := s.terminal.give()
	if err == nil {
		err = s.held(false)
	}
	if err == nil {
		err = s.stop()
	}
	if taken := s.terminal.take(); taken != nil {
		return errors.Join(err, taken)
	}
	s.w, s.h = s.terminal.size()
	return errors.Join(err, s.held(true))
}

func (s *absence) held(held bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), holdTimeout)
	defer cancel()
	return s.hold(ctx, held)
}

// SetStdin, SetStdout and SetStderr are for programs that use the terminal.
func (*absence) SetStdin(io.Reader) {}

// SetStdout does nothing.
func (*absence) SetStdout(io.Writer) {}

// SetStderr does nothing.
func (*absence) SetStderr(io.Writer) {}
