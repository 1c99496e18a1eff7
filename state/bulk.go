package state

import (
	"fmt"
	"strconv"

	"github.com/cardtop/cardtop/api"
)

// BulkKind is what is done to many cards at once.
type BulkKind uint8

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

// String names the kind in a sentence.
func (k BulkKind) String() string {
	return [...]string{"", "freeze", "unfreeze", "fund", "withdraw", "limit", "label", "terminate", "issue"}[k]
}

// done names what the kind has done to a card.
func (k BulkKind) done() string {
	return [...]string{"", "frozen", "unfrozen", "funded", "withdrawn from", "changed", "changed", "terminated", "issued"}[k]
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

// Many is an intent on several cards. It is never carried out itself: Plan
// makes rows of it, and RunPlan carries those out once a person has seen them.
type Many interface {
	Intent
	kind() BulkKind
	// cards are those it is about; none for cards that are to be issued.
	cards() []api.CardID
}

// FreezeMany asks to freeze cards.
type FreezeMany struct{ Cards []api.CardID }

// UnfreezeMany asks to unfreeze cards.
type UnfreezeMany struct{ Cards []api.CardID }

// FundMany asks to move Amount (USD) from the wallet to cards: to each, up to
// a balance, or divided among them.
type FundMany struct {
	Cards  []api.CardID
	Share  Share
	Amount api.USD
}

// WithdrawMany asks to move Amount (USD) from each card to the wallet, or all
// above a balance, or everything.
type WithdrawMany struct {
	Cards  []api.CardID
	Share  Share
	Amount api.USD
}

// LimitMany asks to set the monthly limit (USD) of cards.
type LimitMany struct {
	Cards []api.CardID
	Limit api.USD
}

// LabelMany asks to name cards by a template, numbered from Start.
type LabelMany struct {
	Cards    []api.CardID
	Template string
	Start    int
}

// TerminateMany asks to end cards for good.
type TerminateMany struct{ Cards []api.CardID }

// IssueMany asks for new cards.
type IssueMany struct{ Rows []IssueRow }

// IssueRow is one card to be issued.
type IssueRow struct {
	// Line is where it stands in a file; 0 for none.
	Line    int
	Request api.CreateCardRequest
}

func (FreezeMany) intent()    {}
func (UnfreezeMany) intent()  {}
func (FundMany) intent()      {}
func (WithdrawMany) intent()  {}
func (LimitMany) intent()     {}
func (LabelMany) intent()     {}
func (TerminateMany) intent() {}
func (IssueMany) intent()     {}

func (FreezeMany) kind() BulkKind    { return BulkFreeze }
func (UnfreezeMany) kind() BulkKind  { return BulkUnfreeze }
func (FundMany) kind() BulkKind      { return BulkFund }
func (WithdrawMany) kind() BulkKind  { return BulkWithdraw }
func (LimitMany) kind() BulkKind     { return BulkLimit }
func (LabelMany) kind() BulkKind     { return BulkLabel }
func (TerminateMany) kind() BulkKind { return BulkTerminate }
func (IssueMany) kind() BulkKind     { return BulkIssue }

func (m FreezeMany) cards() []api.CardID    { return m.Cards }
func (m UnfreezeMany) cards() []api.CardID  { return m.Cards }
func (m FundMany) cards() []api.CardID      { return m.Cards }
func (m WithdrawMany) cards() []api.CardID  { return m.Cards }
func (m LimitMany) cards() []api.CardID     { return m.Cards }
func (m LabelMany) cards() []api.CardID     { return m.Cards }
func (m TerminateMany) cards() []api.CardID { return m.Cards }
func (IssueMany) cards() []api.CardID       { return nil }

// BulkOf tells what an intent on many cards does.
func BulkOf(in Many) BulkKind { return in.kind() }

// checkMany tells whether many cards can be planned for at all. Those that
// would be kept out of the plan do not count; each of them the plan tells.
func (s *Store) checkMany(in Many) Verdict {
	v := Verdict{Danger: in.kind().Danger(), Reason: s.noPlan(in)}
	if v.Reason != "" || s.tooMany(asked(in)) == "" {
		return v
	}
	most := max(countedAble, s.cfg.Guard.MaxBulk)
	able := s.able(in, most+1)
	v.Reason = s.tooMany(able)
	switch {
	case v.Reason == "":
		return v
	case in.kind() == BulkIssue: // None is selected.
		v.Reason = s.tooMany(asked(in))
	case able > most:
		v.Reason = s.tooManyOf("more than "+strconv.Itoa(most), in)
	case able < asked(in):
		v.Reason = s.tooManyOf(strconv.Itoa(able), in)
	}
	v.Remedy = fewerCards
	return v
}

// tooManyOf tells how many of the selected cards are too many.
func (s *Store) tooManyOf(able string, in Many) string {
	return fmt.Sprintf("guardrail: %s of %d selected can be %s, and guardrails.max_bulk allows %d at once", able, asked(in), in.kind().done(), s.cfg.Guard.MaxBulk)
}

// noPlan tells why there is nothing to plan, whatever the cards are.
func (s *Store) noPlan(in Many) string {
	switch {
	case s.cfg.ReadOnly:
		return readOnly
	case len(in.cards()) == 0 && in.kind() != BulkIssue:
		return "no card is selected"
	}
	return ""
}

// asked counts what an intent is about.
func asked(in Many) int {
	if issue, ok := in.(IssueMany); ok {
		return len(issue.Rows)
	}
	return len(in.cards())
}

// countedAble is how far cards are counted of which the guardrail allows
// fewer: this is asked for every command of a list.
const countedAble = 1000

// able counts the cards of an intent with which something can be done, up to a
// bound.
func (s *Store) able(in Many, most int) int {
	if in.kind() == BulkIssue {
		return asked(in)
	}
	n := 0
	for _, id := range in.cards() {
		c, known := s.Card(id)
		asWanted := in.kind() == BulkFreeze && c.Status == api.CardFrozen || in.kind() == BulkUnfreeze && c.Status == api.CardActive
		if _, busy := s.Pending(id); !known || busy || asWanted || c.Status == api.CardTerminated {
			continue
		}
		if n++; n == most {
			break
		}
	}
	return n
}

// tooMany tells that more rows are asked for than the guardrail allows.
func (s *Store) tooMany(rows int) string {
	if most := s.cfg.Guard.MaxBulk; most > 0 && rows > most {
		return fmt.Sprintf("guardrail: %d cards at once, and guardrails.max_bulk allows %d", rows, most)
	}
	return ""
}
