package state

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
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

func (in FreezeMany) check(s *Store) Verdict { return s.Bulk.checkMany(in) }

func (FreezeMany) start(*Store) (Topic, []Effect) { return 0, nil }

// UnfreezeMany asks to unfreeze cards.
type UnfreezeMany struct{ Cards []api.CardID }

func (in UnfreezeMany) check(s *Store) Verdict { return s.Bulk.checkMany(in) }

func (UnfreezeMany) start(*Store) (Topic, []Effect) { return 0, nil }

func (UnfreezeMany) waitsForAPI() bool { return true }

// FundMany asks to move Amount (USD) from the wallet to cards: to each, up to
// a balance, or divided among them.
type FundMany struct {
	Cards  []api.CardID
	Share  Share
	Amount api.USD
}

func (in FundMany) check(s *Store) Verdict { return s.Bulk.checkMany(in) }

func (FundMany) start(*Store) (Topic, []Effect) { return 0, nil }

func (FundMany) waitsForAPI() bool { return true }

// WithdrawMany asks to move Amount (USD) from each card to the wallet, or all
// above a balance, or everything.
type WithdrawMany struct {
	Cards  []api.CardID
	Share  Share
	Amount api.USD
}

func (in WithdrawMany) check(s *Store) Verdict { return s.Bulk.checkMany(in) }

func (WithdrawMany) start(*Store) (Topic, []Effect) { return 0, nil }

func (WithdrawMany) waitsForAPI() bool { return true }

// LimitMany asks to set the monthly limit (USD) of cards.
type LimitMany struct {
	Cards []api.CardID
	Limit api.USD
}

func (in LimitMany) check(s *Store) Verdict { return s.Bulk.checkMany(in) }

func (LimitMany) start(*Store) (Topic, []Effect) { return 0, nil }

func (LimitMany) waitsForAPI() bool { return true }

// LabelMany asks to name cards by a template, numbered from Start.
type LabelMany struct {
	Cards    []api.CardID
	Template string
	Start    int
}

func (in LabelMany) check(s *Store) Verdict { return s.Bulk.checkMany(in) }

func (LabelMany) start(*Store) (Topic, []Effect) { return 0, nil }

func (LabelMany) waitsForAPI() bool { return true }

// TerminateMany asks to end cards for good.
type TerminateMany struct{ Cards []api.CardID }

func (in TerminateMany) check(s *Store) Verdict { return s.Bulk.checkMany(in) }

func (TerminateMany) start(*Store) (Topic, []Effect) { return 0, nil }

func (TerminateMany) waitsForAPI() bool { return true }

// IssueMany asks for new cards.
type IssueMany struct{ Rows []IssueRow }

func (in IssueMany) check(s *Store) Verdict { return s.Bulk.checkMany(in) }

func (IssueMany) start(*Store) (Topic, []Effect) { return 0, nil }

func (IssueMany) waitsForAPI() bool { return true }

// IssueRow is one card to be issued.
type IssueRow = cardcsv.Row

func (FreezeMany) kind() BulkKind { return BulkFreeze }

func (UnfreezeMany) kind() BulkKind { return BulkUnfreeze }

func (FundMany) kind() BulkKind { return BulkFund }

func (WithdrawMany) kind() BulkKind { return BulkWithdraw }

func (LimitMany) kind() BulkKind { return BulkLimit }

func (LabelMany) kind() BulkKind { return BulkLabel }

func (TerminateMany) kind() BulkKind { return BulkTerminate }

func (IssueMany) kind() BulkKind { return BulkIssue }

func (m FreezeMany) cards() []api.CardID { return m.Cards }

func (m UnfreezeMany) cards() []api.CardID { return m.Cards }

func (m FundMany) cards() []api.CardID { return m.Cards }

func (m WithdrawMany) cards() []api.CardID { return m.Cards }

func (m LimitMany) cards() []api.CardID { return m.Cards }

func (m LabelMany) cards() []api.CardID { return m.Cards }

func (m TerminateMany) cards() []api.CardID { return m.Cards }

func (IssueMany) cards() []api.CardID { return nil }

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

// RunPlan asks to carry a plan out, as it was shown.
type RunPlan struct{ Plan *Plan }

func (in RunPlan) check(s *Store) Verdict { return s.Bulk.checkPlan(in.Plan) }

func (in RunPlan) start(s *Store) (Topic, []Effect) { return TopicOps, s.Bulk.runPlan(in.Plan) }

func (in RunPlan) waitsForAPI() bool { return in.Plan != nil && in.Plan.Kind != BulkFreeze }

// PauseBatch asks that no further row is sent for now.
type PauseBatch struct{ ID PlanID }

func (in PauseBatch) check(s *Store) Verdict { return s.Bulk.checkBatch(in.ID, BatchRunning) }

func (in PauseBatch) start(s *Store) (Topic, []Effect) { return s.Bulk.pauseBatch(in.ID), nil }

// ResumeBatch asks to go on with a batch that is paused, or with one that an
// earlier run left.
type ResumeBatch struct{ ID PlanID }

func (in ResumeBatch) check(s *Store) Verdict { return s.Bulk.checkResume(in.ID) }

func (in ResumeBatch) start(s *Store) (Topic, []Effect) { return s.resumeBatch(in.ID) }

func (ResumeBatch) waitsForAPI() bool { return true }

// StopBatch asks that no further row is sent at all. What is under way
// finishes.
type StopBatch struct{ ID PlanID }

// check refuses a plan that is not on disk yet: there is nothing to remove.
func (in StopBatch) check(s *Store) Verdict {
	return s.Bulk.checkBatch(in.ID, BatchRunning, BatchPaused, BatchInterrupted)
}

func (in StopBatch) start(s *Store) (Topic, []Effect) { return s.stopBatch(in.ID) }

// KeepPlan puts a plan on disk before its first row is sent.
type KeepPlan struct{ Plan *Plan }

func (KeepPlan) effect() {}

// DropPlan takes a plan off the disk: nothing of it will be sent any more.
type DropPlan struct{ ID PlanID }

func (DropPlan) effect() {}

// FindPlans looks for plans that other runs left in the middle.
type FindPlans struct{}

func (FindPlans) effect() {}

// PlanKept says that a plan is on disk, or why it is not.
type PlanKept struct {
	Meta
	ID  PlanID
	Err error
}

func (ev PlanKept) apply(s *Store) (Topic, []Effect) { return s.Bulk.planKept(ev), nil }

// PlanDropped says that a plan is off the disk, or why it is not.
type PlanDropped struct {
	Meta
	ID  PlanID
	Err error
}

func (ev PlanDropped) apply(s *Store) (Topic, []Effect) { return s.Bulk.planDropped(ev), nil }

// PlansFound are the plans that other runs left in the middle. They are this
// run's now, and told again each time until they are dropped.
type PlansFound struct {
	Meta
	Left []LeftPlan
	Err  error
}

func (ev PlansFound) apply(s *Store) (Topic, []Effect) { return s.Bulk.plansFound(ev) }
