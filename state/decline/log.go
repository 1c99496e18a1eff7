package decline

import (
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

const (
	// explainedKept bounds how many declines are held with why they were.
	explainedKept = 10_000
	// triesKept bounds how many are looked through for storms.
	triesKept = 20_000
)

// Explained is a declined transaction with why it was.
type Explained struct {
	Row    api.Transaction
	Answer Answer
	// Asked is when its detail was requested for its cause, Refused that the API refuses it.
	Asked   time.Time
	Refused bool
	facts   *Facts // what cannot be read again; nil for nothing
}

// Unread reports whether its detail may state another cause than is known, and was not read.
func (e *Explained) Unread() bool {
	return e.Answer.Confidence < Certain && !e.Refused && (e.facts == nil || !e.facts.DetailRead)
}

// Sure reports whether nothing that is read later makes the cause another.
func (e *Explained) Sure() bool { return e.Answer.Confidence >= Certain && e.Answer.Cause != Other }

// Reasons are the API's own texts, as far as the detail was read.
func (e *Explained) Reasons() []api.Text {
	if e.facts == nil {
		return nil
	}
	return e.facts.Reasons
}

// Log holds declines with why they were, and the storms among them. The zero value is
// empty.
type Log struct {
	known  map[api.TransactionID]*Explained
	order  []*Explained // by time, oldest first
	tries  tries
	storms map[api.TransactionID]*Storm
}

// Add adds declines of a page; other transactions are passed over. It returns those
// that were not held, oldest first as far as the page is sorted newest first.
func (l *Log) Add(page []api.Transaction) (added []*Explained) {
	changed := make(map[uint64]*api.Transaction)
	for i := range page {
		t := &page[i]
		if t.Type != api.TransactionDecline {
			continue
		}
		if have := l.known[t.ID]; have != nil {
			made := have.Row.CreatedAt // It has its place by that.
			have.Row = *t
			have.Row.CreatedAt = made
			continue
		}
		added = append(added, l.hold(t))
		changed[l.tries.add(t)] = t
	}
	for shop, t := range changed {
		l.group(shop, t.CardID, api.Text(fold(t.Merchant.Name)))
	}
	if len(l.tries.rows) > triesKept {
		l.forgetTries()
	}
	slices.Reverse(added)
	return added
}

func (l *Log) hold(t *api.Transaction) *Explained {
	if l.known == nil {
		l.known, l.storms = make(map[api.TransactionID]*Explained), make(map[api.TransactionID]*Storm)
	}
	if len(l.order) >= explainedKept {
		gone := l.order[:explainedKept/4]
		for _, e := range gone {
			delete(l.known, e.Row.ID)
		}
		l.order = slices.Clone(l.order[len(gone):])
	}
	e := &Explained{Row: *t}
	l.known[t.ID] = e
	at, _ := slices.BinarySearchFunc(l.order, e, func(a, b *Explained) int {
		return cmp.Or(a.Row.CreatedAt.Compare(b.Row.CreatedAt), cmp.Compare(a.Row.ID, b.Row.ID))
	})
	l.order = slices.Insert(l.order, at, e)
	return e
}

// group finds the storms of a card and a merchant anew.
func (l *Log) group(shop uint64, card api.CardID, merchant api.Text) {
	rows := l.tries.of(shop)
	all := make([]Try, len(rows))
	for i, r := range rows {
		delete(l.storms, r.id)
		all[i] = Try{ID: r.id, Card: card, Merchant: merchant, At: time.UnixMicro(r.at).UTC()}
	}
	storms := Storms(all)
	for i := range storms {
		for _, t := range storms[i].Tries {
			l.storms[t.ID] = &storms[i]
		}
	}
}

// forgetTries drops the older half.
func (l *Log) forgetTries() {
	l.tries.keepNewest(triesKept / 2)
	shops := make(map[uint64]*Storm)
	for _, s := range l.storms {
		shops[l.tries.shop(s.Card, s.Merchant)] = s
	}
	l.storms = make(map[api.TransactionID]*Storm)
	for shop, s := range shops {
		l.group(shop, s.Card, s.Merchant)
	}
}

// Get returns a decline with why it was; nil when it is not held.
func (l *Log) Get(id api.TransactionID) *Explained { return l.known[id] }

// Since yields the declines since a time, the newest first.
func (l *Log) Since(since time.Time) iter.Seq[*Explained] {
	return func(yield func(*Explained) bool) {
		for _, e := range slices.Backward(l.order) {
			if e.Row.CreatedAt.Before(since) || !yield(e) {
				return
			}
		}
	}
}

// Storm returns the storm that a decline is part of; nil for none. It is another one
// when a decline has come to it.
func (l *Log) Storm(id api.TransactionID) *Storm { return l.storms[id] }

// Explain says why a decline was, by what is known now and what was known before. It
// reports whether the answer is another. The facts may be used again by the caller; what
// they point to may not change.
func (e *Explained) Explain(w *lang.Words, now *Facts) bool {
	if e.facts != nil {
		if now.keep(e.facts); now.same(e.facts) {
			return false
		}
	}
	before := e.Answer
	if e.Answer, e.facts = Explain(w, now), nil; now.passes() {
		kept := *now
		e.facts = &kept
	}
	return e.Answer != before
}

// same reports whether facts are those of another time.
func (f *Facts) same(o *Facts) bool {
	return f.At.Equal(o.At) && f.Amount == o.Amount && f.Foreign == o.Foreign && f.Merchant == o.Merchant && slices.Equal(f.Reasons, o.Reasons) && f.ThreeDS == o.ThreeDS && f.DetailRead == o.DetailRead &&
		f.Before == o.Before && f.EarlierRun == o.EarlierRun && f.After == o.After && f.Ended == o.Ended && equal(f.BalanceAfter, o.BalanceAfter) && f.Held == o.Held &&
		equal(f.BINMaximum, o.BINMaximum) && equal(f.BINMonthly, o.BINMonthly) && f.sameLimit(o) &&
		slices.Equal(f.Categories, o.Categories) && f.CategoriesKnown == o.CategoriesKnown && f.Expires.Equal(o.Expires) &&
		slices.EqualFunc(f.Challenges, o.Challenges, sameChallenge)
}

func (f *Facts) sameLimit(o *Facts) bool {
	return equal(f.Limit, o.Limit) && f.LimitLater == o.LimitLater && f.LimitMoved == o.LimitMoved && f.Updated.Equal(o.Updated) && f.Month == o.Month && f.MonthRead == o.MonthRead
}

func sameChallenge(a, b Challenge3DS) bool {
	return a.Merchant == b.Merchant && equal(a.Amount, b.Amount) && a.Status == b.Status && a.CreatedAt.Equal(b.CreatedAt) && a.ExpiresAt.Equal(b.ExpiresAt)
}

// equal compares amounts that may not be known.
func equal(a, b *api.USD) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// passes reports whether the facts have something that may be otherwise, or gone,
// when it is read again.
func (f *Facts) passes() bool {
	return f.Before != "" || f.After != "" || f.Held.USD > 0 || f.Limit != nil || f.MonthRead || f.CategoriesKnown || f.DetailRead || len(f.Challenges) > 0
}

// keep keeps what was known before: what is read later may have changed since.
func (f *Facts) keep(before *Facts) {
	if before.Before != "" {
		f.Before, f.EarlierRun = before.Before, before.EarlierRun
	}
	if before.After != "" {
		f.After = before.After
	}
	if before.Held.USD > 0 {
		f.Held = before.Held
	}
	f.LimitMoved = f.LimitMoved || before.LimitMoved || !before.LimitLater && before.Limit != nil && f.Limit != nil && *f.Limit != *before.Limit
	switch {
	case before.Limit == nil:
	case f.Limit == nil: // It was changed from here since: what was known of it stays.
		f.Limit, f.LimitLater, f.Month, f.MonthRead = before.Limit, before.LimitLater, before.Month, before.MonthRead
	case !before.LimitLater:
		f.Limit, f.LimitLater = before.Limit, false
	}
	if before.MonthRead && !before.LimitLater {
		f.Month, f.MonthRead = before.Month, true
	}
	if before.CategoriesKnown {
		f.Categories, f.CategoriesKnown = before.Categories, true
	}
	if before.DetailRead && !f.DetailRead {
		f.Reasons, f.ThreeDS, f.DetailRead = before.Reasons, before.ThreeDS, true
	}
	if len(f.Challenges) == 0 {
		f.Challenges = before.Challenges
	}
}

// tries are the declines that are looked through for storms, by card and merchant and
// then by time. Most are the only one of theirs, so that a map of lists would take
// ten times the memory. The zero value is empty.
type tries struct {
	seed   maphash.Seed
	seeded bool
	rows   []tryRow
}

// tryRow is a decline. Its shop is the hash of its card and merchant: 64 bits tell
// those of 20,000 declines apart.
type tryRow struct {
	shop uint64
	at   int64 // microseconds since 1970
	id   api.TransactionID
}

func compareTries(a, b tryRow) int {
	return cmp.Or(cmp.Compare(a.shop, b.shop), cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id))
}

