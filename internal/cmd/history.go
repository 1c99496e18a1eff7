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
)

// historyView is what is printed of the history, and how.
type historyView struct {
	form   output.Flags
	verify bool
	calls  bool
	since  time.Duration
	filter history.Filter
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
			if view.verify && !view.form.Free() {
				return app.Usage(errors.New("--verify prints no records: leave the form and the fields of them out"))
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
			if err := p.verifyHistory(log, mode); err != nil {
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

func (p program) verifyHistory(log *history.Log, mode config.Mode) error {
	r, err := log.Verify()
	if err != nil {
		return fmt.Errorf("%s: %w", mode, err)
	}
	text := fmt.Sprintf("%s: intact; records %d, files %d", mode, r.Lines, r.Parts)
	if r.Lines > 0 {
		text += fmt.Sprintf(", from %s to %s, last hash %s", r.First.Format(time.RFC3339), r.Last.Format(time.RFC3339), r.Head)
	}
	if r.Cut > 0 {
		text += fmt.Sprintf("; lines cut by a crash %d", r.Cut)
	}
	_, err = fmt.Fprintln(p.out, text)
	return err
}
