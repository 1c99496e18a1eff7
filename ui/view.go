package ui

import (
	"cmp"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/checkout"
	"github.com/cardtop/cardtop/ui/codes"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/reveal"
	"github.com/cardtop/cardtop/ui/widget"
)

// panels are what stands below the list for a while: the revealed details, and
// the code of a checkout in large digits.
type panels struct {
	reveal   *reveal.Panel
	checkout *checkout.Panel
	code     bool // there is room for the code
}

// leastMain is how many lines a pane has at least when panels are below it.
const leastMain = 3

// relayout gives every pane its rectangle. Where there is no room for both
// panels the code stays in its pane or strip, which show it as well.
func (a *App) relayout() {
	what := layout.Content{Focus: a.focus, Codes: codes.Lines(a.store), Notice: len(a.lastingNotice(a.w)), Screen: a.screens.any(), Zoom: a.panes.zoomed}
	if a.store.Secrets.Reveal().Card != "" {
		what.Panels = reveal.Height
	}
	l := layout.Arrange(a.w, a.h, what)
	a.panels.code = false
	if _, ok := a.store.Codes.Caught(); ok {
		what.Panels += checkout.Height(l.AbovePanels(a.focus).W)
		if with := layout.Arrange(a.w, a.h, what); with.AbovePanels(a.focus).H >= leastMain {
			l, a.panels.code = with, true
		}
	}
	a.frame.invalidate()
	unread := l.Summary && !a.layout.Summary
	a.layout = l
	if !l.Has(a.focus) {
		a.focus = layout.Main
	}
	for slot, r := range l.Panes {
		if r.W > 0 {
			a.pane(slot).SetSize(r.W, r.H)
		}
	}
	if unread { // It reads nothing while it has no room.
		a.panes.spent.Sync(a.store, kernel.TopicAll)
	}
}

// draw returns the screen's lines, each as wide as the screen.
func (a *App) draw() []string {
	// Before the first tick no age is known.
	if a.w <= 0 || a.h <= 0 || a.store.Now().IsZero() {
		return nil
	}
	switch a.layout.Shape {
	case layout.TooSmall:
		return a.drawTooSmall()
	case layout.Brief:
		return a.drawBrief()
	default:
	}
	a.drawPane(a.focus) // Panes bind their cursors when they are drawn.
	foot := a.footer(a.w)
	lines := append([]string{a.header(a.w)}, a.body(len(foot)-1)...)
	lines = append(lines[:a.h-len(foot)], foot...)
	if box := a.box(); box != nil {
		return a.overlay(lines, len(foot), box)
	}
	a.frame.dimmed = widget.Dimmed{} // It is not kept longer than it is shown.
	return a.labels.over(lines, a.theme.BadgeWarn)
}

// body draws what is between the header and the footer. The footer covers so
// many of its last lines.
func (a *App) body(covered int) []string {
	switch a.layout.Shape {
	case layout.Wide:
		left := a.withPanels(a.drawPane(layout.Main), covered)
		blocks := [][]string{left, widget.JoinVertical(a.drawPane(layout.Codes), a.drawPane(layout.Feed), a.drawPane(layout.Wallet))}
		if a.layout.Summary {
			blocks = append(blocks, a.drawPane(layout.Summary))
		}
		return a.frame.join(a.store, blocks...)
	case layout.Over:
		below := a.frame.join(a.store, a.drawPane(layout.Feed), a.drawPane(layout.Wallet))
		return widget.JoinVertical(a.drawPane(layout.Codes), a.withPanels(a.drawPane(layout.Main), 0), below)
	case layout.Stacked:
		return widget.JoinVertical(a.drawPane(layout.Codes), a.withPanels(a.drawPane(layout.Main), 0), a.drawPane(layout.Feed), a.drawPane(layout.Wallet))
	default:
		top := []string{a.panes.codes.Strip(a.w), a.drawTabs()}
		return widget.JoinVertical(top, a.withPanels(a.drawPane(a.focus), covered))
	}
}

func (a *App) drawPane(slot int) []string {
	return a.pane(slot).View(slot == a.focus)
}

// withPanels puts the panels below a pane. They are drawn for each frame and
// cached by no pane. Lines that are covered are cut from the pane: a panel is
// there for seconds only.
func (a *App) withPanels(lines []string, covered int) []string {
	if a.layout.Panels.H == 0 {
		return lines
	}
	hidden := min(covered, len(lines)-1)
	blocks := [][]string{lines[:len(lines)-hidden]}
	if a.store.Secrets.Reveal().Card != "" {
		blocks = append(blocks, a.panels.reveal.View(a.store, a.layout.Panels.W))
	}
	if a.panels.code {
		blocks = append(blocks, a.panels.checkout.View(a.store, a.layout.Panels.W))
	}
	return widget.JoinVertical(append(blocks, widget.Blank(a.layout.Panels.W, hidden))...)
}

