package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
)

// commands gives the list of what every key does, wherever it counts: that of
// the focused pane first. An action that the same key does in several places
// is there for each of them, a person's own command once, for the nearest. What
// the keys ask of the card, or of thousands that are selected or listed, is
// asked once for each card that comes under the cursor; the list tells whether
// that can be done by the time it is called.
func (a *App) commands() func() []dialog.Command {
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
	listed := make(map[string]bool) // a person's own
	rows = slices.DeleteFunc(rows, func(b keymap.Binding) bool {
		again := listed[b.Command]
		listed[b.Command] = b.Command != ""
		return again
	})
	var asks map[asking][]state.Intent
	var of state.CardID
	return func() []dialog.Command {
		var card state.CardID
		if c, ok := focused.(pane.Carder); ok {
			card = c.Card()
		}
		if asks == nil || card != of {
			asks, of = make(map[asking][]state.Intent), card
			for _, b := range rows {
				if p, ok := a.where(b); ok && b.Command == "" && a.onlyAsks(p, b) {
					asks[asking{b.Context, b.Action}] = p.Act(b.Action)
				}
			}
		}
		out := make([]dialog.Command, 0, len(rows))
		for _, b := range rows {
			out = append(out, dialog.Command{Binding: b, Place: b.Context.Title(), Reason: a.store.Privacy.Display().Sentence(a.whyNot(b, asks))})
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
	if a.slipped(b.Action) {
		a.lookFirst()
		return tea.Batch(cmds...)
	}
	if cmd, done := a.own(b.Action, key); done {
		return tea.Batch(append(cmds, cmd)...)
	}
	return tea.Batch(append(cmds, a.act(a.pane(a.focus), b.Action, key))...)
}

// slotOf finds the slot whose pane a key counts in alone, when it is not the
// focused one.
func (a *App) slotOf(c keymap.Context) (int, bool) {
	if slices.Contains(keymap.Chain(a.pane(a.focus).Context()), c) {
		return 0, false
	}
	for slot := range a.panes {
		if a.pane(slot).Context() == c {
			return slot, true
		}
	}
	return 0, false
}

// asking is an action where its key counts.
type asking struct {
	in  keymap.Context
	act keymap.Action
}

// where gives the pane that a key of a pane would count in, from where the keys
// are now; false when it would count in none that is shown.
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

// onlyAsks tells whether a pane answers an action by nothing but what it asks
// for, so that it can be asked before anybody presses the key.
func (a *App) onlyAsks(p pane.Pane, b keymap.Binding) bool {
	head := p == pane.Pane(a.cards) && a.cards.Folds() != ""
	switch b.Action {
	case keymap.Inspect:
		return !head // There it folds.
	case keymap.Range:
		return head && !a.cards.Ranging()
	default:
		return b.Pure()
	}
}

// whyNot tells why what a key does cannot be done now; empty when it can. asks
// are the intents of the keys that only ask for something.
func (a *App) whyNot(b keymap.Binding, asks map[asking][]state.Intent) string {
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
			return cannotSuspend
		}
		return a.refuses(b.Action)
	case keymap.Lists:
		return ""
	default:
		if why := b.Context.Closed(); why != "" {
			return why
		}
	}
	for _, sc := range a.screens.all {
		if sc.pane.Context() == b.Context && sc.open != "" {
			return "not open: " + a.cfg.Keys.Key(sc.open) + " opens it"
		}
	}
	return ""
}

// refusedBy tells why a pane would refuse what a key asks for.
func (a *App) refusedBy(p pane.Pane, b keymap.Binding, asks map[asking][]state.Intent) string {
	if in, own := a.command(p, b.Action); own {
		return a.store.Ask(in).Reason
	}
	if r, ok := p.(pane.Rower); ok && b.Has(keymap.NeedRow) && !r.OnRow() {
		return keymap.NoRow
	}
	intents, asked := asks[asking{b.Context, b.Action}]
	switch {
	case !asked:
		return a.stays(p, b.Action)
	case len(intents) == 0 && b.Context != keymap.Card && b.Action != keymap.Inspect:
		return keymap.NoRow
	case len(intents) == 0:
		return keymap.NoCard
	}
	return a.refused(intents)
}

// refused asks whether what a pane asks for can be done.
func (a *App) refused(intents []state.Intent) string {
	for _, in := range intents {
		if say, ok := in.(state.Say); ok {
			return say.Text
		}
		if look, ok := in.(state.InspectCard); ok && look.Card == "" {
			return keymap.NoCard
		}
		if id, bound := state.CardOf(in); bound && id == "" {
			return keymap.NoCard
		}
		if reason := a.store.Ask(in).Reason; reason != "" {
			return reason
		}
	}
	return ""
}

// stays tells why an action that goes somewhere within a pane would go nowhere.
func (a *App) stays(p pane.Pane, act keymap.Action) string {
	switch act {
	case keymap.FollowLink:
		return a.store.Ask(state.FollowLink{}).Reason
	case keymap.NextTab, keymap.PrevTab:
		list := state.CardList
		if p.Context() == keymap.Feed {
			list = state.FeedList
		}
		return a.store.Ask(state.ChooseTab{List: list}).Reason
	case keymap.NextCard, keymap.PrevCard:
		by := 1
		if act == keymap.PrevCard {
			by = -1
		}
		if _, ok := a.cards.Next(a.store.Info.Inspected().Card, by); !ok {
			return noNext
		}
	default:
	}
	return ""
}

// refuses tells why an action of no pane cannot be done.
func (a *App) refuses(act keymap.Action) string {
	if in, ok := wanted(act); ok {
		return a.store.Ask(in).Reason
	}
	switch act {
	case keymap.Undo:
		_, why := a.store.UndoNext()
		return why
	case keymap.Accounts:
		return a.noAccounts()
	case keymap.Configuration:
		if len(a.mistakes) == 0 {
			return "the configuration holds no mistake"
		}
	case keymap.Bulk:
		if len(a.store.Bulk.All()) == 0 {
			return "nothing was done to many cards yet"
		}
	case keymap.ResumeBulk:
		if _, ok := a.store.Bulk.Interrupted(); !ok {
			return "nothing was interrupted"
		}
	default:
	}
	return ""
}
