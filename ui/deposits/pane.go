// Package deposits is the pane of what fills the wallet: the deposits and how
// far they have come, and the addresses they go to. It takes the place of the
// card list.
package deposits

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// Pane lists the deposits, newest first.
type Pane struct {
	pane.List[api.Deposit, api.DepositID]
	keys *keymap.Map
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme, keys *keymap.Map) *Pane {
	p := &Pane{keys: keys}
	p.List = pane.NewList(t, pane.ListConfig[api.Deposit, api.DepositID]{
		Name: lang.N("Deposits"), Columns: columns(), Live: true, Key: func(d api.Deposit) api.DepositID { return d.ID },
		List: func() []api.Deposit { return p.Store.Wallet.Deposits() }, Frame: p.frame, Empty: p.empty, Row: p.row,
		Above: p.addresses, Detail: p.detail, MostDetail: 2,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Deposits }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic {
	return kernel.TopicWallet | kernel.TopicTeam | kernel.TopicHealth | kernel.TopicClock
}

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, _ kernel.Topic) { p.Update(s) }

// Act moves the cursor, exports the list, or asks for the address or the hash
// of the deposit.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) {
		return nil
	}
	d, _ := p.Picked()
	switch a {
	case keymap.ShowAddress:
		return []kernel.Intent{state.ShowAddress{Currency: d.Currency}}
	case keymap.Export:
		return []kernel.Intent{pane.ExportRows{Rows: state.DepositRows(p.Rows())}}
	case keymap.CopyHash:
		return []kernel.Intent{state.CopyText{What: p.Theme.Words.T("transaction hash"), Text: string(d.TxHash)}}
	default:
	}
	return nil
}
