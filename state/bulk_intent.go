package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/label"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
)

// Many is an intent on several cards. It is never carried out itself: Plan
// makes rows of it, and RunPlan carries those out once the user has seen them.
type Many interface {
	kernel.Intent
	kind() BulkKind
	// cards are those it is about; none for cards that are to be issued.
	cards() []api.CardID
}

// FreezeMany asks to freeze cards.
type FreezeMany struct{ Cards []api.CardID }

func (in FreezeMany) Check(s *Store) kernel.Verdict { return s.Bulk.checkMany(in) }

func (FreezeMany) Least() team.Role { return team.Buyer }

// UnfreezeMany asks to unfreeze cards.
type UnfreezeMany struct{ Cards []api.CardID }

func (in UnfreezeMany) Check(s *Store) kernel.Verdict { return s.Bulk.checkMany(in) }

func (UnfreezeMany) Least() team.Role { return team.Buyer }

func (UnfreezeMany) WaitsForAPI() bool { return true }

// FundMany asks to move Amount (USD) from the wallet to cards: to each, up to
// a balance, or divided among them.
type FundMany struct {
	Cards  []api.CardID
	Share  Share
	Amount api.USD
}

func (in FundMany) Check(s *Store) kernel.Verdict { return s.Bulk.checkMany(in) }

func (FundMany) Least() team.Role { return team.Buyer }

func (FundMany) WaitsForAPI() bool { return true }

// WithdrawMany asks to move Amount (USD) from each card to the wallet, or all
// above a balance, or everything.
type WithdrawMany struct {
	Cards  []api.CardID
	Share  Share
	Amount api.USD
}

func (in WithdrawMany) Check(s *Store) kernel.Verdict { return s.Bulk.checkMany(in) }

func (WithdrawMany) Least() team.Role { return team.Lead }

func (WithdrawMany) WaitsForAPI() bool { return true }

// LimitMany asks to set the monthly limit (USD) of cards.
type LimitMany struct {
	Cards []api.CardID
	Limit api.USD
}

func (in LimitMany) Check(s *Store) kernel.Verdict { return s.Bulk.checkMany(in) }

func (LimitMany) Least() team.Role { return team.Lead }

func (LimitMany) WaitsForAPI() bool { return true }

// LabelMany asks to name cards by a template, numbered from First.
type LabelMany struct {
	Cards    []api.CardID
	Template string
	First    int
}

func (in LabelMany) Check(s *Store) kernel.Verdict { return s.Bulk.checkMany(in) }

func (LabelMany) Least() team.Role { return team.Lead }

func (LabelMany) WaitsForAPI() bool { return true }

// TerminateMany asks to end cards for good.
type TerminateMany struct{ Cards []api.CardID }

func (in TerminateMany) Check(s *Store) kernel.Verdict { return s.Bulk.checkMany(in) }

func (TerminateMany) Least() team.Role { return team.Lead }

func (TerminateMany) WaitsForAPI() bool { return true }

// IssueMany requests new cards.
type IssueMany struct{ Rows []cardcsv.Row }

func (in IssueMany) Check(s *Store) kernel.Verdict { return s.Bulk.checkMany(in) }

func (IssueMany) Least() team.Role { return team.Lead }

func (IssueMany) WaitsForAPI() bool { return true }

func (FreezeMany) kind() BulkKind { return BulkFreeze }

func (UnfreezeMany) kind() BulkKind { return BulkUnfreeze }

func (FundMany) kind() BulkKind { return BulkFund }

func (WithdrawMany) kind() BulkKind { return BulkWithdraw }

func (LimitMany) kind() BulkKind { return BulkLimit }

func (LabelMany) kind() BulkKind { return BulkLabel }

func (TerminateMany) kind() BulkKind { return BulkTerminate }

func (IssueMany) kind() BulkKind { return BulkIssue }

func (in FreezeMany) cards() []api.CardID { return in.Cards }

func (in UnfreezeMany) cards() []api.CardID { return in.Cards }

