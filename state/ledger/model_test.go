package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/txlink"
	"github.com/cardtop/cardtop/state/txnlist"
)

// model computes figures anew from all rows, in the plainest way.
type model struct {
	now  time.Time
	rows []api.Transaction // of the days that are kept, oldest first
	// back are those that take back a hold, left is what is left of each hold.
	back map[api.TransactionID]bool
	left map[api.TransactionID]txlink.Hold
}

func newModel(now time.Time, all map[api.TransactionID]api.Transaction) *model {
	m := &model{now: now, back: make(map[api.TransactionID]bool), left: make(map[api.TransactionID]txlink.Hold)}
	byCard := make(map[api.CardID][]int)
	today := now.Truncate(24 * time.Hour)
	for _, t := range all {
		if !t.CreatedAt.Before(today.AddDate(0, 0, -30)) {
			m.rows = append(m.rows, t)
		}
	}
	slices.SortFunc(m.rows, txnlist.Compare)
	for i, t := range m.rows {
		m.back[t.ID] = t.Type == "reversal"
		if !t.CreatedAt.Before(today.AddDate(0, 0, -6)) {
			byCard[t.CardID] = append(byCard[t.CardID], i)
		}
	}
	var delays txlink.Delays
	for _, rows := range byCard {
		delays.Join(m.known(rows, today), 1)
	}
	for _, rows := range byCard {
		m.pair(rows, &delays)
	}
	return m
}

// pair pairs the rows of a card.
func (m *model) pair(rows []int, all *txlink.Delays) {
	var holds txlink.Holds
	today := m.now.Truncate(24 * time.Hour)
	usual := all.Usual(true)
	if own := m.known(rows, today); own.Enough() {
		usual = own.Usual(false)
	}
	in := txlink.Context{From: today.AddDate(0, 0, -6).UnixMicro(), Usual: usual}
	names := []string{}
	for _, i := range rows {
		t := &m.rows[i]
		name := strings.ToLower(string(t.Merchant.Name))
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		at, shop, amount := t.CreatedAt.UnixMicro(), uint16(slices.Index(names, name)), max(t.Amount, -t.Amount)
		hold := t.Type == api.TransactionAuthorization
		if hold && t.Amount < 0 || t.Type == "reversal" {
			_, ok := holds.Reverse(at, shop, amount, hold)
			m.back[t.ID] = ok || !hold
			hold = hold && !ok
		}
		if t.Type == api.TransactionSettlement && t.Amount < 0 {
			m.settle(&holds, txlink.Settlement{At: at, Amount: amount, Row: uint32(i), Merchant: shop}, in)
		}
		if hold {
			holds.Waiting = append(holds.Waiting, txlink.Hold{At: at, Left: amount, Row: uint32(i), Merchant: shop, Negative: t.Amount < 0})
		}
	}
	for _, h := range holds.Waiting {
		if !time.UnixMicro(h.At).Before(m.now.Truncate(time.Hour).Add(-ledger.HoldLife * time.Hour)) {
			m.left[m.rows[h.Row].ID] = h
		}
	}
}

// settle hands in a settlement, and those again that it displaces.
func (m *model) settle(holds *txlink.Holds, s txlink.Settlement, in txlink.Context) {
	for t, _ := holds.Settle(s, in); t.Displaced; t, _ = holds.Settle(s, in) {
		s.Row, s.At, s.Amount = t.Instead, m.rows[t.Instead].CreatedAt.UnixMicro(), -m.rows[t.Instead].Amount
	}
}

// known returns how long those settlements took that share their merchant and amount with one hold alone, before today.
func (m *model) known(rows []int, today time.Time) (delays txlink.Delays) {
	type key struct {
		name   string
		amount api.USD
	}
	same, keys := make(map[key][]*api.Transaction), []key{}
	for _, i := range rows {
		t := &m.rows[i]
		k := key{strings.ToLower(string(t.Merchant.Name)), max(t.Amount, -t.Amount)}
		if t.CreatedAt.Before(today) && (t.Type == api.TransactionAuthorization || t.Type == api.TransactionSettlement || t.Type == "reversal") {
			if same[k] == nil {
				keys = append(keys, k)
			}
			same[k] = append(same[k], t)
		}
	}
	for _, k := range keys {
		if of := same[k]; len(of) == 2 && of[0].Type != api.TransactionSettlement && of[1].Type == api.TransactionSettlement {
			delays.Add(of[1].CreatedAt.Sub(of[0].CreatedAt))
		}
	}
	return delays
}

// open is what is held of some rows. So few are not enough to tell how many that settle in parts
// settle further.
func (m *model) open(in func(*api.Transaction) bool) (usd api.USD) {
	for i := range m.rows {
		if in(&m.rows[i]) {
			usd += m.left[m.rows[i].ID].Left
		}
	}
	return usd
}

