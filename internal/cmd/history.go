package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rows"
)

// historyView is what is printed of the history, and how.
type historyView struct {
	form   output.Flags
	verify bool
	// verified is called with each history that is intact, where they are verified.
	verified func(verifiedHistory) error
	calls    bool
	since    time.Duration
	filter   history.Filter
}

// historyCommand prints the history.
func (p program) historyCommand() *cobra.Command {
	var (
		flags config.Flags
		view  historyView
	)
	cmd := &cobra.Command{
		Use:   "history",
		Short: "Print the operations of this machine and their outcomes",
		Example: `  cardtop history --since 1d
  cardtop history --card 2039 --outcome refused --fields time,amount,error
  cardtop history --csv > history.csv
  cardtop history --jsonl | jq -r .request_id
  cardtop history --calls --since 1d
  cardtop history --verify`,
		Args: cli.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			if view.verify {
				paths, run, err := p.Resolve(flags)
				if err != nil {
					return err
				}
				return p.verifyHistories(paths, run, view)
			}
			out, err := output.New(p.shared(), view.form, state.RecordFields())
			if err != nil {
				return err
			}
			if view.since > 0 {
				view.filter.Since = p.Now().Add(-view.since)
			}
			paths, run, err := p.Resolve(flags)
			if err != nil {
				return err
			}
			return p.printHistory(paths, run, view, out)
		},
	}
	f := cmd.Flags()
	cli.AccountFlags(f, &flags)
	view.form.Add(f)
	f.BoolVar(&view.verify, "verify", false, "check that no line was changed, added or removed")
	f.BoolVar(&view.calls, "calls", false, "every call of an assistant (cardtop mcp) in place of the operations")
	f.Var((*cli.Span)(&view.since), "since", "only records newer than this, such as 24h or 1d")
	f.StringVar(&view.filter.Card, "card", "", "only this card: an id, or a part of its label or last digits")
	f.Var(cli.Word{To: &view.filter.Action, Known: state.Verbs()}, "action", "only this action, such as fund")
	cmd.MarkFlagsMutuallyExclusive("calls", "action")
	f.Var(cli.Word{To: &view.filter.Outcome, Known: state.OpStatuses()}, "outcome", "only this outcome, such as refused")
	f.StringVar(&view.filter.Text, "text", "", "only records with these words")
	return cmd
}

// verifiedHistory is the history of the live or the test key, which is intact.
type verifiedHistory struct {
	mode config.Mode
	history.Report
}

func verifiedFields() []rows.Field[verifiedHistory] {
	type h = verifiedHistory
	return []rows.Field[h]{
		{Name: "mode", About: "LIVE or TEST", Brief: true, Cell: func(h h) rows.Cell { return rows.Text(h.mode) }},
		{Name: "records", About: "records that are as they were written", Brief: true, Cell: func(h h) rows.Cell { return rows.Count(h.Lines) }},
		{Name: "files", About: "files that hold them", Brief: true, Cell: func(h h) rows.Cell { return rows.Count(h.Parts) }},
		{Name: "first_at", About: "time of the first", Brief: true, Cell: func(h h) rows.Cell { return rows.Time(h.First) }},
		{Name: "last_at", About: "time of the last", Brief: true, Cell: func(h h) rows.Cell { return rows.Time(h.Last) }},
		{Name: "hash", About: "hash of the last", Cell: func(h h) rows.Cell { return rows.Text(h.Head) }},
		{Name: "cut", About: "lines cut by a crash", Cell: func(h h) rows.Cell { return rows.Count(h.Cut) }},
	}
}

// verifyHistories prints a line for each history that is intact, or a record in the form that was asked for. The first
// that is not ends it with an error.
func (p program) verifyHistories(paths config.Paths, run config.Resolved, view historyView) error {
	end := func() error { return nil }
	view.verified = p.sayVerified
	if !view.form.Free() {
		out, err := output.New(p.shared(), view.form, verifiedFields())
		if err != nil {
			return err
		}
		view.verified, end = out.Put, out.End
	}
	if err := p.printHistory(paths, run, view, nil); err != nil {
		return err
	}
	return end()
}

// printHistory prints the records of test and live keys; it needs none.
func (p program) printHistory(paths config.Paths, run config.Resolved, view historyView, out *output.Records[state.Record]) error {
	if run.Sandbox {
		return app.Usage(errors.New("the embedded sandbox has no history: name a profile or a base URL"))
	}
	var records []state.Record
	folders, err := p.Folders(paths, run)
	if err != nil {
		return err
	}
	for _, f := range folders {
		dir, mode := f.State, config.Mode(f.Mode())
		if view.calls {
			dir = app.CallsDir(dir)
		}
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		log, err := history.Open(history.Config{Dir: dir, Now: p.Now})
		if err != nil {
			return err
		}
		if view.verify {
			r, err := log.Verify()
			if err != nil {
				return fmt.Errorf("%s: %w", mode, err)
			}
			if err := view.verified(verifiedHistory{mode, r}); err != nil {
				return err
			}
			continue
		}
		for _, d := range log.Damage() {
			p.Say(d.Text(nil))
		}
		some, err := log.Load(history.Everything)
		if err != nil {
			return err
		}
		slices.Reverse(some) // Records of one moment stay in the order that they were written in.
		records = append(records, some...)
	}
	if view.verify {
		return nil
	}
	records = slices.DeleteFunc(records, func(r state.Record) bool { return !view.filter.Matches(r) })
	slices.SortStableFunc(records, func(a, b state.Record) int { return a.At.Compare(b.At) })
	for _, r := range records {
		if err := out.Put(r); err != nil {
			return err
		}
	}
	return out.End()
}

func (p program) sayVerified(h verifiedHistory) error {
	text := fmt.Sprintf("%s: intact; records %d, files %d", h.mode, h.Lines, h.Parts)
	if h.Lines > 0 {
		text += fmt.Sprintf(", from %s to %s, last hash %s", h.First.Format(time.RFC3339), h.Last.Format(time.RFC3339), h.Head)
	}
	if h.Cut > 0 {
		text += fmt.Sprintf("; lines cut by a crash %d", h.Cut)
	}
	_, err := fmt.Fprintln(p.out, text)
	return err
}
