package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/help"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/plans"
	"github.com/cardtop/cardtop/ui/requests"
	"github.com/cardtop/cardtop/ui/settings"
)

// Account is one that the user may switch to.
type Account = dialog.Account

// intentOf returns what an action asks for wherever it is pressed.
func intentOf(act keymap.Action) (in kernel.Intent, ok bool) {
	switch act {
	case keymap.CopyCode:
		return secrets.CopyCode{}, true
	case keymap.Issue:
		return state.Write{Kind: state.OpIssue}, true
	case keymap.DryRun:
		return state.ToggleDryRun{}, true
	case keymap.Privacy:
		return kernel.TogglePrivacy{}, true
	case keymap.Lock:
		return kernel.LockScreen{}, true
	default:
		return nil, false
	}
}

// do carries out the actions that are the program's and not a pane's.
func (a *App) do(act keymap.Action, key string) (cmd tea.Cmd, done bool) {
	if i, ok := a.screens.opened(act); ok {
		return a.show(i), true
	}
	if in, ok := intentOf(act); ok {
		return a.want(in, key), true
	}
	if cmd, done := a.runCommand(act, key); done {
		return cmd, true
	}
	slot := slices.Index([]keymap.Action{keymap.PaneOne, keymap.PaneTwo, keymap.PaneThree, keymap.PaneFour, keymap.PaneFive}, act)
	switch {
	case slot >= 0:
		return a.goTo(slot), true
	case act == keymap.PrevCard:
		return a.stepCard(-1), true
	case act == keymap.NextCard:
		return a.stepCard(1), true
	case act == keymap.NextPane:
		return a.focusOn(a.layout.Next(a.focus, 1)), true
	case act == keymap.PrevPane:
		return a.focusOn(a.layout.Next(a.focus, -1)), true
	case act == keymap.Undo:
		return a.undo(key), true
	case act == keymap.Accounts:
		return a.showAccounts(), true
	case a.changeView(act):
		return nil, true
	case act == keymap.Back:
		return a.back()
	case act == keymap.Quit:
		return a.quit(), true
	}
	return nil, false
}

// changeView does an action that changes what is shown and nothing else.
func (a *App) changeView(act keymap.Action) bool {
	switch act {
	case keymap.Zoom:
		a.zoom()
	case keymap.Jump:
		a.showLabels()
	case keymap.Mouse:
		a.toggleMouse()
	case keymap.Redraw:
		a.redraw()
	case keymap.Bulk, keymap.ResumeBulk:
		a.showBulk(act)
	case keymap.Help:
		a.push(help.NewHelp(&a.theme, a.cfg.Keys))
	case keymap.Palette:
		a.push(a.palette())
	case keymap.Configuration:
		a.push(settings.NewMistakes(&a.theme, a.cfg.Keys, a.mistakes.lines))
	case keymap.Theme:
		a.nextTheme()
	case keymap.Requests:
		a.push(requests.NewRequests(&a.theme, a.store, a.cfg.Keys))
	default:
		return false
	}
	return true
}

// zoom gives the focused pane all of the screen, or shows the others again.
func (a *App) zoom() {
	if !a.panes.zoomed && a.layout.Shape == layout.Tabbed {
		a.sync(a.store.Notices.Say(kernel.Info, a.theme.Words.T("the pane has the whole screen already")))
		return
	}
	a.panes.zoomed = !a.panes.zoomed
	a.relayout()
}

// act has a pane do what a key asks for and carries out what it returns.
func (a *App) act(p pane.Pane, act keymap.Action, key string) tea.Cmd {
	var cmds []tea.Cmd
	intents := p.Act(act)
	if c, ok := p.(pane.Carder); ok && len(intents) == 0 && c.Card() == "" && a.cfg.Keys.Holds(keymap.Card, act) {
		a.sync(a.store.Notices.Say(kernel.Info, a.theme.Words.T(keymap.NoCard)))
	} else if r, ok := p.(pane.Rower); ok && len(intents) == 0 && !r.OnRow() && a.cfg.Keys.Any(act, func(b keymap.Binding) bool {
		return b.Context == p.Context() && b.Has(keymap.NeedRow)
	}) {
		a.sync(a.store.Notices.Say(kernel.Info, a.noRow(p)))
	}
	for _, in := range intents {
		cmds = append(cmds, a.want(in, key))
		if opensScreen(in) {
			cmds = append(cmds, a.focusOn(layout.Main))
		}
	}
	return tea.Batch(cmds...)
}