func (m *model) sum(in func(*api.Transaction) bool) ledger.Totals {
	var out ledger.Totals
	for i := range m.rows {
		t := &m.rows[i]
		if !in(t) {
			continue
		}
		switch t.Type {
		case api.TransactionAuthorization:
			if !m.back[t.ID] {
				out.Authorized++
				out.Held += max(t.Amount, -t.Amount)
			}
		case api.TransactionSettlement:
			out.Settlements++
			out.Settled -= t.Amount
		case api.TransactionRefund:
			out.Refunds++
			out.Refunded += t.Amount
		case api.TransactionDecline:
			out.Declined++
		}
	}
	return out
}

// spans returns from when on a range is, and from when to when the span is that it is compared with: no time where
// nothing is.
func (m *model) spans(r ledger.Range) (from, before, until time.Time) {
	if r == ledger.Today {
		from = m.now.Truncate(24 * time.Hour)
		return from, from.Add(-24 * time.Hour), m.now.Add(-24 * time.Hour)
	}
	days := map[ledger.Range]int{ledger.Last24h: 1, ledger.Last7d: 7, ledger.Last14d: 14, ledger.Last30d: 30}[r]
	from = m.now.Add(-time.Duration(days) * 24 * time.Hour).Truncate(time.Hour)
	if r != ledger.Last24h && r != ledger.Last7d {
		return from, m.now, m.now
	}
	return from, from.Add(-m.now.Sub(from)), from
}

func start() time.Time { return time.Date(2026, 3, 14, 12, 30, 0, 0, time.UTC) }

func drawTransaction(t *rapid.T, n int) api.Transaction {
	amount := api.USD(rapid.SampledFrom([]int{1000, 1100, 1999, 5000, 7}).Draw(t, "cents")) * api.Cent
	kind := rapid.SampledFrom([]api.TransactionType{
		api.TransactionAuthorization, api.TransactionAuthorization, api.TransactionSettlement, api.TransactionSettlement,
		api.TransactionRefund, api.TransactionDecline, "reversal",
	}).Draw(t, "type")
	if kind == api.TransactionSettlement || kind == api.TransactionAuthorization && rapid.IntRange(0, 5).Draw(t, "negative") == 0 {
		amount = -amount
	}
	// Most are of a few days, so that holds and settlements meet. No two have one time.
	minutes := rapid.OneOf(rapid.IntRange(-60*24*3, 30), rapid.IntRange(-60*24*33, 30)).Draw(t, "minutes")
	return api.Transaction{
		ID: api.TransactionID(fmt.Sprintf("txn_%d", n)), CardID: api.CardID(rapid.SampledFrom([]string{"c1", "c2", "c3"}).Draw(t, "card")),
		Type: kind, Amount: amount, CreatedAt: start().Add(time.Duration(minutes)*time.Minute + time.Duration(n)*time.Millisecond),
		Merchant: api.Merchant{Name: api.Text(rapid.SampledFrom([]string{"FACEBK", "Facebk", "Google", ""}).Draw(t, "merchant"))},
	}
}

// pagesOf puts rows into pages in any order, some of them twice.
func pagesOf(t *rapid.T, rows []api.Transaction, name string) [][]api.Transaction {
	rows = rapid.Permutation(append(slices.Clone(rows), rapid.SliceOfN(rapid.SampledFrom(rows), 0, 20).Draw(t, name+" again")...)).Draw(t, name)
	var pages [][]api.Transaction
	for len(rows) > 0 {
		n := rapid.IntRange(1, len(rows)).Draw(t, "page")
		pages = append(pages, rows[:n])
		rows = rows[n:]
	}
	return pages
}

// TestAnyOrderGivesTheSameLedger reads the same transactions in different orders,
// doubled, the clock moving on in between, with later readings, some of them by way of kept
// days, and compares each figure with the plain sum.
func TestAnyOrderGivesTheSameLedger(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var rows []api.Transaction
		for n := range rapid.IntRange(1, 60).Draw(t, "count") {
			rows = append(rows, drawTransaction(t, n))
		}
		l := ledger.New()
		l.Describe("c1", "b1", "one")
		l.Describe("c2", "b2", "two")
		now := start()
		for _, page := range pagesOf(t, rows, "order") {
			l.Add(now, page)
			l.Describe("c3", rapid.SampledFrom([]api.BINID{"", "b1", "b2", "b3"}).Draw(t, "bin"), rapid.SampledFrom([]string{"", "one", "two", "three"}).Draw(t, "campaign"))
			now = now.Add(time.Duration(rapid.SampledFrom([]int{0, 0, 20, 60, 60 * 11, 60 * 24 * 4}).Draw(t, "pass")) * time.Minute)
		}
		all := make(map[api.TransactionID]api.Transaction)
		for _, r := range rows {
			all[r.ID] = r
		}
		for range rapid.IntRange(0, 10).Draw(t, "changed") {
			n := rapid.IntRange(0, len(rows)-1).Draw(t, "which")
			later := drawTransaction(t, n)
			all[later.ID] = later
			l.Add(now, []api.Transaction{later})
		}
		if rapid.Bool().Draw(t, "restored") {
			l = restored(t, l, now, all)
		}
		l.Describe("c3", "b2", "two")
		l.Advance(now)
		compareAll(t, l, newModel(now, all))
	})
}

