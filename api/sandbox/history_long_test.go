//go:build long

package sandbox

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// TestTrafficGoesOnAsTheHistoryDid lets half a day pass.
func TestTrafficGoesOnAsTheHistoryDid(t *testing.T) {
	t.Parallel()
	path, pace := filepath.Join(t.TempDir(), "world.db"), unit.Cents(0)
	live(t, Config{NoLimits: true, Path: path, History: DefaultHistory}, 0, func(c *client) {
		before, first, cards := c.send("GET", "/wallet/balance", ""), len(c.rows()), c.cards()
		rest := c.server.clock.Now() - campaignRest
		<-time.After(12 * time.Hour)
		after := c.send("GET", "/wallet/balance", "")
		pace = c.server.pace
		spent, declines, rows := unit.Cents(0), 0, c.rows()[first:]
		for _, x := range rows {
			if x.kind == sim.TxnDecline {
				declines++
			}
			if x.kind == sim.TxnAuthorization {
				if used := cards[x.card].LastUsed; used > unit.Never && used < rest {
					t.Errorf("%s goes on after days", cards[x.card].Label)
				}
				spent += x.amount
			}
		}
		if pace == 0 || spent < 6*pace || spent > 18*pace {
			t.Errorf("%s is authorized, in the history it was %s", spent.Fixed(), (12 * pace).Fixed())
		}
		if declines < 40 || declines*5 > len(rows) {
			t.Errorf("%d of %d are declined", declines, len(rows))
		}
		if in := after.money("total_deposited") - before.money("total_deposited"); in < 4*pace || in > 24*pace {
			t.Errorf("%s is deposited, where %s is spent", in.Fixed(), (12 * pace).Fixed())
		}
		if n := len(c.send("GET", "/3ds?status=completed", "").list()); n < 40 {
			t.Errorf("%d challenges are completed lately", n)
		}
	})
	if again := open(t, Config{Path: path}); again.server.pace != pace {
		t.Errorf("opened again it goes at %s an hour, not %s", again.server.pace.Fixed(), pace.Fixed())
	}
}