func (in FundMany) cards() []api.CardID { return in.Cards }

func (in WithdrawMany) cards() []api.CardID { return in.Cards }

func (in LimitMany) cards() []api.CardID { return in.Cards }

func (in LabelMany) cards() []api.CardID { return in.Cards }

func (in TerminateMany) cards() []api.CardID { return in.Cards }

func (IssueMany) cards() []api.CardID { return nil }

// BulkOf returns what an intent on many cards does.
func BulkOf(in Many) BulkKind { return in.kind() }

// mustPlan reports whether an intent is on many cards: those are planned first.
func (bu *BulkTable) mustPlan(in kernel.Intent) bool {
	_, many := in.(Many)
	return many
}

// checkMany reports whether many cards can be planned for at all.
func (bu *BulkTable) checkMany(in Many) kernel.Verdict {
	return kernel.Verdict{Danger: in.kind().Danger(), Reason: bu.noPlan(in)}
}

// noPlan returns why there is nothing to plan, whatever the cards are.
func (bu *BulkTable) noPlan(in Many) string {
	switch {
	case bu.Cfg.ReadOnly:
		return errtext.ReadOnly(bu.Lang)
	case len(in.cards()) == 0 && in.kind() != BulkIssue:
		return bu.Lang.T("no card is selected")
	}
	return ""
}

// RunPlan asks to carry a plan out, as it was shown.
type RunPlan struct{ Plan *Plan }

func (in RunPlan) Check(s *Store) kernel.Verdict { return s.Bulk.checkPlan(in.Plan) }

func (in RunPlan) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Rules.planned(in.Plan)
	return kernel.TopicOps, s.Bulk.runPlan(in.Plan)
}

func (in RunPlan) WaitsForAPI() bool { return in.Plan != nil && in.Plan.Kind != BulkFreeze }

// PauseBatch asks that no further row is sent for now.
type PauseBatch struct{ ID PlanID }

func (in PauseBatch) Check(s *Store) kernel.Verdict { return s.Bulk.checkBatch(in.ID, BatchRunning) }

func (in PauseBatch) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Bulk.pauseBatch(in.ID), nil
}

// ResumeBatch asks to go on with a batch that is paused, or with one that an
// earlier run left.
type ResumeBatch struct{ ID PlanID }

func (in ResumeBatch) Check(s *Store) kernel.Verdict { return s.Bulk.checkResume(in.ID) }

func (in ResumeBatch) Start(s *Store) (kernel.Topic, []kernel.Effect) { return s.resumeBatch(in.ID) }

func (ResumeBatch) WaitsForAPI() bool { return true }

// StopBatch asks that no further row is sent at all. What is under way
// finishes.
type StopBatch struct{ ID PlanID }

// Check refuses a plan that is not on disk yet: there is nothing to remove.
func (in StopBatch) Check(s *Store) kernel.Verdict {
	return s.Bulk.checkBatch(in.ID, BatchRunning, BatchPaused, BatchInterrupted)
}

func (in StopBatch) Start(s *Store) (kernel.Topic, []kernel.Effect) { return s.stopBatch(in.ID) }

// SavePlan puts a plan on disk before its first row is sent.
type SavePlan struct{ Plan *Plan }

func (SavePlan) Effect() {}

// DropPlan deletes a plan from disk: nothing of it is sent any more.
type DropPlan struct{ ID PlanID }

func (DropPlan) Effect() {}

// FindPlans finds plans that other runs left in the middle.
type FindPlans struct{}

func (FindPlans) Effect() {}

// PlanSaved is the result of SavePlan; Err is why the plan is not on disk.
type PlanSaved struct {
	kernel.Meta
	ID  PlanID
	Err error
}

func (ev PlanSaved) Apply(s *Store) (kernel.Topic, []kernel.Effect) { return s.Bulk.planSaved(ev), nil }

// PlanDropped is the result of DropPlan; Err is why the plan is still on disk.
type PlanDropped struct {
	kernel.Meta
	ID  PlanID
	Err error
}

