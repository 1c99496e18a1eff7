package hub

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/state"
)

func auditCommand(p cli.Program) *cobra.Command {
	var (
		flags  config.Flags
		verify bool
		by     string
	)
	cmd := &cobra.Command{
		Use: "audit", Short: "Print what people did over the hub, or verify that nothing of it was changed",
		Example: "  cardtop hub audit --by ann\n  cardtop hub audit --verify", Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			at, err := find(cmd.Context(), p, flags)
			if err != nil {
				return err
			}
			log, err := history.Open(history.Config{Dir: filepath.Dir(at.dir), Now: p.Now})
			if err != nil {
				return err
			}
			if verify {
				return verifyAudit(p, log)
			}
			records, err := log.Load(history.Everything)
			if err != nil {
				return err
			}
			slices.Reverse(records)
			return printAudit(p, slices.DeleteFunc(records, func(r state.Record) bool { return r.By.Name == "" || by != "" && r.By.Name != by }))
		},
	}
	cli.AccountFlags(cmd.Flags(), &flags)
	cmd.Flags().BoolVar(&verify, "verify", false, "follow the chain of hashes through all records")
	cmd.Flags().StringVar(&by, "by", "", "only what this `NAME` did")
	return cmd
}

func verifyAudit(p cli.Program, log *history.Log) error {
	r, err := log.Verify()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Out, "intact; records %d, files %d, last hash %s\n", r.Lines, r.Parts, r.Head)
	return err
}

func printAudit(p cli.Program, records []state.Record) error {
	w := tabwriter.NewWriter(p.Out, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "TIME\tBY\tROLE\tFROM\tACTION\tCARD\tAMOUNT\tOUTCOME\tAPPROVED\tREQUEST\tNOTE"); err != nil {
		return err
	}
	for _, r := range records {
		amount := "-"
		if r.Amount != 0 {
			amount = "$" + r.Amount.Grouped()
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			r.At.Format(time.RFC3339), r.By.Name, r.By.Role, r.By.From, r.Action, cardOf(r), amount, r.Outcome, r.By.Approved, r.RequestID, r.Err); err != nil {
			return err
		}
	}
	return w.Flush()
}

// cardOf names the card of a record. Older records of refused requests have its label, or
// its id alone.
func cardOf(r state.Record) string { return cmp.Or(r.Name, r.Label, string(r.Card)) }
