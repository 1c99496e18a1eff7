package codes

import (
	"slices"
	"sort"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// Ended is a challenge that is over. Its code is gone.
type Ended struct {
	ID          api.ChallengeID
	Card        api.CardID
	Merchant    api.Text
	Amount      api.USD // USD
	AmountKnown bool
	// Status is how it ended; pending while that is not known.
	Status api.ChallengeStatus
	// Replaced reports whether another code had replaced it.
	Replaced bool
	// CreatedAt and EndedAt are on the server's clock.
	CreatedAt, EndedAt time.Time

	tries int
	askAt time.Time
}

const (
	// endedKept bounds how many challenges are remembered after their end.
	endedKept = 50
	// endedTries bounds how often an outcome is asked for, outcomeWait is the
	// pause before another try.
	endedTries = 3
	endedWait  = 5 * time.Second
	// endedNear is how far from a challenge's end its transaction may lie.
	endedNear = 2 * time.Minute
)

// Ended lists the challenges that ended lately, the latest first. The
// slice is the store's own.
func (co *Table) Ended() []Ended { return co.codes.ended }

// LikelyTransaction finds the transaction that a challenge most likely led to: an
// authorization or a decline of the same card, merchant and amount, within two
// minutes of its end. The contract does not link the two. A replaced code leads
// to none, unless the API says that it was used.
func (co *Table) LikelyTransaction(e Ended) (api.Transaction, bool) {
	if !e.AmountKnown || e.Replaced && e.Status != api.ChallengeCompleted {
		return api.Transaction{}, false
	}
	rows := co.needs.Transactions()
	from := e.EndedAt.Add(-endedNear)
	best, found := api.Transaction{}, false
	for _, t := range rows[sort.Search(len(rows), func(i int) bool { return !rows[i].CreatedAt.Before(from) }):] {
		if t.CreatedAt.After(e.EndedAt.Add(endedNear)) {
			break
		}
		asked := t.Type == api.TransactionAuthorization || t.Type == api.TransactionDecline
		if !asked || t.CardID != e.Card || t.Merchant.Name != e.Merchant || max(t.Amount, -t.Amount) != e.Amount {
			continue
		}
		if !found || t.CreatedAt.Sub(e.EndedAt).Abs() < best.CreatedAt.Sub(e.EndedAt).Abs() {
			best, found = t, true
		}
	}
	return best, found
}

// LikelyTransactionOf finds the challenge that most likely led to a transaction, the
// counterpart of Led.
func (co *Table) LikelyTransactionOf(t api.Transaction) (Ended, bool) {
	for _, e := range co.codes.ended {
		if e.Card != t.CardID || e.Merchant != t.Merchant.Name {
			continue
		}
		if led, ok := co.LikelyTransaction(e); ok && led.ID == t.ID {
			return e, true
		}
	}
	return Ended{}, false
}

// end remembers challenges that left the list and plans to ask for their
// outcome.
func (co *Table) end(gone []Code) {
	for _, c := range gone {
		co.codes.ended = slices.Insert(co.codes.ended, 0, Ended{
			ID: c.ID, Card: c.Card, Merchant: c.Merchant, Amount: c.Amount, AmountKnown: c.AmountKnown,
			Status: api.ChallengePending, Replaced: c.Replaced || co.codes.replaced(c.ID), CreatedAt: c.CreatedAt, EndedAt: kernel.Earlier(co.ServerNow(), c.ExpiresAt), askAt: co.Time,
		})
	}
	if n := len(co.codes.ended); n > endedKept {
		co.codes.ended = co.codes.ended[:endedKept]
	}
}

// readEnded requests the outcomes that are not known yet.
func (co *Table) readEnded(now time.Time) {
	// In the first case nothing shows what became of a code, in the second
	// the API does not answer.
	if co.Cfg.Only != nil || co.needs.Lanes.Err(poll.Codes) != nil {
		return
	}
	for i := range co.codes.ended {
		e := &co.codes.ended[i]
		if e.Status != api.ChallengePending || e.tries >= endedTries || now.Before(e.askAt) {
			continue
		}
		e.tries++
		e.askAt = now.Add(endedWait)
		co.Wants = append(co.Wants, FetchOne{Challenge: e.ID})
	}
}

// undoTry subtracts the try of a request that was not answered.
func (b *codeList) undoTry(id api.ChallengeID) {
	for i := range b.ended {
		if e := &b.ended[i]; e.ID == id && e.tries > 0 {
			e.tries--
		}
	}
}

// setEnded records the outcome of a challenge.
func (b *codeList) setEnded(id api.ChallengeID, status api.ChallengeStatus) kernel.Topic {
	for i := range b.ended {
		if b.ended[i].ID == id && b.ended[i].Status != status {
			b.ended[i].Status = status
			return kernel.TopicCodes
		}
	}
	return 0
}

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
