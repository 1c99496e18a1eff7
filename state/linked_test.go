package state_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
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

func TestWhatATransactionBelongsWith(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	other := bought("b", settles, 60, "Ads", time.Hour)
	other.CardID = second
	for _, tt := range []struct {
		name string
		rows []api.Transaction
		want map[api.TransactionID]string
	}{
		{
			"a purchase",
			[]api.Transaction{bought("a", held, 60, "Ads", 0), bought("b", settles, 60, "ADS", time.Hour)},
			map[api.TransactionID]string{"a": "b same 1", "b": "a same 1"},
		},
		{
			"one that was refunded",
			[]api.Transaction{bought("a", held, 60, "Ads", 0), bought("b", settles, 60, "Ads", time.Hour), bought("c", refund, 60, "Ads", day)},
			map[api.TransactionID]string{"a": "b same 1, c same 1", "b": "a same 1, c same 1", "c": "a same 1, b same 1"},
		},
		{
			"with a tip",
			[]api.Transaction{bought("a", held, 50, "Bar", 0), bought("b", settles, 60, "Bar", time.Hour)},
			map[api.TransactionID]string{"a": "b near 1", "b": "a near 1"},
		},
		{
			"too much for a tip",
			[]api.Transaction{bought("a", held, 40, "Bar", 0), bought("b", settles, 60, "Bar", time.Hour)},
			map[api.TransactionID]string{"a": "", "b": ""},
		},
		{
			"another merchant",
			[]api.Transaction{bought("a", held, 60, "Ads", 0), bought("b", settles, 60, "Bar", time.Hour)},
			map[api.TransactionID]string{"a": "", "b": ""},
		},
		{
			"another card",
			[]api.Transaction{bought("a", held, 60, "Ads", 0), other},
			map[api.TransactionID]string{"a": "", "b": ""},
		},
		{
			"before its hold",
			[]api.Transaction{bought("b", settles, 60, "Ads", 0), bought("a", held, 60, "Ads", time.Hour)},
			map[api.TransactionID]string{"a": "", "b": ""},
		},
		{
			"too late",
			[]api.Transaction{bought("a", held, 60, "Ads", 0), bought("b", settles, 60, "Ads", 11*day)},
			map[api.TransactionID]string{"a": "", "b": ""},
		},
		{
			"a decline",
			[]api.Transaction{bought("a", api.TransactionDecline, 60, "Ads", 0), bought("b", settles, 60, "Ads", time.Hour)},
			map[api.TransactionID]string{"a": "", "b": ""},
		},
		{
			"two alike",
			[]api.Transaction{bought("a", held, 60, "Ads", 0), bought("b", held, 60, "Ads", time.Minute), bought("c", settles, 60, "Ads", time.Hour), bought("d", settles, 60, "Ads", 2*time.Hour)},
			map[api.TransactionID]string{"a": "c same 2", "b": "d same 2", "c": "a same 2", "d": "b same 2"},
		},
		{
			"two alike, one after the other",
			[]api.Transaction{bought("a", held, 60, "Ads", 0), bought("b", settles, 60, "Ads", time.Minute), bought("c", held, 60, "Ads", time.Hour), bought("d", settles, 60, "Ads", 2*time.Hour)},
			map[api.TransactionID]string{"a": "b same 1", "d": "c same 1"},
		},
		{
			"the same amount before a nearer time",
			[]api.Transaction{bought("a", held, 60, "Ads", 0), bought("b", held, 62, "Ads", time.Minute), bought("c", settles, 60, "Ads", time.Hour), bought("d", settles, 63, "Ads", 2*time.Hour)},
			map[api.TransactionID]string{"c": "a same 1", "d": "b near 1"},
		},
		{
			"no merchant is told",
			[]api.Transaction{bought("a", held, 60, "", 0), bought("b", settles, 60, "", time.Hour)},
			map[api.TransactionID]string{"a": "", "b": ""},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := holding(t, tt.rows...)
			for id, want := range tt.want {
				if got := linked(s, id); got != want {
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

// TestStepsOfOneTimeTellNoMoreThanTheyDo settles several purchases at one time,
// as processors do.
func TestStepsOfOneTimeTellNoMoreThanTheyDo(t *testing.T) {
	t.Parallel()
	hold := bought("a", held, 60, "Ads", 0)
	for _, tt := range []struct {
		name  string
		of    api.Transaction
		rows  []api.Transaction
		steps []time.Duration
		want  string
	}{
		{
			"one of the same amount", hold,
			[]api.Transaction{bought("b", settles, 20, "Ads", time.Hour), bought("c", settles, 60, "Ads", time.Hour), bought("d", settles, 45, "Ads", time.Hour)},
			[]time.Duration{0, time.Hour},
			"c told 1",
		},
		{
			"two of the same amount", hold,
			[]api.Transaction{bought("b", settles, 20, "Ads", time.Hour), bought("c", settles, 60, "Ads", time.Hour), bought("d", settles, 60, "Ads", time.Hour)},
			[]time.Duration{0, time.Hour},
			"c same 2",
		},
		{
			"none of the same amount, one near", hold,
			[]api.Transaction{bought("b", settles, 20, "Ads", time.Hour), bought("c", settles, 45, "Ads", time.Hour), bought("d", settles, 63, "Ads", time.Hour)},
			[]time.Duration{0, time.Hour},
			"d near 3",
		},
		{
			"none near", hold,
			[]api.Transaction{bought("b", settles, 20, "Ads", time.Hour), bought("c", settles, 45, "Ads", time.Hour)},
			[]time.Duration{0, time.Hour},
			"",
		},
		{
			"another step is sure", hold,
			[]api.Transaction{bought("b", settles, 60, "Ads", time.Hour), bought("c", settles, 60, "Ads", time.Hour), bought("d", refund, 60, "Ads", 2*time.Hour)},
			[]time.Duration{0, time.Hour, 2 * time.Hour},
			"b same 2, d same 2",
		},
		{
			"the steps come in another order", hold,
			[]api.Transaction{bought("b", settles, 60, "Ads", time.Hour), bought("d", refund, 20, "Ads", 2*time.Hour)},
			[]time.Duration{2 * time.Hour, time.Hour, time.Hour, 0},
			"b told 1, d told 1",
		},
		{
			"a refund of another purchase at its own time", bought("c", settles, 60, "Ads", time.Hour),
			[]api.Transaction{hold, bought("d", refund, 20, "Ads", time.Hour)},
			[]time.Duration{0, time.Hour},
			"a told 1",
		},
		{
			"held and settled at one time", hold,
			[]api.Transaction{bought("b", settles, 60, "Ads", 0)},
			[]time.Duration{0, 0},
			"b told 1",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := holding(t, append(tt.rows, tt.of)...)
			f := look(t, s, tt.of.ID)
			full := api.TransactionDetail{Transaction: tt.of}
			for _, d := range tt.steps {
				full.Timeline = append(full.Timeline, api.TimelineStep{At: at(d)})
			}
			apply(s, txns.OneLoaded{FetchOne: f, Meta: meta(2 * time.Second), Detail: full})
			if got := linked(s, tt.of.ID); got != tt.want {
				t.Errorf("it belongs with %q, want %q", got, tt.want)
			}
		})
	}
}

// TestWhatIsLinkedFollowsWhatIsRead asks again after each thing that can change
// it, and in between is told without another look.
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

// TestNoTransactionIsLinkedTwice looks at every transaction of many made at
// random, as one person would see them.
func TestNoTransactionIsLinkedTwice(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var rows []api.Transaction
		for i := range 80 {
			kinds := []api.TransactionType{held, held, settles, settles, refund, api.TransactionDecline}
			r := bought(fmt.Sprintf("t%02d", i), kinds[rng.IntN(len(kinds))], float64(50+rng.IntN(12)), []string{"Ads", "Bar"}[rng.IntN(2)], time.Duration(i)*time.Hour)
			if rng.IntN(3) == 0 {
				r.CardID = second
			}
			rows = append(rows, r)
		}
		s := holding(t, rows...)
		partner := map[string]api.TransactionID{} // of an id, by the kind of what it belongs with
		for _, r := range rows {
			for _, l := range s.Txns.Linked(r) {
				if l.Row.CardID != r.CardID || l.Row.Merchant != r.Merchant || l.Row.Type == r.Type || l.Row.Type == api.TransactionDecline {
					t.Fatalf("seed %d: %+v belongs with %+v", seed, r, l)
				}
				key := fmt.Sprint(l.Row.ID, " ", r.Type)
				if had, twice := partner[key]; twice && had != r.ID {
					t.Fatalf("seed %d: %s belongs with %s and with %s", seed, l.Row.ID, had, r.ID)
				}
				partner[key] = r.ID
			}
		}
		if len(partner) < 20 {
			t.Fatalf("seed %d: only %d links", seed, len(partner))
		}
	}
}
