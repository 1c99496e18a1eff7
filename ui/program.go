package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/ui/screen"
)

// Terminal is where a program is shown.
type Terminal struct {
	In  io.Reader
	Out io.Writer
	// Env is the environment that tells what the terminal can.
	Env []string
	// Width and Height are its size in cells at the start. Where In and Out are
	// the terminal of the process, it tells its sizes by itself.
	Width, Height int
}

// Program is an App or a Picker on a terminal.
type Program struct {
	*tea.Program
	tty *tty
}

// NewProgram puts an App on a terminal. What ends it is up to the caller,
// signals as well.
func NewProgram(a *App, on Terminal) (*Program, error) {
	p, err := newProgram(Contained{App: a}, a.cfg.Now, on, tea.WithFilter(leave))
	if err == nil {
		a.screen, a.terminal = p.tty.screen, p.tty
	}
	return p, err
}

// NewPickerProgram puts a Picker on a terminal, likewise.
func NewPickerProgram(m *Picker, on Terminal) (*Program, error) {
	p, err := newProgram(m, m.cfg.Now, on)
	if err == nil {
		m.screen = p.tty.screen
	}
	return p, err
}

// newProgram puts a model on a terminal. The library must not catch panics: it
// prints their value. It draws nothing either: its clock of frames would be
// what a key waits for.
func newProgram(m tea.Model, now func() time.Time, on Terminal, more ...tea.ProgramOption) (*Program, error) {
	t := &tty{screen: screen.New(screen.Config{Out: on.Out, Env: environ(on.Env), Now: now, NoScroll: runtime.GOOS == "windows"})}
	if in, ok := on.In.(*os.File); ok {
		out, ok := on.Out.(*os.File)
		if !ok {
			return nil, errors.New("keys come from a terminal that is not drawn to")
		}
		var err error
		if t.console, err = screen.OpenConsole(in, out); err != nil {
			return nil, err
		}
		if on.Width, on.Height, err = t.console.Size(); err != nil {
			return nil, err
		}
	}
	p := tea.NewProgram(m, append(more,
		tea.WithoutRenderer(), tea.WithFPS(1), tea.WithoutSignalHandler(), tea.WithoutCatchPanics(),
		tea.WithInput(on.In), tea.WithOutput(t.screen), tea.WithWindowSize(on.Width, on.Height), tea.WithEnvironment(on.Env),
		tea.WithColorProfile(colorprofile.Detect(on.Out, on.Env)),
	)...)
	t.failed = make(chan error, 2) // As many as run beside.
	t.ended = func(err error) {
		if err != nil {
			t.failed <- err
			p.Quit()
		}
	}
	return &Program{Program: p, tty: t}, nil
}

// Run runs the program until it ends. A panic outside our own code ends it as
// well, with the terminal given back.
func (p *Program) Run() (err error) {
	defer func() {
		if v := recover(); v != nil {
			p.Kill()
			err = Caught(v)
		}
		err = errors.Join(err, p.tty.give())
	}()
	if err := p.tty.take(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if c := p.tty.console; c != nil {
		Go(p.tty.ended, func() {
			p.tty.ended(c.Watch(ctx, func(w, h int) { p.Send(tea.WindowSizeMsg{Width: w, Height: h}) }))
		})
	}
	_, err = p.Program.Run()
	select {
	case failed := <-p.tty.failed:
		return errors.Join(failed, err)
	default:
		return err
	}
}

// tty is the terminal as long as it is the program's.
type tty struct {
	screen  *screen.Screen
	console *screen.Console // nil where the terminal is not that of the process
	ended   func(error)     // hears of what runs beside that it is over, and why
	failed  chan error
}

// take takes the terminal and draws to it from now on.
func (t *tty) take() error {
	if t.console != nil {
		if err := t.console.Take(); err != nil {
			return err
		}
	}
	if err := t.screen.Start(); err != nil {
		return err
	}
	Go(t.ended, func() { t.ended(t.screen.Run()) })
	return nil
}

// give gives the terminal back.
func (t *tty) give() error {
	err := t.screen.Stop()
	if t.console != nil {
		err = errors.Join(err, t.console.Give())
	}
	return err
}

// size is that of the terminal now; 0 where it tells none by itself.
func (t *tty) size() (w, h int) {
	if t.console == nil {
		return 0, 0
	}
	w, h, err := t.console.Size()
	if err != nil {
		return 0, 0
	}
	return w, h
}

// leave blanks the last screen, however the end came.
func leave(m tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.QuitMsg); ok {
		if c, ok := m.(Contained); ok {
			c.leaving = true
			c.cfg.Vault.Wipe()
		}
	}
	return msg
}

// environ looks variables up in an environment.
func environ(env []string) func(string) string {
	return func(name string) string {
		for _, v := range env {
			if len(v) > len(name) && v[len(name)] == '=' && v[:len(name)] == name {
				return v[len(name)+1:]
			}
		}
		return ""
	}
}
