package ui

import (
	"fmt"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/ui/screen"
)

// CrashError is a panic of ours. It tells where and of which type, never with
// what value: a value can hold what was on the screen.
type CrashError struct {
	Type  string
	Stack string
}

// Error gives the type and the stack's function names and lines.
func (c *CrashError) Error() string {
	return fmt.Sprintf("it crashed (%s), which is a bug:\n%s", c.Type, c.Stack)
}

// Go runs do beside the program and hands a panic of it to fail.
func Go(fail func(error), do func()) {
	go func() {
		defer func() {
			if v := recover(); v != nil {
				fail(Caught(v))
			}
		}()
		do()
	}()
}

// Caught describes what was recovered, in the function that recovered it.
func Caught(v any) *CrashError {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	var b strings.Builder
	for {
		f, more := frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") {
			fmt.Fprintf(&b, "  %s:%d\n", f.Function, f.Line)
		}
		if !more {
			break
		}
	}
	return &CrashError{Type: fmt.Sprintf("%T", v), Stack: b.String()}
}

// crashMsg says that a command of ours panicked.
type crashMsg struct{ crash *CrashError }

// contain keeps a panic in a command from printing its value.
func contain(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				msg = crashMsg{Caught(v)}
			}
		}()
		return cmd()
	}
}

// Contained is the program with its panics caught: it quits, which restores
// the terminal, and Err tells what happened.
type Contained struct{ *App }

// Update is App.Update, contained.
func (c Contained) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	defer func() {
		if v := recover(); v != nil {
			c.err = Caught(v)
			m, cmd = c, tea.Quit
		}
	}()
	if crash, ok := msg.(crashMsg); ok {
		c.err = crash.crash
		return c, tea.Quit
	}
	_, cmd = c.App.Update(msg)
	return c, cmd
}

// View is App.View, contained. A screen that cannot be drawn is blank, which
// takes what was on it away: the next message ends the program.
func (c Contained) View() (v tea.View) {
	defer func() {
		if r := recover(); r != nil {
			c.err = Caught(r)
			c.blank()
		}
	}()
	if c.leaving || c.err != nil {
		c.blank()
		return tea.View{}
	}
	return c.App.View()
}

// blank takes everything off the screen.
func (a *App) blank() {
	if a.screen != nil {
		a.screen.Show(screen.Frame{Width: a.w, Height: a.h})
	}
}
