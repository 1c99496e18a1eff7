package decline

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
)

const (
	// explainedKept bounds how many declines are held with why they were.
	explainedKept = 10_000
	// triesKept bounds how many are looked through for storms.
	triesKept = 100_000
)

// Explained is a declined transaction with why it was.
type Explained struct {
	Row    api.Transaction
	Facts  Facts
	Answer Answer
}

// Log holds declines with why they were, and the storms among them. The zero value is
// empty.
type Log struct {
	known  map[api.TransactionID]*Explained
	order  []api.TransactionID // as they came
	tries  map[shop][]Try
	count  int
	storms map[api.TransactionID]*Storm
}

// shop is a card and a merchant, in lower case.
type shop struct {
	card     api.CardID
	merchant api.Text
}

// Add adds declines of a page; other transactions are passed over. It returns those
// that were not held, oldest first as far as the page is sorted newest first.
func (l *Log) Add(page []api.Transaction) (added []*Explained) {
	changed := make(map[shop]bool)
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
		changed[l.try(t)] = true
	}
	for s := range changed {
		l.group(s)
	}
	if l.count > triesKept {
		l.forgetTries()
	}
	slices.Reverse(added)
	return added
}

func (l *Log) hold(t *api.Transaction) *Explained {
	if l.known == nil {
		l.known, l.tries, l.storms = make(map[api.TransactionID]*Explained), make(map[shop][]Try), make(map[api.TransactionID]*Storm)
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

func (l *Log) try(t *api.Transaction) shop {
	s := shop{t.CardID, api.Text(fold(t.Merchant.Name))}
	if !slices.ContainsFunc(l.tries[s], func(have Try) bool { return have.ID == t.ID }) {
		l.tries[s] = append(l.tries[s], Try{ID: t.ID, Card: t.CardID, Merchant: s.merchant, At: t.CreatedAt})
		l.count++
	}
	return s
}

// group finds the storms of a card and a merchant anew.
func (l *Log) group(s shop) {
	for _, t := range l.tries[s] {
		delete(l.storms, t.ID)
	}
	storms := Storms(l.tries[s])
	for i := range storms {
		for _, t := range storms[i].Tries {
			l.storms[t.ID] = &storms[i]
		}
	}
}

// forgetTries drops the older half.
func (l *Log) forgetTries() {
	all := make([]Try, 0, l.count)
	for _, tries := range l.tries {
		all = append(all, tries...)
	}
	slices.SortFunc(all, func(a, b Try) int { return b.At.Compare(a.At) })
	l.count, l.tries, l.storms = triesKept/2, make(map[shop][]Try), make(map[api.TransactionID]*Storm)
	for _, t := range all[:l.count] {
		s := shop{t.Card, t.Merchant}
		l.tries[s] = append(l.tries[s], t)
	}
	for s := range l.tries {
		l.group(s)
	}
}

// Get returns a decline with why it was; nil when it is not held.
func (l *Log) Get(id api.TransactionID) *Explained { return l.known[id] }

// Latest returns the declines that came last, at most n, the latest first.
func (l *Log) Latest(n int) []*Explained {
	out := make([]*Explained, 0, min(n, len(l.order)))
	for i := len(l.order) - 1; i >= 0 && len(out) < n; i-- {
		out = append(out, l.known[l.order[i]])
	}
	return out
}

// Storm returns the storm that a decline is part of; nil for none. It is another one
// when a decline has come to it.
func (l *Log) Storm(id api.TransactionID) *Storm { return l.storms[id] }

// Explain says why a decline was, by what is known now and what was known before. It
// reports whether the answer is another.
func (e *Explained) Explain(now *Facts) bool {
	now.keep(&e.Facts)
	e.Facts = *now
	before := e.Answer
	e.Answer = Explain(&e.Facts)
	return e.Answer != before
}

// keep keeps what was known before: what is read later may have changed since.
func (f *Facts) keep(before *Facts) {
	if before.Before != "" {
		f.Before = before.Before
	}
	if before.After != "" {
		f.After = before.After
	}
	if before.Held > 0 {
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
		f.Reason, f.DetailRead = before.Reason, true
	}
	f.ChallengesRead = f.ChallengesRead || before.ChallengesRead
	if len(f.Challenges) == 0 {
		f.Challenges = before.Challenges
	}
}

// Brief is the cause in two or three words, without figures: a guess is called one.
// It is empty when the cause is not known.
func (a Answer) Brief() string {
	words := map[Cause]string{
		Terminated: "terminated", Frozen: "frozen", Expired: "card expired", Category: "category blocked",
		BINMaximum: "over BIN max", MonthlyLimit: "limit used", Balance: "no balance", Challenge: "3DS expired",
		Other: "issuer declined",
	}[a.Cause]
	if words != "" && a.Confidence == Likely {
		return "likely " + words
	}
	return words
}

// Line is Brief with what the balance is short of.
func (a Answer) Line() string {
	if a.Cause != Balance || a.Shortfall <= 0 {
		return a.Brief()
	}
	return a.Brief() + " · $" + strings.TrimSuffix(a.Shortfall.Grouped(), ".00") + " short"
}
