package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
)

// PlanID names a plan for good, on disk as well.
type PlanID string

// Plan is what is to be done to many cards, row by row. It is made once, shown
// to a person, and carried out as it was shown or not at all. It is shared and
// not changed.
type Plan struct {
	ID   PlanID
	Kind BulkKind
	// Share and Amount (USD) are as they were asked for.
	Share  Share
	Amount api.USD
	Made   time.Time
	Rows   []PlanRow
	// StopOnError ends the plan at the first row that is refused, cannot be
	// confirmed, or is confirmed as something else than was asked for.
	StopOnError bool
	// Wallet is the wallet's balance when the plan was made, WalletEnd the one
	// after all rows, USD.
	Wallet, WalletEnd api.USD
	WalletKnown       bool
	// Blocked tells why the plan cannot be carried out; empty when it can.
	// Remedy tells what would let it.
	Blocked, Remedy string
	// Part says which of the Parts of what was asked for is carried out: the
	// guardrail allows so many rows at once. Both are 0 when it is all of it.
	Part, Parts int

	// again is the plan whose rows these are once more, and rows their places in
	// it; empty for a plan of its own.
	again PlanID
	rows  []int
}

// PlanRow is one card of a plan.
type PlanRow struct {
	// Card is empty for a card that is to be issued.
	Card api.CardID
	Name string
	// Line is where the row stands in a file; 0 for none.
	Line int
	// Intent is what the row does. It sends one request.
	Intent Intent
	// Key goes with every try of the row, of this run and of the next. A row
	// that is kept out has none.
	Key api.IdempotencyKey
	// Amount is what the row moves, Before and After the card's balance, USD.
	Amount, Before, After api.USD
	// Out tells why the row is kept out, Skip that nothing is to be done for
	// it; a row that is carried out has neither.
	Out, Skip string
	// Twin says that a card of this label is there already, Frozen that a card
	// is funded which declines until it is unfrozen.
	Twin, Frozen bool
	// Alike says that other rows get the same label.
	Alike bool
	// Later says that the row is for a later part: it is shown and not carried
	// out.
	Later bool
}

// Runs tells whether the row is carried out.
func (r *PlanRow) Runs() bool { return r.able() && !r.Later }

// able tells whether the row is carried out now or in a later part.
func (r *PlanRow) able() bool { return r.Out == "" && r.Skip == "" }

// Totals sums a plan up.
type Totals struct {
	// Cards are carried out, Out are kept out by a problem, Skipped need
	// nothing, Later are for a later part. Of those that are carried out Twins
	// have a label that another card has, and Frozen are funded while frozen.
	// Alike get a label that other rows get as well, now or later.
	Cards, Out, Skipped, Later, Twins, Frozen, Alike int
	// Sum is what moves, LaterSum what later parts do, USD.
	Sum, LaterSum api.USD
}

// Totals sums the plan up.
func (p *Plan) Totals() Totals {
	var t Totals
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Alike && r.able() {
			t.Alike++
		}
		switch {
		case r.Out != "":
			t.Out++
		case r.Skip != "":
			t.Skipped++
		case r.Later:
			t.Later++
			t.LaterSum += r.Amount
		default:
			t.Cards++
			t.Sum += r.Amount
			if r.Twin {
				t.Twins++
			}
			if r.Frozen {
				t.Frozen++
			}
		}
	}
	return t
}

// takes tells whether the plan takes its sum from the wallet.
func (p *Plan) takes() bool { return p.Kind == BulkFund || p.Kind == BulkIssue }

// createsPerMinute is how many cards a plan issues in a minute: the API's 50
// (contract, Limits) less two for cards that are issued by themselves.
const createsPerMinute = 48

// createFor is how long issuing a number of cards takes at least.
func createFor(rows int) time.Duration {
	return time.Duration(rows) * time.Minute / createsPerMinute
}

// Lasts is how long the plan takes at least, as far as the API's limits tell;
// 0 when they do not matter.
func (p *Plan) Lasts() time.Duration {
	if n := p.Totals().Cards; p.Kind == BulkIssue && n > createsPerMinute {
		return createFor(n)
	}
	return 0
}
