package state_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/settings"
)

// with gives a store that has read some cards, a wallet of 1,000 USD and the
// BIN bin_1.
func with(tb testing.TB, items []api.CardItem, change ...func(*settings.Config)) *state.Store {
	tb.Helper()
	s := newStore(change...)
	for _, e := range append(tick(s, 0), tick(s, time.Second)...) {
		ev := answer(e, meta(time.Second))
		if f, ok := e.(state.FetchCards); ok {
			ev = state.CardsLoaded{FetchCards: f, Meta: meta(time.Second), TotalPages: 1, Total: len(items), Items: items}
		}
		apply(s, ev)
	}
	apply(s, bins.Loaded{Meta: meta(time.Second), Items: []api.BIN{{ID: "bin_1", MaxMonthly: new(1000 * dollar)}}})
	return s
}

// cardsOf makes active cards of these balances, USD.
func cardsOf(balances ...api.USD) []api.CardItem {
	var items []api.CardItem
	for i, b := range balances {
		it := item(api.CardID(fmt.Sprintf("card_%04d", i+1)), api.CardActive, b*dollar)
		it.BIN, it.Label = "bin_1", api.Text(fmt.Sprintf("fb/%d", i+1))
		items = append(items, it)
	}
	return items
}

func cardIDs(items []api.CardItem) []api.CardID {
	var out []api.CardID
	for _, c := range items {
		out = append(out, c.ID)
	}
	return out
}

// amounts are what the rows of a plan move, "-" for a row that does not run.
func amounts(p *state.Plan) string {
	var out []string
	for i := range p.Rows {
		if r := &p.Rows[i]; r.Runs() {
			out = append(out, r.Amount.String())
		} else {
			out = append(out, "-")
		}
	}
	return strings.Join(out, " ")
}

func reasons(p *state.Plan) string {
	var out []string
	for _, r := range p.Rows {
		out = append(out, r.Out+r.Skip)
	}
	return strings.Join(out, "|")
}

