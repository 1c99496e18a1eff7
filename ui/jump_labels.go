package ui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/screen"
	"github.com/cardtop/cardtop/ui/widget"
)

// rowLabels are the labels of rows, those of the home row first. Panes have
// their numbers.
const rowLabels = "asdfghjklqwertyuiopzxcvbnmASDFGHJKLQWERTYUIOPZXCVBNM"

// jumpLabel stands for a pane, or for the row on a line of it. It is bound to
// its place: it goes to what is shown there.
type jumpLabel struct {
	text string
	slot int
	row  bool
	x, y int // of the label
}

// jumpLabels are those on the screen; nil for none.
type jumpLabels []jumpLabel

// shown reports whether the next key is a label.
func (l jumpLabels) shown() bool { return l != nil }

// find returns the label that a key chooses.
func (l jumpLabels) find(key string) (jumpLabel, bool) {
	i := slices.IndexFunc(l, func(t jumpLabel) bool { return t.text == key || t.text == keymap.ByPosition(key) })
	if i < 0 {
		return jumpLabel{}, false
	}
	return l[i], true
}

// over draws the labels over a frame.
func (l jumpLabels) over(lines []string, style widget.Style) []string {
	for _, t := range l {
		lines = widget.Over(lines, []string{widget.Spans(1, widget.Span{Style: style, Text: t.text})}, t.x, t.y)
	}
	return lines
}

// showLabels labels the panes and the rows in sight, those of the focused pane
// first.
func (a *App) showLabels() {
	a.labels = nil
	for slot := range layout.Slots {
		if x, y, ok := a.numberOf(slot); ok {
			a.labels = append(a.labels, jumpLabel{text: string(rune('1' + slot)), slot: slot, x: x, y: y})
		}
	}
	rows := strings.Split(rowLabels, "")
	foot := a.h - len(a.footer(a.w))
	for i := range layout.Slots {
		slot := (a.focus + i) % layout.Slots
		p, ok := a.pane(slot).(pane.Lister)
		r := a.layout.Panes[slot]
		for y := 1; ok && y < r.H-1 && r.Y+y < foot && len(rows) > 0; y++ {
			if !p.RowAt(y) {
				continue
			}
			a.labels = append(a.labels, jumpLabel{text: rows[0], slot: slot, row: true, x: r.X + 1, y: r.Y + y})
			rows = rows[1:]
		}
	}
}

// numberOf is where the number of a pane is: in its title, or in its tab.
func (a *App) numberOf(slot int) (x, y int, ok bool) {
	if a.layout.Shape == layout.Tabbed {
		names := a.tabNames()
		if x = 1; slot >= len(names) {
			return 0, 0, false
		}
		for _, name := range names[:slot] {
			x += widget.Width(name) + 2
		}
		return x, a.layout.Tabs.Y, x < a.w
	}
	r := a.layout.Panes[slot]
	return r.X + 2, r.Y, r.W > 0
}

// onLabel goes to the label that a key chooses; another key only removes them.
func (a *App) onLabel(key string) tea.Cmd {
	t, ok := a.labels.find(key)
	a.labels = nil
	if !ok {
		return nil
	}
	cmd := a.focusOn(t.slot)
	if t.row {
		r := a.layout.Panes[t.slot]
		a.pane(t.slot).Click(t.x-r.X, t.y-r.Y)
	}
	return cmd
}

// drawRest is how long after a frame for a key or the wheel no other such frame
// is drawn: half of the time that the terminal is written to. A key that comes by
// itself is drawn at once.
const drawRest = 8 * time.Millisecond

// frame is what is on the screen, and whether that is out of date.
type frame struct {
	stale bool
	last  screen.Frame
	hints hintLine
	// header is the first line as it was last drawn; empty when it is to be drawn anew.
	header string
	// beside keeps what stands side by side.
	beside widget.Beside
	// dimmed keeps what is behind a box.
	dimmed widget.Dimmed
	// secret says that details are on it: then it never stays.
	secret bool
	// alertsLack reports whether not all was read that alerts come of: their count is at least.
	alertsLack bool

	pacing pacing
}

// pacing keeps keys and steps of the wheel that come faster than frames are
// shown from being drawn one by one.
type pacing struct {
	drawn   time.Time // when one of them was last drawn
	waiting bool      // a timer draws what has come since
	held    bool      // the last frame stays although it is out of date
}

// drawMsg says that the rest after a frame is over.
type drawMsg struct{}

// invalidate has the next View draw a new frame.
func (f *frame) invalidate() { f.stale, f.header = true, "" }

// invalidateBody is invalidate for what is not in the header: what the user does in a pane is
// not, and most frames are for a move of a cursor.
func (f *frame) invalidateBody() { f.stale = true }

// restyled forgets what was drawn in other styles.
func (f *frame) restyled() { f.hints = hintLine{} }

// join puts blocks side by side. Lines with details on them are not kept.
func (f *frame) join(s *state.Store, blocks ...[]string) []string {
	if s.Secrets.Reveal().Card == "" {
		return f.beside.Join(blocks...)
	}
	f.beside = widget.Beside{}
	return widget.JoinHorizontal(blocks...)
}

// dim puts a block behind a box. Lines with details on them are not kept.
func (f *frame) dim(s *state.Store, block []string, style widget.Style) []string {
	if s.Secrets.Reveal().Card != "" {
		f.dimmed = widget.Dimmed{}
		return new(widget.Dimmed).Lines(block, style)
	}
	return f.dimmed.Lines(block, style)
}

// due reports whether a new frame is to be drawn.
func (f *frame) due() bool { return f.stale && !f.pacing.held }

// drawn notes a new frame.
func (f *frame) drawn(lines []string, secret bool) {
	f.last.Lines, f.secret, f.stale = lines, secret, false
}

// pace decides whether what a message brought is drawn now, or by the command
// that it returns.
func (f *frame) pace(msg tea.Msg, now time.Time) tea.Cmd {
	p := &f.pacing
	was := p.held
	p.held = false
	switch msg.(type) {
	case drawMsg:
		p.waiting = false
		if was {
			p.drawn = now
		}
		return nil
	case tea.KeyPressMsg, tea.MouseWheelMsg:
	default:
		return nil
	}
	since := now.Sub(p.drawn)
	switch {
	case !f.stale || f.secret:
		return nil
	case since < 0 || since >= drawRest:
		p.drawn = now
		return nil
	}
	p.held = true
	if p.waiting {
		return nil
	}
	p.waiting = true
	return tea.Tick(drawRest-since, func(time.Time) tea.Msg { return drawMsg{} })
}

// View hands the frame to the terminal when there is a new one. The library
// itself draws nothing.
func (a *App) View() tea.View {
	if f, ok := a.next(); ok {
		a.terminal.Show(f)
	}
	return tea.View{}
}

// next returns the frame to be shown; false where none is due, and for one that is the
// last again: it would wake the writer for nothing.
func (a *App) next() (f screen.Frame, ok bool) {
	was := a.frame.last
	if !a.frame.due() && was.Mouse == a.mouse.ours {
		return was, false
	}
	f = a.Frame()
	return f, f.Width > 0 && !f.Equal(was)
}

// Frame lays the screen out. It reads no clock: times are those of the last
// tick or event.
func (a *App) Frame() screen.Frame {
	f := &a.frame
	if f.due() {
		f.drawn(a.draw(), a.store.Secrets.Reveal().Card != "")
	}
	f.last.Width, f.last.Height = max(a.w, 0), max(a.h, 0)
	f.last.Mouse, f.last.Title = a.mouse.ours, "cardtop "+a.mode()
	return f.last
}
