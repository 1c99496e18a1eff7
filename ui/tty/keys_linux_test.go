package tty

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// typist tells of each key, is suspended by z and ends with q.
type typist struct {
	keys chan string
	away func() tea.Cmd
}

func (*typist) Init() tea.Cmd  { return nil }
func (*typist) View() tea.View { return tea.View{} }

func (y *typist) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case ResumedMsg:
		y.keys <- "resumed"
	case tea.KeyPressMsg:
		switch key := msg.String(); key {
		case "z":
			return y, y.away()
		case "q":
			return y, tea.Quit
		default:
			y.keys <- key
		}
	}
	return y, nil
}

// next returns the next key that the program was told.
func (y *typist) next(t *testing.T) string {
	t.Helper()
	select {
	case key := <-y.keys:
		return key
	case <-time.After(time.Minute): // To give up.
		t.Fatal("no key comes")
		return ""
	}
}

// terminal answers what every terminal does. What is typed last comes before its answer.
type terminal struct {
	keyboard *os.File
	last     atomic.Pointer[string]
}

func (a *terminal) Write(b []byte) (int, error) {
	for range strings.Count(string(b), ansi.RequestPrimaryDeviceAttributes) {
		last := a.last.Swap(nil)
		if last == nil {
			last = new(string)
		}
		if _, err := io.WriteString(a.keyboard, *last+answered); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// onTerminal runs a program on a pseudo-terminal. ending is called when the program is to end.
func onTerminal(t *testing.T, ending func(p *Program, keyboard *os.File)) (y *typist, p *Program, screen *terminal, ended <-chan error) {
	t.Helper()
	keyboard, inside, err := pty.Open()
	must(t, err)
	screen = &terminal{keyboard: keyboard}
	first := answered + "a" // The program has the answer, then.
	screen.last.Store(&first)
	go func() { _, _ = io.Copy(screen, keyboard) }() // It ends when the terminal is closed.
	// As standard input: a file that Go opened itself is set to block each time it is asked for.
	fd, err := unix.Dup(int(inside.Fd()))
	if err = errors.Join(err, inside.Close()); err != nil {
		t.Fatal(err)
	}
	stdin := os.NewFile(uintptr(fd), "stdin")
	t.Cleanup(func() { _, _ = stdin.Close(), keyboard.Close() })
	y = &typist{keys: make(chan string, 9)}
	p, err = New(y, time.Now, Device{In: stdin, Out: stdin, Env: []string{"TERM=xterm"}}, func(tea.Model) { ending(p, keyboard) }) //nolint:forbidigo // a terminal has no other time
	must(t, err)
	over := make(chan error, 1)
	go func() { over <- p.Run() }()
	if got := y.next(t); got != "a" {
		t.Fatalf("typed %q", got)
	}
	return y, p, screen, over
}

func press(t *testing.T, keyboard *os.File, keys string) {
	t.Helper()
	if _, err := io.WriteString(keyboard, keys); err != nil {
		t.Error(err)
	}
}

// TestKeysAreReadAfterASuspension, each time. What was typed behind the key that suspends is the shell's.
func TestKeysAreReadAfterASuspension(t *testing.T) {
	t.Parallel()
	y, p, screen, ended := onTerminal(t, func(*Program, *os.File) {})
	keyboard := screen.keyboard
	y.away = func() tea.Cmd {
		return p.Session.Suspend(func() error {
			if got := string(p.Session.answers.typed); got != "e" {
				t.Errorf("behind the suspension %q was typed", got)
			}
			press(t, keyboard, "ls") // To the shell.
			next := answered + "b"
			screen.last.Store(&next)
			_, err := io.ReadFull(p.Session.console.Keys(), make([]byte, 2))
			if !errors.Is(err, io.EOF) {
				t.Errorf("the shell's keys are read: %v", err)
			}
			return nil
		}, func(context.Context, bool) error { return nil })
	}
	for range 2 {
		late := "\x1b[101u" // e, as a program has it that asked for it.
		screen.last.Store(&late)
		press(t, keyboard, "z")
		// The shell that took none is none. Whether e can be typed again is the system's.
		got := []string{y.next(t), y.next(t), y.next(t)}
		if i := slices.Index(got, "e"); i >= 0 {
			got[i] = y.next(t)
		}
		slices.Sort(got)
		if !slices.Equal(got, []string{"l", "resumed", "s"}) {
			t.Fatalf("got %q", got)
		}
		if got := y.next(t); got != "b" {
			t.Fatalf("typed %q", got)
		}
	}
	press(t, keyboard, "q")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestWhatIsTypedBehindTheEndIsKept for the shell, also what was read already.
func TestWhatIsTypedBehindTheEndIsKept(t *testing.T) {
	t.Parallel()
	_, p, screen, ended := onTerminal(t, func(p *Program, keyboard *os.File) {
		press(t, keyboard, "l")
		for read := 0; read == 0; runtime.Gosched() {
			a := &p.Session.answers
			a.mu.Lock()
			read = len(a.handed)
			a.mu.Unlock()
		}
	})
	press(t, screen.keyboard, "q")
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got := string(p.Session.answers.typed); got != "l" {
		t.Errorf("kept %q", got)
	}
}

// TestATerminalIsTakenAgain when the program goes on that others had stopped: the shell has set it for itself meanwhile.
// It is not parallel: the signal is for all programs of the process.
func TestATerminalIsTakenAgain(t *testing.T) {
	y, _, screen, ended := onTerminal(t, func(*Program, *os.File) {})
	fd := int(screen.keyboard.Fd()) // Both ends have the same modes.
	raw := func() bool {
		now, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		must(t, err)
		return now.Lflag&unix.ICANON == 0
	}
	if !raw() {
		t.Fatal("the terminal was not taken")
	}
	cooked, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	must(t, err)
	cooked.Lflag |= unix.ICANON | unix.ECHO
	must(t, unix.IoctlSetTermios(fd, unix.TCSETS, cooked))
	next := answered + "b"
	screen.last.Store(&next)
	for !raw() { // Until it is told of signals.
		must(t, unix.Kill(unix.Getpid(), unix.SIGCONT))
		<-time.After(10 * time.Millisecond)
	}
	if got := y.next(t); got != "b" || !raw() { // It asked the terminal once more.
		t.Errorf("typed %q, raw %v", got, raw())
	}
	press(t, screen.keyboard, "q")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
