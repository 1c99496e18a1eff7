package ui

import "slices"

// The smallest screen anything is drawn on, in cells.
const (
	minWidth  = 40
	minHeight = 12
)

// rect is a rectangle of the screen, in cells.
type rect struct{ x, y, w, h int }

func (r rect) holds(x, y int) bool {
	return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h
}

// shape is how the panes are arranged.
type shape uint8

const (
	tooSmall shape = iota
	tabbed         // one pane at a time below the code strip and the tabs
	stacked        // four panes below each other
	wide           // the list on the left, the rest on the right
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
	if s == stacked {
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
	reveal rect
	strip  rect
	tabs   rect
}

// arrange is the one place that decides who gets which cells. The first line
// is the header's and the last the footer's.
func arrange(w, h, focus, codes int, reveal int) layout {
	switch {
	case w < minWidth || h < minHeight:
		return layout{shape: tooSmall}
	case w >= 128 && h >= 24:
		return arrangeWide(w, h, codes, reveal)
	case w >= 96 && h >= 28:
		return arrangeStacked(w, h, codes, reveal)
	default:
		return arrangeTabbed(w, h, focus, reveal)
	}
}

func arrangeWide(w, h, codes, reveal int) layout {
	l := layout{shape: wide}
	left := w * 48 / 100
	body := h - 2
	l.panes[slotMain] = rect{0, 1, left, body}
	codesH := min(max(codes, 3)+2, body/4)
	walletH := min(10, body/3)
	right := w - left
	l.panes[slotCodes] = rect{left, 1, right, codesH}
	l.panes[slotWallet] = rect{left, 1 + body - walletH, right, walletH}
	l.panes[slotFeed] = rect{left, 1 + codesH, right, body - codesH - walletH}
	l.open(reveal)
	return l
}

func arrangeStacked(w, h, codes, reveal int) layout {
	l := layout{shape: stacked}
	body := h - 2
	codesH := min(max(codes, 2)+2, 6)
	walletH := 5
	feedH := (body - codesH - walletH) * 2 / 5
	if reveal > 0 {
		// The details take their lines from the feed first.
		feedH = max(4, feedH-reveal)
	}
	cardsH := body - codesH - walletH - feedH
	y := 1
	for _, s := range []struct{ slot, h int }{{slotCodes, codesH}, {slotMain, cardsH}, {slotFeed, feedH}, {slotWallet, walletH}} {
		l.panes[s.slot] = rect{0, y, w, s.h}
		y += s.h
	}
	l.open(reveal)
	return l
}

func arrangeTabbed(w, h, focus, reveal int) layout {
	l := layout{shape: tabbed}
	l.strip = rect{0, 1, w, 1}
	l.tabs = rect{0, 2, w, 1}
	l.panes[focus] = rect{0, 3, w, h - 4}
	if reveal > 0 {
		p := &l.panes[focus]
		l.reveal = rect{0, p.y + p.h - reveal, w, reveal}
		p.h -= reveal
	}
	return l
}

// open takes the reveal panel's lines from the foot of the main slot.
func (l *layout) open(reveal int) {
	if reveal == 0 {
		return
	}
	p := &l.panes[slotMain]
	l.reveal = rect{p.x, p.y + p.h - reveal, p.w, reveal}
	p.h -= reveal
}
