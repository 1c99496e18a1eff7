package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/dialog"
)

// Account is one that a person may turn to.
type Account = dialog.Account

// Next is the account that a person turned to; nil when they quit.
func (a *App) Next() *Account { return a.next }

// showAccounts opens the list of accounts.
func (a *App) showAccounts() {
	if why := a.noAccounts(); why != "" {
		a.sync(a.store.Notices.Add(state.Info, why))
		return
	}
	a.push(dialog.NewAccounts(&a.theme, a.store, a.cfg.Keys, a.cfg.Accounts, a.cfg.Mode == Sandbox))
}

// noAccounts tells why there is none to turn to; empty when there is one.
func (a *App) noAccounts() string {
	if len(a.cfg.Accounts) > 1 {
		return ""
	}
	return "no other profile: add [profiles.NAME] with its base_url to the configuration"
}

// quit ends the program, once it was asked what is under way.
func (a *App) quit() tea.Cmd {
	if !a.store.Busy() {
		return tea.Quit
	}
	a.push(dialog.NewLeave(&a.theme, a.store, a.cfg.Keys.Keys(keymap.Global, keymap.Quit), a.cfg.Mode == Sandbox))
	return nil
}
