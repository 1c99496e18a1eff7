package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
)

// slipFor is how long after the cursor's card gave way to another no key acts on
// the card that took its place, and after its status changed none turns that
// back: nobody has read yet what is there.
const slipFor = 500 * time.Millisecond

// byHand tells whether a person moved something, and not what was read.
func byHand(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyPressMsg, ripeMsg, tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
		return true
	default:
		return false
	}
}

// slipped tells whether an action would be about a card that came under the
// cursor by itself a moment ago.
func (a *App) slipped(act keymap.Action) bool {
	if len(a.screens.stack) > 0 || a.focus != slotMain || a.cfg.Now().Sub(a.slippedAt) >= slipFor {
		return false
	}
	return a.cfg.Keys.Any(act, func(b keymap.Binding) bool { return b.Has(keymap.NeedCard) })
}

// turned tells whether an intent would turn back a status that a card got by
// itself a moment ago: one key freezes and unfreezes, and it was meant for what
// was seen before.
func (a *App) turned(in state.Intent) (reason string, yes bool) {
	switch in.(type) {
	case state.FreezeCard, state.UnfreezeCard:
	default:
		return "", false
	}
	id, _ := state.CardOf(in)
	c, ok := a.store.Cards.Get(id)
	turned := a.store.Cards.StatusChangedAt(id)
	// A clock that was set back must not keep the key away.
	if since := a.cfg.Now().Sub(turned); !ok || turned.IsZero() || since < 0 || since >= slipFor {
		return "", false
	}
	return a.store.Cards.Name(id) + " is " + string(c.Status) + " since just now: press again if it is not to be", true
}

// lookFirst says why nothing is done with the card that came under the cursor.
func (a *App) lookFirst() {
	a.sync(a.store.Notices.Add(state.Warn, "another card came under the cursor: look at it, and press again"))
}
