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
// the keys ask of the card, or of thousands that are selected, is asked once
// for each card that comes under the cursor; the list tells whether that can be
// done by the time it is called.
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
	var asks map[keymap.Action][]state.Intent
	var of state.CardID
	return func() []dialog.Command {
		var card state.CardID
		if c, ok := focused.(pane.Carder); ok {
			card = c.Card()
		}
		if asks == nil || card != of {
			asks, of = make(map[keymap.Action][]state.Intent), card
			for _, b := range rows {
				if b.Context == keymap.Card && b.Command == "" && here(b) < len(chain) {
					asks[b.Action] = focused.Act(b.Action)
				}
			}
		}
		out := make([]dialog.Command, 0, len(rows))
		for _, b := range rows {
			out = append(out, dialog.Command{Binding: b, Place: b.Context.Title(), Reason: a.store.Display().Sentence(a.whyNot(b, asks))})
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

// whyNot tells why what a key does cannot be done now; empty when it can. asks
// are the intents of the keys of a card.
func (a *App) whyNot(b keymap.Binding, asks map[keymap.Action][]state.Intent) string {
	at, elsewhere := a.slotOf(b.Context)
	here := slices.Contains(keymap.Chain(a.pane(a.focus).Context()), b.Context)
	if here {
		at = a.focus
	}
	if in, own := a.command(a.pane(at), b.Action); own && (here || elsewhere) {
		return a.store.Ask(in).Reason
	}
	switch {
	case here && b.Context == keymap.Card:
		return a.refused(asks[b.Action])
	case here, elsewhere:
		return a.refuses(b.Action)
	}
	switch b.Context {
	case keymap.Always, keymap.Lists:
		return ""
	case keymap.Card:
		return noCard
	case keymap.Cards:
		return "another screen is over the cards: esc leads back"
	case keymap.Inspector:
		return "no card is open: enter opens one"
	default:
	}
	for _, sc := range a.screens.all {
		if sc.pane.Context() == b.Context && sc.open != "" {
			return "not open: " + a.cfg.Keys.Key(sc.open) + " opens it"
		}
	}
	return ""
}

// noCard tells what a key that acts on a card lacks.
const noCard = "no card here: go to the cards, the codes or the transactions first"

// refused asks whether a card's intents can be done.
func (a *App) refused(intents []state.Intent) string {
	if len(intents) == 0 {
		return noCard
	}
	for _, in := range intents {
		if say, ok := in.(state.Say); ok {
			return say.Text
		}
		if id, bound := state.CardOf(in); bound && id == "" {
			return noCard
		}
		if reason := a.store.Ask(in).Reason; reason != "" {
			return reason
		}
	}
	return ""
}

// refuses tells why an action of no card cannot be done.
func (a *App) refuses(act keymap.Action) string {
	switch act {
	case keymap.CopyCode:
		return a.store.Ask(state.CopyCode{}).Reason
	case keymap.Issue:
		return a.store.Ask(state.IssueCard{}).Reason
	case keymap.IssueSeveral:
		return a.store.Ask(state.IssueMany{}).Reason
	case keymap.DryRun:
		return a.store.Ask(state.ToggleDryRun{}).Reason
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
		if len(a.store.Batches()) == 0 {
			return "nothing was done to many cards yet"
		}
	case keymap.ResumeBulk:
		if _, ok := a.store.Interrupted(); !ok {
			return "nothing was interrupted"
		}
	default:
	}
	return ""
}
