package state_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/txns"
)

const (
	held    = api.TransactionAuthorization
	settles = api.TransactionSettlement
	refund  = api.TransactionRefund
)

// bought is a transaction of a card at a merchant, so long after at(0).
func bought(id string, kind api.TransactionType, dollars float64, merchant string, d time.Duration) api.Transaction {
	amount := api.USD(dollars*100) * api.Cent
	if kind == settles {
		amount = -amount
	}
	return api.Transaction{ID: api.TransactionID(id), CardID: first, Type: kind, Amount: amount, Merchant: api.Merchant{Name: api.Text(merchant)}, CreatedAt: at(d)}
}

// holding is a store whose feed holds rows.
func holding(t *testing.T, rows ...api.Transaction) *state.Store {
	t.Helper()
	s := newStore()
	for _, e := range append(tick(s, 0), tick(s, time.Second)...) {
		ev := answer(e, meta(time.Second))
		if f, ok := e.(txns.Fetch); ok {
			ev = txns.Loaded{Fetch: f, Meta: meta(time.Second), Items: slices.Clone(rows)}
		}
		apply(s, ev)
	}
	if n := len(s.Txns.All()); n != len(rows) {
		t.Fatalf("%d of %d rows are held", n, len(rows))
	}
	return s
}

// linked writes what the store links a transaction with, such as "b same 1".
func linked(s *state.Store, id api.TransactionID) string {
	row, _ := s.Txns.Get(id)
	var out []string
	for _, l := range s.Txns.Linked(row) {
		how := "near"
		if l.Same {
			how = "same"
		}
		if l.Told {
			how = "told"
		}
		out = append(out, fmt.Sprintf("%s %s %d", l.Row.ID, how, l.Of))
	}
	return strings.Join(out, ", ")
}

// purchases reads "a held 60 Ads 0h, b settled 60.5 Ads 1h other": id, kind, dollars, merchant ("-" is none) and the time after
// at(0), of the first card or of another.
func purchases(t *testing.T, text string) (rows []api.Transaction) {
	t.Helper()
	kinds := map[string]api.TransactionType{"held": held, "settled": settles, "refunded": refund, "declined": api.TransactionDecline}
	for one := range strings.SplitSeq(text, ", ") {
		w := append(strings.Fields(one), "")
		dollars, err := strconv.ParseFloat(w[2], 64)
		after, err2 := time.ParseDuration(w[4])
		if err != nil || err2 != nil || kinds[w[1]] == "" {
			t.Fatal(one)
		}
		row := bought(w[0], kinds[w[1]], dollars, strings.Trim(w[3], "-"), after)
		if w[5] == "other" {
			row.CardID = second
		}
		rows = append(rows, row)
	}
	return rows
}

func TestWhatATransactionBelongsWith(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, rows, want string }{
		{"a purchase", "a held 60 Ads 0h, b settled 60 ADS 1h", "a: b same 1; b: a same 1"},
		{"one that was refunded", "a held 60 Ads 0h, b settled 60 Ads 1h, c refunded 60 Ads 24h", "a: b same 1, c same 1; b: a same 1, c same 1; c: a same 1, b same 1"},
		{"with a tip", "a held 50 Bar 0h, b settled 60 Bar 1h", "a: b near 1; b: a near 1"},
		{"too much for a tip", "a held 40 Bar 0h, b settled 60 Bar 1h", "a: ; b: "},
		{"another merchant", "a held 60 Ads 0h, b settled 60 Bar 1h", "a: ; b: "},
		{"another card", "a held 60 Ads 0h, b settled 60 Ads 1h other", "a: ; b: "},
		{"before its hold", "b settled 60 Ads 0h, a held 60 Ads 1h", "a: ; b: "},
		{"too late", "a held 60 Ads 0h, b settled 60 Ads 264h", "a: ; b: "},
		{"a decline", "a declined 60 Ads 0h, b settled 60 Ads 1h", "a: ; b: "},
		{"two alike", "a held 60 Ads 0h, b held 60 Ads 1m, c settled 60 Ads 1h, d settled 60 Ads 2h", "a: c same 2; b: d same 2; c: a same 2; d: b same 2"},
		{"two alike, one after the other", "a held 60 Ads 0h, b settled 60 Ads 1m, c held 60 Ads 1h, d settled 60 Ads 2h", "a: b same 1; d: c same 1"},
		{"the same amount before a nearer time", "a held 60 Ads 0h, b held 62 Ads 1m, c settled 60 Ads 1h, d settled 63 Ads 2h", "c: a same 1; d: b near 1"},
		{"no merchant is told", "a held 60 - 0h, b settled 60 - 1h", "a: ; b: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := holding(t, purchases(t, tt.rows)...)
			for one := range strings.SplitSeq(tt.want, "; ") {
				id, want, _ := strings.Cut(one, ": ")
				if got := linked(s, api.TransactionID(id)); got != want {
					t.Errorf("%s belongs with %q, want %q", id, got, want)
				}
			}
		})
	}
}

