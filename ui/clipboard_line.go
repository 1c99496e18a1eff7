package ui

import (
	"strings"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// nextRevealLine says in n cells of the footer when the details are read that
// the throttle holds back; nil where their panel says it, or there is no room.
func (a *App) nextRevealLine(n int) []widget.Span {
	at, waits := a.store.Secrets.NextReveal()
	if !waits || a.store.Secrets.Reveal().Card != "" && a.box() == nil {
		return nil
	}
	w := a.theme.Words
	left := pane.Seconds(&a.theme, at.Sub(a.store.Now()))
	text, long := " "+w.Tf("reveal in %s", left), " "+w.Tf("reveal in %s, esc cancels", left)
	if a.store.Secrets.CopyWaits() {
		text, long = " "+w.Tf("copy in %s", left), " "+w.Tf("copy in %s, esc cancels", left)
	}
	if a.box() == nil && widget.Width(long) < n {
		text = long
	}
	if widget.Width(text) >= n {
		return nil
	}
	return []widget.Span{{Style: a.theme.Warn, Text: text + " "}}
}

// clipLine says in the footer of w cells what of ours is on the clipboard and
// for how long.
func (a *App) clipLine(w int) []widget.Span {
	t, c := a.theme, a.store.Secrets.Clip()
	style := ""
	switch c.State {
	case secrets.ClipCopied:
		style = t.Good
	case secrets.ClipSent:
		style = t.Warn
	case secrets.ClipStuck:
		style = t.Bad
	default:
		return nil
	}
	if c.Replaced && c.State == secrets.ClipCopied {
		style = t.Warn
	}
	left := t.Words.AgeCoarse(max(0, c.Until.Sub(a.store.Now())))
	return []widget.Span{{Style: style, Text: clipText(t.Words, c, left, t.Glyphs.Check, clipRoom(w))}}
}

// helpLeast is how many cells the help's key needs without its word.
const helpLeast = len(" ? ")

// helpRoom is how many it needs.
func (a *App) helpRoom() int { return helpLeast + widget.Width(a.theme.Words.T("help")+" ") }

// clipLeast is how many cells of the narrowest footer the clipboard has: the
// help's key stays beside it.
const clipLeast = layout.MinWidth - helpLeast

// clipRoom is how much of a footer of w cells the clipboard may take from the
// keys.
func clipRoom(w int) int { return max(clipLeast, w*2/3) }

// caveatFrom is the room from which uncertainty is put in words, besides the
// colour and the sign.
const caveatFrom = 50

// clipEnds say what became of a copy, the longest first: with the tool it was
// made by, and in as few words as n cells need.
func clipEnds(w *lang.Words, c secrets.Clip, left string, n int) []string {
	way := ""
	if c.Via != "" {
		way = " (" + c.Via + ")"
	}
	switch {
	case c.State == secrets.ClipCopied && c.Replaced:
		return ends(w.Tf("replaced, clears in %s", left))
	case c.State == secrets.ClipCopied && c.Keepers != "":
		return ends(
			w.Tf("copied%s, %s may keep it, clears in %s", way, c.Keepers, left), w.Tf("copied%s, %s may keep it, clears in %s", "", c.Keepers, left),
			w.Tf("copied, %s may keep it, %s", c.Keepers, left), w.Tf("copied%s, clears in %s", "", left),
		)
	case c.State == secrets.ClipCopied:
		return ends(w.Tf("copied%s, clears in %s", way, left), w.Tf("copied%s, clears in %s", "", left))
	case c.State == secrets.ClipSent:
		word := w.T("sent")
		if c.Replaced {
			word = w.T("replaced, sent")
		}
		if n < caveatFrom {
			return ends(w.Tf("%s, %s?", word, left))
		}
		return ends(
			w.Tf("%s to the terminal%s: clearing in %s cannot be verified", word, way, left),
			w.Tf("%s, clearing unverified, %s", word+way, left),
			w.Tf("%s, clearing unverified, %s", word, left),
		)
	case n < caveatFrom:
		return []string{""}
	}
	return ends(w.T("from the clipboard: it may still be there"), w.T("from the clipboard"))
}

// ends puts a blank around each text.
func ends(texts ...string) []string {
	for i, text := range texts {
		texts[i] = " " + text + " "
	}
	return texts
}

// clipText says what is on the clipboard in n cells: named as fully as there is
// room for beside what became of it and the time that is left.
func clipText(w *lang.Words, c secrets.Clip, left, check string, n int) string {
	before := check + " "
	switch {
	case c.State != secrets.ClipCopied && c.State != secrets.ClipSent:
		before = w.T("CANNOT CLEAR") + " "
	case c.State == secrets.ClipSent || c.Replaced:
		before = ""
	}
	ends := clipEnds(w, c, left, n)
	for i, end := range ends {
		names := []string{c.What}
		if i > 0 && end != ends[len(ends)-1] { // The tool matters more than the label.
			names = append(names, c.Short[0], c.Short[1])
		}
		for _, name := range names {
			if text := before + name + end; name != "" && widget.Width(text) <= n {
				return text
			}
		}
	}
	end := ends[len(ends)-1]
	if n < caveatFrom {
		end = strings.TrimSuffix(end, " ") // No blank at the edge where each cell counts.
	}
	what, room := c.What, n-widget.Width(before+end)
	for _, fewer := range c.Short {
		if widget.Width(what) > room && fewer != "" {
			what = fewer
		}
	}
	return before + pane.CutName(what, room) + end
}
