package write

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/rows"
)

// Row is a row of a plan and what became of it.
type Row struct {
	state.PlanRow
	Action  string
	Outcome string
	Text    string
	// Mismatch says where the answer is not what was asked for.
	Mismatch string
	// Issued is the new card of a row that issues one.
	Issued api.CardID
}

// PlannedRow is the outcome of a row that was not begun.
const PlannedRow = "planned"

// RowFields are what is printed of a row of a plan.
func RowFields() []rows.Field[Row] {
	return []rows.Field[Row]{
		{Name: "line", About: "line of the file", Cell: func(r Row) rows.Cell {
			if r.Line == 0 {
				return rows.Cell{}
			}
			return rows.Count(r.Line)
		}},
		{Name: "action", About: "fund, withdraw, freeze, …", Brief: true, Cell: func(r Row) rows.Cell { return rows.Text(r.Action) }},
		{Name: "outcome", About: "done, refused, not-sent, unknown, skipped, blocked or planned", Brief: true, Cell: func(r Row) rows.Cell { return rows.Text(r.Outcome) }},
		{Name: "card_id", About: "card; the new one where one was issued", Brief: true, Cell: func(r Row) rows.Cell {
			if r.Issued != "" {
				return rows.Text(r.Issued)
			}
			return rows.Text(r.Card)
		}},
		{Name: "name", About: "label and last four digits", Brief: true, Cell: func(r Row) rows.Cell { return rows.Text(r.Name) }},
		{Name: "amount", About: "USD that moves", Brief: true, Cell: func(r Row) rows.Cell { return amount(r.Amount) }},
		{Name: "before", About: "USD on the card when it was planned", Cell: func(r Row) rows.Cell { return amount(r.Before) }},
		{Name: "after", About: "USD on the card afterwards", Brief: true, Cell: func(r Row) rows.Cell { return amount(r.After) }},
		{Name: "text", About: "answer, or why it was not done", Brief: true, Cell: func(r Row) rows.Cell { return rows.Text(api.Clean(r.Text)) }},
		{Name: "idempotency_key", About: "key of the row", Cell: func(r Row) rows.Cell { return rows.Text(r.Key) }},
		{Name: "mismatch", About: "where the answer is not what was asked for", Cell: func(r Row) rows.Cell { return rows.Text(api.Clean(r.Mismatch)) }},
	}
}

// planned are the rows of a plan that did not begin.
func planned(p *state.Plan) []Row {
	out := make([]Row, len(p.Rows))
	for i := range p.Rows {
		r := Row{PlanRow: p.Rows[i], Action: p.Kind.String(), Outcome: PlannedRow}
		switch {
		case r.Out != "":
			r.Outcome, r.Text = "blocked", r.Out
		case r.Skip != "":
			r.Outcome, r.Text = Skipped, r.Skip
		case r.Later:
			r.Text = "in a later part"
		case r.Twin:
			r.Text = "a card of this label is there already"
		case r.Frozen:
			r.Text = "the card is frozen"
		}
		out[i] = r
	}
	return out
}

// rowsOf are the rows of batches as they ended; past are the records of rows that an earlier run
// did. What was left for a later part is with that part.
func rowsOf(b act.Batch, past map[api.IdempotencyKey]state.Record) []Row {
	var out []Row
	for n, batch := range b.Batches {
		for i, r := range planned(batch.Plan) {
			result := batch.Rows[i]
			if result.State == state.RowLater && n < len(b.Batches)-1 {
				continue
			}
			if outcome := outcomes()[result.State]; outcome != "" {
				r.Outcome, r.Text = outcome, result.Text
			}
			r.cut(batch.Asked(i))
			if result.State == state.RowSkipped {
				r.Amount, r.Before, r.After = 0, result.Holds, result.Holds
			}
			if done, ok := b.Answers[r.Key]; ok {
				r.take(done)
			} else {
				r.recall(past)
			}
			out = append(out, r)
		}
	}
	return out
}

