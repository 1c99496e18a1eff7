package decline

import (
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
	facts  *Facts // what cannot be read again; nil for nothing
}

// Log holds declines with why they were, and the storms among them. The zero value is
// empty.
type Log struct {
	known  map[api.TransactionID]*Explained
	order  []api.TransactionID // as they came
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
			have.Row = *t
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
		for _, id := range gone {
			delete(l.known, id)
		}
		l.order = slices.Clone(l.order[len(gone):])
	}
	e := &Explained{Row: *t}
	l.known[t.ID] = e
	l.order = append(l.order, t.ID)
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

// Latest yields the declines that came last, at most n, the latest first.
func (l *Log) Latest(n int) iter.Seq[*Explained] {
	return func(yield func(*Explained) bool) {
		for i := len(l.order) - 1; i >= max(0, len(l.order)-n); i-- {
			if !yield(l.known[l.order[i]]) {
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
		f.Before == o.Before && f.After == o.After && equal(f.BalanceAfter, o.BalanceAfter) && f.Held == o.Held &&
		equal(f.BINMaximum, o.BINMaximum) && equal(f.Limit, o.Limit) && f.Month == o.Month && f.MonthRead == o.MonthRead &&
		slices.Equal(f.Categories, o.Categories) && f.CategoriesKnown == o.CategoriesKnown && f.Expires.Equal(o.Expires) &&
		slices.EqualFunc(f.Challenges, o.Challenges, sameChallenge)
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
		f.Before = before.Before
	}
	if before.After != "" {
		f.After = before.After
	}
	if before.Held.USD > 0 {
		f.Held = before.Held
	}
	if before.Limit != nil {
		f.Limit = before.Limit
	}
	if before.MonthRead {
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

// Brief is the cause in two or three words, without figures: a guess is called one.
// It is empty when the cause is not known.
func (a Answer) Brief(w *lang.Words) string {
	if cause := a.name(w); a.Confidence == Likely && cause != "" {
		return w.Tf("likely %s", cause)
	}
	return a.name(w)
}

// Short is Brief where room is short: a guess ends in a question mark.
func (a Answer) Short(w *lang.Words) string {
	if cause := a.name(w); a.Confidence == Likely && cause != "" {
		return cause + "?"
	}
	return a.name(w)
}

// name is the cause in two or three words; empty when it is not known.
func (a Answer) name(w *lang.Words) string {
	words := [...]string{
		Terminated: lang.N("terminated"), Frozen: lang.N("frozen"), Expired: lang.N("card expired"), Category: lang.N("category blocked"),
		BINMaximum: lang.N("over BIN max"), MonthlyLimit: lang.N("limit used"), Balance: lang.N("no balance"), Challenge: lang.N("3DS expired"),
	}
	if a.Cause == Other {
		return quoted(a.Said)
	}
	if int(a.Cause) >= len(words) || words[a.Cause] == "" {
		return ""
	}
	return w.T(words[a.Cause])
}

// quotedMost bounds what is quoted where room is short, in characters.
const quotedMost = 28

func quoted(text api.Text) string {
	short := []rune(string(text))
	if len(short) > quotedMost {
		short = append(short[:quotedMost-1], '…')
	}
	return `"` + string(short) + `"`
}

// Line is Brief with what the balance is short of.
func (a Answer) Line(w *lang.Words) string {
	if a.Cause != Balance || a.Shortfall <= 0 {
		return a.Brief(w)
	}
	return a.Brief(w) + " · " + w.Tf("%s short", w.Sum(w.Number(strings.TrimSuffix(a.Shortfall.Grouped(), ".00"))))
}