// overlay puts a box over a dimmed screen. The header, the codes and the
// footer stay as they are: a checkout does not wait for a dialog.
func (a *App) overlay(lines []string, foot int, draw func(w, h int) []string) []string {
	strip := a.uncovered()
	var block []string
	if a.layout.Shape == layout.Tabbed {
		block = []string{a.panes.codes.Strip(a.w)}
	} else {
		block = a.drawPane(layout.Codes)
	}
	box, at := a.placeBox(foot, draw)
	middle := a.frame.dim(a.store, lines[1:len(lines)-foot], a.theme.Backdrop)
	lines = widget.JoinVertical(lines[:1], middle, lines[len(lines)-foot:])
	lines = widget.Over(lines, block, strip.X, strip.Y)
	if len(box) == 0 {
		return lines
	}
	return widget.Over(lines, box, at.X, at.Y)
}

// uncovered is where the codes are, over which no box is put.
func (a *App) uncovered() layout.Rect {
	if a.layout.Shape == layout.Tabbed {
		return a.layout.Strip
	}
	return a.layout.Panes[layout.Codes]
}

// placeBox draws a box and says where it goes, over a footer of so many lines.
func (a *App) placeBox(foot int, draw func(w, h int) []string) (box []string, at layout.Rect) {
	strip := a.uncovered()
	top := strip.Y + strip.H
	box = draw(a.w-4, a.h-foot-top)
	if len(box) == 0 {
		return nil, layout.Rect{}
	}
	w := widget.LineWidth(box[0])
	return box, layout.Rect{X: (a.w - w) / 2, Y: max(top, min(a.h-foot-len(box), (a.h-len(box))/2)), W: w, H: len(box)}
}

// tabNames are the titles of the tabs, by slot.
func (a *App) tabNames() []string {
	w := a.theme.Words
	main := w.T("Cards")
	if sc, ok := a.screens.top(); ok {
		main = w.T(sc.tab)
	}
	codes := w.T("Codes")
	if n := a.store.Codes.Waiting(); n > 0 {
		codes = w.Tf("Codes %d", n)
	}
	if a.store.Codes.Checkout().Card != "" {
		codes = w.T("Armed")
	}
	feed := w.T("Transactions")
	if a.w < 60 {
		feed = w.T("Feed")
	}
	names := []string{"1 " + main, "2 " + codes, "3 " + feed, "4 " + w.T("Wallet")}
	if a.layout.Summary {
		names = append(names, "5 "+w.T("Spending"))
	}
	return names
}

func (a *App) drawTabs() string {
	spans := make([]widget.Span, 0, layout.Slots)
	for slot, name := range a.tabNames() {
		style := a.theme.Muted
		if slot == a.focus {
			style = a.theme.Selection
		}
		spans = append(spans, widget.Span{Style: style, Text: " " + name + " "})
	}
	if a.panes.zoomed {
		note := widget.Span{Style: a.theme.Muted, Text: a.theme.Words.T("zoomed") + " "}
		if key := a.cfg.Keys.Key(keymap.Zoom); key != "" {
			note.Text = a.theme.Words.Tf("zoomed, %s shows all panes", key) + " "
		}
		if free := a.w - widget.SpansWidth(spans) - widget.Width(note.Text); free > 0 {
			spans = append(spans, widget.Span{Text: strings.Repeat(" ", free)}, note)
		}
	}
	return widget.Spans(a.w, spans...)
}

// tabAt finds the tab at a column.
func (a *App) tabAt(x int) (int, bool) {
	at := 0
	for slot, name := range a.tabNames() {
		at += widget.Width(name) + 2
		if x < at {
			return slot, true
		}
	}
	return 0, false
}

func (a *App) drawTooSmall() []string {
	words := a.theme.Words
	quits := words.Tf("%s quits.", cmp.Or(a.cfg.Keys.Key(keymap.Quit), a.quitKey()))
	if a.end.asked {
		quits = a.store.Notice().Text
	}
	text := []string{
		"cardtop " + a.mode(),
		words.Tf("needs %d x %d,", layout.BriefWidth, layout.BriefHeight),
		words.Tf("this is %d x %d.", a.w, a.h),
		quits,
	}
	lines := make([]string, 0, len(text))
	for _, s := range text {
		lines = append(lines, widget.Spans(a.w, widget.Span{Style: a.theme.Text, Text: s}))
	}
	return widget.FitBlock(lines, a.w, a.h)
}

// mode is the word for whose money is moved.
func (a *App) mode() string {
	switch a.cfg.Mode {
	case Live:
		return a.theme.Words.T("LIVE")
	case Test:
		return a.theme.Words.T("TEST")
	case Sandbox:
		return a.theme.Words.T("SANDBOX")
	default:
		return string(a.cfg.Mode)
	}
}

// modeStyle is the badge of the mode.
func (a *App) modeStyle() string {
	switch a.cfg.Mode {
	case Live:
		return a.theme.Live
	case Test:
		return a.theme.Test
	default:
		return a.theme.Sandbox
	}
}
