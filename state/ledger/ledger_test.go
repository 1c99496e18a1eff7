package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
)

func purchase(id int, card, merchant string, at time.Time, amount api.USD) api.Transaction {
	return api.Transaction{
		ID: api.TransactionID(fmt.Sprint("txn_", id)), CardID: api.CardID(card), Type: api.TransactionSettlement,
		Amount: -amount, CreatedAt: at, Merchant: api.Merchant{Name: api.Text(merchant)},
	}
}

func TestOneSpellingOfAMerchantIsShown(t *testing.T) {
	t.Parallel()
	names := []string{"Facebk", "FACEBK", "facebk"}
	for range 3 {
		names = append(names[1:], names[0])
		l := ledger.New()
		for i, n := range names {
			l.Add(start(), []api.Transaction{purchase(i, "c1", n, start(), api.Dollar)})
		}
		rows, _ := l.Table(ledger.ByMerchant, ledger.Last24h, nil)
		if len(rows) != 1 {
			t.Fatalf("%d merchants", len(rows))
		}
		if got, _ := l.Name(ledger.ByMerchant, rows[0].Place); got != "FACEBK" {
			t.Errorf("%q is shown", got)
		}
	}
}

// TestTooManyMerchants adds more than there is room for: the rest is one row, and
// nothing is lost of the sums.
func TestTooManyMerchants(t *testing.T) {
	t.Parallel()
	const many = 70_000
	l := ledger.New()
	page := make([]api.Transaction, many)
	for i := range page {
		page[i] = purchase(i, "c1", fmt.Sprint("FACEBK *", i), start(), api.Cent)
	}
	l.Add(start(), page)
	rows, sum := l.Table(ledger.ByMerchant, ledger.Last24h, nil)
	if sum.Settled != many*api.Cent {
		t.Errorf("the merchants come to %v", sum.Settled)
	}
	others := 0
	for _, r := range rows {
		if _, other := l.Name(ledger.ByMerchant, r.Place); other {
			others += int(r.Now.Settlements)
		}
	}
	if others != many-(len(rows)-1) || others == 0 {
		t.Errorf("%d of others, %d rows", others, len(rows))
	}
}

func TestTheShareThatSettles(t *testing.T) {
	t.Parallel()
	l := ledger.New()
	old := start().AddDate(0, 0, -6)
	var page []api.Transaction
	for i := range 6 {
		hold := purchase(2*i, "c1", "Ads", old.Add(time.Duration(i)*time.Minute), 10*api.Dollar)
		hold.Type, hold.Amount = api.TransactionAuthorization, 10*api.Dollar
		page = append(page, hold)
		if i%2 == 0 {
			page = append(page, purchase(2*i+1, "c1", "Ads", old.Add(time.Hour), 10*api.Dollar))
		}
	}
	l.Add(start(), page)
	if part, known := l.Share("Ads"); known || part != 1 {
		t.Errorf("%v before all was read", part)
	}
	l.Cover(time.Time{}, start())
	if part, known := l.Share("ADS"); !known || part != 0.5 {
		t.Errorf("share %v, %v, want 0.5", part, known)
	}
	if part, known := l.Share("Others"); known || part != 1 {
		t.Errorf("share of a merchant without holds: %v", part)
	}
	l.Add(start(), []api.Transaction{{ID: "txn_0", CardID: "c1", Type: "void", CreatedAt: old}, {ID: "txn_2", CardID: "c1", Type: "void", CreatedAt: old}})
	if part, known := l.Share("Ads"); known {
		t.Errorf("share %v of four holds", part)
	}
}

