package write

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
)

// answered reports whether nobody has to be asked: the command line says yes, or nobody can be. The
// error is then why it does not go on.
func (c *Command) answered(p act.Proposal) (over bool, err error) {
	doubt, remedy := c.doubt(&p.Verdict)
	switch {
	case c.yes && doubt == "":
		return true, nil
	case c.terminal:
		return false, nil
	case doubt != "":
		return true, &act.RefusedError{Reason: doubt, Remedy: remedy}
	}
	return true, act.ErrNotConfirmed
}

// doubt is what --yes alone does not go on with, and which flag does; empty for none.
func (c *Command) doubt(v *kernel.Verdict) (doubt, remedy string) {
	switch {
	case v.UnknownStatus != "" && !c.unknownStatus:
		return v.UnknownStatus, "--allow-unknown-status goes on"
	case v.Expired != "" && !c.expired:
		return v.Expired, "--allow-expired goes on"
	}
	return "", ""
}

// confirm asks whether to go on, unless the command line says so.
func (c *Command) confirm(_ context.Context, mode config.Mode, p act.Proposal) (bool, error) {
	if err := c.within(p); err != nil {
		return false, err
	}
	if p.Plan != nil {
		c.printPlan(p)
	}
	if over, err := c.answered(p); over {
		return err == nil, err
	}
	question := c.question(p)
	if mode == config.ModeLive {
		question = "LIVE: " + question
	}
	if p.Verdict.Again != "" {
		c.Say(p.Verdict.Again)
	}
	want, hint := "y", "[y/N]"
	switch amount, moves := moved(p); {
	case p.Verdict.TypeTwice && moves:
		want, hint = amount.String(), "type the amount to go on:"
	case p.Verdict.Danger == kernel.Permanent && c.digits != "":
		want, hint = c.digits, "type the last four digits of the card to go on:"
	case p.Verdict.Danger == kernel.Permanent, p.Verdict.Again != "":
		want, hint = "yes", "type yes to go on:"
	}
	if _, err := fmt.Fprintf(c.Errs, "%s %s ", question, hint); err != nil {
		return false, err
	}
	line, err := c.in.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("read the answer: %w", err)
	}
	said := strings.ToLower(strings.TrimSpace(line))
	if want == "y" && said == "yes" {
		said = "y"
	}
	return said == want, nil
}

// within refuses what moves more than --max-amount.
func (c *Command) within(p act.Proposal) error {
	amount, moves := moved(p)
	if moves && c.max.Set && amount > c.max.USD {
		return &act.RefusedError{Reason: fmt.Sprintf("it would move $%s, and --max-amount allows $%s", amount.Grouped(), c.max.USD.Grouped())}
	}
	return nil
}

// moved is what would leave the wallet or a card, in all parts, USD.
func moved(p act.Proposal) (api.USD, bool) {
	switch {
	case p.Left > 0:
		sum := p.Sum + p.Plan.Totals().LaterSum
		return sum, sum > 0
	case p.Plan != nil:
		t := p.Plan.Totals()
		return t.Sum + t.LaterSum, p.Plan.Kind.Danger() == kernel.Money
	}
	return state.AmountOf(p.Intent)
}

// question says what would be done.
func (c *Command) question(p act.Proposal) string {
	if p.Plan != nil {
		return planQuestion(p)
	}
	text := c.sentence(p.Intent)
	if v := p.Preview; v != nil {
		text += fmt.Sprintf(": wallet $%s → $%s", v.WalletBefore.Grouped(), v.WalletAfter.Grouped())
		if state.KindOf(p.Intent) != state.OpIssue {
			text += fmt.Sprintf(", card $%s → $%s", v.CardBefore.Grouped(), v.CardAfter.Grouped())
		}
	}
	return text + "?"
}

func planQuestion(p act.Proposal) string {
	t := p.Plan.Totals()
	if p.Left > 0 {
		t.Cards, t.Sum = p.Left, p.Sum
	}
	text := fmt.Sprintf("%s %s", p.Plan.Kind, errtext.Plural(t.Cards, "card", "cards"))
	if t.Sum > 0 {
		text += fmt.Sprintf(", $%s in all", t.Sum.Grouped())
	}
	if p.Plan.Parts > 1 {
		text += fmt.Sprintf(" (part %d of %d)", p.Plan.Part, p.Plan.Parts)
	}
	return text + "?"
}

// sentence says what an intent does.
func (c *Command) sentence(in kernel.Intent) string {
	text := strings.TrimSpace(spoken(verb(in)) + " " + c.about)
	amount, _ := state.AmountOf(in)
	switch state.KindOf(in) {
	case state.OpIssue:
		text = fmt.Sprintf("issue a card with $%s", amount.Grouped())
	case state.OpFund:
		text += fmt.Sprintf(" with $%s", amount.Grouped())
	case state.OpWithdraw:
		text += fmt.Sprintf(": $%s", amount.Grouped())
	default:
	}
	return text
}
