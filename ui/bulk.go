package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/widget"
)

// askMany opens what an intent on many cards needs first: its particulars, or
// its plan.
func (a *App) askMany(in state.Many) tea.Cmd {
	switch in.(type) {
	case state.FundMany, state.WithdrawMany, state.LimitMany:
		a.push(dialog.NewMany(&a.theme, a.store, in, a.cards.Hidden()))
	case state.IssueMany:
		a.push(dialog.NewSeveral(&a.theme, a.store))
		return tea.Batch(a.dispatch(state.LoadBINs{}), a.dispatch(state.Refresh{}))
	default:
		plan := dialog.NewPlan(&a.theme, a.store, 0, func(s *state.Store) *state.Plan { return s.Plan(in) })
		a.push(plan.Unseen(a.cards.Hidden()))
	}
	return a.dispatch(state.Refresh{})
}

// showBulk opens the batch that needs a person most, the interrupted one when
// it was asked for.
func (a *App) showBulk(act keymap.Action) {
	batch, ok := a.store.Bulk.Interrupted()
	if act == keymap.Bulk {
		for _, b := range a.store.Bulk.All() {
			if !ok || b.Active() || !batch.Active() {
				batch, ok = b, true
			}
		}
	}
	if !ok {
		text := "nothing was interrupted"
		if act == keymap.Bulk {
			text = "nothing was done to many cards yet: select some first"
			if key := a.cfg.Keys.Key(keymap.Choose); key != "" {
				text += " with " + key
			}
		}
		a.sync(a.store.Notices.Add(state.Info, text))
		return
	}
	a.push(dialog.NewBatch(&a.theme, a.store, batch.Plan.ID))
}

// bulkPart is the header's word on what is done to many cards.
func (a *App) bulkPart() (part, bool) {
	settled, total, waiting := a.store.Bulk.Running()
	if total == 0 {
		return part{}, false
	}
	text, style := fmt.Sprintf("bulk %d/%d  ", settled, total), a.theme.Warn
	if waiting > 0 {
		text, style = fmt.Sprintf("bulk %d/%d waits  ", settled, total), a.theme.Bad
	}
	return part{[]widget.Span{{Style: style, Text: text}}, 1}, true
}

// choosing tells whether keys act on a selection.
func (a *App) choosing() bool {
	return a.focus == slotMain && len(a.screens.stack) == 0 && a.cards.Summary() != ""
}

// chosenLine tells which cards are selected, where nothing else has to be
// said.
func (a *App) chosenLine() []widget.Span {
	if text := a.cards.Summary(); text != "" && a.w >= roomy {
		return []widget.Span{{Style: a.theme.Mark, Text: text + " "}}
	}
	return nil
}
