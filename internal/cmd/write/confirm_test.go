package write

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

func fund() act.Proposal {
	return act.Proposal{
		Intent: state.Fund("card_1", 25*api.Dollar), Verdict: kernel.Verdict{Danger: kernel.Money},
		Preview: &state.Preview{CardBefore: 5 * api.Dollar, CardAfter: 30 * api.Dollar, WalletBefore: 100 * api.Dollar, WalletAfter: 75 * api.Dollar},
	}
}

// TestWhatIsAskedOnATerminal, and which answers are yes.
func TestWhatIsAskedOnATerminal(t *testing.T) {
	live, twice, end := fund(), fund(), fund()
	live.Verdict.TypeTwice = true
	twice.Verdict.Again = "the label matches “fb*”, which the guardrails confirm twice"
	end.Intent, end.Verdict.Danger, end.Preview = state.Terminate("card_1"), kernel.Permanent, nil
	for name, tt := range map[string]struct {
		p       act.Proposal
		mode    config.Mode
		asked   string
		yes, no []string
	}{
		"money":     {fund(), config.ModeTest, "fund fb/01 with $25.00: wallet $100.00 → $75.00, card $5.00 → $30.00? [y/N] ", []string{"y\n", "Y\n", "yes\n"}, []string{"\n", "", "n\n", "yy\n", "25\n"}},
		"typed":     {live, config.ModeLive, "LIVE: fund fb/01 with $25.00", []string{"25.00\n"}, []string{"y\n", "yes\n", "25\n", "\n"}},
		"guarded":   {twice, config.ModeTest, "the guardrails confirm twice", []string{"yes\n"}, []string{"y\n", "\n"}},
		"a card":    {end, config.ModeLive, "LIVE: terminate fb/01? type the last four digits of the card to go on: ", []string{"2039\n", " 2039 \n"}, []string{"yes\n", "y\n", "20390\n", "039\n", "\n", ""}},
		"permanent": {end, config.ModeTest, "terminate fb/01? type yes to go on: ", []string{"yes\n"}, []string{"y\n", "", "\n"}},
	} {
		for _, said := range append(append([]string{}, tt.yes...), tt.no...) {
			var errs bytes.Buffer
			c := Command{Program: cli.Program{Program: app.Program{Errs: &errs}}, terminal: true, about: "fb/01", in: bufio.NewReader(strings.NewReader(said))}
			if name == "a card" {
				c.digits = "2039"
			}
			got, err := c.confirm(t.Context(), tt.mode, tt.p)
			want := strings.Contains(strings.Join(tt.yes, ""), said) && said != "" && said != "\n"
			for _, no := range tt.no {
				want = want && said != no
			}
			if err != nil || got != want || !strings.Contains(errs.String(), tt.asked) {
				t.Errorf("%s: %q is %t, %v: %s", name, said, got, err, errs.String())
			}
		}
	}
}

func TestNobodyIsAskedWithoutATerminal(t *testing.T) {
	c := Command{Program: cli.Program{Program: app.Program{Errs: &bytes.Buffer{}}}}
	if got, err := c.confirm(t.Context(), config.ModeTest, fund()); got || err == nil {
		t.Errorf("%t, %v", got, err)
	}
	c.yes = true
	if got, err := c.confirm(t.Context(), config.ModeLive, fund()); !got || err != nil {
		t.Errorf("%t, %v", got, err)
	}
	odd := fund()
	odd.Verdict.UnknownStatus = "fb/01 has the unknown status “suspended”"
	if got, err := c.confirm(t.Context(), config.ModeTest, odd); got || err == nil || !strings.Contains(err.Error(), "suspended”: --allow-unknown-status") {
		t.Errorf("an unknown status: %t, %v", got, err)
	}
	c.unknownStatus = true
	if got, err := c.confirm(t.Context(), config.ModeTest, odd); !got || err != nil {
		t.Errorf("an unknown status that is allowed: %t, %v", got, err)
	}
	c.max = cli.Amount{USD: 24 * api.Dollar, Set: true}
	if got, err := c.confirm(t.Context(), config.ModeTest, fund()); got || err == nil {
		t.Errorf("more than --max-amount: %t, %v", got, err)
	}
	plan := &state.Plan{Kind: state.BulkFund, Rows: []state.PlanRow{{Amount: 20 * api.Dollar}, {Amount: 5 * api.Dollar, Later: true}}}
	if got, err := c.confirm(t.Context(), config.ModeTest, act.Proposal{Plan: plan, Left: 1, Sum: 20 * api.Dollar}); got || err == nil {
		t.Errorf("more than --max-amount with the parts that follow: %t, %v", got, err)
	}
}
