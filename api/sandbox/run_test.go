package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/tables"
	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// live runs a world in a bubble for a while of virtual time.
func live(t *testing.T, cfg Config, span time.Duration, during func(c *client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := start(t, cfg)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- c.server.Run(ctx) }()
		if during != nil {
			during(c)
		}
		<-time.After(span)
		synctest.Wait()
		cancel()
		if err := <-done; err != nil {
			t.Errorf("run: %v", err)
		}
		c.audit()
	})
}

// audit proves that money is conserved and that every sum that is kept agrees
// with what it sums up.
func (c *client) audit() {
	c.t.Helper()
	_ = c.server.db.View(func() error {
		a := &auditor{s: c.server, t: c.t}
		a.addsTransactions()
		a.comparesCards()
		a.comparesWallet()
		a.comparesHolds()
		a.comparesOrders()
		return nil
	})
}

// auditor adds up the tables row by row.
type auditor struct {
	s *Server
	t testing.TB

	count, held map[int64]int64
	left        map[int64]unit.Cents // of each authorization, after what followed it
	booked      unit.Cents           // spent by transactions
}

func (a *auditor) check(right bool, what string, values ...any) {
	a.t.Helper()
	if !right {
		a.t.Errorf("audit: "+what, values...)
	}
}

func (a *auditor) addsTransactions() {
	a.count, a.held, a.left = map[int64]int64{}, map[int64]int64{}, map[int64]unit.Cents{}
	last := unit.Never
	for i, x := range a.s.txns.Rows() {
		seq := int64(i + 1)
		a.check(x.at >= last, "time runs backwards at %d", seq)
		last = x.at
		a.count[int64(x.card)]++
		switch sim.TxnType(x.kind) {
		case sim.TxnAuthorization:
			a.left[seq] += x.amount
			a.left[int64(x.root)] += x.amount
		case sim.TxnSettlement:
			a.left[int64(x.root)] += x.amount
			a.booked -= x.amount
		case sim.TxnRefund:
			a.booked -= x.amount
		case sim.TxnDecline:
		}
	}
	for _, x := range a.s.extras.Rows {
		row, is := a.s.txns.At(x.txn)
		a.check(is && (x.foreign.Code == "" || cmp.Compare(row.amount, 0) == cmp.Compare(x.foreign.Amount, 0)), "currency of %d", x.txn)
	}
}

func (a *auditor) comparesHolds() {
	for _, h := range a.s.holds.Rows {
		auth, _ := a.s.txns.At(h.auth)
		a.check(h.amount >= 0 && h.amount <= auth.amount && sim.TxnType(auth.kind) == sim.TxnAuthorization && int64(auth.card) == h.card,
			"hold %d is of %d", h.auth, h.amount)
		a.check(h.amount == a.left[h.auth], "hold %d is not what its parts leave", h.auth)
		a.held[h.card] += int64(h.amount)
	}
	for _, k := range a.s.cards.Rows() {
		a.check(int64(k.Held) == a.held[k.Seq], "holds of card %d", k.Seq)
	}
}

func (a *auditor) comparesCards() {
	for i, k := range a.s.cards.Rows() {
		a.check(k.Seq == int64(i+1), "card %d is at %d", k.Seq, i)
		a.check(k.Count == a.count[k.Seq] && k.Count == int64(len(a.s.txnsOfCard(k.Seq))), "count of card %d", k.Seq)
		a.check(k.Balance >= 0 && k.Held >= 0, "card %d has less than nothing", k.Seq)
		a.check(k.Status != sim.CardTerminated || k.Balance == 0 && k.Held == 0, "terminated card %d", k.Seq)
	}
}

func (a *auditor) comparesWallet() {
	w := a.s.sums().walletRow
	var sum walletRow
	for _, k := range a.s.cards.Rows() {
		sum.cards += k.Balance
		sum.spent += k.Spent
		if k.Status == sim.CardActive {
			sum.active++
		}
	}
	for _, d := range a.s.deposits.Rows() {
		if d.status == statusConfirmed {
			sum.deposited += d.amount - d.fee
		}
	}
	sum.balance = sum.deposited - sum.spent - sum.cards
	a.check(w == sum, "the wallet is %+v, want %+v", w, sum)
	a.check(w.balance >= 0, "the wallet has less than nothing")
	a.check(w.spent == a.booked, "%d spent, %d by transactions", w.spent, a.booked)
}