// focusOn moves the focus. What is revealed belongs to where it was asked
// for, so it leaves the screen.
func (a *App) focusOn(slot int) tea.Cmd {
	if slot == a.focus {
		return nil
	}
	a.focus = slot
	cmd := a.dispatch(secrets.Hide{})
	a.relayout()
	return cmd
}

// back does what esc does first: what waits or stands out goes, then the screen,
// and last a notice that stays.
func (a *App) back() (cmd tea.Cmd, done bool) {
	_, waits := a.store.Secrets.NextReveal()
	switch {
	case waits:
		return a.dispatch(secrets.Hide{}), true
	case a.panels.code:
		return a.dispatch(codes.PutAway{}), true
	case a.dismisses():
		a.sync(a.store.Notices.DismissLasting())
		return nil, true
	}
	return a.leave()
}

// dismisses reports whether esc has nothing else to do than to dismiss a notice
// that stays.
func (a *App) dismisses() bool {
	if _, all := a.store.Lasting(); all == 0 || a.screens.any() && a.focus == layout.Main {
		return false
	}
	b, ok := a.pane(a.focus).(interface{ Backs() bool })
	return !ok || !b.Backs()
}

// command returns what an action asks for that runs a user command on what is
// under a pane's cursor; false for an action of the program's.
func (a *App) command(p pane.Pane, act keymap.Action) (in commands.Run, ok bool) {
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

// Next is the account that the user switched to; nil when they quit.
func (a *App) Next() *Account { return a.end.next }

// showAccounts opens the list of accounts, or the form of the first one.
func (a *App) showAccounts() tea.Cmd {
	gone := a.cfg.Mode == Sandbox
	switch {
	case len(a.cfg.Accounts) > 1:
		list := accounts.NewAccounts(&a.theme, a.store, a.cfg.Keys, a.cfg.Accounts, gone)
		a.push(list.Editable(a.cfg.Profiles))
	case a.cfg.Profiles != nil:
		form := accounts.NewAccountForm(&a.theme, a.store, a.cfg.Keys, a.cfg.Profiles, nil, a.cfg.Accounts, gone)
		a.push(form)
		return a.settle(dialog.Result{Job: form.Look()})
	default:
		a.sync(a.store.Notices.Say(kernel.Info, a.noAccounts()))
	}
	return nil
}

// noAccounts says why there is no account to switch to; empty when there is one,
// or one can be added.
func (a *App) noAccounts() string {
	if len(a.cfg.Accounts) > 1 || a.cfg.Profiles != nil {
		return ""
	}
	return a.theme.Words.T("no other profile: add [profiles.NAME] with its base_url to the configuration")
}

// quit ends the program, after a question when something is under way.
func (a *App) quit() tea.Cmd {
	if !a.store.Busy() {
		return tea.Quit
	}
	a.push(accounts.NewLeave(&a.theme, a.store, a.cfg.Keys.Keys(keymap.Global, keymap.Quit), a.cfg.Mode == Sandbox))
	return nil
}

// showBulk opens the batch that most needs attention, the interrupted one when
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
	if ok {
		a.push(plans.NewBatch(&a.theme, a.store, batch.Plan.ID))
		return
	}
	text := notInterrupted(a.theme.Words)
	if act == keymap.Bulk {
		text = noBulk(a.theme.Words)
		if key := a.cfg.Keys.Key(keymap.Choose); key != "" {
			text = a.theme.Words.Tf("%s: %s selects cards", text, key)
		}
	}
	a.sync(a.store.Notices.Say(kernel.Info, text))
}
