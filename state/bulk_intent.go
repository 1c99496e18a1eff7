package state

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
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
type IssueRow = cardcsv.Row

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

// checkMany tells whether many cards can be planned for at all.
func (bu *BulkTable) checkMany(in Many) Verdict {
	return Verdict{Danger: in.kind().Danger(), Reason: bu.noPlan(in)}
}

// noPlan tells why there is nothing to plan, whatever the cards are.
func (bu *BulkTable) noPlan(in Many) string {
	switch {
	case bu.cfg.ReadOnly:
		return readOnly
	case len(in.cards()) == 0 && in.kind() != BulkIssue:
		return "no card is selected"
	}
	return ""
}
