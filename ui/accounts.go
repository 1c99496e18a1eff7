package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/tty"
)

// followAccounts goes on with the accounts that are not on the screen: they are
// followed while their list is open and can be read.
func (a *App) followAccounts() tea.Cmd {
	o := a.screens.others
	var cmds []tea.Cmd
	if in, ok := o.Copied(); ok {
		refused := a.store.Ask(in).Reason != ""
		if cmds = append(cmds, a.want(in, "")); refused {
			in.Wipe()
		}
	}
	if text := o.Told(a.store.Words()); text != "" {
		a.sync(a.store.Notices.Say(kernel.Warn, text))
	}
	for _, job := range o.Step(a.cfg.Now(), a.listsAccounts()) {
		cmds = append(cmds, inBackground(job))
	}
	if o.Changed() && a.listsAccounts() {
		a.screens.all[a.accountsScreen()].pane.Sync(a.store, kernel.TopicAll)
		a.frame.invalidate()
	}
	return tea.Batch(cmds...)
}

// accountsScreen is the place of the list of all accounts.
func (a *App) accountsScreen() int {
	i, _ := a.screens.opened(keymap.OpenAccounts)
	return i
}

// listsAccounts reports whether the list of all accounts is open.
func (a *App) listsAccounts() bool {
	return slices.Contains(a.screens.stack, a.accountsScreen()) && !a.store.Privacy.Locked()
}

// wakeAccounts calls at with the times at which an account is due.
func (a *App) wakeAccounts(at func(time.Time)) {
	if a.listsAccounts() {
		a.screens.others.Wakes(at)
	}
}

// inBackground makes a command of a job of the accounts.
func inBackground(job accounts.Job) tea.Cmd {
	return tty.Contain(func() tea.Msg { return jobMsg{job()} })
}

// askAccounts does what the list of all accounts asks for; false for anything else.
func (a *App) askAccounts(in kernel.Intent) (tea.Cmd, bool) {
	switch in := in.(type) {
	case pane.SwitchAccount:
		return a.switchTo(in.ID), true
	case pane.CopyAccountCode:
		return a.copyCodeOf(in.ID), true
	case pane.ReopenAccounts:
		text := a.theme.Words.T("no account has failed")
		if n := a.screens.others.Reopen(); n > 0 {
			text = a.theme.Words.Tf("asking %d again", n)
		}
		a.sync(a.store.Notices.Say(kernel.Info, text))
		return nil, true
	default:
		return nil, false
	}
}

// switchTo opens another account; the one on the screen shows its cards.
func (a *App) switchTo(id string) tea.Cmd {
	i := slices.IndexFunc(a.cfg.Accounts, func(to Account) bool { return to.ID == id })
	if i < 0 || a.cfg.Accounts[i].Here {
		return a.toCards()
	}
	return a.settle(accounts.SwitchTo(&a.theme, a.store, a.cfg.Keys, a.cfg.Accounts[i], a.cfg.Mode == Sandbox))
}

// copyCodeOf copies the newest code of an account, of all when id is empty.
func (a *App) copyCodeOf(id string) tea.Cmd {
	here := ""
	if i := slices.IndexFunc(a.cfg.Accounts, func(of Account) bool { return of.Here }); i >= 0 {
		here = a.cfg.Accounts[i].ID
	}
	from, ok := a.screens.others.Newest(id, a.store, here)
	switch {
	case !ok:
		a.sync(a.store.Notices.Say(kernel.Info, a.theme.Words.T("no code is waiting")))
		return nil
	case from.Job != nil:
		return inBackground(from.Job)
	default:
		return a.want(secrets.CopyCode{Challenge: from.Here}, "")
	}
}
