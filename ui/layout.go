package ui

import "slices"

// The smallest screen that panes are drawn on, in cells, and the smallest that
// anything is.
const (
	minWidth    = 40
	minHeight   = 12
	briefWidth  = 20
	briefHeight = 5
)

// roomy is the width from which there is room for a word more.
const roomy = 80

// rect is a rectangle of the screen, in cells.
type rect struct{ x, y, w, h int }

func (r rect) holds(x, y int) bool {
	return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h
}

// shape is how the panes are arranged.
type shape uint8

const (
	tooSmall shape = iota
	brief          // no pane: the newest code and the wallet
	tabbed         // one pane at a time below the code strip and the tabs
	stacked        // four panes below each other
	wide           // the list on the left, the rest on the right
	over           // a screen over the list across the whole width, the rest around it
)

// The slots of the screen, in the order of their numbers.
const (
	slotMain = iota
	slotCodes
	slotFeed
	slotWallet
	slots
)

// order is how tab goes through the slots: as the eye does.
func (s shape) order() [slots]int {
	if s == stacked || s == over {
		return [slots]int{slotCodes, slotMain, slotFeed, slotWallet}
	}
	return [slots]int{slotMain, slotCodes, slotFeed, slotWallet}
}

// next gives the slot that is step places after another.
func (s shape) next(slot, step int) int {
	order := s.order()
	at := slices.Index(order[:], slot)
	return order[(at+step+slots)%slots]
}

// layout is where everything is. Rectangles of what is not drawn are empty.
type layout struct {
	shape  shape
	panes  [slots]rect
	panels rect // what stands below the list for a while
	strip  rect
	tabs   rect
}

// shown is what the layout is for, besides the size: the slot with the focus,
// whether a screen is over the list, and the lines of the codes, of the panels
// and of what stays above the foot.
type shown struct {
	focus, codes, panels, standing int
	screen                         bool
}

// arrange is the one place that decides who gets which cells. The first line
// is the header's and the last the footer's, which has more of them above that
// stay; these do not change the shape.
func arrange(w, h int, what shown) layout {
	codes, panels, rest := what.codes, what.panels, h-what.standing
	switch {
	case w < briefWidth || h < briefHeight:
		return layout{shape: tooSmall}
	case w < minWidth || h < minHeight:
		return layout{shape: brief}
	case w >= 128 && h >= 24 && what.screen:
		return arrangeOver(w, rest, codes, panels)
	case w >= 128 && h >= 24:
		return arrangeWide(w, rest, codes, panels)
	case w >= 96 && h >= 28:
		return arrangeStacked(w, rest, codes, panels)
	default:
		return arrangeTabbed(w, rest, what.focus, panels)
	}
}

func arrangeWide(w, h, codes, panels int) layout {
	l := layout{shape: wide}
	left := w * 48 / 100
	body := h - 2
	l.panes[slotMain] = rect{0, 1, left, body}
	codesH := min(max(codes, 3)+3, body/4) // A line of it names the columns.
	walletH := min(10, body/3)
	right := w - left
	l.panes[slotCodes] = rect{left, 1, right, codesH}
	l.panes[slotWallet] = rect{left, 1 + body - walletH, right, walletH}
	l.panes[slotFeed] = rect{left, 1 + codesH, right, body - codesH - walletH}
	l.open(panels)
	return l
}

// mostBelow bounds the lines of the panes below a screen: the screen is what is
// looked at.
const mostBelow = 10

func arrangeOver(w, h, codes, panels int) layout {
	l := layout{shape: over}
	body := h - 2
	codesH, below, left := min(max(codes, 3)+3, body/4), min(mostBelow, body/4), w*52/100
	l.panes[slotCodes] = rect{0, 1, w, codesH}
	l.panes[slotMain] = rect{0, 1 + codesH, w, body - codesH - below}
	l.panes[slotFeed] = rect{0, 1 + body - below, left, below}
	l.panes[slotWallet] = rect{left, 1 + body - below, w - left, below}
	l.open(panels)
	return l
}

func arrangeStacked(w, h, codes, panels int) layout {
	l := layout{shape: stacked}
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
	for _, s := range []struct{ slot, h int }{{slotCodes, codesH}, {slotMain, cardsH}, {slotFeed, feedH}, {slotWallet, walletH}} {
		l.panes[s.slot] = rect{0, y, w, s.h}
		y += s.h
	}
	l.open(panels)
	return l
}

func arrangeTabbed(w, h, focus, panels int) layout {
	l := layout{shape: tabbed}
	l.strip = rect{0, 1, w, 1}
	l.tabs = rect{0, 2, w, 1}
	l.panes[focus] = rect{0, 3, w, h - 4}
	if panels > 0 {
		p := &l.panes[focus]
		l.panels = rect{0, p.y + p.h - panels, w, panels}
		p.h -= panels
	}
	return l
}

// main is the rectangle that the panels stand below.
func (l *layout) main(focus int) rect {
	if l.shape == tabbed {
		return l.panes[focus]
	}
	return l.panes[slotMain]
}

// open takes the panels' lines from the foot of the main slot.
func (l *layout) open(panels int) {
	if panels == 0 {
		return
	}
	p := &l.panes[slotMain]
	l.panels = rect{p.x, p.y + p.h - panels, p.w, panels}
	p.h -= panels
}
