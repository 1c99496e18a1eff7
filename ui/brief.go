package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// unseen reports whether the panes are not drawn: no key acts on what cannot be
// seen.
func (a *App) unseen() bool {
	return a.layout.Shape == layout.TooSmall || a.layout.Shape == layout.Brief
}

// onUnseenKey quits, unlocks, or copies the code that can be seen. There is no room for the
// question before something under way is left: the key is asked for a second time.
func (a *App) onUnseenKey(key string) tea.Cmd {
	act, always := a.cfg.Keys.Resolve(key, keymap.Always)
	if !always {
		act, _ = a.cfg.Keys.Resolve(key, keymap.Global)
	}
	again := a.end.asked
	a.end.asked = act == keymap.Quit && a.store.Busy()
	switch {
	case act == keymap.Quit && !always && a.keys.Fast(): // A second press soon after counts.
		return a.ignoreKey()
	case a.end.asked && !again:
		a.sync(a.store.Notices.Say(kernel.Warn, a.theme.Words.Tf("not all is done: %s again quits", key)))
		return nil
	case act == keymap.Quit:
		return tea.Quit
	case a.store.Privacy.Locked():
		return a.onLockedKey(key)
	case act == keymap.CopyCode && a.layout.Shape == layout.Brief:
		return a.want(secrets.CopyCode{}, "")
	default:
		return nil
	}
}

// briefLeast are the lines of the brief screen that are not the code's: the mode,
// the wallet, the foot.
const briefLeast = 3

// briefMost are all the lines above the foot.
const briefMost = 5

// drawBrief draws what a checkout needs: the mode, the newest code, the wallet.
func (a *App) drawBrief() []string {
	t, w := a.theme, a.w
	mode := []widget.Span{{Style: a.modeStyle(), Text: " " + a.mode() + " "}}
	if privacy, ok := a.privacyPart(); ok {
		mode = append(mode, privacy.spans...)
	}
	link := flatten(nil, linkParts(&t, a.store.Poll.Health(), a.store.Poll.Source(poll.Codes).Every, a.store.Now())[:1])
	if room := w - widget.SpansWidth(mode) - widget.SpansWidth(link); room > 0 {
		mode = append(append(mode, widget.Span{Text: fmt.Sprintf("%*s", room, "")}), link...)
	}
	foot := a.briefFoot(w)
	lines := append([]string{widget.Spans(w, mode...)}, a.panes.codes.Brief(w, a.h-briefLeast)...)
	lines = append(lines, widget.Spans(w, a.briefWallet()...))
	lines = append(lines, widget.Blank(w, a.h-len(lines)-len(foot))...)
	return append(lines[:max(0, a.h-len(foot))], foot...)
}

func (a *App) briefWallet() []widget.Span {
	wallet, ok := a.store.Wallets.Balance()
	if !ok {
		return []widget.Span{{Style: a.theme.Muted, Text: " " + a.theme.Words.T("wallet not read yet")}}
	}
	return []widget.Span{{Style: a.theme.Muted, Text: " " + a.theme.Words.T("wallet")}, {Style: a.theme.Gold, Text: " " + a.store.Privacy.Display().Dollars(wallet.Balance)}}
}

// briefFoot says what is on the clipboard, what just happened or what is wrong
// with the code, else which keys count, in as many lines as there is room for.
func (a *App) briefFoot(w int) []string {
	t, n, c := a.theme, a.store.Notice(), a.store.Secrets.Clip()
	left := t.Words.AgeCoarse(max(0, c.Until.Sub(a.store.Now())))
	style, text := t.Muted, a.cfg.Keys.Key(keymap.CopyCode)+" "+t.Words.T("copy")+"  "+a.cfg.Keys.Key(keymap.Quit)+" "+t.Words.T("quit")
	switch warning := a.panes.codes.Warning(); {
	case c.State == secrets.ClipCopied:
		style, text = t.Good, t.Glyphs.Check+" "+t.Words.Tf("copied, %s", left)
	case c.State == secrets.ClipSent:
		style, text = t.Warn, t.Words.Tf("copied? sent, %s", left)
	case c.State == secrets.ClipStuck:
		style, text = t.Bad, t.Words.T("CANNOT CLEAR")
	case n.Text != "" && (!n.Hint || warning == ""):
		style, text = a.noticeStyle(n.Level), n.Text
	case warning != "":
		style, text = t.Warn, warning
	}
	lines := widget.Paragraph(style, text, w, mostFooter)
	return lines[:min(len(lines), max(1, a.h-briefMost))]
}

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
