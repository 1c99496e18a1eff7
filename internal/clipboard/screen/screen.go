// Package screen restores a terminal after the program that drew on it was
// killed, and erases what it had drawn.
package screen

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/x/ansi"
)

// Saved is a terminal and the settings to give it back with.
type Saved struct {
	tty  *os.File
	mode *mode
}

// Mode returns the terminal's settings in a form that New understands. It has
// to be called before the dashboard changes them.
func Mode(tty *os.File) ([]byte, error) {
	m, err := getMode(tty)
	if err != nil {
		return nil, fmt.Errorf("save terminal settings: %w", err)
	}
	b, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("save terminal settings: %w", err)
	}
	return b, nil
}

// New returns a terminal with the settings it is to have afterwards.
func New(tty *os.File, settings []byte) (*Saved, error) {
	m := new(mode)
	if err := json.Unmarshal(settings, m); err != nil {
		return nil, fmt.Errorf("read terminal settings: %w", err)
	}
	return &Saved{tty: tty, mode: m}, nil
}

// Restore restores the settings, erases the alternate screen, leaves it and
// turns off what the dashboard turned on. The scrollback stays: nothing of the
// dashboard is in it. The settings come first, so that the terminal is usable
// once the shell is to be seen, even if its output is stopped just now.
func (s *Saved) Restore() error {
	mode := restoreMode(s.tty, s.mode)
	_, err := io.WriteString(s.tty, sequence())
	if err != nil {
		err = fmt.Errorf("restore terminal: %w", err)
	}
	return errors.Join(mode, err)
}

// resetScrollRegion makes the whole screen scroll again: the dashboard may have been
// killed while it scrolled a part of it.
const resetScrollRegion = "\x1b[r"

// sequence undoes the dashboard's modes. The keyboard comes before leaving the
// alternate screen, because terminals keep its state for each screen.
func sequence() string {
	return ansi.ResetModeSynchronizedOutput +
		ansi.ResetStyle +
		resetScrollRegion +
		ansi.EraseEntireScreen + ansi.CursorHomePosition +
		ansi.ResetModifyOtherKeys + ansi.PopKittyKeyboard(1) +
		ansi.ResetModeMouseNormal + ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent +
		ansi.ResetModeMouseExtSgr +
		ansi.ResetModeBracketedPaste + ansi.ResetModeFocusEvent +
		ansi.ResetModeUnicodeCore + ansi.SetModeAutoWrap +
		ansi.ResetModeAltScreenSaveCursor +
		ansi.SetCursorStyle(0) + ansi.SetModeTextCursorEnable +
		ansi.SetWindowTitle("")
}