// shop returns what stands for a card and a merchant, in lower case.
func (l *tries) shop(card api.CardID, merchant api.Text) uint64 {
	if !l.seeded {
		l.seed, l.seeded = maphash.MakeSeed(), true
	}
	return maphash.Comparable(l.seed, [2]string{string(card), string(merchant)})
}

// add holds a decline and returns its shop.
func (l *tries) add(t *api.Transaction) uint64 {
	row := tryRow{l.shop(t.CardID, api.Text(fold(t.Merchant.Name))), t.CreatedAt.UnixMicro(), t.ID}
	if at, held := slices.BinarySearchFunc(l.rows, row, compareTries); !held {
		l.rows = slices.Insert(l.rows, at, row)
	}
	return row.shop
}

// of returns the declines of a card and a merchant, oldest first.
func (l *tries) of(shop uint64) []tryRow {
	first, _ := slices.BinarySearchFunc(l.rows, shop, func(r tryRow, shop uint64) int { return cmp.Compare(r.shop, shop) })
	last := first
	for last < len(l.rows) && l.rows[last].shop == shop {
		last++
	}
	return l.rows[first:last]
}

// keepNewest drops all but the n newest.
func (l *tries) keepNewest(n int) {
	if len(l.rows) <= n {
		return
	}
	times := make([]int64, len(l.rows))
	for i, r := range l.rows {
		times[i] = r.at
	}
	slices.Sort(times)
	oldest := times[len(times)-n]
	l.rows = slices.DeleteFunc(l.rows, func(r tryRow) bool { return r.at < oldest })
}

