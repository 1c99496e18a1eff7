package tty

import (
	"context"
	"errors"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

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
	over    chan struct{} // closed when the program is to end, from outside
	end     func()        // closes it

	// read reads keys until its context or the keys end; nil where the library reads them.
	read  func(context.Context) error
	mu    sync.Mutex
	leave func() error // ends the reading; nil where nothing is read
}

// Show draws a frame, unless a later one takes its place first.
func (s *Session) Show(f screen.Frame) {
	if s != nil {
		s.screen.Show(f)
	}
}

// Redraw draws the last frame again, whatever the terminal shows.
func (s *Session) Redraw() {
	if s != nil {
		s.screen.Redraw()
		s.RequestBackground()
	}
}

// RequestBackground asks the terminal for its background, which may have changed: not every terminal reports that. One
// that has answered nothing is not asked.
func (s *Session) RequestBackground() {
	if s == nil || !s.answers.mayOwe() {
		return
	}
	if s.Send(ansi.RequestBackgroundColor + ansi.RequestPrimaryDeviceAttributes) {
		s.answers.asked()
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
		if err := s.console.Await(s.over); err != nil {
			return err
		}
	}
	s.answers.begin()
	if s.console != nil {
		if err := s.console.Take(); err != nil {
			return err
		}
	}
	if err := s.screen.Start(s.console != nil && s.console.Raw()); err != nil {
		return err
	}
	Go(s.ended, func() { s.ended(s.screen.Run()) })
	s.readKeys()
	return nil
}

// again sets the terminal up once more: the program goes on after others had stopped it.
func (s *Session) again() {
	if s.screen.Again() {
		s.answers.asked()
	}
}

// part ends drawing and reading. What the terminal sends until it has taken that the program is away has the form that
// the program asked for, which a shell does not know: it is read first.
func (s *Session) part() error {
	if !s.answers.mayAsk() || s.console != nil && !s.console.Front() {
		return errors.Join(s.leaveKeys(), s.screen.Stop())
	}
	err := s.screen.Stop()
	if err == nil {
		s.answers.asked()
		Go(s.ended, func() {
			if s.screen.Confirm() != nil {
				s.answers.over() // The terminal is gone.
			}
		})
		s.answers.wait()
	}
	return errors.Join(err, s.leaveKeys())
}

// giveBack gives the terminal back, with what was typed behind the end.
func (s *Session) giveBack() (err error) {
	if s.console != nil {
		err = errors.Join(s.console.Retype(s.answers.behind()), s.console.Give())
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

// readKeys reads keys from now on.
func (s *Session) readKeys() {
	if s.read == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	Go(s.ended, func() {
		defer close(over)
		s.ended(s.read(ctx))
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave = sync.OnceValue(func() error {
		defer cancel()
		if s.console == nil {
			return nil // A read ends when those who give the keys close them.
		}
		err := s.console.LeaveKeys()
		if err == nil {
			<-over
		}
		return err
	})
}

// leaveKeys leaves the keys to others from now on, once those that were read are handed on: to a program that runs, or
// to none when it has ended.
func (s *Session) leaveKeys() error {
	s.mu.Lock()
	leave := s.leave
	s.mu.Unlock()
	if leave == nil {
		return nil
	}
	return leave()
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
