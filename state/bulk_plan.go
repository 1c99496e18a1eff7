package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/label"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/wallets"
)

// BulkTable holds the plans for many cards that are being carried out.
type BulkTable struct {
	*kernel.Core
	notices   *kernel.Notices
	bins      *bins.Table
	cards     *CardsTable
	poll      *kernel.Lanes
	wallet    *wallets.Table
	ops       *OpsTable
	bulk      batches
	issueFile IssueFile
	template  label.IssueTemplate
}

// batches holds the batches of this run, the oldest first.
type batches struct {
	list   []*Batch
	due    time.Time // when interrupted plans are read
	failed bool
}

// Plan is what is to be done to many cards, row by row. It is made once, shown
// to the user, and carried out as it was shown or not at all. It is shared and
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
	// Rule is the name of the rule that proposes it; empty for the user.
	Rule string
	// Wallet is the wallet's balance when the plan was made, WalletEnd the one
	// after all rows, USD.
	Wallet, WalletEnd api.USD
	WalletKnown       bool
	// Blocked is why the plan cannot be carried out; empty when it can.
	// Remedy is what would let it.
	Blocked, Remedy string
	// Part says which of the Parts of what was asked for is carried out: the
	// guardrail allows so many rows at once. Both are 0 when it is all of it.
	Part, Parts int

	// again is the plan whose rows these are once more, and rows their places in
	// it; empty for a plan of its own.
	again PlanID
	rows  []int
}

// allOrNothing reports whether leaving rows away would make it another plan: they are
// the parts of a sum, or new cards.
func (p *Plan) allOrNothing() bool { return p.Kind == BulkIssue || p.Share == ShareSplit }

// isLevel reports whether the rows bring their cards to a level. That is a promise about the
// end: each row reads its card before it is sent.
func (p *Plan) isLevel() bool { return p.Share == ShareLevel || p.Share == ShareAll }

// readsCards reports whether each row reads its card before it is sent: one of a level, and one of
// a rule that moves money, at which nobody looks before.
func (p *Plan) readsCards() bool {
	return p.isLevel() || p.Rule != "" && (p.Kind == BulkFund || p.Kind == BulkWithdraw)
}

// level is the balance that the rows bring their cards to, USD.
func (p *Plan) level() api.USD {
	if p.Share == ShareAll {
		return 0
	}
	return p.Amount
}