func (ev PlanDropped) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Bulk.planDropped(ev), nil
}

// PlansFound are the plans that other runs left in the middle. They are this
// run's now, and reported each time until they are deleted.
type PlansFound struct {
	kernel.Meta
	Left []LeftPlan
	Err  error
}

// LeftPlan is a plan that another run left in the middle, and what became of
// its rows. A row whose key has no status was never begun.
type LeftPlan struct {
	Plan *Plan
	// Begun is when its rows last began, by its own notes, this machine's
	// clock; zero when a note does not say.
	Begun    map[api.IdempotencyKey]time.Time
	Statuses map[api.IdempotencyKey]OpStatus
}

func (ev PlansFound) Apply(s *Store) (kernel.Topic, []kernel.Effect) { return s.Bulk.plansFound(ev) }

// FetchIssueFile reads a file of cards to be issued.
type FetchIssueFile struct {
	Seq  poll.Seq
	Path string
	// Words are those that its problems are told in.
	Words *lang.Words
}

func (FetchIssueFile) Effect() {}

// IssueFileLoaded is a file of cards to be issued, or why it could not be read.
type IssueFileLoaded struct {
	FetchIssueFile
	kernel.Meta
	File cardcsv.File
	Err  error
}

func (ev IssueFileLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Bulk.issueFileLoaded(ev), nil
}

// LoadIssueFile asks to read a file of cards to be issued.
type LoadIssueFile struct{ Path string }

func (in LoadIssueFile) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicOps, s.Bulk.loadIssueFile(in.Path)
}

// RememberTemplate keeps what several cards were planned from last, for the next form of
// this run.
type RememberTemplate struct{ Template label.IssueTemplate }

func (in RememberTemplate) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Bulk.template = in.Template
	return 0, nil
}

// LastTemplate returns what several cards were planned from last; false for none.
func (bu *BulkTable) LastTemplate() (label.IssueTemplate, bool) {
	return bu.template, bu.template.Count > 0
}

// IssueFile is the file that was asked for last.
func (bu *BulkTable) IssueFile() IssueFile { return bu.issueFile }

func (bu *BulkTable) loadIssueFile(path string) []kernel.Effect {
	bu.issueFile = IssueFile{Path: path, Loading: true, seq: bu.NextSeq()}
	return []kernel.Effect{FetchIssueFile{Seq: bu.issueFile.seq, Path: path, Words: bu.Lang}}
}

func (bu *BulkTable) issueFileLoaded(ev IssueFileLoaded) kernel.Topic {
	if ev.Seq != bu.issueFile.seq {
		return 0
	}
	bu.issueFile.Loading, bu.issueFile.File, bu.issueFile.Err = false, ev.File, ev.Err
	bu.validateFile()
	return kernel.TopicOps
}

// validateFile finds what is wrong with the file, which may be long: when it
// was read, and when the BINs or the guardrails are others.
func (bu *BulkTable) validateFile() { bu.issueFile.Problems = bu.fileProblems(bu.issueFile.File) }

// fileProblems lists all that is wrong with a file, line by line: what cannot
// be read, and what the rows ask for that cannot be had. What they move
// together is for their plan to check.
func (bu *BulkTable) fileProblems(file cardcsv.File) []cardcsv.Problem {
	type place struct {
		line   int
		column string
	}
	known := make(map[place]bool)
	out := slices.Clone(file.Problems)
	for _, p := range out {
		known[place{p.Line, p.Column}] = true
	}
	for _, row := range slices.Concat(file.Rows, file.Incomplete) {
		for _, p := range rowProblems(bu.Core, bu.bins, row.Request) {
			// What is wrong with a whole column is listed once.
			if !known[place{row.Line, p.Field}] && !known[place{cardcsv.HeaderLine, p.Field}] {
				out = append(out, cardcsv.Problem{Line: row.Line, Column: p.Field, Text: p.Reason})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b cardcsv.Problem) int { return a.Line - b.Line })
	return out
}
