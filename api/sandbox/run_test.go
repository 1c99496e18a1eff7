package sandbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
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
	var wrong []string
	rows, err := sqlite.Collect(c.t.Context(), c.server.db.Writer, func(r *sql.Rows, s *string) error { return r.Scan(s) }, auditSQL)
	if err != nil {
		c.t.Fatalf("audit: %v", err)
	}
	wrong = append(wrong, rows...)
	if len(wrong) > 0 {
		c.t.Errorf("audit: %v", wrong)
	}
}

const auditSQL = `
SELECT 'money is not conserved: ' || (balance + cards_balance) || ' <> ' || (total_deposited - total_spent)
	FROM wallet WHERE balance + cards_balance <> total_deposited - total_spent
UNION ALL SELECT 'sum of balances' FROM wallet WHERE cards_balance <> (SELECT coalesce(sum(balance), 0) FROM cards)
UNION ALL SELECT 'number of active cards' FROM wallet
	WHERE cards_active <> (SELECT count(*) FROM cards WHERE status = 'active')
UNION ALL SELECT 'sum of deposits' FROM wallet WHERE total_deposited <>
	(SELECT coalesce(sum(amount - fee), 0) FROM deposits WHERE status = 'confirmed')
UNION ALL SELECT 'sum spent' FROM wallet WHERE total_spent <> (SELECT coalesce(sum(total_spent), 0) FROM cards)
UNION ALL SELECT 'spent by transactions' FROM wallet
	WHERE total_spent <> (SELECT -coalesce(sum(amount), 0) FROM transactions WHERE type IN (2, 3))
UNION ALL SELECT 'count of card ' || seq FROM cards k
	WHERE txn_count <> (SELECT count(*) FROM transactions WHERE card = k.seq)
UNION ALL SELECT 'holds of card ' || seq FROM cards k
	WHERE held <> (SELECT coalesce(sum(amount), 0) FROM holds WHERE card = k.seq)
UNION ALL SELECT 'hold ' || auth || ' is of ' || h.amount FROM holds h JOIN transactions t ON t.seq = h.auth
	WHERE h.amount < 0 OR h.amount > t.amount OR t.type <> 1
UNION ALL SELECT 'hold ' || auth || ' is not what its parts leave' FROM holds h JOIN transactions t ON t.seq = h.auth
	WHERE h.amount <> t.amount + (SELECT coalesce(sum(p.amount), 0) FROM transactions p WHERE p.root = h.auth AND p.type IN (1, 2))
UNION ALL SELECT 'currency of ' || txn FROM txn_extras x LEFT JOIN transactions t ON t.seq = x.txn
	WHERE t.seq IS NULL OR sign(t.amount) <> sign(x.amount) AND x.currency <> ''
UNION ALL SELECT 'time runs backwards at ' || a.seq FROM transactions a JOIN transactions b ON b.seq = a.seq + 1
	WHERE a.created_at > b.created_at
UNION ALL SELECT 'gap before ' || a.seq FROM transactions a
	WHERE a.seq > 1 AND NOT EXISTS (SELECT 1 FROM transactions b WHERE b.seq = a.seq - 1)
UNION ALL SELECT 'terminated card ' || seq FROM cards WHERE status = 'terminated' AND (balance <> 0 OR held <> 0)`

func TestLiveWorld(t *testing.T) {
	t.Parallel()
	span := 30 * time.Minute
	if raced {
		span /= 40
	}
	live(t, Config{NoLimits: true, Seed: 7}, 0, func(c *client) {
		total := func(path string) int {
			n, err := strconv.Atoi(c.send("GET", path, "").text("pagination.total"))
			if err != nil {
				t.Fatal(err)
			}
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
			if now := total("/transactions?type=" + kind); !raced && now-before[i] < []int{200, 150, 2, 15}[i] {
				t.Errorf("%d, then %d of type %s", before[i], now, kind)
			}
		}
		if now := c.send("GET", "/wallet/balance", "").money("total_deposited"); !raced && now <= credited {
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
			if err != nil {
				t.Fatal(err)
			}
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

// TestPastHasEveryCause finds each kind of thing that happens in a world.
func TestPastHasEveryCause(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for seed := range uint64(2) {
		inventory(t, open(t, Config{NoLimits: true, Seed: seed}), found)
	}
	for _, want := range []string{
		"authorization", "settlement", "refund", "decline" + sim.DeclineFrozen, "decline" + sim.DeclineInsufficient,
		"decline" + sim.DeclineLimit, "decline" + sim.DeclineCategory, "decline" + sim.DeclineBINMaximum, "decline" + sim.DeclineChallenge,
		sim.CardActive, sim.CardFrozen, sim.CardTerminated, "3ds pending", "3ds completed", "3ds expired", "deposit",
	} {
		if !found[want] {
			t.Errorf("the default world has no %s", want)
		}
	}
}

// inventory adds what a world has to what was found.
func inventory(t *testing.T, c *client, found map[string]bool) {
	t.Helper()
	c.audit()
	rows, err := sqlite.Collect(t.Context(), c.server.db.Reader, scanTxn,
		txnSelect+`transactions t`+txnJoins)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range rows {
		found[x.kind.String()+x.reason] = true
	}
	for _, status := range []string{sim.CardActive, sim.CardFrozen, sim.CardTerminated} {
		found[status] = found[status] || len(c.send("GET", "/cards?status="+status, "").list()) > 0
	}
	for _, status := range []string{statusPending, statusCompleted, statusExpired} {
		found["3ds "+status] = found["3ds "+status] || len(c.send("GET", "/3ds?status="+status, "").list()) > 0
	}
	found["deposit"] = len(c.send("GET", "/wallet/deposits?status=pending", "").list()) > 0
	recent := c.send("GET", "/transactions?from=2026-03-14T14:59:26Z", "").text("pagination.total")
	if len(recent) < 2 {
		t.Errorf("only %s transactions in the last ten minutes", recent)
	}
}
