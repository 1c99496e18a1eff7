package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/screen"
	"github.com/cardtop/cardtop/ui/widget"
)

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