func TestCausesAreCountedAndKept(t *testing.T) {
	t.Parallel()
	l := ledger.New()
	d := purchase(1, "c1", "Ads", start(), api.Dollar)
	d.Type = api.TransactionDecline
	old := d
	old.ID, old.CreatedAt = "txn_2", start().AddDate(0, 0, -2)
	l.Add(start(), []api.Transaction{d, old})
	if l.Explain("txn_3", 2) || l.Explain("txn_1", decline.Causes) || !l.Explain("txn_1", 5) || !l.Explain("txn_2", 2) {
		t.Error("Explain does not tell what it knows")
	}
	d.Amount = 2 * api.Dollar // A later reading keeps the cause.
	l.Add(start(), []api.Transaction{d})
	day, _ := l.Declines(ledger.Account(), ledger.Last24h)
	week, _ := l.Declines(ledger.OfCard("c1"), ledger.Last7d)
	if day != [decline.Causes]int{5: 1} || week != [decline.Causes]int{2: 1, 5: 1} {
		t.Errorf("by cause %v, %v", day, week)
	}
	l.Cover(start().AddDate(0, 0, -5), start())
	kept, ok := l.Close(old.CreatedAt)
	next := ledger.New()
	next.Restore(start(), kept)
	if week, _ := next.Declines(ledger.Account(), ledger.Last7d); !ok || week != [decline.Causes]int{2: 1} {
		t.Errorf("restored: %v", week)
	}
}

// TestDamagedDaysAreNotRestored holds that a kept day that refers to nothing is as
// if it were not there.
func TestDamagedDaysAreNotRestored(t *testing.T) {
	t.Parallel()
	day := start().AddDate(0, 0, -1).Truncate(24 * time.Hour)
	good := func() ledger.Closed {
		return ledger.Closed{
			Day: day, Cards: []api.CardID{"c1"}, Merchants: []api.Text{"Ads"},
			Rows: []ledger.ClosedRow{{ID: 1, Amount: -api.Dollar, Type: api.TransactionSettlement}},
		}
	}
	for name, damage := range map[string]func(*ledger.Closed){
		"card":     func(c *ledger.Closed) { c.Rows[0].Card = 1 },
		"merchant": func(c *ledger.Closed) { c.Rows[0].Merchant = 1 },
		"country":  func(c *ledger.Closed) { c.Rows[0].Country = 1 },
		"no place": func(c *ledger.Closed) { c.Rows[0].Country = -1 },
		"below":    func(c *ledger.Closed) { c.Rows[0].Merchant = -2 },
		"time":     func(c *ledger.Closed) { c.Rows[0].At = 86_400_000_000 },
		"type":     func(c *ledger.Closed) { c.Rows[0].Type = "transfer" },
		"cause":    func(c *ledger.Closed) { c.Rows[0].Cause = decline.Causes },
		"day":      func(c *ledger.Closed) { c.Day = c.Day.Add(time.Hour) },
		"old":      func(c *ledger.Closed) { c.Day = c.Day.AddDate(0, 0, 1-ledger.Days) },
	} {
		l := ledger.New()
		l.Restore(start(), good())
		if l.Len() != 1 {
			t.Fatal("a good day is not restored")
		}
		l = ledger.New()
		d := good()
		damage(&d)
		if l.Restore(start(), d); l.Len() != 0 || len(l.Known()) != 0 {
			t.Errorf("%s: %d rows are restored, %v known", name, l.Len(), l.Known())
		}
	}
}

// TestWhatIsNotKnownComesLast either way, rows with the same key in the order of their
// places, and those that do not match are counted alone.
func TestWhatIsNotKnownComesLast(t *testing.T) {
	t.Parallel()
	l := ledger.New()
	for i := range 6 {
		l.Describe(api.CardID(fmt.Sprint("c", i)), "", "")
	}
	for i, dollars := range slices.Backward([]int{5, 9, 5, 1, 7, 3}) {
		l.Add(start(), []api.Transaction{purchase(i, fmt.Sprint("c", i), "Ads", start(), api.USD(dollars)*api.Dollar)})
	}
	for _, most := range []int{2, 3, 9} {
		for desc, want := range map[bool][]uint32{false: {3, 0, 2, 1, 4}, true: {1, 0, 2, 3, 4}} {
			rows, matching, of := l.Top(ledger.ByCard, ledger.Last24h, ledger.Order{
				Key:   func(r *ledger.Row) (float64, bool) { return float64(r.Now.Spent()), r.Place != 4 },
				Match: func(r *ledger.Row) bool { return r.Place != 5 },
				Desc:  desc, Most: most,
			})
			var got []uint32
			for _, r := range rows {
				got = append(got, r.Place)
			}
			if !slices.Equal(got, want[:min(most, len(want))]) || matching != 5 || of != 6 {
				t.Errorf("desc %v, %d: %v of %d of %d, want %v", desc, most, got, matching, of, want)
			}
		}
	}
}

