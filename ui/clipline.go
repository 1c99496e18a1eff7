package ui

import (
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// clipLine tells in the footer of w cells what of ours is on the clipboard and
// for how long.
func (a *App) clipLine(w int) []widget.Span {
	if wait := a.paceLine(); wait != nil {
		return wait
	}
	t, c := a.theme, a.store.Clip()
	style := ""
	switch c.State {
	case state.ClipCopied:
		style = t.Good
	case state.ClipSent:
		style = t.Warn
	case state.ClipStuck:
		style = t.Bad
	default:
		return nil
	}
	left := widget.AgeCoarse(max(0, c.Until.Sub(a.store.Now())))
	return []widget.Span{{Style: style, Text: clipText(c, left, t.Glyphs.Check, clipRoom(w))}}
}

// clipLeast is what the clipboard gets of the narrowest footer: the help's key
// stays beside it.
const clipLeast = minWidth - len(" ? help ")

// clipRoom is how much of a footer of w cells the clipboard may take from the
// keys.
func clipRoom(w int) int { return max(clipLeast, w*2/3) }

// caveatFrom is the room from which what is unsure is said in words, besides the
// colour and the sign.
const caveatFrom = 50

// clipText is what is on the clipboard in n cells: in whole words where they have
// room, else in few, where the name gives way, and not its digits or the time
// that is left.
func clipText(c state.Clip, left, check string, n int) string {
	var before, long, short string
	switch c.State {
	case state.ClipCopied:
		before, long, short = check+" ", " copied, clears in "+left+" ", ", "+left+" "
	case state.ClipSent:
		long, short = " sent to the terminal: clearing in "+left+" cannot be verified ", " sent, clearing unverified, "+left+" "
		if n < caveatFrom {
			short = " sent, " + left + "? "
		}
	default:
		before, long, short = "CANNOT CLEAR ", " from the clipboard: it may still be there ", " from the clipboard "
		if n < caveatFrom {
			short = " "
		}
	}
	if text := before + c.What + long; widget.Width(text) <= n {
		return text
	}
	return before + pane.CutName(c.What, n-widget.Width(before+short)) + short
}
