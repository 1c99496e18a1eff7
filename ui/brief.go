package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/layout"
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
