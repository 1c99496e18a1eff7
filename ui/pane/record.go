package pane

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/ui/theme"
)

// Outcome says in a sign and a word what came of an operation.
func Outcome(t *theme.Theme, fate state.OpStatus) (text, style string) {
	switch fate {
	case state.OpStatusDone:
		return t.Glyphs.Check + " " + t.Words.Tc("outcome", "done"), t.Good
	case state.OpStatusRefused:
		return t.Glyphs.Cross + " " + t.Words.Tc("outcome", "refused"), t.Bad
	case state.OpStatusNotSent:
		return t.Glyphs.Cross + " " + t.Words.Tc("outcome", "not sent"), t.Warn
	case state.OpStatusWaits:
		return t.Glyphs.Pending + " " + t.Words.Tc("outcome", "waits"), t.Info
	case state.OpStatusApproved:
		return t.Glyphs.Check + " " + t.Words.Tc("outcome", "approved"), t.Info
	case state.OpStatusUnknown:
		return t.Glyphs.Unknown + " " + t.Words.Tc("outcome", "unknown"), t.Warn
	case state.OpStatusResolvedDone:
		return t.Glyphs.Check + " " + t.Words.Tc("outcome", "resolved"), t.Info
	case state.OpStatusResolvedNotDone:
		return t.Glyphs.Cross + " " + t.Words.Tc("outcome", "resolved"), t.Info
	case state.OpStatusDismissed:
		return t.Glyphs.Dot + " " + t.Words.Tc("outcome", "dismissed"), t.Muted
	}
	return t.Glyphs.Unknown + " " + fate, t.Warn
}

// Balances are what the answer to an operation told.
func Balances(w *lang.Words, d display.Display, r *state.Record) []string {
	var parts []string
	switch {
	case r.CardBefore != nil && r.CardAfter != nil:
		parts = append(parts, w.Tf("card %s → %s", d.Dollars(*r.CardBefore), d.Dollars(*r.CardAfter))+unlike(w, d, r.CardAfter, r.CardShown))
	case r.CardAfter != nil:
		parts = append(parts, w.Tf("card %s", d.Dollars(*r.CardAfter))+unlike(w, d, r.CardAfter, r.CardShown))
	}
	if r.WalletAfter != nil {
		parts = append(parts, w.Tf("wallet %s", d.Dollars(*r.WalletAfter))+unlike(w, d, r.WalletAfter, r.WalletShown))
	}
	switch r.Outcome {
	case state.OpStatusResolvedDone:
		parts = append(parts, w.T("no answer; settled as done"))
	case state.OpStatusResolvedNotDone:
		parts = append(parts, w.T("no answer; settled as not done"))
	case state.OpStatusDismissed:
		parts = append(parts, w.T("outcome not known"))
	}
	return parts
}

// unlike says what a confirmation showed, where the answer was another.
func unlike(w *lang.Words, d display.Display, told, shown *api.USD) string {
	if shown == nil || *told == *shown {
		return ""
	}
	return w.Tf(" (shown as %s)", d.Dollars(*shown))
}

// OpName is what an operation is called on the screen, by the name that the history and
// a hub have of it: the store's kinds have theirs in the catalogue. A name that is not
// known is shown as it is.
func OpName(w *lang.Words, name string) string {
	if text := w.Tc("operation", name); text != name {
		return text
	}
	return w.T(name)
}
