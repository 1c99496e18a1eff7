// Package accounts is the screen of all accounts: what waits in each of them, and
// the newest code of any on the clipboard. It takes the place of the card list.
package accounts

import (
	"time"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// Here is the account on the screen.
type Here struct {
	Mode, Profile string
}

// Pane lists the accounts.
type Pane struct {
	pane.List[row, string]
	others *Overview
	here   Here
	all    func() []dialog.Account
	lasts  map[string]lasts
}

// row is one account.
type row struct {
	dialog.Account
	mode string
	// store is nil while nothing of it was read.
	store *state.Store
	// opening: its key is being read. wrong is why it could not be.
	opening bool
	wrong   string
}

// lasts is how long the money of an account lasts. It takes a week of its
// transactions to tell.
type lasts struct {
	runway burn.Runway
	known  bool
	// alertsLack reports whether not all was read that alerts come of.
	alertsLack bool
	at         time.Time
}

// The pauses between two looks at how long the money lasts.
const (
	lastsEvery   = 10 * time.Second
	lastsUnknown = time.Second
)

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane; all returns the accounts as they are now.
func New(t *theme.Theme, others *Overview, here Here, all func() []dialog.Account) *Pane {
	p := &Pane{others: others, here: here, all: all, lasts: make(map[string]lasts)}
	p.List = pane.NewList(t, pane.ListConfig[row, string]{
		Name: lang.N("Accounts"), Columns: columns(), Key: func(r row) string { return r.ID },
		List: p.list, Frame: p.frame, Empty: func() string { return p.Theme.Words.T("no accounts") }, Row: p.row, Detail: p.detail, MostDetail: 3,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.AllAccounts }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic {
	return kernel.TopicWallet | kernel.TopicAlerts | kernel.TopicCodes | kernel.TopicHealth | kernel.TopicClock
}

// Sync reads the stores again.
func (p *Pane) Sync(s *state.Store, _ kernel.Topic) { p.Update(s) }

// Act moves the cursor, or asks for something of the account.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) || p.Store == nil {
		return nil
	}
	switch a {
	case keymap.CopyAnyCode:
		return []kernel.Intent{pane.CopyAccountCode{}}
	case keymap.Reload:
		return []kernel.Intent{pane.ReopenAccounts{}}
	default:
	}
	r, ok := p.Picked()
	switch {
	case !ok:
		return nil
	case a == keymap.SwitchAccount:
		return []kernel.Intent{pane.SwitchAccount{ID: r.ID}}
	case a == keymap.CopyThisCode:
		return []kernel.Intent{pane.CopyAccountCode{ID: r.ID}}
	}
	return nil
}

// list is a row for each account, in the order of the list to switch to.
func (p *Pane) list() []row {
	var out []row
	here := false
	for _, a := range p.all() {
		r := row{Account: a}
		switch f := p.others.follower(a.ID); {
		case a.Here:
			here = true
			r.mode, r.store = p.here.Mode, p.Store
		case a.Sandbox:
			r.mode = "SANDBOX"
		case f != nil:
			r.mode, r.store, r.opening = f.mode, f.store, f.opening
			if f.err != nil {
				r.wrong = f.err.Error()
			}
		}
		out = append(out, r)
	}
	if !here {
		out = append([]row{{Account: dialog.Account{ID: "here", Name: p.here.Profile, Here: true}, mode: p.here.Mode, store: p.Store}}, out...)
	}
	for i := range out {
		p.look(&out[i])
	}
	return out
}

// look tells anew how long the money of an account lasts, when it is time.
func (p *Pane) look(r *row) {
	l, now := p.lasts[r.ID], p.Store.Now()
	age := now.Sub(l.at).Abs()
	if r.store == nil || age < lastsUnknown || l.known && age < lastsEvery {
		return
	}
	l.at = now
	l.runway, l.known = r.store.Insight.WalletRunway()
	l.alertsLack = r.store.Alerts.AtLeast()
	p.lasts[r.ID] = l
}
