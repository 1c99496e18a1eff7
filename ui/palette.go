package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/find"
	"github.com/cardtop/cardtop/ui/palette"
	"github.com/cardtop/cardtop/ui/pane"
)

// palette makes the list of commands, which finds the rest as well.
func (a *App) palette() dialog.Dialog {
	own := find.Own{Campaigns: func() []find.CampaignText {
		var all []find.CampaignText
		a.panes.cards.Campaigns(func(name string, cards int) { all = append(all, find.CampaignText{Name: name, Cards: cards}) })
		return all
	}}
	for _, r := range a.cfg.Listed {
		own.Settings = append(own.Settings, find.SettingText{Name: r.Name, Value: r.Value, About: a.theme.Words.T(r.About), Own: r.Own})
	}
	return palette.NewPalette(palette.Config{
		Theme: &a.theme, Keys: a.cfg.Keys, Store: a.store, Commands: a.commands(),
		Accounts: a.cfg.Accounts, Gone: a.cfg.Mode == Sandbox, Own: own, Recent: &a.recent,
	})
}

// commands returns what lists what every key does, wherever it counts, the keys
// of the focused pane first. An action that the same key does in several places
// is listed for each of them, a user command once, for the nearest. The intents
// of the keys, which may name thousands of cards, are made once for each card
// under the cursor; whether they can be done is checked at every call.
func (a *App) commands() func() []palette.Command {
	focused := a.pane(a.focus)
	chain := keymap.Chain(focused.Context())
	here := func(b keymap.Binding) int {
		if i := slices.Index(chain, b.Context); i >= 0 {
			return i
		}
		return len(chain)
	}
	rows := slices.DeleteFunc(a.cfg.Keys.Rows(), func(b keymap.Binding) bool { return b.Context.Inside() || b.Action == keymap.Palette })
	slices.SortStableFunc(rows, func(x, y keymap.Binding) int { return here(x) - here(y) })
	listed := make(map[string]bool) // user commands
	rows = slices.DeleteFunc(rows, func(b keymap.Binding) bool {
		again := listed[b.Command]
		listed[b.Command] = b.Command != ""
		return again
	})
	var asks map[asking][]kernel.Intent
	var of api.CardID
	return func() []palette.Command {
		var card api.CardID
		if c, ok := focused.(pane.Carder); ok {
			card = c.Card()
		}
		if asks == nil || card != of {
			asks, of = make(map[asking][]kernel.Intent), card
			for _, b := range rows {
				if p, ok := a.where(b); ok && b.Command == "" && a.onlyAsks(p, b) {
					asks[asking{b.Context, b.Action}] = p.Act(b.Action)
				}
			}
		}
		out := make([]palette.Command, 0, len(rows))
		for _, b := range rows {
			out = append(out, palette.Command{Binding: b, Place: a.theme.Words.T(b.Context.Title()), Reason: a.store.Privacy.Display().Sentence(a.whyNot(b, asks))})
		}
		return out
	}
}

// perform does what a key does, as if it had been pressed.
func (a *App) perform(b keymap.Binding) tea.Cmd {
	key := ""
	if len(b.Keys) > 0 {
		key = b.Keys[0]
	}
	if b.Context == keymap.Always {
		return a.always(b.Action)
	}
	var cmds []tea.Cmd
	if slot, ok := a.slotOf(b.Context); ok {
		cmds = append(cmds, a.focusOn(slot))
	}
	if a.rowJustChanged(b.Action) {
		a.ignoreNewRow()
		return tea.Batch(cmds...)
	}
	if cmd, done := a.do(b.Action, key); done {
		return tea.Batch(append(cmds, cmd)...)
	}
	return tea.Batch(append(cmds, a.act(a.pane(a.focus), b.Action, key))...)
}

// slotOf finds the slot of the only pane that a key counts in, when it is not
// the focused one.
func (a *App) slotOf(c keymap.Context) (int, bool) {
	if slices.Contains(keymap.Chain(a.pane(a.focus).Context()), c) {
		return 0, false
	}
	for slot := range a.panes.slots {
		if a.layout.Has(slot) && a.pane(slot).Context() == c {
			return slot, true
		}
	}
	return 0, false
}

// asking is an action in the place where its key counts.
type asking struct {
	in  keymap.Context
	act keymap.Action
}

// where returns the pane that a key of a pane would count in, from where the
// focus is now; false when it would count in none that is shown.
func (a *App) where(b keymap.Binding) (pane.Pane, bool) {
	focused := a.pane(a.focus)
	switch b.Context {
	case keymap.Always, keymap.Global, keymap.Lists:
		return nil, false
	default:
	}
	if slices.Contains(keymap.Chain(focused.Context()), b.Context) {
		return focused, true
	}
	if slot, ok := a.slotOf(b.Context); ok {
		return a.pane(slot), true
	}
	return nil, false
}

// onlyAsks reports whether a pane does nothing for an action but return intents,
// so that these are known before the key is pressed.
func (a *App) onlyAsks(p pane.Pane, b keymap.Binding) bool {
	folded := folds(p) != ""
	switch b.Action {
	case keymap.Inspect, keymap.OpenTransaction:
		return !folded // There it folds.
	case keymap.Range:
		return folded && !a.panes.cards.Ranging()
	default:
		return b.Pure()
	}
}
