package ui

import (
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// footer draws what just happened, else what is wrong, else the keys that
// count here; and at its right what is on the clipboard.
func (a *App) footer(w int) string {
	right := a.clipLine()
	room := w - widget.SpansWidth(right)
	var left []widget.Span
	switch n, h := a.store.Notice(), a.store.Health(); {
	case n.Text != "":
		left = []widget.Span{{Style: a.noticeStyle(n.Level), Text: " " + n.Text}}
		// Bad news is read whole; the clipboard can wait.
		if n.Level >= state.Warn && widget.SpansWidth(left) > room {
			right, room = nil, w
		}
	case h.Text != "":
		left = []widget.Span{{Style: a.theme.Bad, Text: " " + h.Text + since(h)}}
		right, room = nil, w
	default:
		if room < w/2 {
			room = w - widget.SpansWidth(right)
		}
		left = a.hints(room)
	}
	return widget.JoinHorizontal([]string{widget.Spans(max(0, room), left...)}, []string{widget.Spans(w-max(0, room), right...)})[0]
}

func since(h state.Health) string {
	if h.Since.IsZero() {
		return ""
	}
	text := " (since " + clock(h.Since)
	if !h.Until.IsZero() {
		text += ", again " + clock(h.Until)
	}
	return text + ")"
}

func (a *App) noticeStyle(l state.Level) string {
	switch l {
	case state.Good:
		return a.theme.Good
	case state.Warn:
		return a.theme.Warn
	case state.Bad:
		return a.theme.Bad
	default:
		return a.theme.Info
	}
}

// hints are the footer's keys, from the key table, as many as fit whole. The
// help's key is always among them: it leads to all others.
func (a *App) hints(w int) []widget.Span {
	if _, open := a.dialogs.Top(); open {
		return nil // A dialog names its own keys.
	}
	focused := a.pane(a.focus)
	contexts := keymap.Chain(focused.Context())
	if t, ok := focused.(pane.Typist); ok && t.Typing() {
		contexts = []keymap.Context{keymap.Filter}
	}
	rows := slices.DeleteFunc(a.cfg.Keys.Footer(contexts...), func(b keymap.Binding) bool { return b.Writes && a.store.ReadOnly() })
	spans := []widget.Span{{Text: " "}}
	room := w - 1
	for _, b := range rows {
		if b.Action == keymap.Help {
			room -= widget.SpansWidth(a.hint(b))
		}
	}
	for _, b := range rows {
		add := a.hint(b)
		n := widget.SpansWidth(add)
		if b.Action == keymap.Help {
			n = 0
		}
		if n <= room {
			room -= n
			spans = append(spans, add...)
		}
	}
	return spans
}

func (a *App) hint(b keymap.Binding) []widget.Span {
	return []widget.Span{{Style: a.theme.Key, Text: b.Keys[0]}, {Style: a.theme.KeyText, Text: " " + b.Short + "  "}}
}
