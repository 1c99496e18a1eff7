package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
)

// slipFor is how long after the cursor's card gave way to another no key acts on
// the card that took its place: nobody has read that one yet.
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
	switch act {
	case keymap.Inspect, keymap.Choose, keymap.Range, keymap.Unfreeze:
		return true
	default:
		return len(a.cfg.Keys.Keys(keymap.Card, act)) > 0
	}
}

// lookFirst says why nothing is done with the card that came under the cursor.
func (a *App) lookFirst() {
	a.sync(a.store.Tell(state.Warn, "another card came under the cursor: look at it, and press again"))
}