// comparesOrders checks what finds rows.
func (a *auditor) comparesOrders() {
	for _, o := range []*tables.Order[*sim.Card]{&a.s.byBalance, &a.s.byUse} {
		a.check(slices.IsSortedFunc(o.Rows, o.Compare) && int64(len(o.Rows)) == a.s.cards.Len(), "cards are not in order")
		for _, k := range o.Rows {
			stored, _ := a.s.cards.At(k.Seq)
			a.check(stored == k, "card %d is in order as it was before", k.Seq)
		}
	}
	a.check(slices.IsSortedFunc(a.s.jobs.Rows, a.s.jobs.Compare), "jobs are not in order")
	a.check(len(a.s.answers.Rows) == len(a.s.answerOf), "answers are not found")
	a.check(int64(len(a.s.merchantIDs)) == a.s.merchants.Len(), "merchants are not found")
}

func TestLiveWorld(t *testing.T) {
	t.Parallel()
	span := 30 * time.Minute
	live(t, Config{NoLimits: true, Seed: 7}, 0, func(c *client) {
		total := func(path string) int {
			n, err := strconv.Atoi(c.send("GET", path, "").text("pagination.total"))
			must(t, err)
			return n
		}
		kinds := []string{"authorization", "settlement", "refund", "decline"}
		var before [4]int
		for i, kind := range kinds {
			before[i] = total("/transactions?type=" + kind)
		}
		credited := c.send("GET", "/wallet/balance", "").money("total_deposited")
		<-time.After(span)
		for i, kind := range kinds {
			// Some 13 attempts a minute, a tenth of which are declined.
			if now := total("/transactions?type=" + kind); now-before[i] < []int{200, 150, 2, 15}[i] {
				t.Errorf("%d, then %d of type %s", before[i], now, kind)
			}
		}
		if now := c.send("GET", "/wallet/balance", "").money("total_deposited"); now <= credited {
			t.Error("no deposit was confirmed")
		}
		for _, status := range []string{"pending", "completed", "expired"} {
			if len(c.send("GET", "/3ds?status="+status, "").list()) == 0 {
				t.Errorf("no challenge is %s", status)
			}
		}
	})
	var first, second string
	for _, into := range []*string{&first, &second} {
		live(t, Config{NoLimits: true, Seed: 9}, 0, func(c *client) {
			<-time.After(span/2 + 7*time.Millisecond) // Nothing else happens at this time.
			list, err := json.Marshal(c.send("GET", "/transactions?per_page=100", "").body)
			must(t, err)
			*into = string(list)
		})
	}
	if first != second {
		at := 0
		for at < min(len(first), len(second)) && first[at] == second[at] {
			at++
		}
		t.Errorf("the same seed and clock gave two worlds: %.300s and %.300s", first[at:], second[at:])
	}
}

// TestSkippedTimeIsNotMadeUpFor puts the clock of a live world far forward:
// what was scheduled happens, traffic goes on from the present.
func TestSkippedTimeIsNotMadeUpFor(t *testing.T) {
	t.Parallel()
	live(t, Config{NoLimits: true}, 0, func(c *client) {
		<-time.After(10 * time.Second)
		c.send("POST", "/sandbox/clock", `{"advance_seconds":86400}`).want(200)
		<-time.After(10 * time.Second)
		n, err := strconv.Atoi(c.send("GET", "/transactions", "").text("pagination.total"))
		if err != nil || n > 700 {
			t.Errorf("%d transactions after a day was skipped: %v", n, err)
		}
		if got := c.send("GET", "/transactions", "").list()[0]["created_at"]; got != nil && fmt.Sprint(got) < "2000-01-02" {
			t.Errorf("the latest transaction is of %v", got)
		}
	})
}

func TestQuietWorldStaysAsItIs(t *testing.T) {
	t.Parallel()
	live(t, Config{NoLimits: true, Quiet: true}, 0, func(c *client) {
		<-time.After(time.Hour)
		c.send("POST", "/sandbox/clock", `{"advance_seconds":86400}`).want(200)
		if got := c.send("GET", "/transactions", "").text("pagination.total"); got != "600" {
			t.Errorf("%s transactions", got)
		}
		if n := len(c.send("GET", "/wallet/deposits?status=pending", "").list()); n != 1 {
			t.Errorf("%d deposits are pending", n)
		}
	})
}
