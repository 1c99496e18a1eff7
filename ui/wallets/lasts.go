package wallets

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/ui/pane"
)

// lasts is how long the wallet lasts. It takes a week of the account's transactions to
// tell, so it is told anew every so often, however often the ledger changes.
type lasts struct {
	runway burn.Runway
	known  bool
	// alone is how long the wallet lasts at the rate that it is moved to cards, or why that is not known; empty before.
	alone   string
	balance api.USD // of the wallet
	version uint64  // of the ledger
	at      time.Time
}

const (
	// lastsEvery is how often it is told anew while the ledger changes, and
	// lastsUnknown as long as it is not known.
	lastsEvery   = 10 * time.Second
	lastsUnknown = time.Second
	// lastsFor is how long it holds while the ledger does not change.
	lastsFor = time.Minute
)

// follow takes what changed in the store.
func (l *lasts) follow(s *state.Store) {
	wallet, _ := s.Wallets.Balance()
	age, version := s.Now().Sub(l.at).Abs(), s.Insight.Ledger().Version()
	spent := version != l.version && (age >= lastsEvery || age >= lastsUnknown && !l.known)
	if !spent && age < lastsFor && wallet.Balance == l.balance {
		return
	}
	l.version, l.at, l.balance = version, s.Now(), wallet.Balance
	l.runway, l.known = s.Insight.WalletRunway()
	l.alone = ""
	if r, ok := s.Insight.FundingRunway(); ok {
		l.alone = pane.LastsRange(s.Words(), r)
	} else if s.Insight.FewFundings() {
		l.alone = s.Words().T("– (under 3 fundings from here in 24 h)")
	}
}

// Lasts says how long the wallet lasts; empty where it is not known, or hidden.
func (p *Pane) Lasts() string {
	if p.store == nil || !p.lasts.known || p.store.Privacy.Private() {
		return ""
	}
	return pane.LastsRange(p.theme.Words, p.lasts.runway)
}

// aloneLasts says how long the wallet lasts by itself as cards are funded; empty where it is not known, or
// hidden.
func (p *Pane) aloneLasts() string {
	if p.store == nil || p.store.Privacy.Private() {
		return ""
	}
	return p.lasts.alone
}
