package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/input"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/pane"
)

// cursor is what was last reported to the store of where the cursor is.
type cursor struct {
	guard   input.CursorGuard
	row     api.CardID        // in the list of cards, whose summary is read ahead
	begun   bool              // there was a row
	card    api.CardID        // the one that keys act on
	watches state.WatchLimits // what the list shows of what is read card by card

	issuing issuing
}

// issuing is the card that was asked for last, and the card the cursor was on
// then: a cursor that has not moved since goes to the new one.
type issuing struct {
	op state.OpID
	at api.CardID
}

// reportCursor reports to the store where the cursor is, after a message.
func (a *App) reportCursor(msg tea.Msg) tea.Cmd {
	return tea.Batch(a.reportRow(msg), a.reportCard(), a.reportLimits())
}

// reportRow reports to the store which card the list's cursor is on.
func (a *App) reportRow(msg tea.Msg) tea.Cmd {
	id, c := a.panes.cards.Card(), &a.cursor
	if id == c.row {
		return nil
	}
	// The first row comes by itself, whatever the message was.
	if !c.begun || !input.ByUser(msg) {
		c.guard.RowChanged(a.cfg.Now())
	}
	c.row, c.begun = id, true
	return a.dispatch(state.SelectCard{Card: id, At: a.cfg.Now()})
}

// reportCard reports to the store which card keys act on.
func (a *App) reportCard() tea.Cmd {
	p, ok := a.pane(a.focus).(pane.Carder)
	if !ok {
		return nil
	}
	id := p.Card()
	if id == "" || id == a.cursor.card {
		return nil
	}
	a.cursor.card = id
	return a.dispatch(state.SetKeyCard{Card: id})
}

// reportLimits reports to the store which of what is read card by card the list shows.
func (a *App) reportLimits() tea.Cmd {
	watches := a.panes.cards.Watches()
	if watches == a.cursor.watches {
		return nil
	}
	a.cursor.watches = watches
	return a.dispatch(watches)
}

// rowJustChanged reports whether an action would be on a card that came under
// the cursor by itself a moment ago.
func (a *App) rowJustChanged(act keymap.Action) bool {
	// A row that was not reported came since the last message: it is on no screen yet.
	unseen := a.panes.cards.Card() != a.cursor.row
	if a.screens.any() || a.focus != layout.Main || !unseen && !a.cursor.guard.RowJustChanged(a.cfg.Now()) {
		return false
	}
	return a.cfg.Keys.Any(act, func(b keymap.Binding) bool { return b.Has(keymap.NeedCard) })
}

// statusJustChanged reports whether an intent would change a status back that a
// card got by itself a moment ago: one key freezes and unfreezes, and it was
// meant for what was seen before.
func (a *App) statusJustChanged(in kernel.Intent) (reason string, yes bool) {
	if kind := state.KindOf(in); kind != state.OpFreeze && kind != state.OpUnfreeze {
		return "", false
	}
	id, _ := state.CardOf(in)
	c, ok := a.store.Cards.Get(id)
	if !ok || !input.StatusJustChanged(a.store.Cards.StatusChangedAt(id), a.cfg.Now()) {
		return "", false
	}
	return a.theme.Words.Tf("%s has just become %s: press again to change it", a.store.Cards.Name(id), a.theme.Words.T(string(c.Shown()))), true
}

// ignoreNewRow says why nothing is done with the card that came under the
// cursor.
func (a *App) ignoreNewRow() {
	a.sync(a.store.Notices.Say(kernel.Warn, a.theme.Words.T("another card came under the cursor: check it, then press again")))
}

// begun notes an operation that the user has just begun.
func (a *App) begun(op state.Op) {
	a.dialogs.Sent(op.ID)
	if op.Kind == state.OpIssue && op.Bulk == "" {
		a.cursor.issuing = issuing{op.ID, a.panes.cards.Card()}
	}
}

// goToIssued puts the cursor on the card that was asked for, unless it has been
// moved since. Where the list does not show the card, the notice says how to see
// it.
func (a *App) goToIssued(ev kernel.Event) {
	done, ok := ev.(state.OpDone)
	if !ok || done.Op != a.cursor.issuing.op || done.Returned == nil {
		return
	}
	at := a.cursor.issuing.at
	a.cursor.issuing = issuing{}
	if a.panes.cards.Card() != at {
		return
	}
	if !a.panes.cards.Show(done.Returned.ID) {
		a.sync(a.store.Notices.Append(a.theme.Words.Tf("the filter hides it: %s in the list shows all", a.cfg.Keys.Key(keymap.Back))))
	}
	a.frame.invalidate()
}
