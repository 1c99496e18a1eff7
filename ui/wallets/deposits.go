package wallets

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// Deposits is the pane that lists the deposits, newest first.
type Deposits struct {
	pane.List[api.Deposit, api.DepositID]
	keys *keymap.Map
}

var _ pane.Pane = (*Deposits)(nil)

// NewDeposits makes an empty pane.
func NewDeposits(t *theme.Theme, keys *keymap.Map) *Deposits {
	p := &Deposits{keys: keys}
	p.List = pane.NewList(t, pane.ListConfig[api.Deposit, api.DepositID]{
		Name: lang.N("Deposits"), Columns: columns(), Live: true, Key: func(d api.Deposit) api.DepositID { return d.ID },
		List: func() []api.Deposit { return p.Store.Wallets.Deposits() }, Frame: p.frame, Empty: p.empty, Row: p.row,
		Above: p.addresses, Detail: p.detail, MostDetail: 2,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Deposits) Context() keymap.Context { return keymap.Deposits }

// Reads returns the parts of the store that the pane shows.
func (p *Deposits) Reads() kernel.Topic {
	return kernel.TopicWallet | kernel.TopicTeam | kernel.TopicHealth | kernel.TopicClock
}

// Sync reads the store again.
func (p *Deposits) Sync(s *state.Store, _ kernel.Topic) { p.Update(s) }

// Act moves the cursor, exports the list, or asks for the address or the hash
// of the deposit.
func (p *Deposits) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) {
		return nil
	}
	d, _ := p.Picked()
	switch a {
	case keymap.ShowAddress:
		return []kernel.Intent{wallets.ShowAddress{Currency: d.Currency}}
	case keymap.Export:
		return []kernel.Intent{pane.ExportRows{Rows: wallets.DepositRows(p.Rows())}}
	case keymap.CopyHash:
		return []kernel.Intent{secrets.CopyText{What: p.Theme.Words.T("transaction hash"), Text: string(d.TxHash)}}
	default:
	}
	return nil
}
