package sandbox

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/internal/nighttest"
)

// past opens a quiet world with the default history.
func past(t *testing.T, seed uint64) *client {
	t.Helper()
	return open(t, Config{Quiet: true, NoLimits: true, Seed: seed, History: DefaultHistory})
}

// rows returns all transactions, the oldest first.
func (c *client) rows() []txnRow {
	c.t.Helper()
	var list []txnRow
	_ = c.server.db.View(func() error {
		for seq := range c.server.txns.Len() {
			list = append(list, *c.server.txnAt(seq + 1))
		}
		return nil
	})
	return list
}

// cards returns all cards by row.
func (c *client) cards() map[int64]*sim.Card {
	c.t.Helper()
	cards := make(map[int64]*sim.Card)
	_ = c.server.db.View(func() error {
		for _, k := range c.server.cards.Rows() {
			cards[k.Seq] = k
		}
		return nil
	})
	return cards
}

// campaignOf returns the first two parts of a label.
func campaignOf(label string) string {
	parts := strings.Split(label, "/")
	return strings.Join(parts[:min(2, len(parts))], "/")
}

// replay is what the transactions of one card say when they are read in turn.
type replay struct {
	k       *sim.Card
	balance unit.Cents // after the last one
	month   int64
	spent   unit.Cents         // in the month
	open    map[int64]txnRow   // authorizations without a settlement so far
	settled map[int64]txnRow   // by authorization
	settles map[int64]struct{} // authorizations that settle at some time
}

// held returns what open authorizations hold: at least, and at most, because a hold
// that ends without a settlement leaves no transaction.
func (r *replay) held(now unit.Instant) (least, most unit.Cents) {
	for seq, t := range r.open {
		if _, settles := r.settles[seq]; settles {
			least += t.amount
		}
		if t.created > now-sim.HoldLife {
			most += t.amount
		}
	}
	return least, most
}

// TestHistoryKeepsTheRules reads each card's history again by the rules of the contract,
// which know nothing of how it was invented.
func TestHistoryKeepsTheRules(t *testing.T) {
	t.Parallel()
	for _, cfg := range []Config{
		{Seed: 1, History: DefaultHistory},
		{Seed: 2, History: DefaultHistory},
		{Seed: 3, History: 3 * DefaultHistory, Cards: 120},
		{Seed: 4, History: 24 * time.Hour, Cards: 7, Wallet: "0"},
		{Seed: 5, History: DefaultHistory, Cards: 1, Transactions: 3000},
		{Seed: 6, History: 5 * 24 * time.Hour, Cards: 900, Transactions: 2500},
	} {
		if cfg.Cards > 100 && !nighttest.On {
			continue // A large world takes long.
		}
		t.Run(fmt.Sprint(cfg.Seed), func(t *testing.T) {
			t.Parallel()
			cfg.Quiet, cfg.NoLimits = true, true
			c := open(t, cfg)
			c.audit()
			now := unit.InstantOf(c.now.now())
			cards, rows := c.cards(), c.rows()
			replays := make(map[int64]*replay)
			for seq, k := range cards {
				replays[seq] = &replay{k: k, balance: -1, open: map[int64]txnRow{}, settled: map[int64]txnRow{}, settles: map[int64]struct{}{}}
			}
			for _, x := range rows {
				if x.kind == sim.TxnSettlement {
					replays[x.card].settles[x.root] = struct{}{}
				}
				if x.created < now-unit.Instant(cfg.History.Milliseconds()) || x.created >= now {
					t.Fatalf("a transaction of %s", x.created.Time())
				}
			}
			for _, x := range rows {
				if wrong := replays[x.card].next(x); wrong != "" {
					t.Fatalf("%s %s of %s on %s at %s: %s", x.kind, x.reason, x.amount.Fixed(), replays[x.card].k.Label, x.created.Time(), wrong)
				}
			}
			if least := max(400, cfg.Transactions*7/10); len(rows) < least && cfg.History > 5*24*time.Hour {
				t.Errorf("%d transactions, want some %d", len(rows), least)
			}
		})
	}
}

// next reads a transaction and returns what is wrong with it.
func (r *replay) next(x txnRow) string {
	k := r.k
	moved := unit.Cents(0)
	if x.kind == sim.TxnSettlement || x.kind == sim.TxnRefund {
		moved = x.amount
	}
	least, most := r.held(x.created)
	if r.month != x.created.Month() {
		r.month, r.spent = x.created.Month(), 0
	}
	r.balance = x.after
	largest := sim.BINOf(k.BIN).MaxTransaction
	allowed := len(k.Categories) == 0 || slices.Contains(k.Categories, x.merchant.Category)
	switch {
	case x.after < 0:
		return "a negative balance"
	case x.created < k.Created:
		return "before the card"
	case x.kind == sim.TxnDecline:
		return r.declined(x, most, largest, allowed)
	case x.kind == sim.TxnRefund:
		r.spent = max(0, r.spent-x.amount)
		if paid, is := r.settled[x.root]; !is || x.amount > -paid.amount || x.amount <= 0 || paid.merchant != x.merchant {
			return "a refund of nothing"
		}
		return ""
	case !allowed || x.created > k.Expires:
		return "it had to be declined"
	case x.kind == sim.TxnAuthorization:
		if x.amount > largest || x.amount > x.after-least || r.spent+least+x.amount > k.Limit || x.amount <= 0 {
			return "more than the card allows"
		}
		r.open[x.seq] = x
		return ""
	}
	auth, is := r.open[x.root]
	if !is || auth.merchant != x.merchant || -moved > auth.amount*110/100 || moved >= 0 || auth.threeDS != x.threeDS {
		return "no authorization fits"
	}
	delete(r.open, x.root)
	r.settled[x.root] = x
	if r.spent -= moved; r.spent > k.Limit {
		return "more than the monthly limit"
	}
	return ""
}