// TestAClockThatWasAheadChangesNothing: a program starts by this machine's clock, and learns the server's.
func TestAClockThatWasAheadChangesNothing(t *testing.T) {
	t.Parallel()
	var page []api.Transaction
	for i := range 200 { // Of ten days.
		p := purchase(i, "c1", "Ads", start().Add(-time.Duration(i)*72*time.Minute), 10*api.Dollar)
		if i%3 == 0 {
			p.Type, p.Amount = api.TransactionAuthorization, 10*api.Dollar
		}
		page = append(page, p)
	}
	for _, by := range []time.Duration{2 * time.Hour, 26 * time.Hour, 9 * 24 * time.Hour} {
		ahead, right := ledger.New(), ledger.New()
		ahead.Advance(start().Add(by))
		for _, l := range []*ledger.Ledger{ahead, right} {
			at := start()
			if l == ahead {
				at = at.Add(by) // What was kept of earlier days is there by then.
			}
			l.Add(at, page[100:])
			l.Add(start(), page[:100])
		}
		for _, r := range []ledger.Range{ledger.Last24h, ledger.Today, ledger.Last7d, ledger.Last30d} {
			if got, want := ahead.Total(ledger.Account(), r), right.Total(ledger.Account(), r); got != want {
				t.Errorf("%s ahead, %v: %+v, want %+v", by, r, got, want)
			}
		}
	}
}

// TestADayIsKeptAgainWhenItChanges holds that settlements of another day leave a
// closed day as it was, and that a changed row does not.
func TestADayIsKeptAgainWhenItChanges(t *testing.T) {
	t.Parallel()
	l := ledger.New()
	yesterday := start().AddDate(0, 0, -1)
	hold := purchase(1, "c1", "Ads", yesterday, 10*api.Dollar)
	hold.Type, hold.Amount = api.TransactionAuthorization, 10*api.Dollar
	l.Add(start(), []api.Transaction{hold})
	if _, ok := l.Close(yesterday); ok || len(l.ClosedDays()) != 0 {
		t.Error("a day is closed that was not read completely")
	}
	l.Cover(yesterday.Truncate(24*time.Hour), start())
	if _, ok := l.Close(start()); ok {
		t.Error("today is closed")
	}
	before := l.ClosedDays()
	l.Add(start(), []api.Transaction{purchase(2, "c1", "Ads", start(), 10*api.Dollar)})
	l.Advance(start().Add(time.Hour))
	if got := l.ClosedDays(); !slices.Equal(got, before) || len(got) != 1 {
		t.Errorf("closed days %v, before %v", got, before)
	}
	hold.Amount = 11 * api.Dollar
	l.Add(start(), []api.Transaction{hold})
	if got := l.ClosedDays(); slices.Equal(got, before) {
		t.Error("a changed row does not change the version of its day")
	}
}

func TestTop(t *testing.T) {
	t.Parallel()
	spent := func(r *ledger.Row) (float64, bool) { return float64(r.Now.Spent()), true }
	for n := range 40 {
		l := ledger.New()
		var page []api.Transaction
		for i, v := range rand.New(rand.NewPCG(uint64(n), 1)).Perm(30) {
			page = append(page, purchase(i, fmt.Sprint("c", v), "Ads", start(), api.USD(v+1)*api.Dollar))
		}
		l.Add(start(), page)
		got, matching, of := l.Top(ledger.ByCard, ledger.Last7d, ledger.Order{Key: spent, Desc: true, Most: n})
		if len(got) != min(n, 30) || matching != 30 || of != 30 {
			t.Fatalf("%d of %d of %d", len(got), matching, of)
		}
		for i, r := range got {
			if r.Now.Spent() != api.USD(30-i)*api.Dollar {
				t.Fatalf("the first %d of 30 are %v", n, got)
			}
		}
	}
}
