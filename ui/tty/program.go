// Package tty runs a Bubble Tea model on a terminal: it sets the
// terminal up and restores it, however the end comes, draws with a renderer of
// its own, suspends, and turns panics into errors that hold no secret.
package tty

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"github.com/cardtop/cardtop/ui/screen"
	"github.com/cardtop/cardtop/ui/widget"
)

// Device is where a program is shown.
type Device struct {
	In  io.Reader
	Out io.Writer
	// Env is the environment that tells what the terminal can.
	Env []string
	// Width and Height are its size in cells at the start. Where In and Out are
	// the terminal of the process, it tells its sizes by itself.
	Width, Height int
	// Sizes returns each new size until its context ends; nil where there are none, or
	// the terminal tells them by itself.
	Sizes func(ctx context.Context, tell func(width, height int)) error
}

// Program is a model on a terminal.
type Program struct {
	*tea.Program
	Session *Session
	// Colors are those of the terminal. The library tells them as well, but beside
	// the first frame, which would then have some that the terminal does not know.
	Colors colorprofile.Profile
	// Light says that the background is light as far as the environment tells: COLORFGBG. A terminal that says it by
	// itself knows better.
	Light bool
	sizes func(ctx context.Context, tell func(width, height int)) error
}

// New puts a model on a terminal. What ends it is up to the caller, signals as
// well. The library must not catch panics: it prints their value. It draws
// nothing either: its clock of frames would be what a key waits for. ending is called when the program is to end,
// which may be a second before it has; it may be nil.
func New(m tea.Model, now func() time.Time, on Device, ending func(tea.Model)) (*Program, error) {
	s := &Session{screen: screen.New(screen.Config{Out: on.Out, Env: environ(on.Env), Now: now, Cluster: widget.Cluster, NoScroll: runtime.GOOS == "windows"})}
	if in, ok := on.In.(*os.File); ok {
		out, ok := on.Out.(*os.File)
		if !ok {
			return nil, errors.New("keys come from a terminal that is not drawn to")
		}
		var err error
		if s.console, err = screen.OpenConsole(in, out); err != nil {
			return nil, err
		}
		if on.Width, on.Height, err = s.console.Size(); err != nil {
			return nil, err
		}
		on.In = s.console.Keys()
		on.Sizes = func(ctx context.Context, tell func(width, height int)) error {
			return s.console.Watch(ctx, tell, s.again)
		}
	}
	var keys io.Reader
	if _, ok := on.In.(*os.File); !ok { // The library reads files in a way of its own.
		keys, on.In = &wholeStrings{Reader: on.In, now: now}, nil
	}
	on.Env = withoutColor(on.Env)
	colors := profile(on.Out, on.Env)
	var p *tea.Program
	p = tea.NewProgram(m,
		tea.WithFilter(s.answers.filter(ending, func() { p.Quit() })),
		tea.WithoutRenderer(), tea.WithFPS(1), tea.WithoutSignalHandler(), tea.WithoutCatchPanics(),
		tea.WithInput(on.In), tea.WithOutput(s.screen), tea.WithWindowSize(on.Width, on.Height), tea.WithEnvironment(on.Env),
		tea.WithColorProfile(colors),
	)
	s.over = make(chan struct{})
	s.end = sync.OnceFunc(func() { close(s.over) })
	s.failed = make(chan error, 3) // As many as run beside.
	s.ended = func(err error) {
		if err != nil {
			s.failed <- err
			p.Quit()
		}
	}
	value := environ(on.Env)
	if keys != nil {
		s.read = func(ctx context.Context) error { return readKeys(ctx, keys, value("TERM"), s, p.Send) }
	}
	return &Program{Program: p, Session: s, Colors: colors, Light: light(value("COLORFGBG")), sizes: on.Sizes}, nil
}

// Quit has the program end, also where it waits for its terminal.
func (p *Program) Quit() {
	p.Session.end()
	p.Program.Quit()
}

// Run runs the program until it ends. A panic outside our own code ends it as
// well, with the terminal given back.
func (p *Program) Run() (err error) {
	s := p.Session
	defer func() {
		if v := recover(); v != nil {
			p.Kill()
			err = Caught(v)
		}
		err = errors.Join(err, s.part(), s.giveBack(), s.close())
	}()
	if err := s.acquire(); errors.Is(err, screen.ErrEnded) {
		return nil
	} else if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if p.sizes != nil {
		Go(s.ended, func() {
			s.ended(p.sizes(ctx, func(w, h int) { p.Send(tea.WindowSizeMsg{Width: w, Height: h}) }))
		})
	}
	_, err = p.Program.Run()
	select {
	case failed := <-s.failed:
		return errors.Join(failed, err)
	default:
		return err
	}
}

// readKeys hands on what is typed until the keys or the context end. The library's own reader waits for ever for a
// program that has ended with keys unread, and keeps all of the program in memory.
func readKeys(ctx context.Context, keys io.Reader, term string, s *Session, send func(tea.Msg)) error {
	s.answers.setReading(true)
	events, handed := make(chan uv.Event), make(chan struct{})
	Go(s.ended, func() {
		defer close(handed)
		for e := range events {
			s.answers.hand(e)
			send(e) // It waits for nobody who has ended.
		}
	})
	err := uv.NewTerminalReader(keys, term).StreamEvents(ctx, events)
	close(events)
	<-handed
	s.answers.setReading(false)
	return err
}

// profile returns the colours of a terminal. The library goes by TERM and COLORTERM, which is lost behind sudo and ssh;
// a terminal that says its name otherwise is known by that, unless another is between.
func profile(out io.Writer, env []string) colorprofile.Profile {
	p, value := colorprofile.Detect(out, env), environ(env)
	if p != colorprofile.ANSI256 || strings.HasPrefix(value("TERM"), "tmux") || strings.HasPrefix(value("TERM"), "screen") {
		return p
	}
	exact := []string{"iTerm.app", "WezTerm", "ghostty", "vscode", "zed", "rio", "Hyper", "Tabby", "mintty", "WarpTerminal"}
	vte, err := strconv.Atoi(value("VTE_VERSION"))
	if slices.Contains(exact, value("TERM_PROGRAM")) || value("LC_TERMINAL") == "iTerm2" || value("KONSOLE_VERSION") != "" || err == nil && vte >= firstExactVTE {
		return colorprofile.TrueColor
	}
	return p
}

// firstExactVTE is the first version of the library of GNOME's terminals with all colours.
const firstExactVTE = 3600

// withoutColor has a NO_COLOR of any value that is not empty turn colours off, as no-color.org asks: the library
// takes the value for yes or no.
func withoutColor(env []string) []string {
	env = slices.Clone(env)
	for i, v := range env {
		if value, ok := strings.CutPrefix(v, "NO_COLOR="); ok && value != "" {
			env[i] = "NO_COLOR=1"
		}
	}
	return env
}

// light reports whether the background in a COLORFGBG, its last number, is one of the two light grays of a terminal's
// sixteen colours.
func light(colors string) bool {
	back := colors[strings.LastIndex(colors, ";")+1:]
	return back == "7" || back == "15"
}

// environ looks variables up in an environment.
func environ(env []string) func(string) string {
	return func(name string) string {
		for _, v := range slices.Backward(env) { // The last counts.
			if len(v) > len(name) && v[len(name)] == '=' && v[:len(name)] == name {
				return v[len(name)+1:]
			}
		}
		return ""
	}
}
