// Package layout decides which pane gets which cells of the screen.
package layout

import "slices"

// The smallest screen that panes are drawn on, in cells, and the smallest that
// anything is.
const (
	MinWidth    = 40
	MinHeight   = 12
	BriefWidth  = 20
	BriefHeight = 5
)

// Roomy is the width from which there is room for a word more.
const Roomy = 80

// SummaryFrom is the width from which the summary of what was spent has a column.
const SummaryFrom = 200

// wideHeight is the height from which panes stand beside each other.
const wideHeight = 24

// Rect is a rectangle of the screen, in cells.
type Rect struct{ X, Y, W, H int }

// Holds reports whether a cell is within the rectangle.
func (r Rect) Holds(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Shape is how the panes are arranged.
type Shape uint8

// The shapes.
const (
	TooSmall Shape = iota
	Brief          // no pane: the newest code and the wallet
	Tabbed         // one pane at a time below the code strip and the tabs
	Stacked        // four panes below each other
	Wide           // the list on the left, the rest on the right, the summary beside them
	Over           // a screen over the list across the whole width, the rest around it
)

// The slots of the screen, in the order of their numbers.
const (
	Main = iota
	Codes
	Feed
	Wallet
	Summary // where there is room for it
	Slots
)

// order is how tab goes through the slots: as the eye does.
func (l *Layout) order() []int {
	order := []int{Main, Codes, Feed, Wallet}
	if l.Shape == Stacked || l.Shape == Over {
		order = []int{Codes, Main, Feed, Wallet}
	}
	if l.Summary {
		order = append(order, Summary)
	}
	return order
}

// Next returns the slot that is step places after another.
func (l *Layout) Next(slot, step int) int {
	order := l.order()
	at := slices.Index(order, slot)
	return order[(at+step+len(order))%len(order)]
}

// Has reports whether a slot can have the focus.
func (l *Layout) Has(slot int) bool { return slot != Summary || l.Summary }

// Layout is where everything is. Rectangles of what is not drawn are empty.
type Layout struct {
	Shape  Shape
	Panes  [Slots]Rect
	Panels Rect // what stands below the list for a while
	Strip  Rect
	Tabs   Rect
	// Summary reports whether there is room for the summary of what was spent.
	Summary bool
	// For is what it was arranged for.
	For Content
}

// Content is what the layout is for, besides the size: the slot with the focus,
// whether a screen is over the list and whether the slot has all of the screen, and
// the lines of the codes, of the panels below the list and of the notice that stays
// above the footer.
type Content struct {
	Focus, Codes, Panels, Notice int
	Screen, Zoom                 bool
}

// Arrange is the one place that decides who gets which cells. The first line
// is the header's and the last the footer's, which has more of them above
// while a notice stays; these do not change the shape.
func Arrange(w, h int, what Content) Layout {
	summary := w >= SummaryFrom && h >= wideHeight && !what.Screen
	if what.Focus == Summary && !summary {
		what.Focus = Main
	}
	l := arrange(w, h, what)
	l.For, l.Summary = what, summary
	return l
}

func arrange(w, h int, what Content) Layout {
	codes, panels, rest := what.Codes, what.Panels, h-what.Notice
	switch {
	case w < BriefWidth || h < BriefHeight:
		return Layout{Shape: TooSmall}
	case w < MinWidth || h < MinHeight:
		return Layout{Shape: Brief}
	case what.Zoom:
		return arrangeTabbed(w, rest, what.Focus, panels)
	case w >= 128 && h >= wideHeight && what.Screen:
		return arrangeOver(w, rest, codes, panels)
	case w >= 128 && h >= wideHeight:
		return arrangeWide(w, rest, codes, panels)
	case w >= 96 && h >= 28:
		return arrangeStacked(w, rest, codes, panels)
	default:
		return arrangeTabbed(w, rest, what.Focus, panels)
	}
}

func arrangeWide(w, h, codes, panels int) Layout {
	l := Layout{Shape: Wide}
	left := w/3 + 23 // On a wider screen the labels need little more, merchants and cards all they can have.
	body := h - 2
	if w >= SummaryFrom {
		w = l.beside(w, body)
		left = w / 2
	}
	l.Panes[Main] = Rect{0, 1, left, body}
	codesH := min(max(codes, 3)+3, body/4) // A line of it names the columns.
	walletH := min(10, body/3)
	right := w - left
	l.Panes[Codes] = Rect{left, 1, right, codesH}
	l.Panes[Wallet] = Rect{left, 1 + body - walletH, right, walletH}
	l.Panes[Feed] = Rect{left, 1 + codesH, right, body - codesH - walletH}
	l.open(panels)
	return l
}

// The width of the summary: a part of the screen in percent, and its bounds in cells.
const (
	summaryPart  = 26
	leastSummary = 52
	mostSummary  = 80
)

// beside gives the summary the right of the screen and returns the width of the
// rest.
func (l *Layout) beside(w, body int) int {
	n := min(max(w*summaryPart/100, leastSummary), mostSummary)
	l.Panes[Summary] = Rect{w - n, 1, n, body}
	return w - n
}

// mostBelow bounds the lines of the panes below a screen: the screen is what is
// looked at.
const mostBelow = 10

func arrangeOver(w, h, codes, panels int) Layout {
	l := Layout{Shape: Over}
	body := h - 2
	codesH, below, left := min(max(codes, 3)+3, body/4), min(mostBelow, body/4), w*52/100
	l.Panes[Codes] = Rect{0, 1, w, codesH}
	l.Panes[Main] = Rect{0, 1 + codesH, w, body - codesH - below}
	l.Panes[Feed] = Rect{0, 1 + body - below, left, below}
	l.Panes[Wallet] = Rect{left, 1 + body - below, w - left, below}
	l.open(panels)
	return l
}

func arrangeStacked(w, h, codes, panels int) Layout {
	l := Layout{Shape: Stacked}
	body := h - 2
	codesH := min(max(codes, 2)+2, 6)
	walletH := 5
	feedH := (body - codesH - walletH) * 2 / 5
	if panels > 0 {
		// The panels take their lines from the feed first.
		feedH = max(4, feedH-panels)
	}
	cardsH := body - codesH - walletH - feedH
	y := 1
	for _, s := range []struct{ slot, h int }{{Codes, codesH}, {Main, cardsH}, {Feed, feedH}, {Wallet, walletH}} {
		l.Panes[s.slot] = Rect{0, y, w, s.h}
		y += s.h
	}
	l.open(panels)
	return l
}

func arrangeTabbed(w, h, focus, panels int) Layout {
	l := Layout{Shape: Tabbed}
	l.Strip = Rect{0, 1, w, 1}
	l.Tabs = Rect{0, 2, w, 1}
	l.Panes[focus] = Rect{0, 3, w, h - 4}
	if panels > 0 {
		p := &l.Panes[focus]
		l.Panels = Rect{0, p.Y + p.H - panels, w, panels}
		p.H -= panels
	}
	return l
}

// AbovePanels is the rectangle that the panels are below.
func (l *Layout) AbovePanels(focus int) Rect {
	if l.Shape == Tabbed {
		return l.Panes[focus]
	}
	return l.Panes[Main]
}

// open takes the panels' lines from the foot of the main slot.
func (l *Layout) open(panels int) {
	if panels == 0 {
		return
	}
	p := &l.Panes[Main]
	l.Panels = Rect{p.X, p.Y + p.H - panels, p.W, panels}
	p.H -= panels
}
