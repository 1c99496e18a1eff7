package ui

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
)

// resumedMsg says that the program goes on after it was stopped.
type resumedMsg struct{ err error }

const cannotSuspend = "this system cannot suspend a program"

// suspend stops the program until the shell brings it back. Nothing sensitive
// stays on the screen or in memory meanwhile. It does not use the library's
// own command, which waits for ever where nothing can be stopped: in a terminal
// without a shell.
func (a *App) suspend() tea.Cmd {
	if a.cfg.Stop == nil {
		a.sync(a.store.Tell(state.Warn, cannotSuspend))
		return nil
	}
	hidden := a.dispatch(state.HideSecrets{Forget: true})
	away := absence{stop: a.cfg.Stop, hold: a.cfg.Board.HoldScreen}
	return tea.Sequence(hidden, tea.Exec(away, func(err error) tea.Msg { return resumedMsg{err} }))
}

// onResumed draws the whole screen: the terminal has shown the shell's.
func (a *App) onResumed(m resumedMsg) tea.Cmd {
	if m.err != nil {
		a.sync(a.store.Tell(state.Warn, m.err.Error()))
	}
	return tea.ClearScreen
}

// absence is the time in which the terminal is the shell's. The guard must not
// erase it then, should the program be killed.
type absence struct {
	stop func() error
	hold func(ctx context.Context, held bool) error
}

// Run is called when the terminal is given back, and returns to take it again.
func (s absence) Run() error {
	if err := s.held(false); err != nil {
		return err
	}
	err := s.stop()
	<-time.After(rest)
	return errors.Join(err, s.held(true))
}

// rest is how long the terminal is not taken again after the program goes on.
// The library stops its clock of frames in a goroutine of its own when it gives
// the terminal back, and starts the same clock to take it again: where the
// second comes first, nothing is drawn any more.
const rest = 20 * time.Millisecond

func (s absence) held(held bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), copyTimeout)
	defer cancel()
	return s.hold(ctx, held)
}

// SetStdin, SetStdout and SetStderr are for programs that use the terminal.
func (absence) SetStdin(io.Reader) {}

// SetStdout does nothing.
func (absence) SetStdout(io.Writer) {}

// SetStderr does nothing.
func (absence) SetStderr(io.Writer) {}
