package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/ui/screen"
	"github.com/cardtop/cardtop/ui/widget"
)

// View hands the frame to the screen when there is a new one. The library
// itself draws nothing.
func (a *App) View() tea.View {
	if a.dirty && !a.pacing.held || a.shown.Mouse != a.mouse {
		if f := a.Frame(); a.screen != nil && f.Width > 0 {
			a.screen.Show(f)
		}
	}
	return tea.View{}
}

// Frame lays the screen out. It reads no clock: times are those of the last
// tick or event.
func (a *App) Frame() screen.Frame {
	if a.dirty && !a.pacing.held {
		a.shown.Lines = a.draw()
		a.dirty, a.pacing.secret = false, a.store.Secrets.Reveal().Card != ""
	}
	a.shown.Width, a.shown.Height = max(a.w, 0), max(a.h, 0)
	a.shown.Mouse, a.shown.Title = a.mouse, "cardtop "+string(a.cfg.Mode)
	return a.shown
}

// draw gives the screen's lines, each as wide as the screen.
func (a *App) draw() []string {
	// Before the first tick no age is known.
	if a.w <= 0 || a.h <= 0 || a.store.Now().IsZero() {
		return nil
	}
	switch a.layout.shape {
	case tooSmall:
		return a.drawTooSmall()
	case brief:
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
	return a.withLabels(lines)
}

// body draws what is between the header and the footer. The footer covers so
// many of its last lines.
func (a *App) body(covered int) []string {
	l := a.layout
	switch l.shape {
	case wide:
		left := a.withPanels(a.drawPane(slotMain), covered)
		right := widget.JoinVertical(a.drawPane(slotCodes), a.drawPane(slotFeed), a.drawPane(slotWallet))
		return widget.JoinHorizontal(left, right)
	case over:
		below := widget.JoinHorizontal(a.drawPane(slotFeed), a.drawPane(slotWallet))
		return widget.JoinVertical(a.drawPane(slotCodes), a.withPanels(a.drawPane(slotMain), 0), below)
	case stacked:
		return widget.JoinVertical(a.drawPane(slotCodes), a.withPanels(a.drawPane(slotMain), 0), a.drawPane(slotFeed), a.drawPane(slotWallet))
	default:
		top := []string{a.otp.Strip(a.w), a.drawTabs()}
		return widget.JoinVertical(top, a.withPanels(a.drawPane(a.focus), covered))
	}
}

func (a *App) drawPane(slot int) []string {
	return a.pane(slot).View(slot == a.focus)
}

// withPanels puts the revealed details and the large code below a pane. They
// are drawn for each frame and kept by no pane. Lines that are covered are taken
// from the pane: what is on a panel is there for seconds.
func (a *App) withPanels(lines []string, covered int) []string {
	if a.layout.panels.h == 0 {
		return lines
	}
	hidden := min(covered, len(lines)-1)
	blocks := [][]string{lines[:len(lines)-hidden]}
	if a.store.Secrets.Reveal().Card != "" {
		blocks = append(blocks, a.reveal.View(a.store, a.layout.panels.w))
	}
	if a.largeCode {
		blocks = append(blocks, a.caught.View(a.store, a.layout.panels.w))
	}
	return widget.JoinVertical(append(blocks, widget.Blank(a.layout.panels.w, hidden))...)
}

// overlay puts a box over a dimmed screen. The header, the codes and the
// footer keep their place and their colours: a checkout does not wait for a
// dialog.
func (a *App) overlay(lines []string, foot int, draw func(w, h int) []string) []string {
	codes, kept := a.layout.panes[slotCodes], a.layout.strip
	var block []string
	if a.layout.shape == tabbed {
		block = []string{a.otp.Strip(a.w)}
	} else {
		kept, block = codes, a.drawPane(slotCodes)
	}
	top := kept.y + kept.h
	box := draw(a.w-4, a.h-foot-top)
	middle := widget.Dim(lines[1:len(lines)-foot], a.theme.Backdrop)
	lines = widget.JoinVertical(lines[:1], middle, lines[len(lines)-foot:])
	lines = widget.Over(lines, block, kept.x, kept.y)
	if len(box) == 0 {
		return lines
	}
	return widget.Over(lines, box, (a.w-widget.LineWidth(box[0]))/2, max(top, min(a.h-foot-len(box), (a.h-len(box))/2)))
}

// tabNames are the tabs' words, by slot.
func (a *App) tabNames() [slots]string {
	main := "1 Cards"
	if sc, ok := a.screens.top(); ok {
		main = "1 " + sc.tab
	}
	codes := "2 Codes"
	if n := a.store.Codes.Waiting(); n > 0 {
		codes = fmt.Sprintf("2 Codes %d", n)
	}
	if a.store.Codes.Checkout().Card != "" {
		codes = "2 Armed"
	}
	feed := "3 Transactions"
	if a.w < 60 {
		feed = "3 Feed"
	}
	return [slots]string{main, codes, feed, "4 Wallet"}
}

func (a *App) drawTabs() string {
	spans := make([]widget.Span, 0, slots)
	for slot, name := range a.tabNames() {
		style := a.theme.Muted
		if slot == a.focus {
			style = a.theme.Selection
		}
		spans = append(spans, widget.Span{Style: style, Text: " " + name + " "})
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
	text := []string{
		fmt.Sprintf("cardtop %s", a.cfg.Mode),
		fmt.Sprintf("needs %d x %d,", briefWidth, briefHeight),
		fmt.Sprintf("this is %d x %d.", a.w, a.h),
		"q quits.",
	}
	lines := make([]string, 0, len(text))
	for _, s := range text {
		lines = append(lines, widget.Spans(a.w, widget.Span{Style: a.theme.Text, Text: s}))
	}
	return widget.FitBlock(lines, a.w, a.h)
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
