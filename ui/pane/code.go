package pane

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Amount is what a code authorizes.
func Amount(w *lang.Words, d display.Display, c codes.Code) string {
	if !c.AmountKnown {
		return w.T("unknown")
	}
	return d.Dollars(c.Amount)
}

// Mark is what speaks against a code, in words and in as many signs.
type Mark struct{ Style, Words, Signs string }

// takenSign marks a code that somebody else takes, where there is no room for their name.
const takenSign = "@"

// CodeMark says what speaks against a code: that another has replaced it, that
// its status is none this program knows, that the charge cannot go through. Of
// one that was replaced the rest does not matter.
func CodeMark(s *state.Store, t *theme.Theme, c codes.Code) Mark {
	if c.Replaced {
		return Mark{Style: t.Faint, Words: t.Words.T("replaced"), Signs: t.Glyphs.Unknown}
	}
	var m Mark
	var words []string
	if c.TakenBy != "" {
		m = Mark{Style: t.Warn, Signs: takenSign}
		words = append(words, t.Words.Tf("taken by %s %s", s.Privacy.Display().Text(string(c.TakenBy)), t.Words.Ago(max(0, s.ServerNow().Sub(c.TakenAt)))))
	}
	add := func(style, word, sign string) {
		if word != "" {
			m.Style, m.Signs = style, m.Signs+sign
			words = append(words, word)
		}
	}
	if c.Status != api.ChallengePending {
		add(t.Warn, statusWord(c.Status), t.Glyphs.Unknown)
	}
	add(t.Warn, warning(t.Words, s, c), t.Glyphs.Alert)
	m.Words = strings.Join(words, " · ")
	return m
}

// mostStatus is how many cells a status has that this program does not know.
const mostStatus = 16

// statusWord is a status of a challenge as it was found.
func statusWord(s api.ChallengeStatus) string {
	return widget.Truncate(strings.ReplaceAll(string(s), "_", " "), mostStatus)
}

// warning says why a charge cannot go through.
func warning(w *lang.Words, s *state.Store, c codes.Code) string {
	card, ok := s.Cards.Get(c.Card)
	switch {
	case !ok:
		return w.T("unknown card")
	case card.Status == api.CardFrozen, card.Status == api.CardTerminated, card.Shown() == api.CardExpired:
		return StatusWord(w, card.Shown())
	case c.AmountKnown && card.Balance < c.Amount:
		return s.Privacy.Display().Shortfall(c.Amount - card.Balance)
	}
	return ""
}

// CodeEnd says how a code ended.
func CodeEnd(t *theme.Theme, e *codes.Ended) (sign, word, style string) {
	switch {
	case e.Status == api.ChallengeCompleted:
		return t.Glyphs.Check, t.Words.Tc("code", "used"), t.Good
	case e.Replaced:
		return t.Glyphs.Cross, t.Words.T("replaced"), t.Muted
	case e.Status == api.ChallengeExpired:
		return t.Glyphs.Cross, t.Words.Tc("code", "expired"), t.Muted
	case e.Status != api.ChallengePending:
		return t.Glyphs.Unknown, statusWord(e.Status), t.Muted
	}
	return t.Glyphs.Pending, t.Words.Tc("code", "ended"), t.Muted
}

// Left is the time that a code has left, with a mark when it gets short and two
// when it is nearly over, so that it is not told by colour and digits alone.
func Left(t *theme.Theme, left time.Duration) widget.Span {
	switch text := widget.Countdown(left); {
	case left <= 20*time.Second:
		return widget.Span{Style: t.Bad, Text: t.Glyphs.Alert + t.Glyphs.Alert + text}
	case left <= time.Minute:
		return widget.Span{Style: t.Warn, Text: t.Glyphs.Alert + text}
	default:
		return widget.Span{Style: t.Muted, Text: text}
	}
}
