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

// Writes are the same done to several cards, or cards that are issued. They are never carried out themselves: Plan makes rows of
// them, and RunPlan carries those out once the user has seen them.
type Writes struct {
	Kind  BulkKind
	Cards []api.CardID
	// Share is how Amount is meant: for each card, up to a balance, divided among them.
	Share Share
	// Amount is what is moved, or the monthly limit, USD.
	Amount api.USD
	// Template is what cards are named by, numbered from First.
	Template string
	First    int
	// Rows are the cards to issue.
	Rows []cardcsv.Row
}

func (in Writes) Check(s *Store) kernel.Verdict {
	return kernel.Verdict{Danger: in.Kind.Danger(), Reason: s.Bulk.noPlan(in)}
}

func (in Writes) Least() team.Role { return in.Kind.op().Least() }

func (in Writes) WaitsForAPI() bool { return in.Kind != BulkFreeze }

// noPlan returns why there is nothing to plan, whatever the cards are.
func (bu *BulkTable) noPlan(in Writes) string {
	switch {
	case bu.Cfg.ReadOnly:
		return errtext.ReadOnly(bu.Lang)
	case len(in.Cards) == 0 && in.Kind != BulkIssue:
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
