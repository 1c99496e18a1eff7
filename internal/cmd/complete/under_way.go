package complete

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/state"
)

// operation offers the keys of operations without an answer.
func (n *names) operation(cmd *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	ops, _ := n.underWay(cmd)
	private := n.program.Recorded(cmd.Context())
	var out []cobra.Completion
	for _, op := range ops {
		if !strings.HasPrefix(string(op.Key), begin) {
			continue
		}
		about := op.Kind.Verb()
		if !private {
			about += " " + op.Name
		}
		if op.Amount != 0 {
			about += " " + "$" + op.Amount.Grouped()
		}
		out = append(out, described(string(op.Key), about))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// plan offers the ids of plans that are not whole.
func (n *names) plan(cmd *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	_, left := n.underWay(cmd)
	var out []cobra.Completion
	for _, l := range left {
		if !strings.HasPrefix(string(l.Plan.ID), begin) {
			continue
		}
		cards := l.Plan.Totals().Cards
		out = append(out, described(string(l.Plan.ID), fmt.Sprintf("%s, %d cards, %s", l.Plan.Kind, cards, l.Plan.Made.Local().Format(time.DateTime))))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// underWay returns what can be read of what has no end.
func (n *names) underWay(cmd *cobra.Command) ([]state.Op, []state.LeftPlan) {
	ops, left, err := n.program.UnderWay(account(cmd))
	if err != nil {
		cobra.CompDebugln(err.Error(), false)
	}
	return ops, left
}