const (
	// StormCount is how many declines of one card and merchant are a storm of retries.
	StormCount = 3
	// StormWithin is how close they are.
	StormWithin = 10 * time.Minute
)

// Try is a declined transaction.
type Try struct {
	ID       api.TransactionID
	Card     api.CardID
	Merchant api.Text
	At       time.Time
}

// Storm is declines of one card and merchant that follow each other closely.
type Storm struct {
	Card     api.CardID
	Merchant api.Text
	Tries    []Try // oldest first
}

// Storms returns the storms among declines, by their first one. The declines of a storm
// are all that are one of StormCount within StormWithin.
func Storms(all []Try) []Storm {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Try) int {
		return cmp.Or(cmp.Compare(a.Card, b.Card), strings.Compare(fold(a.Merchant), fold(b.Merchant)), a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	all = slices.CompactFunc(all, func(a, b Try) bool { return a.ID == b.ID })
	var out []Storm
	end := -1 // the last of the storm under way
	for i := range all {
		last := i + StormCount - 1
		if last >= len(all) || !together(&all[i], &all[last]) {
			continue
		}
		if i > end {
			out = append(out, Storm{Card: all[i].Card, Merchant: all[i].Merchant})
			end = i - 1
		}
		s := &out[len(out)-1]
		s.Tries = append(s.Tries, all[end+1:last+1]...)
		end = last
	}
	slices.SortStableFunc(out, func(a, b Storm) int { return a.Tries[0].At.Compare(b.Tries[0].At) })
	return out
}

func together(a, b *Try) bool {
	return a.Card == b.Card && fold(a.Merchant) == fold(b.Merchant) && b.At.Sub(a.At) <= StormWithin
}

func fold(name api.Text) string { return strings.ToLower(string(name)) }