// cut takes over that a row asked for less than was planned.
func (r *Row) cut(asked api.USD) {
	switch r.Write.Kind {
	case state.OpFund:
		r.Before += r.Amount - asked
	case state.OpWithdraw:
		r.Before -= r.Amount - asked
	default:
	}
	r.Amount = asked
}

// take takes over what an answer says of a row: what was planned may have been less by then.
func (r *Row) take(done state.OpDone) {
	if done.Record != nil {
		r.Mismatch = done.Record.Mismatch
		r.Amount = cmp.Or(done.Record.Asked, r.Amount)
	}
	if done.Before != nil {
		r.Before = *done.Before
	}
	switch r.Write.Kind {
	case state.OpFund, state.OpWithdraw:
		r.After = 0 // What was planned is no answer.
	default:
	}
	if done.CardBalance != nil {
		r.After = *done.CardBalance
	}
	if r.Card == "" {
		r.Issued = done.Card
	}
}

// recall takes over what the history says of a row that an earlier run did.
func (r *Row) recall(past map[api.IdempotencyKey]state.Record) {
	done, ok := past[r.Key]
	if !ok || done.Outcome != state.OpStatusDone {
		return
	}
	r.take(state.OpDone{Record: &done, Before: done.CardBefore, CardBalance: done.CardAfter, Card: done.Card})
}

// outcomes are the states of rows as scripts know them.
func outcomes() map[state.RowState]string {
	return map[state.RowState]string{
		state.RowWaiting: state.OpStatusNotSent, state.RowSending: state.OpStatusUnknown, state.RowUnconfirmed: state.OpStatusUnknown,
		state.RowDone: state.OpStatusDone, state.RowRefused: state.OpStatusRefused, state.RowUnsettled: state.OpStatusUnknown,
		state.RowNotSent: state.OpStatusNotSent, state.RowLater: state.OpStatusNotSent,
		state.RowReading: state.OpStatusNotSent, state.RowSkipped: Skipped,
	}
}

// shownRows bounds how many rows of a plan are printed before it runs.
const shownRows = 20

// printPlan prints a plan before it is carried out, beside the output.
func (c *Command) printPlan(p act.Proposal) {
	if p.Left > 0 {
		return // It was shown when it was made.
	}
	t := p.Plan.Totals()
	c.note("cardtop: plan: " + planQuestion(p)[:len(planQuestion(p))-1])
	for i, r := range planned(p.Plan) {
		if i == shownRows {
			c.note(fmt.Sprintf("  … and %d more", len(p.Plan.Rows)-i))
			break
		}
		line := "  " + r.Action + " " + r.Name
		if r.Amount != 0 {
			line += " $" + r.Amount.Grouped()
		}
		if r.Text != "" {
			line += ": " + r.Text
		}
		c.note(line)
	}
	var notes []string
	for _, n := range []struct {
		n    int
		text string
	}{
		{t.Out, "blocked"},
		{t.Skipped, "with nothing to do"},
		{t.Later, "in later parts"},
		{t.Twins, "with a label that another card has"},
		{t.Frozen, "frozen"},
		{t.Alike, "with the same label as another row"},
	} {
		if n.n > 0 {
			notes = append(notes, errtext.Plural(n.n, "card", "cards")+" "+n.text)
		}
	}
	if p.Plan.WalletKnown && p.Plan.Wallet != p.Plan.WalletEnd {
		notes = append(notes, fmt.Sprintf("wallet $%s → $%s", p.Plan.Wallet.Grouped(), p.Plan.WalletEnd.Grouped()))
	}
	if len(notes) > 0 {
		c.note("  " + strings.Join(notes, "; "))
	}
}

// note prints a line of a plan. That it cannot be printed changes nothing.
func (c *Command) note(line string) {
	_, _ = fmt.Fprintln(c.Output.Aside(c.Errs), cli.Printable(line))
}
