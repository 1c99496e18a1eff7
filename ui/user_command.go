package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
)

// command returns what an action asks for that runs a user command on what is
// under a pane's cursor; false for an action of the program's.
func (a *App) command(p pane.Pane, act keymap.Action) (in state.RunCommand, ok bool) {
	in.Name, ok = a.cfg.Keys.Command(act)
	if !ok {
		return in, false
	}
	if c, on := p.(pane.Carder); on {
		in.Card = c.Card()
	}
	if t, on := p.(pane.Transactor); on {
		in.Transaction = t.Transaction()
	}
	return in, true
}

// runCommand runs a user command where the keys are; false for an action of
// the program's.
func (a *App) runCommand(act keymap.Action, key string) (cmd tea.Cmd, done bool) {
	in, ok := a.command(a.pane(a.focus), act)
	if !ok {
		return nil, false
	}
	if a.choosing() {
		in.Chosen = a.panes.cards.Chosen()
	}
	return a.want(in, key), true
}

// askCommand asks before a user command that is to be confirmed.
func (a *App) askCommand(in state.RunCommand, key string) (tea.Cmd, bool) {
	c, _ := a.store.Commands.ByName(in.Name)
	if !c.Confirm {
		return nil, false
	}
	in.Line = c.Line
	q := dialog.Question{
		Title: "Run " + c.Name, Verb: "Run it", Intent: in, Closes: 1,
		Lines: func(w int) []string { return dialog.CommandLines(&a.theme, a.store, c.Where, in, w) },
	}
	if key != "" {
		q.Again = []string{key}
	}
	a.push(dialog.NewConfirm(&a.theme, a.store, q))
	return nil, true
}
