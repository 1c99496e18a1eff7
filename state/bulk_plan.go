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

// whole tells whether leaving rows away would make it another plan: they are
// the parts of a sum, or new cards.
func (p *Plan) whole() bool { return p.Kind == BulkIssue || p.Share == ShareSplit }

// needs is what the wallet has to hold for a plan to begin, USD.
func (p *Plan) needs() api.USD {
	t := p.Totals()
	switch {
	case !p.takes():
		return 0
	case p.whole():
		return t.Sum + t.LaterSum
	}
	return t.Sum
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

// divide shares a sum out. A part that no card can take blocks the plan:
// leaving it away would move another sum than was asked for.
func (s *Store) divide(rows []PlanRow, sum api.USD, blocked string) string {
	var at []int
	for i := range rows {
		if rows[i].Runs() {
			at = append(at, i)
		}
	}
	switch {
	case blocked != "" || len(at) == 0:
		return blocked
	case sum <= 0:
		return tooLittle
	case !sum.WholeCents():
		return "at most two decimals"
	}
	n := api.USD(len(at))
	part, more := sum/api.Cent/n*api.Cent, sum/api.Cent%n
	for i, row := range at {
		amount := part
		if api.USD(i) < more {
			amount += api.Cent
		}
		line := rows[row].Line
		rows[row] = s.amountRow(FundCard{Card: rows[row].Card, Amount: amount}, amount)
		rows[row].Line = line
		if out := rows[row].Out; out != "" && blocked == "" {
			blocked = "a part of $" + amount.Grouped() + " cannot be funded: " + out
		}
	}
	return blocked
}

// withdrawRows gives the rows of a WithdrawMany.
func (s *Store) withdrawRows(in WithdrawMany) []PlanRow {
	rows := make([]PlanRow, 0, len(in.Cards))
	for _, id := range in.Cards {
		c, _ := s.Cards.Get(id)
		amount := in.Amount
		switch in.Share {
		case ShareLevel:
			amount = cents(c.Balance - in.Amount)
		case ShareAll:
			amount = cents(c.Balance)
		case ShareEach, ShareSplit:
		}
		if in.Share != ShareEach && amount <= 0 {
			r := s.planRow(WithdrawCard{Card: id})
			if r.Out == "" {
				r.Skip = "holds only $" + c.Balance.Grouped()
			}
			rows = append(rows, r)
			continue
		}
		rows = append(rows, s.amountRow(WithdrawCard{Card: id, Amount: amount}, amount))
	}
	return rows
}

// cents leaves away what is less than a cent.
func cents(amount api.USD) api.USD { return amount - amount%api.Cent }

// BulkKind is what is done to many cards at once.
type BulkKind uint8

// String names the kind in a sentence.
func (k BulkKind) String() string {
	return [...]string{"", "freeze", "unfreeze", "fund", "withdraw", "limit", "label", "terminate", "issue"}[k]
}

// Danger grades what the kind can cost.
func (k BulkKind) Danger() Danger {
	switch k {
	case BulkFund, BulkWithdraw, BulkIssue:
		return Money
	case BulkTerminate:
		return Permanent
	default:
		return Reversible
	}
}

// The kinds.
const (
	BulkFreeze BulkKind = iota + 1
	BulkUnfreeze
	BulkFund
	BulkWithdraw
	BulkLimit
	BulkLabel
	BulkTerminate
	BulkIssue
)

// Share says how an amount applies to many cards.
type Share uint8

// The ways.
const (
	// ShareEach moves the amount to or from every card.
	ShareEach Share = iota
	// ShareLevel fills or draws every card to a balance of the amount.
	ShareLevel
	// ShareSplit divides the amount among the cards.
	ShareSplit
	// ShareAll takes whatever is on them.
	ShareAll
)

// RowState is what became of a row.
type RowState uint8

// open tells that a row has no outcome yet.
func (r RowState) open() bool { return r == RowWaiting || r == RowSending || r == RowUnconfirmed }

// The states.
const (
	// RowOut: the plan keeps it out.
	RowOut RowState = iota
	RowWaiting
	RowSending
	// RowUnconfirmed: it may have acted and is asked for again with its key.
	RowUnconfirmed
	RowDone
	RowRefused
	// RowUnsettled: it may have acted, and nobody could tell.
	RowUnsettled
	RowNotSent
	// RowLater: it is for a later part of what was asked for.
	RowLater
	rowStates
)

// RowResult is what became of a row, and why.
type RowResult struct {
	State RowState
	Text  string
	// Odd says that it is done and that something about it is not as it should
	// be, as the text says.
	Odd bool
	// Again says that it was planned again since, and that plan carried out.
	Again bool
}

// undone tells that a row surely did not act and is nobody else's yet.
func (r RowResult) undone() bool {
	return (r.State == RowRefused || r.State == RowNotSent) && !r.Again
}

// later tells that a row is for a later part that nobody has begun yet.
func (r RowResult) later() bool { return r.State == RowLater && !r.Again }

// free tells that a row may be planned anew.
func (r RowResult) free() bool { return r.undone() || r.later() }