func TestAPlanSaysWhatEachRowMoves(t *testing.T) {
	items := cardsOf(100, 50, 20, 7)
	items[1].Status = api.CardFrozen
	items[3].Status = api.CardTerminated
	items[2].Balance += 55 * api.Cent / 10 // 20.055
	c := cardIDs(items)
	for _, tt := range []struct {
		name    string
		in      state.Writes
		amounts string
		reasons string
		end     api.USD // the wallet's, in cents
		blocked string
	}{
		{"each", state.Writes{Kind: state.BulkFund, Cards: c, Amount: 25 * dollar}, "25.00 25.00 25.00 -", "|||is terminated", 92500, ""},
		{"too little", state.Writes{Kind: state.BulkFund, Cards: c[:1], Amount: 50 * api.Cent}, "-", "at least $1.00", 100000, "nothing is left to do"},
		{"too much", state.Writes{Kind: state.BulkFund, Cards: c[:1], Amount: 5001 * dollar}, "-", "at most $5,000.00 at a time", 100000, "nothing is left to do"},
		{"nothing", state.Writes{Kind: state.BulkFund, Cards: c[:1]}, "-", "the amount must be more than 0", 100000, "nothing is left to do"},
		{"up to", state.Writes{Kind: state.BulkFund, Cards: c, Share: state.ShareLevel, Amount: 60 * dollar}, "- 10.00 39.94 -", "holds $100.00 already|||is terminated", 95006, ""},
		{"up to, nearly there", state.Writes{Kind: state.BulkFund, Cards: c[:1], Share: state.ShareLevel, Amount: 10050 * api.Cent}, "-", "lacks less than $1.00", 100000, "nothing is left to do"},
		{"split", state.Writes{Kind: state.BulkFund, Cards: c, Share: state.ShareSplit, Amount: 100 * dollar}, "33.34 33.33 33.33 -", "|||is terminated", 90000, ""},
		{"split, two cents left over", state.Writes{Kind: state.BulkFund, Cards: c, Share: state.ShareSplit, Amount: 10001 * api.Cent}, "33.34 33.34 33.33 -", "|||is terminated", 89999, ""},
		{"split too small", state.Writes{Kind: state.BulkFund, Cards: c[:3], Share: state.ShareSplit, Amount: 2 * dollar}, "- - -", "at least $1.00|at least $1.00|at least $1.00", 100000, "a part of $0.67 cannot be funded: at least $1.00"},
		{"split into millionths", state.Writes{Kind: state.BulkFund, Cards: c[:3], Share: state.ShareSplit, Amount: 9*dollar + 1}, "0.00 0.00 0.00", "||", 100000, "at most two decimals"},
		{"more than the wallet", state.Writes{Kind: state.BulkFund, Cards: c[:3], Amount: 400 * dollar}, "400.00 400.00 400.00", "||", -20000, "the wallet is $200.00 short"},
		{"one more than the wallet", state.Writes{Kind: state.BulkFund, Cards: c[:1], Amount: 1400 * dollar}, "1400.00", "", -40000, "the wallet is $400.00 short"},
		{"withdraw each", state.Writes{Kind: state.BulkWithdraw, Cards: c, Amount: 30 * dollar}, "30.00 30.00 - -", "||the card is $9.945 short|is terminated", 106000, ""},
		{"withdraw down to", state.Writes{Kind: state.BulkWithdraw, Cards: c, Share: state.ShareLevel, Amount: 20 * dollar}, "80.00 30.00 0.05 -", "", 111005, ""},
		{"withdraw all", state.Writes{Kind: state.BulkWithdraw, Cards: c, Share: state.ShareAll}, "100.00 50.00 20.05 -", "|||is terminated", 117005, ""},
		{"terminate", state.Writes{Kind: state.BulkTerminate, Cards: c}, "100.00 50.00 20.055 -", "|||is terminated", 117005, ""},
		{"freeze", state.Writes{Kind: state.BulkFreeze, Cards: c}, "0.00 - 0.00 -", "|already frozen||is terminated", 100000, ""},
		{"unfreeze", state.Writes{Kind: state.BulkUnfreeze, Cards: c}, "- 0.00 - -", "already active||already active|is terminated", 100000, ""},
		{"limit", state.Writes{Kind: state.BulkLimit, Cards: c[:1], Amount: 70 * dollar}, "0.00", "", 100000, ""},
		{"limit below nothing", state.Writes{Kind: state.BulkLimit, Cards: c[:1], Amount: -dollar}, "-", "", 100000, "nothing is left to do"},
		{"no cards", state.Writes{Kind: state.BulkFreeze}, "", "", 100000, "no card is selected"},
		{"unknown card", state.Writes{Kind: state.BulkFreeze, Cards: []api.CardID{"card_9999"}}, "-", "the card is not in the list", 100000, "nothing is left to do"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := with(t, items)
			p := s.Plan(tt.in)
			if got := amounts(p); got != tt.amounts {
				t.Errorf("amounts %s, want %s", got, tt.amounts)
			}
			if got := reasons(p); tt.reasons != "" && got != tt.reasons {
				t.Errorf("reasons %q, want %q", got, tt.reasons)
			}
			if want := tt.end * api.Cent; cents(p.WalletEnd) != want {
				t.Errorf("the wallet ends at %s, want %s", p.WalletEnd, want)
			}
			if p.Blocked != tt.blocked {
				t.Errorf("blocked %q, want %q", p.Blocked, tt.blocked)
			}
			// Before and after add up, and only what runs has a key, each its own.
			keys := map[api.IdempotencyKey]bool{}
			for _, r := range p.Rows {
				if moved := (r.After - r.Before).String(); r.Runs() && strings.TrimPrefix(moved, "-") != r.Amount.String() {
					t.Errorf("%s: %s -> %s moves %s", r.Name, r.Before, r.After, r.Amount)
				}
				if (r.Key != "") != (r.Runs() && p.Blocked == "") || keys[r.Key] && r.Key != "" {
					t.Errorf("%s: key %q", r.Name, r.Key)
				}
				keys[r.Key] = true
			}
			if v := s.Check(state.RunPlan{Plan: p}); v.Reason != tt.blocked {
				t.Errorf("to run it: %q", v.Reason)
			}
			if _, _, err := s.Dispatch(tt.in); err == nil {
				t.Error("it can be done without a plan")
			}
		})
	}
}

func cents(u api.USD) api.USD { return u - u%api.Cent }

func TestWhatStopsAtTheFirstError(t *testing.T) {
	s := with(t, cardsOf(100))
	c := []api.CardID{first}
	for _, tt := range []struct {
		in   state.Writes
		want bool
	}{
		{state.Writes{Kind: state.BulkFreeze, Cards: c}, false},
		{state.Writes{Kind: state.BulkLimit, Cards: c, Amount: dollar}, false},
		{state.Writes{Kind: state.BulkFund, Cards: c, Amount: dollar}, true},
		{state.Writes{Kind: state.BulkWithdraw, Cards: c, Amount: dollar}, true},
		{state.Writes{Kind: state.BulkTerminate, Cards: c}, true},
		{state.Writes{Kind: state.BulkIssue, Rows: issues("a")}, true},
	} {
		if p := s.Plan(tt.in); p.StopOnError != tt.want {
			t.Errorf("%s: %v", p.Kind, p.StopOnError)
		}
	}
}

func TestWhatIsKeptOutDoesNotCountForTheGuardrail(t *testing.T) {
	items := cardsOf(1, 2, 3, 4)
	items[0].Status, items[1].Status = api.CardTerminated, api.CardFrozen
	s := with(t, items, func(c *settings.Config) { c.Guard.MaxBulk = 2 })
	p := s.Plan(state.Writes{Kind: state.BulkFreeze, Cards: cardIDs(items)})
	if v := s.Check(state.RunPlan{Plan: p}); p.Blocked != "" || v.Reason != "" || p.Totals().Cards != 2 {
		t.Errorf("%q, %+v", p.Blocked, v)
	}
	// Three can be funded, which is one too many at once; one of them is frozen.
	p = s.Plan(state.Writes{Kind: state.BulkFund, Cards: cardIDs(items), Amount: 5 * dollar})
	if v := s.Check(state.RunPlan{Plan: p}); v.Reason != "" || p.Totals().Cards != 2 || p.Totals().Later != 1 {
		t.Errorf("%+v %+v", v, p.Totals())
	}
	if p = s.Plan(state.Writes{Kind: state.BulkFund, Cards: cardIDs(items)[:3], Amount: 5 * dollar}); p.Blocked != "" || p.Totals().Frozen != 1 || p.Totals().Cards != 2 {
		t.Errorf("%q %+v", p.Blocked, p.Totals())
	}
}

