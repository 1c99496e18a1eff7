package ui

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// mostFooter bounds the lines of what just happened.
const mostFooter = 3

// footer draws the last lines of the screen: a notice that stays, what the pane
// says of its filter, and the foot.
func (a *App) footer(w int) []string {
	return append(a.lastingNotice(w), a.footNow(w)...)
}

// tall is the height from which a notice that stays is shown in full.
const tall = 20

// lastingNotice draws the notice that stays until it is dismissed, unless it has
// just come: then the foot shows it.
func (a *App) lastingNotice(w int) []string {
	n, all := a.store.Lasting()
	if all == 0 || n.Text == a.store.Notice().Text || w < layout.MinWidth {
		return nil
	}
	more, esc := "", a.cfg.Keys.Key(keymap.Back)
	if all > 1 {
		more = fmt.Sprintf(" (+%d more)", all-1)
	}
	style, text := a.noticeStyle(n.Level), n.Text+more+"; "+esc+" dismisses it"
	if a.h < tall {
		text = "acted late" + more + ": " + a.cfg.Keys.Key(keymap.OpenHistory) + " shows, " + esc + " dismisses"
		return []string{widget.Spans(w, widget.Span{Style: style, Text: " " + a.theme.Glyphs.Alert + " " + text})}
	}
	return widget.Paragraph(style, a.theme.Glyphs.Alert+" "+text, w, mostFooter)
}

// footNow draws the footer without the notice that stays. What the pane says of
// its filter is beside the keys where it has room.
func (a *App) footNow(w int) []string {
	if a.labels.shown() && a.box() == nil {
		return []string{widget.Spans(w, widget.Span{Style: a.theme.Info, Text: " jump: type a label, esc back"})}
	}
	advice := a.advice()
	if advice.Text == "" {
		return a.foot(w)
	}
	keys, free := "", 0
	if a.store.Notice().Text == "" && a.store.Poll.Health().Text == "" {
		keys = a.hints(w)
		free = w - widget.LineWidth(keys)
	}
	beside := widget.Span{Style: advice.Style, Text: hintGap + advice.Text}
	if widget.Width(beside.Text) <= free {
		return []string{keys + widget.Spans(free, beside)}
	}
	return append(widget.Paragraph(advice.Style, advice.Text, w, mostFooter), a.foot(w)...)
}

// advice is what the focused pane says of its filter. It may quote the filter,
// which may be a label.
func (a *App) advice() widget.Span {
	p, ok := a.pane(a.focus).(pane.Adviser)
	if !ok || a.store.Privacy.Display().Private() {
		return widget.Span{}
	}
	text, wrong := p.Advice()
	if wrong {
		return widget.Span{Style: a.theme.Bad, Text: text}
	}
	return widget.Span{Style: a.theme.Muted, Text: text}
}

// foot draws what just happened, else what is wrong, else the keys that
// count here; and at its right what is on the clipboard. Results of operations
// and warnings are never cut: they take up to three lines where one is too
// short, and hide the clipboard. Other notices that have no room beside it have
// a line of their own.
func (a *App) foot(w int) []string {
	right := a.clipLine(w)
	right = append(right, a.nextRevealLine(w-widget.SpansWidth(right)-helpRoom)...)
	if right == nil {
		right = a.chosenLine()
	}
	room := max(0, w-widget.SpansWidth(right))
	var left []widget.Span
	switch n, h := a.store.Notice(), a.store.Poll.Health(); {
	case n.Text != "":
		left = []widget.Span{{Style: a.noticeStyle(n.Level), Text: " " + n.Text}}
		if (n.Result || n.Level > state.Info) && widget.SpansWidth(left) > room {
			return widget.Paragraph(a.noticeStyle(n.Level), n.Text, w, mostFooter)
		}
		if right != nil && widget.SpansWidth(left) > room {
			return []string{widget.Spans(w, left...), a.keysBeside(right, w)}
		}
	case h.Text != "":
		left = []widget.Span{{Style: a.theme.Bad, Text: " " + h.Text + since(h, a.store.Now())}}
		if widget.SpansWidth(left) > room {
			right, room = nil, w
		}
	default:
		return []string{a.keysBeside(right, w)}
	}
	return widget.JoinHorizontal([]string{widget.Spans(max(0, room), left...)}, []string{widget.Spans(w-max(0, room), right...)})
}

// keysBeside draws the keys that count here, and something at their right.
func (a *App) keysBeside(right []widget.Span, w int) string {
	room := max(0, w-widget.SpansWidth(right))
	free := room
	if right != nil {
		free--
	}
	return widget.FitLine(a.hints(max(0, free)), room) + widget.Spans(w-room, right...)
}

func since(h state.Health, now time.Time) string {
	if h.Since.IsZero() {
		return ""
	}
	text := " (since " + pane.When(h.Since, now)
	if !h.Until.IsZero() {
		text += ", " + again(h.Until, now)
	}
	return text + ")"
}

// again says when the next request is sent.
func again(until, now time.Time) string {
	if !until.After(now) {
		return "retrying now"
	}
	return "retry " + pane.When(until, now)
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

// chosenLine says which cards are selected, where there is nothing else to say.
func (a *App) chosenLine() []widget.Span {
	if text := a.panes.cards.Summary(); text != "" && a.w >= layout.Roomy {
		return []widget.Span{{Style: a.theme.Mark, Text: text + " "}}
	}
	return nil
}
