package sandbox

import (
	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/tables"
)

// Exported are rows of a file, as they are stored: amounts are cents of USD, signed as in the contract, times are
// milliseconds of the Unix epoch, and rows are numbered from 1.
type Exported struct {
	Cards []ExportedCard // row n at n-1
	Txns  []ExportedTxn  // likewise
	Holds []ExportedHold
}

// ExportedCard is one row of the cards.
type ExportedCard struct{ Label, Status string }

// ExportedTxn is one row of the transactions.
type ExportedTxn struct {
	Card, Amount, At int64
	Type             string
	Root             int64 // the authorization that it follows, or 0
}

// ExportedHold is what an authorization still holds.
type ExportedHold struct{ Auth, Card, Amount int64 }

// Export reads a file, so that the figures of a client can be compared with it. A server may be using it.
func Export(path string) (Exported, error) {
	var d tables.DB
	var r rows
	var e Exported
	r.makeTables(&d)
	if err := d.Peek(path); err != nil {
		return e, err
	}
	for _, k := range r.cards.Rows() {
		e.Cards = append(e.Cards, ExportedCard{k.Label, k.Status})
	}
	for _, t := range r.txns.Rows() {
		e.Txns = append(e.Txns, ExportedTxn{
			Card: int64(t.card), Amount: int64(t.amount), At: int64(t.at), Type: sim.TxnType(t.kind).String(), Root: int64(t.root),
		})
	}
	for _, h := range r.holds.Rows {
		e.Holds = append(e.Holds, ExportedHold{h.auth, h.card, int64(h.amount)})
	}
	return e, nil
}