// restored is another ledger, made of the closed days and of the rows of the rest,
// some of which were read before the days were restored.
func restored(t *rapid.T, l *ledger.Ledger, now time.Time, all map[api.TransactionID]api.Transaction) *ledger.Ledger {
	l.Cover(time.Time{}, now)
	next := ledger.New()
	next.Describe("c1", "b1", "one")
	next.Describe("c2", "b2", "two")
	next.Describe("c3", "b2", "two")
	kept := make(map[time.Time]bool)
	var days []ledger.Closed
	for _, v := range l.ClosedDays() {
		d, ok := l.Close(v.Day)
		if !ok {
			t.Fatalf("%v is not closed", v.Day)
		}
		kept[v.Day] = true
		days = append(days, d)
	}
	if want := 30; len(days) != want {
		t.Fatalf("%d closed days, want %d", len(days), want)
	}
	for _, r := range all {
		if !kept[r.CreatedAt.Truncate(24*time.Hour)] || rapid.Bool().Draw(t, "read again") {
			next.Add(now, []api.Transaction{r})
		}
	}
	next.Restore(now, days...)
	if !next.Coverage(ledger.Last14d).Complete {
		t.Fatal("the days are not known to be read")
	}
	return next
}

func compareAll(t *rapid.T, l *ledger.Ledger, m *model) {
	merchant := func(name string) func(*api.Transaction) bool {
		return func(r *api.Transaction) bool { return strings.EqualFold(string(r.Merchant.Name), name) }
	}
	card := func(ids ...api.CardID) func(*api.Transaction) bool {
		return func(r *api.Transaction) bool { return slices.Contains(ids, r.CardID) }
	}
	for s, in := range map[ledger.Scope]func(*api.Transaction) bool{
		ledger.Account():                               func(*api.Transaction) bool { return true },
		ledger.OfCard("c1"):                            card("c1"),
		{By: ledger.ByBIN, Name: "b2"}:                 card("c2", "c3"),
		{By: ledger.ByCampaign, Name: "one"}:           card("c1"),
		{By: ledger.ByMerchant, Name: "facebk"}:        merchant("FACEBK"),
		{By: ledger.ByMerchant, Name: ""}:              merchant(""),
		{By: ledger.ByMerchant, Name: "no such one"}:   func(*api.Transaction) bool { return false },
		{By: ledger.ByCampaign, Name: "no such one"}:   func(*api.Transaction) bool { return false },
		{By: ledger.ByCard, Name: "never heard of it"}: func(*api.Transaction) bool { return false },
	} {
		if got := l.Open(s); got.USD != m.open(in) {
			t.Fatalf("%v holds %v, want %v", s, got, m.open(in))
		}
		compareRanges(t, l, m, s, in)
		compareSeries(t, l.Days(s, 30), 24*time.Hour, m, s, in)
		compareSeries(t, l.Hours(s, 48), time.Hour, m, s, in)
		for _, r := range []ledger.Range{ledger.Today, ledger.Last24h, ledger.Last7d, ledger.Last14d, ledger.Last30d} {
			var bars ledger.Totals
			for _, b := range l.Bars(s, r) {
				bars = sumOf(bars, b.Totals)
			}
			if got := l.Total(s, r); bars != got.Totals {
				t.Fatalf("%v over %v: the bars come to %+v, the total is %+v", s, r, bars, got.Totals)
			}
		}
	}
	compareTables(t, l)
}

func compareRanges(t *rapid.T, l *ledger.Ledger, m *model, s ledger.Scope, in func(*api.Transaction) bool) {
	for _, r := range []ledger.Range{ledger.Today, ledger.Last24h, ledger.Last7d, ledger.Last14d, ledger.Last30d} {
		from, before, until := m.spans(r)
		got := l.Total(s, r)
		if want := m.sum(func(r *api.Transaction) bool { return in(r) && !r.CreatedAt.Before(from) }); got.Totals != want {
			t.Fatalf("%v over %v: %+v, want %+v", s, r, got.Totals, want)
		}
		want := m.sum(func(r *api.Transaction) bool {
			return in(r) && !r.CreatedAt.Before(before) && r.CreatedAt.Before(until)
		})
		if past := (ledger.Past{Spent: want.Spent(), Attempts: int32(want.Attempts()), Declined: want.Declined}); got.Before != past {
			t.Fatalf("%v before %v: %+v, want %+v", s, r, got.Before, past)
		}
	}
}

