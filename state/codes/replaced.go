package codes

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
)

// Replaced reports whether a newer code has most likely ended a code.
func (co *Table) Replaced(id api.ChallengeID) bool { return co.codes.replaced(id) }

// MustConfirmReplaced reports whether the user still has to confirm the copy of a code,
// and records the question: the same key once more confirms it.
func (co *Table) MustConfirmReplaced(id api.ChallengeID) bool {
	b := &co.codes
	if b.doubted == id && co.Time.Before(b.doubtedUntil) {
		return false
	}
	b.doubted, b.doubtedUntil = id, co.Time.Add(kernel.AskedAgainFor)
	return true
}

// ForgetQuestion removes the question about a replaced code.
func (co *Table) ForgetQuestion() { co.codes.doubted = "" }

// newerCode orders codes, the newest first.
func newerCode(x, y Code) int {
	if c := y.CreatedAt.Compare(x.CreatedAt); c != 0 {
		return c
	}
	return -compareID(x.ID, y.ID)
}

// Origin names a code without its digits.
type Origin struct {
	ID      api.ChallengeID
	by      cardMerchant
	made    time.Time
	changed time.Time // when it got its digits, as in Code
}

// cardMerchant is a merchant that asks for codes of a card.
type cardMerchant struct {
	card     api.CardID
	merchant api.Text
}

func (c *Code) asker() cardMerchant { return cardMerchant{c.Card, c.Merchant} }

// Origin names the code without its digits.
func (c *Code) Origin() Origin { return Origin{c.ID, c.asker(), c.CreatedAt, c.ChangedAt} }

// markReplaced marks the codes that their merchant asked for again on the same
// card. One that has just left the list is marked as well: the API may end a
// code as soon as it is replaced.
func (b *codeList) markReplaced(rows, gone []Code) {
	all := slices.Concat(rows, gone)
	slices.SortStableFunc(all, newerCode)
	newer := make(map[cardMerchant]api.ChallengeID, len(all))
	for i := range all {
		c := &all[i]
		id, again := newer[c.asker()]
		newer[c.asker()] = c.ID
		if seen := b.seen[c.ID]; again && id != c.ID && !seen.replaced {
			seen.replaced = true
			b.seen[c.ID] = seen
			by := b.seen[id]
			by.replaces = c.ID
			b.seen[id] = by
		}
	}
	for i := range rows {
		seen := b.seen[rows[i].ID]
		rows[i].Replaced, rows[i].Replaces = seen.replaced, seen.replaces
	}
}

// replaced reports whether a code was replaced.
func (b *codeList) replaced(id api.ChallengeID) bool { return b.seen[id].replaced }

// Successor is the code that has replaced one, once its digits are known.
func (co *Table) Successor(o Origin) (Code, bool) {
	if !co.codes.replaced(o.ID) {
		return Code{}, false
	}
	for _, c := range co.codes.rows {
		if c.asker() == o.by && !c.Replaced && !c.OTP.IsZero() && !c.CreatedAt.Before(o.made) && c.Left(co.ServerNow()) > 0 {
			return c, true
		}
	}
	return Code{}, false
}

// Waiting counts the codes that wait and were not replaced.
func (co *Table) Waiting() int {
	n := 0
	for i := range co.codes.rows {
		if !co.codes.rows[i].Replaced {
			n++
		}
	}
	return n
}

// DigitsChanged reports whether a code has other digits than it had then.
func (co *Table) DigitsChanged(since Origin) bool {
	seen, known := co.codes.seen[since.ID]
	return known && !seen.changedAt.Equal(since.changed)
}
