package tty

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/ui/screen"
)

// Session is the terminal for as long as it is the program's. A nil Session is
// that of a program without a screen: what is shown on it goes nowhere.
type Session struct {
	screen  *screen.Screen
	console *screen.Console // nil where the terminal is not that of the process
	ended   func(error)     // is called when what runs beside is over, with why
	failed  chan error
	answers answers
}

// Show draws a frame, unless a later one takes its place first.
func (s *Session) Show(f screen.Frame) {
	if s != nil {
		s.screen.Show(f)
	}
}

// Redraw draws the last frame anew, whatever the terminal shows.
func (s *Session) Redraw() {
	if s != nil {
		s.screen.Redraw()
	}
}

// Send writes a sequence between two frames, and reports whether there is room for it.
func (s *Session) Send(seq string) bool { return s != nil && s.screen.Send(seq) }

// Report notes what the terminal says of its modes.
func (s *Session) Report(msg tea.ModeReportMsg) {
	if s != nil {
		s.screen.Report(msg)
	}
}

// acquire sets the terminal up and draws to it from now on.
func (s *Session) acquire() error {
	if s.console != nil {
		if err := s.console.Take(); err != nil {
			return err
		}
	}
	if err := s.screen.Start(s.console != nil && s.console.Raw()); err != nil {
		return err
	}
	s.answers.asked()
	Go(s.ended, func() { s.ended(s.screen.Run()) })
	return nil
}

// release restores the terminal.
func (s *Session) release() error {
	err := s.screen.Stop()
	if s.console != nil {
		s.console.Retype(s.answers.typed)
		err = errors.Join(err, s.console.Give())
	}
	return err
}

// close ends the use of the terminal.
func (s *Session) close() error {
	if s.console == nil {
		return nil
	}
	return s.console.Close()
}

// leaveKeys has the reader of the keys end.
func (s *Session) leaveKeys() error {
	if s.console == nil {
		return nil
	}
	return s.console.LeaveKeys()
}

// size is that of the terminal now; 0 where it tells none by itself.
func (s *Session) size() (w, h int) {
	if s.console == nil {
		return 0, 0
	}
	w, h, err := s.console.Size()
	if err != nil {
		return 0, 0
	}
	return w, h
}
