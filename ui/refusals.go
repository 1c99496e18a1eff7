package ui

import (
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
)

// whyNot returns why what a key does cannot be done now; empty when it can. asks
// are the intents of the keys that do nothing else.
func (a *App) whyNot(b keymap.Binding, asks map[asking][]kernel.Intent) string {
	if p, ok := a.where(b); ok {
		return a.refusedBy(p, b, asks)
	}
	switch b.Context {
	case keymap.Global:
		if in, own := a.command(a.pane(a.focus), b.Action); own {
			return a.store.Ask(in).Reason
		}
		return a.refuses(b.Action)
	case keymap.Always:
		if b.Action == keymap.Suspend && a.cfg.Stop == nil {
			return cannotSuspend(a.theme.Words)
		}
		return a.refuses(b.Action)
	case keymap.Lists:
		return ""
	default:
		if why := b.Context.Closed(); why != "" {
			return a.theme.Words.T(why)
		}
	}
	if open := a.screens.openedBy(b.Context); open != "" {
		return a.theme.Words.Tf("not open: %s opens it", a.cfg.Keys.Key(open))
	}
	return ""
}

// Why nothing can be done.
func noBulk(w *lang.Words) string { return w.T("no bulk operation yet") }

func notInterrupted(w *lang.Words) string { return w.T("nothing was interrupted") }

// refusedBy returns why a pane would refuse what a key asks for.
func (a *App) refusedBy(p pane.Pane, b keymap.Binding, asks map[asking][]kernel.Intent) string {
	if in, own := a.command(p, b.Action); own {
		return a.store.Ask(in).Reason
	}
	if r, ok := p.(pane.Rower); ok && b.Has(keymap.NeedRow) && !r.OnRow() {
		return a.noRow(p)
	}
	intents, asked := asks[asking{b.Context, b.Action}]
	switch {
	case !asked:
		return a.stays(p, b.Action)
	case len(intents) == 0 && b.Context != keymap.Card && b.Action != keymap.Inspect:
		return a.theme.Words.T(keymap.NoRow)
	case len(intents) == 0:
		return a.theme.Words.T(keymap.NoCard)
	}
	return a.refused(intents)
}

// noRow says that there is no row to act on, as the pane does where it can say more.
func (a *App) noRow(p pane.Pane) string {
	if n, ok := p.(interface{ NoRow() string }); ok {
		return n.NoRow()
	}
	return a.theme.Words.T(keymap.NoRow)
}

// refused returns why intents cannot be done.
func (a *App) refused(intents []kernel.Intent) string {
	for _, in := range intents {
		if say, ok := in.(kernel.Say); ok {
			return say.Text
		}
		if look, ok := in.(state.InspectCard); ok && look.Card == "" {
			return a.theme.Words.T(keymap.NoCard)
		}
		if id, bound := state.CardOf(in); bound && id == "" {
			return a.theme.Words.T(keymap.NoCard)
		}
		if reason := a.store.Ask(in).Reason; reason != "" {
			return reason
		}
	}
	return ""
}

// stays returns why an action that moves within a pane would go nowhere.
func (a *App) stays(p pane.Pane, act keymap.Action) string {
	switch act {
	case keymap.FollowLink:
		return a.store.Ask(txns.FollowLink{}).Reason
	case keymap.NextTab, keymap.PrevTab:
		list := settings.CardList
		if p.Context() == keymap.Feed {
			list = settings.FeedList
		}
		return a.store.Ask(pane.ChooseTab{List: list}).Reason
	case keymap.NextCard, keymap.PrevCard:
		by := 1
		if act == keymap.PrevCard {
			by = -1
		}
		if _, ok := a.panes.cards.Next(a.store.Info.Inspected().Card, by); !ok {
			return noNext(a.theme.Words)
		}
	default:
	}
	return ""
}

// refuses returns why an action of no pane cannot be done.
func (a *App) refuses(act keymap.Action) string {
	if in, ok := intentOf(act); ok {
		return a.store.Ask(in).Reason
	}
	if i, ok := a.screens.opened(act); ok {
		return a.closed(i)
	}
	switch act {
	case keymap.Undo:
		_, why := a.store.UndoNext()
		return why
	case keymap.Accounts:
		return a.noAccounts()
	case keymap.Configuration:
		if len(a.mistakes.lines) == 0 {
			return a.theme.Words.T("the configuration has no errors")
		}
	case keymap.Bulk:
		if len(a.store.Bulk.All()) == 0 {
			return noBulk(a.theme.Words)
		}
	case keymap.ResumeBulk:
		if _, ok := a.store.Bulk.Interrupted(); !ok {
			return notInterrupted(a.theme.Words)
		}
	default:
	}
	return ""
}
