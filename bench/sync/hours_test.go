//go:build long

package sync_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

const (
	hourly  = 10_000 // requests that the API allows
	ceiling = hourly * 80 / 100
	// armed is what may be used besides while a checkout is armed all the time:
	// that is for the person to spend.
	armed = hourly * 95 / 100
	// usual is what all lanes may take while somebody watches 5,000 cards.
	usual      = hourly * 60 / 100
	usualCards = 5_000
)

// latest is how long codes may go unread.
const latest = 4 * time.Second

// hours are the requests of an account.
type hours struct {
	lanes map[string]int // an hour, once the past is read
	total int
	most  int           // in any hour, the first included, as the server counts
	blind time.Duration // the longest that codes were not asked for
}

// TestHoursStayWithinTheirShare counts the requests for accounts of every size, by lane.
func TestHoursStayWithinTheirShare(t *testing.T) {
	much := howMuch()
	lanes := []string{"codes", "transactions", "cards", "all cards", "wallet", "deposits", "other"}
	for _, a := range []struct {
		name  string
		grade poll.Attention
	}{{"focused", poll.Focused}, {"unfocused", poll.Unfocused}, {"one checkout armed after the other", poll.Awaiting}} {
		var table figures
		table.row("cards", "codes", "transactions", "cards", "all cards", "wallet", "deposits", "other", "all", "of 10,000", "most in an hour", "codes at the latest after")
		for _, cards := range much.cards {
			h := spend(t, cards, much.hours, a.grade)
			row := []any{grouped(cards)}
			for _, lane := range lanes {
				row = append(row, grouped(h.lanes[lane]))
			}
			table.row(append(row, grouped(h.total), fmt.Sprintf("%.1f %%", float64(h.total)*100/hourly), grouped(h.most), seconds(h.blind))...)
			if h.blind > latest {
				t.Errorf("%s, %d cards: codes were not asked for for %v", a.name, cards, h.blind)
			}
			most := ceiling
			if a.grade == poll.Awaiting {
				most = armed
			}
			if h.most > most {
				t.Errorf("%s, %d cards: %d requests in an hour, the ceiling is %d", a.name, cards, h.most, most)
			}
			if a.grade != poll.Awaiting && cards <= usualCards && h.total > usual {
				t.Errorf("%s, %d cards: %d requests an hour, the bar is %d", a.name, cards, h.total, usual)
			}
		}
		table.print(t.Output(), "Requests an hour, "+a.name)
	}
}

// spend runs a store on an account for some time.
func spend(t *testing.T, cards int, span time.Duration, grade poll.Attention) (h hours) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := openWorld(t.Context(), t, sandbox.Config{Cards: cards, Transactions: cards})
		defer w.stop()
		began := clock()
		p := &person{}
		f := follow(t.Context(), t, w, func(s *state.Store, _ kernel.Topic) []kernel.Intent {
			if grade == poll.Awaiting {
				return p.arm(s)
			}
			p.turn(s, grade)
			return nil
		})
		pass(span)
		f.stop()
		// The past is read once, at the start.
		steady := began.Add(span / 2)
		counts := f.between(steady, clock())
		share := float64(time.Hour) / float64(clock().Sub(steady))
		h = hours{lanes: make(map[string]int), most: w.report().MostHour, blind: f.longest("codes")}
		for lane, n := range counts {
			h.lanes[lane] = int(float64(n)*share + 0.5)
			h.total += h.lanes[lane]
		}
	})
	return h
}
