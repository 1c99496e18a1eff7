package state

import (
	"slices"
	"sort"
	"time"

	"github.com/cardtop/cardtop/api"
)

const (
	// endedKept bounds how many challenges are remembered after their end.
	endedKept = 50
	// outcomeTries bounds how often an outcome is asked for, outcomeWait is the
	// pause before another try.
	outcomeTries = 3
	outcomeWait  = 5 * time.Second
	// outcomeNear is how far from a challenge's end its transaction may lie.
	outcomeNear = 2 * time.Minute
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
	// Replaced says that another code had replaced it.
	Replaced bool
	// CreatedAt and EndedAt are on the server's clock.
	CreatedAt, EndedAt time.Time

	tries int
	askAt time.Time
}

// EndedCodes lists the challenges that ended lately, the latest first. The
// slice is the store's own.
func (co *CodesTable) Ended() []Ended { return co.codes.ended }

// Led finds the transaction that a challenge most likely led to: an
// authorization or a decline of the same card, merchant and amount, within two
// minutes of its end. The contract does not link the two. A replaced code leads
// to none, unless the API says that it was used.
func (co *CodesTable) LikelyTransaction(e Ended) (Transaction, bool) {
	if !e.AmountKnown || e.Replaced && e.Status != api.ChallengeCompleted {
		return Transaction{}, false
	}
	rows := co.txns.feed.rows()
	from := e.EndedAt.Add(-outcomeNear)
	best, found := Transaction{}, false
	for _, t := range rows[sort.Search(len(rows), func(i int) bool { return !rows[i].CreatedAt.Before(from) }):] {
		if t.CreatedAt.After(e.EndedAt.Add(outcomeNear)) {
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

// end remembers challenges that left the list and plans to ask for their
// outcome.
func (co *CodesTable) end(gone []Code) {
	for _, c := range gone {
		co.codes.ended = slices.Insert(co.codes.ended, 0, Ended{
			ID: c.ID, Card: c.Card, Merchant: c.Merchant, Amount: c.Amount, AmountKnown: c.AmountKnown,
			Status: api.ChallengePending, Replaced: c.Replaced || co.codes.replaced(c.ID), CreatedAt: c.CreatedAt, EndedAt: earlier(co.ServerNow(), c.ExpiresAt), askAt: co.now,
		})
	}
	if n := len(co.codes.ended); n > endedKept {
		co.codes.ended = co.codes.ended[:endedKept]
	}
}

// askOutcomes asks for the outcomes that are not known yet.
func (co *CodesTable) askOutcomes(now time.Time) {
	// In the first case nobody looks at what became of a code, in the second
	// nobody answers.
	if co.cfg.Only != nil || co.poll.Err(LaneCodes) != nil {
		return
	}
	for i := range co.codes.ended {
		e := &co.codes.ended[i]
		if e.Status != api.ChallengePending || e.tries >= outcomeTries || now.Before(e.askAt) {
			continue
		}
		e.tries++
		e.askAt = now.Add(outcomeWait)
		co.wants = append(co.wants, FetchChallenge{Challenge: e.ID})
	}
}

// unasked gives back the try of a request that found nobody.
func (b *codeBook) unasked(id api.ChallengeID) {
	for i := range b.ended {
		if e := &b.ended[i]; e.ID == id && e.tries > 0 {
			e.tries--
		}
	}
}

// outcome notes the outcome of a challenge.
func (b *codeBook) outcome(id api.ChallengeID, status api.ChallengeStatus) Topic {
	for i := range b.ended {
		if b.ended[i].ID == id && b.ended[i].Status != status {
			b.ended[i].Status = status
			return TopicCodes
		}
	}
	return 0
}