// declined returns what is wrong with a decline: its reason has to be true.
func (r *replay) declined(x txnRow, held, largest unit.Cents, allowed bool) string {
	k := r.k
	stated := map[string]bool{
		sim.DeclineTerminated:   k.Status == sim.CardTerminated && x.after == 0,
		sim.DeclineFrozen:       true, // The card has its present state only.
		sim.DeclineExpired:      x.created > k.Expires,
		sim.DeclineCategory:     !allowed,
		sim.DeclineBINMaximum:   x.amount > largest,
		sim.DeclineLimit:        k.Limit < sim.BINOf(k.BIN).MaxMonthly || r.spent+held+x.amount > k.Limit,
		sim.DeclineInsufficient: x.amount > x.after-held,
		sim.DeclineChallenge:    x.threeDS == sim.ChallengeFailed,
	}
	if !stated[x.reason] {
		return "the reason is not true"
	}
	return ""
}

// TestSpendAddsUp compares the spending that the control states with what a client adds
// up from pages and labels.
func TestSpendAddsUp(t *testing.T) {
	t.Parallel()
	c := past(t, 1)
	label := map[string]string{}
	for _, k := range c.send("GET", "/cards?per_page=100", "").list() {
		label[fmt.Sprint(k["id"])] = fmt.Sprint(k["label"])
	}
	want, total := map[string]unit.Cents{}, unit.Cents(0)
	for page := 1; ; page++ {
		list := c.send("GET", fmt.Sprintf("/transactions?per_page=100&page=%d", page), "").list()
		if len(list) == 0 {
			break
		}
		for _, x := range list {
			if x["type"] == "settlement" || x["type"] == "refund" {
				spent := -amountOf(t, x["amount"])
				want[campaignOf(label[fmt.Sprint(x["card_id"])])+" "+fmt.Sprint(x["created_at"])[:10]] += spent
				total += spent
			}
		}
	}
	if stated := c.send("GET", "/wallet/balance", "").money("total_spent"); stated != total || total < 10_000_000 {
		t.Errorf("the wallet says that %s is spent, the transactions %s", stated.Fixed(), total.Fixed())
	}
	for _, row := range c.send("GET", "/sandbox/spend", "").want(200).list() {
		key := fmt.Sprint(row["campaign"], " ", row["day"])
		if got := amountOf(t, row["spend"]); got != want[key] {
			t.Errorf("%s: %s, want %s", key, got.Fixed(), want[key].Fixed())
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("not stated: %v", want)
	}
	for _, row := range c.send("GET", "/sandbox/spend?from=2026-03-10&to=2026-03-11", "").want(200).list() {
		if day := fmt.Sprint(row["day"]); day != "2026-03-10" && day != "2026-03-11" {
			t.Errorf("%s is not in the range", day)
		}
	}
	c.send("GET", "/sandbox/spend?from=yesterday", "").want(400, "invalid_request")
}

// TestReasonsAreToldAsAsked counts the details of declines that have a reason.
func TestReasonsAreToldAsAsked(t *testing.T) {
	t.Parallel()
	for asked, want := range map[Reasons][2]int{"": {30, 30}, ReasonsAll: {30, 30}, ReasonsSome: {12, 28}, ReasonsNone: {0, 0}} {
		c := open(t, Config{Quiet: true, NoLimits: true, Seed: 1, History: DefaultHistory, Reasons: asked})
		told := 0
		for _, x := range c.send("GET", "/transactions?type=decline&per_page=30", "").list() {
			if c.send("GET", "/transactions/"+fmt.Sprint(x["id"]), "").want(200).text("decline_reason") != "" {
				told++
			}
		}
		if told < want[0] || told > want[1] {
			t.Errorf("%q tells %d reasons of 30", asked, told)
		}
	}
	if _, err := Open(t.Context(), Config{Reasons: "few"}); err == nil {
		t.Error("an unknown choice was taken")
	}
}

func TestHistoriesHaveBounds(t *testing.T) {
	for _, span := range []time.Duration{-time.Hour, time.Hour, 400 * 24 * time.Hour} {
		if _, err := Open(t.Context(), Config{History: span}); err == nil {
			t.Errorf("a history of %s was taken", span)
		}
	}
}
