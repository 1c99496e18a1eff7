package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
)

// slipFor is how long after the cursor's card left the list no key acts on
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

// slipped tells whether a key would act on a card that came under the cursor
// by itself a moment ago.
func (a *App) slipped(key string) bool {
	if len(a.screens.stack) > 0 || a.focus != slotMain || a.cfg.Now().Sub(a.slippedAt) >= slipFor {
		return false
	}
	act, acts := a.resolve(key, keymap.Cards, keymap.Card)
	return acts && act != keymap.OpenFilter && act != keymap.Sort
}