// needs is what the wallet has to hold for a plan to begin, USD.
func (p *Plan) needs() api.USD {
	t := p.Totals()
	switch {
	case !p.fromWallet():
		return 0
	case p.allOrNothing():
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
	// Write is what the row does: one request.
	Write Write
	// Key goes with every try of the row, of this run and of the next. A row
	// that is blocked has none.
	Key api.IdempotencyKey
	// Amount is what the row moves, Before and After the card's balance, USD.
	Amount, Before, After api.USD
	// Out is why the row is blocked, Skip that nothing is to be done for
	// it; a row that is carried out has neither.
	Out, Skip string
	// About is what the plan was made for of the card, such as how long it was not used;
	// empty where the user chose it.
	About string
	// Twin reports whether a card of this label is there already, Frozen that a card
	// is funded which declines until it is unfrozen.
	Twin, Frozen bool
	// Alike reports whether other rows get the same label.
	Alike bool
	// Later reports whether the row is for a later part: it is shown and not carried
	// out.
	Later bool
}

// Runs reports whether the row is carried out.
func (r *PlanRow) Runs() bool { return r.able() && !r.Later }

// able reports whether the row is carried out now or in a later part.
func (r *PlanRow) able() bool { return r.Out == "" && r.Skip == "" }

// compareLabels marks the rows that set the same label on several cards: they
// cannot be told apart.
func (p *Plan) compareLabels() {
	count := make(map[string]int)
	each := func(use func(r *PlanRow, label string)) {
		for i := range p.Rows {
			if label, ok := p.Rows[i].Write.SetsLabel(); ok && p.Rows[i].able() {
				use(&p.Rows[i], label)
			}
		}
	}
	each(func(_ *PlanRow, label string) { count[label]++ })
	each(func(r *PlanRow, label string) { r.Alike = count[label] > 1 })
}

// Totals sums a plan up.
type Totals struct {
	// Cards are carried out, Out are blocked by a problem, Skipped need
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

// fromWallet reports whether the plan moves its sum out of the wallet.
func (p *Plan) fromWallet() bool { return p.Kind == BulkFund || p.Kind == BulkIssue }

// createsPerMinute is how many cards a plan issues in a minute: the API's 50
// (contract, Limits) less two for cards that are issued by themselves.
const createsPerMinute = 48

// createFor is the least time to issue a number of cards.
func createFor(rows int) time.Duration {
	return time.Duration(rows) * time.Minute / createsPerMinute
}

// Lasts is the least time for the plan by the API's limits;
// 0 when they do not matter.
func (p *Plan) Lasts() time.Duration {
	if n := p.Totals().Cards; p.Kind == BulkIssue && n > createsPerMinute {
		return createFor(n)
	}
	return 0
}

// cents leaves away what is less than a cent.
func cents(amount api.USD) api.USD { return amount - amount%api.Cent }

// BulkKind is what is done to many cards at once.
type BulkKind uint8

// String names the kind in a sentence.
func (k BulkKind) String() string { return k.Noun(nil) }

// Noun is String in the language of the screen.
func (k BulkKind) Noun(w *lang.Words) string {
	switch k {
	case BulkFreeze:
		return w.Tc("operation", "freeze")
	case BulkUnfreeze:
		return w.Tc("operation", "unfreeze")
	case BulkFund:
		return w.Tc("operation", "fund")
	case BulkWithdraw:
		return w.Tc("operation", "withdraw")
	case BulkLimit:
		return w.Tc("operation", "limit")
	case BulkLabel:
		return w.Tc("operation", "label")
	case BulkTerminate:
		return w.Tc("operation", "terminate")
	case BulkIssue:
		return w.Tc("operation", "issue")
	}
	return ""
}

// op is the kind of operation that its rows begin.
func (k BulkKind) op() OpKind {
	switch k {
	case BulkFreeze:
		return OpFreeze
	case BulkUnfreeze:
		return OpUnfreeze
	case BulkFund:
		return OpFund
	case BulkWithdraw:
		return OpWithdraw
	case BulkLimit, BulkLabel:
		return OpUpdate
	case BulkTerminate:
		return OpTerminate
	case BulkIssue:
		return OpIssue
	}
	return 0
}

// Danger grades what the kind can cost.
func (k BulkKind) Danger() kernel.Danger {
	switch k {
	case BulkFund, BulkWithdraw, BulkIssue:
		return kernel.Money
	case BulkTerminate:
		return kernel.Permanent
	default:
		return kernel.Reversible
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
	// ShareAll is all that is on them.
	ShareAll
)

// RowState is what became of a row.
type RowState uint8

// open reports whether a row has no outcome yet.
func (r RowState) open() bool {
	return r == RowWaiting || r == RowReading || r == RowSending || r == RowUnconfirmed
}

// The states.
const (
	// RowOut: blocked by the plan.
	RowOut RowState = iota
	RowWaiting
	RowSending
	// RowUnconfirmed: it may have acted and is asked for again with its key.
	RowUnconfirmed
	RowDone
	RowRefused
	// RowUnsettled: it may have acted, and that could not be confirmed.
	RowUnsettled
	RowNotSent
	// RowLater: it is for a later part of what was asked for.
	RowLater
	// RowReading: its card is read, to move no more than it needs.
	RowReading
	// RowSkipped: when its turn came nothing was to be done.
	RowSkipped
	rowStates
)

// RowResult is what became of a row, and why.
type RowResult struct {
	State RowState
	Text  string
	// Odd reports whether it is done and that something about it is not as it should
	// be, as the text says.
	Odd bool
	// Moved is what a row counts as that was answered, USD: the larger of what was asked for
	// and what the answer says.
	Moved api.USD
	// Again reports whether it was planned again since, and that plan carried out.
	Again bool
	// Waits reports whether it is a request that waits for a lead: planned again, it could be
	// approved twice.
	Waits bool
	// Holds is what the card of a skipped row held, USD.
	Holds api.USD
	// Issued is the new card of a row that issued one.
	Issued api.CardID
}

// undone reports whether a row surely did not act and is in no other plan yet.
func (r RowResult) undone() bool {
	return (r.State == RowRefused || r.State == RowNotSent) && !r.Again && !r.Waits
}

// later reports whether a row is for a later part that was not begun yet.
func (r RowResult) later() bool { return r.State == RowLater && !r.Again }

// free reports whether a row may be planned anew.
func (r RowResult) free() bool { return r.undone() || r.later() }

// goneBatch is the plan of a batch that is not known any more.
func goneBatch(w *lang.Words) *Plan { return &Plan{Blocked: w.T("that plan is gone")} }

// lessOrMore and lessMoney are what lets a plan run that cannot be carried out as it is.
func lessOrMore(c *kernel.Core) string {
	return c.Lang.T("choose fewer cards or a smaller amount, or deposit first")
}

func lessMoney(c *kernel.Core) string {
	return c.Lang.T("choose fewer cards or a smaller amount, or raise the guardrail in the configuration")
}

// BatchPhase is how far a batch has come.
type BatchPhase uint8

// The phases.
const (
	// BatchSaving: its plan is on the way to the disk, nothing is sent.
	BatchSaving BatchPhase = iota
	BatchRunning
	// BatchPaused: no row is sent until the user says so.
	BatchPaused
	// BatchStopping: what is under way finishes, the rest is not sent.
	BatchStopping
	BatchOver
	// BatchInterrupted: an earlier run left it, and it waits for the user.
	BatchInterrupted
)

// Batch is a plan that is carried out. Its rows run as ordinary operations.
type Batch struct {
	Plan  *Plan
	Phase BatchPhase
	// Rows are the results of the plan's rows, in their order.
	Rows []RowResult
	// Reason is why it does not go on by itself; empty when it does.
	Reason string
	// Until is when the next row may be sent, this machine's clock; zero for at
	// once.
	Until time.Time
	// Moved is what was moved so far, USD.
	Moved api.USD

	tally    [rowStates]int
	at       map[api.IdempotencyKey]int
	next     int // no row before it waits
	troubles int // waves of failures in a row that were about the way
	began    time.Time
	finished int             // rows since then
	late     int             // rows that were confirmed after their deadline
	rereads  map[int]int     // how often another program moved the card of a row after it was read
	asked    map[int]api.USD // what rows were cut to
	stopped  bool            // by the user
}

// IssueFile is the file of cards to be issued that was asked for last.
type IssueFile struct {
	Path    string
	Loading bool
	File    cardcsv.File
	// Problems are all that is wrong with it, by what is known now.
	Problems []cardcsv.Problem
	// Err is why it could not be read.
	Err error

	seq poll.Seq
}

// Undone counts the rows that can be planned again.
func (b *Batch) Undone() int {
	n := 0
	for _, r := range b.Rows {
		if r.undone() {
			n++
		}
	}
	return n
}

// Issued returns the new cards, in the order of their rows.
func (b *Batch) Issued() []api.CardID {
	var out []api.CardID
	for _, r := range b.Rows {
		if r.Issued != "" {
			out = append(out, r.Issued)
		}
	}
	return out
}

// Asked is what a row asked for, USD: less than its plan says where the card needed less.
func (b *Batch) Asked(i int) api.USD {
	if asked, ok := b.asked[i]; ok {
		return asked
	}
	return b.Plan.Rows[i].Amount
}

// Count is how many rows are in a state.
func (b *Batch) Count(state RowState) int { return b.tally[state] }

func (b *Batch) set(i int, state RowState, text string) {
	r := &b.Rows[i]
	b.tally[r.State]--
	b.tally[state]++
	if r.State.open() && !state.open() {
		b.finished++
	}
	if state == RowWaiting {
		b.next = min(b.next, i)
	}
	*r = RowResult{State: state, Text: text}
}

// waiting returns the first row that waits.
func (b *Batch) waiting() (int, bool) {
	for ; b.next < len(b.Rows); b.next++ {
		if b.Rows[b.next].State == RowWaiting {
			return b.next, true
		}
	}
	return 0, false
}