func TestTheStepsOfATransactionTellWhatItBelongsWith(t *testing.T) {
	t.Parallel()
	rows := []api.Transaction{bought("a", held, 60, "Ads", 0), bought("b", held, 60, "Ads", time.Minute), bought("c", settles, 45, "Ads", time.Hour), bought("d", settles, 60, "Ads", 2*time.Hour)}
	s := holding(t, rows...)
	if _, _, err := s.Dispatch(txns.FollowLink{}); err == nil {
		t.Error("a link is followed from nothing")
	}
	f := look(t, s, "b", "d", "c", "b", "a")
	apply(s, txns.OneLoaded{FetchOne: f, Meta: meta(2 * time.Second), Detail: api.TransactionDetail{
		Transaction: rows[1], Timeline: []api.TimelineStep{{Status: "authorized", At: at(time.Minute)}, {Status: "settled", At: at(time.Hour)}},
	}})
	if got := linked(s, "b"); got != "c told 1" {
		t.Errorf("b belongs with %q", got)
	}
	do(t, s, txns.FollowLink{})
	if d := s.Txns.Detailed(); d.ID != "c" || d.At != 2 || d.Of != 4 {
		t.Errorf("followed to %+v", d)
	}
}

// TestStepsOfOneTimeTellNoMoreThanTheyDo settles several purchases at one time, as processors do. The first row is the one
// that is read in full, with steps at these hours.
func TestStepsOfOneTimeTellNoMoreThanTheyDo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, rows string
		steps      []int
		want       string
	}{
		{"one of the same amount", "a held 60 Ads 0h, b settled 20 Ads 1h, c settled 60 Ads 1h, d settled 45 Ads 1h", []int{0, 1}, "c told 1"},
		{"two of the same amount", "a held 60 Ads 0h, b settled 20 Ads 1h, c settled 60 Ads 1h, d settled 60 Ads 1h", []int{0, 1}, "c same 2"},
		{"none of the same amount, one near", "a held 60 Ads 0h, b settled 20 Ads 1h, c settled 45 Ads 1h, d settled 63 Ads 1h", []int{0, 1}, "d near 3"},
		{"none near", "a held 60 Ads 0h, b settled 20 Ads 1h, c settled 45 Ads 1h", []int{0, 1}, ""},
		{"another step is sure", "a held 60 Ads 0h, b settled 60 Ads 1h, c settled 60 Ads 1h, d refunded 60 Ads 2h", []int{0, 1, 2}, "b same 2, d same 2"},
		{"the steps come in another order", "a held 60 Ads 0h, b settled 60 Ads 1h, d refunded 20 Ads 2h", []int{2, 1, 1, 0}, "b told 1, d told 1"},
		{"a refund of another purchase at its own time", "c settled 60 Ads 1h, a held 60 Ads 0h, d refunded 20 Ads 1h", []int{0, 1}, "a told 1"},
		{"held and settled at one time", "a held 60 Ads 0h, b settled 60 Ads 0h", []int{0, 0}, "b told 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rows := purchases(t, tt.rows)
			s := holding(t, rows...)
			full := api.TransactionDetail{Transaction: rows[0]}
			for _, hour := range tt.steps {
				full.Timeline = append(full.Timeline, api.TimelineStep{At: at(time.Duration(hour) * time.Hour)})
			}
			apply(s, txns.OneLoaded{FetchOne: look(t, s, rows[0].ID), Meta: meta(2 * time.Second), Detail: full})
			if got := linked(s, rows[0].ID); got != tt.want {
				t.Errorf("it belongs with %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWhatIsLinkedFollowsWhatIsRead(t *testing.T) {
	l := newArchive()
	hold := bought("a", held, 60, "Ads", -30*time.Minute)
	l.rows = []api.Transaction{hold}
	s := l.begin(t)
	step := func(what, want string) {
		t.Helper()
		if got := linked(s, "a"); got != want {
			t.Errorf("%s: it belongs with %q, want %q", what, got, want)
		}
		if n := testing.AllocsPerRun(1, func() { s.Txns.Linked(hold) }); n != 0 {
			t.Errorf("%s: %v allocations to ask again", what, n)
		}
	}
	read := func(id string, dollars float64, d time.Duration) {
		l.rows = append(l.rows, bought(id, settles, dollars, "Ads", -20*time.Minute))
		l.serve(t, s, meta(d), tick(s, d))
	}
	step("a hold", "")
	read("b", 55, 5*time.Second)
	step("a settlement that is near", "b near 1")
	read("c", 60, 9*time.Second)
	step("one of the same amount", "c same 1")
	f := look(t, s, "a")
	apply(s, txns.OneLoaded{FetchOne: f, Meta: meta(10 * time.Second), Detail: api.TransactionDetail{
		Transaction: hold, Timeline: []api.TimelineStep{{At: hold.CreatedAt}, {At: at(-20 * time.Minute)}},
	}})
	step("its steps", "c told 1")

	// What only the card's own page holds comes and goes with the card.
	s = holding(t, hold)
	in := do(t, s, state.InspectCard{Card: first})
	step("another store", "")
	page := one[state.FetchCardTransactions](t, in)
	apply(s, state.CardTransactionsLoaded{FetchCardTransactions: page, Meta: meta(2 * time.Second), More: true, Items: []api.Transaction{
		hold, bought("d", settles, 60, "Ads", -2*time.Minute), bought("e", settles, 60, "Ads", -time.Minute),
	}})
	step("the card's page", "d same 1")
	tick(s, 5*time.Second)
	past := one[txns.FetchOlder](t, do(t, s, txns.LoadOlder{Card: first}))
	apply(s, txns.OlderLoaded{FetchOlder: past, Meta: meta(6 * time.Second), Items: []api.Transaction{bought("f", held, 60, "Ads", -40*time.Minute)}})
	step("the card's past", "e same 2")
	do(t, s, state.InspectCard{Card: second})
	step("another card", "")
}

// TestManyOpenHoldsOfAMerchantAreBounded settles none of the amounts that many
// holds have.
func TestManyOpenHoldsOfAMerchantAreBounded(t *testing.T) {
	t.Parallel()
	var rows []api.Transaction
	for i := range 500 {
		rows = append(rows, bought(fmt.Sprintf("h%03d", i), held, 60+float64(i)/100, "Ads", time.Duration(i)*time.Second))
	}
	rows = append(rows, bought("s", settles, 59, "Ads", time.Hour), bought("t", settles, 59, "Ads", time.Hour+1))
	s := holding(t, rows...)
	if got := linked(s, "s"); got != "h300 near 200" {
		t.Errorf("s belongs with %q", got)
	}
	if got := linked(s, "t"); got != "h301 near 199" {
		t.Errorf("t belongs with %q", got)
	}
}
