package tty

import (
	"fmt"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// CrashError is a panic of this program. It says where and of which type, never
// with what value: a value can hold what was on the screen.
type CrashError struct {
	Type  string
	Stack string
}

// Error returns the type and the stack's function names and lines.
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

// CrashMsg says that a command panicked.
type CrashMsg struct{ Crash *CrashError }

// Contain returns a command whose panic becomes a CrashMsg: the library would
// print its value.
func Contain(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				msg = CrashMsg{Caught(v)}
			}
		}()
		return cmd()
	}
}