func TestAPlanThatCannotRunSaysWhatWouldLetIt(t *testing.T) {
	items := cardsOf(1, 2, 3)
	items[0].Status = api.CardTerminated
	for _, tt := range []struct {
		in     state.Writes
		guard  guard.Guard
		remedy string
	}{
		{state.Writes{Kind: state.BulkFund, Cards: cardIDs(items), Amount: 4000 * dollar}, guard.Guard{}, "deposit first"},
		{state.Writes{Kind: state.BulkFund, Cards: cardIDs(items), Amount: 5 * dollar}, guard.Guard{MaxDay: 8 * dollar}, "raise the guardrail"},
		{state.Writes{Kind: state.BulkFund, Cards: cardIDs(items)[:1], Amount: 5 * dollar}, guard.Guard{}, "each row says"},
		{state.Writes{Kind: state.BulkUnfreeze, Cards: cardIDs(items)[1:]}, guard.Guard{}, "as wanted already"},
		{state.Writes{Kind: state.BulkFund, Cards: cardIDs(items), Amount: 5 * dollar}, guard.Guard{}, ""},
	} {
		s := with(t, items, func(c *settings.Config) { c.Guard = tt.guard })
		v := s.Check(state.RunPlan{Plan: s.Plan(tt.in)})
		if (v.Reason == "") != (tt.remedy == "") || !strings.Contains(v.Remedy, tt.remedy) || tt.remedy == "" && v.Remedy != "" {
			t.Errorf("%+v: %+v", tt.in, v)
		}
	}
}

func TestReadOnlyPlansNothing(t *testing.T) {
	s := with(t, cardsOf(1), readOnly)
	if p := s.Plan(state.Writes{Kind: state.BulkFreeze, Cards: []api.CardID{first}}); p.Blocked != "read-only: writes are off" {
		t.Error(p.Blocked)
	}
}

func issues(labels ...string) []cardcsv.Row {
	var rows []cardcsv.Row
	for i, l := range labels {
		rows = append(rows, cardcsv.Row{Line: i + 2, Request: api.CreateCardRequest{BIN: "bin_1", Amount: 5 * dollar, Label: l}})
	}
	return rows
}

func TestIssuingIsAllOrNothing(t *testing.T) {
	s := with(t, cardsOf(1))
	p := s.Plan(state.Writes{Kind: state.BulkIssue, Rows: issues("fb/1", "b")})
	if p.Blocked != "" || !p.Rows[0].Twin || p.Rows[1].Twin || p.Totals().Twins != 1 || p.WalletEnd != 990*dollar {
		t.Errorf("%+v", p)
	}
	bad := issues("a", "b")
	bad[1].Request.BIN = "bin_gone"
	if p = s.Plan(state.Writes{Kind: state.BulkIssue, Rows: bad}); p.Blocked != "1 card cannot be issued, and then none is" || p.Rows[1].Line != 3 {
		t.Errorf("%q %+v", p.Blocked, p.Rows)
	}
	if got := s.Plan(state.Writes{Kind: state.BulkIssue, Rows: issues(slices.Repeat([]string{"x"}, 96)...)}).Lasts(); got != 2*time.Minute {
		t.Errorf("96 cards last %v", got)
	}
}

func TestLabelsAreNumberedOverTheCardsThatAreNamed(t *testing.T) {
	items := cardsOf(1, 2, 3, 4)
	items[1].Status = api.CardTerminated
	items[2].Label = "gg/08"
	s := with(t, items)
	p := s.Plan(state.Writes{Kind: state.BulkLabel, Cards: cardIDs(items), Template: "gg/{n:02}", First: 7})
	var got []string
	for _, r := range p.Rows {
		got = append(got, *r.Write.Change.Label)
	}
	if strings.Join(got, " ") != "gg/07 gg/08 gg/08 gg/09" || reasons(p) != "|is terminated|already called so|" {
		t.Errorf("%v %q", got, reasons(p))
	}
	if p = s.Plan(state.Writes{Kind: state.BulkLabel, Cards: cardIDs(items)[:1], Template: strings.Repeat("x", 65)}); !strings.Contains(reasons(p), "65 characters") {
		t.Errorf("%q", reasons(p))
	}
}

func TestMoneyIsNotPlannedWhileTheWalletIsUnknown(t *testing.T) {
	s := newStore()
	hot, _ := pages(t, tick(s, 0))
	apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(0), Items: cardsOf(5)})
	if p := s.Plan(state.Writes{Kind: state.BulkTerminate, Cards: []api.CardID{first}}); !strings.Contains(p.Blocked, "wallet is not read yet") {
		t.Errorf("%q", p.Blocked)
	}
}