func compareSeries(t *rapid.T, got []ledger.Bucket, step time.Duration, m *model, s ledger.Scope, in func(*api.Transaction) bool) {
	last := len(got) - 1
	for i, b := range got {
		want := m.sum(func(r *api.Transaction) bool {
			return in(r) && !r.CreatedAt.Before(b.Start) && (i == last || r.CreatedAt.Before(b.Start.Add(step)))
		})
		if b.Totals != want {
			t.Fatalf("%v at %v: %+v, want %+v", s, b.Start, b.Totals, want)
		}
		open := m.open(func(r *api.Transaction) bool {
			return in(r) && !r.CreatedAt.Before(b.Start) && (i == last || r.CreatedAt.Before(b.Start.Add(step)))
		})
		if step == 24*time.Hour && b.Open.USD != open {
			t.Fatalf("%v holds %v of %v, want %v", s, b.Open, b.Start, open)
		}
	}
	if end := got[last].Start.Add(step); m.now.Before(got[last].Start) || !m.now.Before(end) {
		t.Fatalf("%v is not in the last bucket, %v", m.now, got[last].Start)
	}
}

func sumOf(a, b ledger.Totals) ledger.Totals {
	return ledger.Totals{
		Settled: a.Settled + b.Settled, Refunded: a.Refunded + b.Refunded, Held: a.Held + b.Held, Authorized: a.Authorized + b.Authorized,
		Declined: a.Declined + b.Declined, Settlements: a.Settlements + b.Settlements, Refunds: a.Refunds + b.Refunds, Foreign: a.Foreign + b.Foreign,
	}
}

// compareTables compares each row with the total of what it names.
func compareTables(t *rapid.T, l *ledger.Ledger) {
	for _, by := range []ledger.By{ledger.ByAccount, ledger.ByCard, ledger.ByCampaign, ledger.ByBIN, ledger.ByMerchant} {
		for _, r := range []ledger.Range{ledger.Today, ledger.Last24h, ledger.Last7d, ledger.Last14d, ledger.Last30d} {
			rows, sum := l.Table(by, r, nil)
			if whole := l.Total(ledger.Account(), r); whole != sum {
				t.Fatalf("by %v the rows come to %+v, want %+v", by, sum, whole)
			}
			var whole ledger.Totals
			for _, row := range rows {
				whole.Settled += row.Now.Settled
				whole.Declined += row.Now.Declined
				name, _ := l.Name(by, row.Place)
				if by == ledger.ByCampaign && row.Cards != map[string]int32{"one": 1, "two": 2}[name] {
					t.Fatalf("%q has %d cards", name, row.Cards)
				}
				if want := l.Total(ledger.Scope{By: by, Name: name}, r); row.Now != want.Totals || row.Before != want.Before || row.Open != want.Open {
					t.Fatalf("%v %q: %+v, want %+v", by, name, row, want)
				}
			}
			if whole.Settled != sum.Settled || whole.Declined != sum.Declined {
				t.Fatalf("by %v the rows come to %+v, want %+v", by, whole, sum)
			}
		}
	}
	rows, _ := l.Table(ledger.ByCard, ledger.Last30d, nil)
	for _, row := range rows {
		name, _ := l.Name(ledger.ByCard, row.Place)
		if got, want := l.Spent24h(api.CardID(name)), l.Total(ledger.OfCard(api.CardID(name)), ledger.Last24h).Spent(); got != want {
			t.Fatalf("%s spent %s recently, want %s", name, got, want)
		}
	}
	l.EachTries(func(s ledger.Scope, got ledger.Tries) {
		if sum := l.Total(s, ledger.Last7d); got != (ledger.Tries{Attempts: sum.Attempts(), Declined: int(sum.Declined)}) {
			t.Fatalf("%v was tried %+v, want %+v", s, got, sum.Totals)
		}
	})
	rows = l.Merchants("c1", ledger.Last7d)
	var sum ledger.Totals
	var before api.USD
	for _, r := range rows {
		sum.Settled += r.Now.Settled
		sum.Declined += r.Now.Declined
		before += r.Before.Spent
	}
	want := l.Total(ledger.OfCard("c1"), ledger.Last7d)
	if sum.Settled != want.Settled || sum.Declined != want.Declined || before != want.Before.Spent {
		t.Fatalf("the merchants of a card come to %+v, want %+v", sum, want)
	}
}
