// Package notify makes the escape sequences by which a terminal notifies a user
// who is looking elsewhere.
package notify

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/ui/widget"
)

// dialect is the kind of notification that a terminal knows.
type dialect uint8

const (
	osc9   dialect = iota // iTerm2, WezTerm, Ghostty, Windows Terminal; others ignore it
	osc99                 // kitty
	osc777                // urxvt, foot
)

// screenLimit is the longest device control string that GNU screen passes on.
const screenLimit = 768

// longest is how many cells a notification has at most.
const longest = 120

// Terminal is where notifications go. The zero value speaks OSC 9.
type Terminal struct {
	dialect      dialect
	tmux, screen bool
}

// Detect finds out what the terminal of an environment understands, and what
// is in between.
func Detect(env func(string) string) Terminal {
	t := Terminal{tmux: env("TMUX") != "", screen: env("STY") != ""}
	term := env("TERM")
	switch {
	case env("KITTY_WINDOW_ID") != "" || strings.Contains(term, "kitty"):
		t.dialect = osc99
	case strings.HasPrefix(term, "foot") || strings.HasPrefix(term, "rxvt"):
		t.dialect = osc777
	}
	return t
}

// Bell is what rings, in tmux and screen as well.
const Bell = "\a"

// Sequence rings and shows a line. tmux passes the line on where
// allow-passthrough is on; the bell always.
func (t Terminal) Sequence(text string) string { return Bell + t.Line(text) }

// Line shows a line and does not ring. The text is cut and can start no sequence
// of its own.
func (t Terminal) Line(text string) string {
	text = Clean(text)
	seq := ansi.Notify("cardtop: " + text)
	switch t.dialect {
	case osc99:
		seq = ansi.DesktopNotification("cardtop: "+text, "i=cardtop", "d=1")
	case osc777:
		seq = "\x1b]777;notify;cardtop;" + strings.ReplaceAll(text, ";", ",") + "\a"
	default:
	}
	switch {
	case t.tmux:
		seq = ansi.TmuxPassthrough(seq)
	case t.screen:
		seq = ansi.ScreenPassthrough(seq, screenLimit)
	}
	return seq
}

// Clean is a text as a notification may show it: one line of some length.
func Clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text)
	return widget.Truncate(text, longest)
}
