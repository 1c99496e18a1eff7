package decline

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Group are declines of one cause.
type Group struct {
	// Key names the group among others of its time.
	Key string
	// Answer is that of the latest of them.
	Answer Answer
	// IDs are the transactions, the newest first.
	IDs []api.TransactionID
	// Sum is what was asked for in USD, Foreign counts those in other currencies.
	Sum     api.USD
	Foreign int
	// Likely counts those whose cause is a guess.
	Likely int
	// Unread counts those whose details were not read and may state another cause.
	Unread int
	// Cards are those that were declined, the latest first.
	Cards []api.CardID
	Last  time.Time
}

// groupKey is what the declines of a group have in common. What the API said makes a group where
// that is all there is.
type groupKey struct {
	cause Cause
	said  api.Text
}

func keyOf(a *Answer) groupKey {
	k := groupKey{cause: a.Cause}
	if a.Cause == Other {
		k.said = a.Said
	}
	return k
}

func (k groupKey) String() string { return fmt.Sprint(uint8(k.cause), k.said) }

// Words is the cause as it may be worded: guesses are called that.
func (g *Group) Words(w *lang.Words) string {
	name := g.Answer.name(w)
	switch g.Likely {
	case 0:
		return name
	case len(g.IDs):
		return w.Tf("likely %s", name)
	}
	return name + w.Tf(", %d of %d likely", g.Likely, len(g.IDs))
}

// Groups groups the declines since a time by cause, the most first, those of unknown cause last.
func (l *Log) Groups(since time.Time) []Group {
	var groups []Group
	at := make(map[groupKey]int)
	type member struct {
		group int
		card  api.CardID
	}
	seen := make(map[member]bool)
	for e := range l.Since(since) {
		k := keyOf(&e.Answer)
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k] = i
			groups = append(groups, Group{Key: k.String(), Answer: e.Answer, Last: e.Row.CreatedAt})
		}
		if m := (member{i, e.Row.CardID}); !seen[m] {
			seen[m] = true
			groups[i].Cards = append(groups[i].Cards, m.card)
		}
		groups[i].add(e)
	}
	slices.SortStableFunc(groups, func(a, b Group) int {
		return cmp.Or(
			cmp.Compare(unknown(&a), unknown(&b)), cmp.Compare(len(b.IDs), len(a.IDs)), b.Last.Compare(a.Last), cmp.Compare(a.Key, b.Key),
		)
	})
	return groups
}

func unknown(g *Group) int {
	if g.Answer.Cause == Unknown {
		return 1
	}
	return 0
}

// add adds the next decline, an older one.
func (g *Group) add(e *Explained) {
	t := &e.Row
	g.IDs = append(g.IDs, t.ID)
	g.Sum += max(t.Amount, -t.Amount)
	if !t.InUSD() {
		g.Foreign++
	}
	if e.Unread() {
		g.Unread++
	}
	if e.Answer.Confidence == Likely {
		g.Likely++
	}
}

// near is how many tries before and after one are looked at for their cause.
const near = 50

// FromStorm explains a decline of unknown cause by another one of its storm: the same card and
// merchant, minutes apart, unless what is known of this one excludes that. A cause that depends on the amount explains
// tries of the same amount only, and a code of one try says nothing of another.
// ok is false when the cause of none near it is known.
func (l *Log) FromStorm(w *lang.Words, id api.TransactionID, f *Facts) (a Answer, ok bool) {
	storm, of := l.storms[id], l.known[id]
	if storm == nil || of == nil {
		return Answer{}, false
	}
	own := f.findings(w)
	at, _ := slices.BinarySearchFunc(storm.Tries, of.Row.CreatedAt, func(t Try, at time.Time) int { return t.At.Compare(at) })
	for _, t := range slices.Backward(storm.Tries[max(0, at-near):min(len(storm.Tries), at+near)]) {
		e := l.known[t.ID]
		if t.ID == id || e == nil || e.Answer.Confidence < Certain || e.Answer.Cause == Challenge {
			continue
		}
		a = e.Answer
		ok = !slices.ContainsFunc(own, func(o finding) bool { return o.cause == a.Cause && o.verdict == excluded })
		same := e.Row.Sent() == of.Row.Sent() && e.Row.Currency == of.Row.Currency
		switch a.Cause { //nolint:exhaustive // the others do not depend on the amount
		case Balance: // One that covers the amount may be too low for holds; more than then may not.
			ok = same && (e.Row.BalanceAfter == nil || of.Row.BalanceAfter == nil || *of.Row.BalanceAfter <= *e.Row.BalanceAfter)
		case BINMaximum:
			ok = ok && same
		case MonthlyLimit: // It may have been raised between them.
			ok = ok && same && !f.Updated.After(e.Row.CreatedAt)
		}
		if ok {
			a.Confidence, a.Evidence = Likely, w.Tf("as at another try: %s", a.Evidence)
			return a, true
		}
	}
	return Answer{}, false
}
