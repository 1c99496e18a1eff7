package ui

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
)

// issuing is the card that was asked for last, and the card the cursor was on
// then: who has not moved since goes to the new one.
type issuing struct {
	op state.OpID
	at state.CardID
}

// begun notes an operation that a person has just begun.
func (a *App) begun(op state.Op) {
	a.dialogs.Sent(op.ID)
	if op.Kind == state.OpIssue && op.Bulk == "" {
		a.issuing = issuing{op.ID, a.cards.Card()}
	}
}

// goToIssued puts the cursor on the card that was asked for, unless somebody
// has moved it since. Where the list does not show the card, the line that
// tells of it says how to see it.
func (a *App) goToIssued(ev state.Event) {
	done, ok := ev.(state.OpDone)
	if !ok || done.Op != a.issuing.op || done.Returned == nil {
		return
	}
	at := a.issuing.at
	a.issuing = issuing{}
	if a.cards.Card() != at {
		return
	}
	if !a.cards.Show(done.Returned.ID) {
		a.sync(a.store.Notices.Append("the filter hides it: " + a.cfg.Keys.Key(keymap.Back) + " in the list shows all"))
	}
	a.dirty = true
}
