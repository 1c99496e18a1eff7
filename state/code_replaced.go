package state

import (
	"errors"
	"slices"
	"sort"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

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
func (co *CodesTable) Successor(o Origin) (Code, bool) {
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
func (co *CodesTable) Waiting() int {
	n := 0
	for i := range co.codes.rows {
		if !co.codes.rows[i].Replaced {
			n++
		}
	}
	return n
}

// FetchChallenges reads the pending 3DS challenges of all cards. Armed says
// that one is waited for at a checkout.
type FetchChallenges struct {
	Seq   poll.Seq
	Armed bool
}

func (FetchChallenges) Effect() {}

// Lane implements kernel.Polled.
func (f FetchChallenges) Lane() (poll.Lane, poll.Seq) { return poll.Codes, f.Seq }

// Cost is that of codes, which come before the other polls. An armed checkout
// spends the user's own part, and they do other things meanwhile.
func (f FetchChallenges) Cost() kernel.Cost {
	if f.Armed {
		return kernel.Polling(f, budget.Bulk)
	}
	return kernel.Polling(f, budget.High)
}

// FetchChallenge reads one challenge: its code when the list lacked it, or
// its outcome when it left the list.
type FetchChallenge struct{ Challenge api.ChallengeID }

func (FetchChallenge) Effect() {}

// Cost is counted with the codes.
func (FetchChallenge) Cost() kernel.Cost {
	return kernel.Cost{Priority: budget.High, Lane: lang.N("codes")}
}

func (f FetchChallenge) Failed(s *Store, e kernel.Failure) kernel.Topic {
	if e.Deferred {
		s.Codes.retryCode(f.Challenge, e.Wait)
		return 0
	}
	s.Codes.retryCode(f.Challenge, max(askFailed, e.Wait))
	if errors.Is(e.Err, api.ErrUnreachable) {
		s.Codes.codes.undoTry(f.Challenge)
	}
	return 0
}

// CodesListed is that codes were read: others may be here, or be replaced, or have other digits.
type CodesListed struct{}

// ChallengesLoaded is the list of pending challenges.
type ChallengesLoaded struct {
	FetchChallenges
	kernel.Meta
	Items []api.Challenge
}

func (ev ChallengesLoaded) merge(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Poll.Found(poll.Codes, ev.Meta, slices.ContainsFunc(ev.Items, s.Codes.unseen))
	s.Poll.Answered(poll.Codes, ev.Meta)
	var (
		effects []kernel.Effect
		rows    = make([]Code, 0, len(ev.Items))
		now     = s.ServerNow()
	)
	first := !s.Codes.codes.listed
	s.Codes.updateSeen(ev.Items, ev.Meta)
	for _, item := range ev.Items {
		if s.Cfg.Background {
			item.OTP.Wipe()
		}
		c := s.Codes.codeOf(item)
		if over(item.Status) || c.Left(now) == 0 {
			continue
		}
		rows = slices.DeleteFunc(rows, func(listed Code) bool { return listed.ID == c.ID })
		rows = append(rows, c)
		if c.OTP.IsZero() && !s.Cfg.Background && !s.Time.Before(s.Codes.codes.asked[c.ID]) {
			s.Codes.codes.asked[c.ID] = s.Time.Add(askLost)
			effects = append(effects, FetchChallenge{Challenge: c.ID})
		}
	}
	rows = append(rows, s.Codes.stillListed(rows, ev.Unread, now)...)
	topics := s.Codes.setCodes(rows)
	s.Codes.clockCodes(ev.At)
	s.Codes.reportCodes(first)
	kernel.Tell(s.Core, CodesListed{})
	return topics, effects
}

// stillListed returns the codes that have not ended and may be among the items of a list that could not be
// read: an item without an id may be any of them.
func (co *CodesTable) stillListed(read []Code, unread []api.Unread, now time.Time) (rows []Code) {
	for _, c := range co.codes.rows {
		listed := slices.ContainsFunc(read, func(r Code) bool { return r.ID == c.ID })
		mayBe := slices.ContainsFunc(unread, func(u api.Unread) bool { return u.ID == "" || string(u.ID) == string(c.ID) })
		if !listed && mayBe && c.Left(now) > 0 {
			rows = append(rows, c)
		}
	}
	return rows
}

func (ev ChallengesLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	defer s.Codes.codes.wipeAll(ev.Items)
	return s.Poll.Answer(ev.FetchChallenges, ev.Meta, func() (kernel.Topic, []kernel.Effect) { return ev.merge(s) })
}

// ChallengeLoaded is one challenge.
type ChallengeLoaded struct {
	kernel.Meta
	Item api.Challenge
}

func (ev ChallengeLoaded) merge(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Codes.retryCode(ev.Item.ID, askAgain)
	i := slices.IndexFunc(s.Codes.codes.rows, func(c Code) bool { return c.ID == ev.Item.ID })
	if i < 0 {
		return s.Codes.codes.setEnded(ev.Item.ID, ev.Item.Status), nil
	}
	rows := slices.Clone(s.Codes.codes.rows)
	if c := s.Codes.codeOf(ev.Item); !over(ev.Item.Status) && c.Left(s.ServerNow()) > 0 {
		rows[i] = c
	} else {
		rows = slices.Delete(rows, i, i+1)
	}
	topics := s.Codes.setCodes(rows) | kernel.TopicCodes
	s.Codes.clockCodes(ev.At)
	s.Codes.reportCodes(false)
	topics |= s.Codes.codes.setEnded(ev.Item.ID, ev.Item.Status)
	kernel.Tell(s.Core, CodesListed{})
	return topics, nil
}

func (ev ChallengeLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	defer s.Codes.codes.wipe(ev.Item.OTP)
	return ev.merge(s)
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
func (co *CodesTable) Ended() []Ended { return co.codes.ended }

// LikelyTransaction finds the transaction that a challenge most likely led to: an
// authorization or a decline of the same card, merchant and amount, within two
// minutes of its end. The contract does not link the two. A replaced code leads
// to none, unless the API says that it was used.
func (co *CodesTable) LikelyTransaction(e Ended) (api.Transaction, bool) {
	if !e.AmountKnown || e.Replaced && e.Status != api.ChallengeCompleted {
		return api.Transaction{}, false
	}
	rows := co.transactions()
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

// end remembers challenges that left the list and plans to ask for their
// outcome.
func (co *CodesTable) end(gone []Code) {
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
func (co *CodesTable) readEnded(now time.Time) {
	// In the first case nothing shows what became of a code, in the second
	// the API does not answer.
	if co.Cfg.Only != nil || co.poll.Err(poll.Codes) != nil {
		return
	}
	for i := range co.codes.ended {
		e := &co.codes.ended[i]
		if e.Status != api.ChallengePending || e.tries >= endedTries || now.Before(e.askAt) {
			continue
		}
		e.tries++
		e.askAt = now.Add(endedWait)
		co.Wants = append(co.Wants, FetchChallenge{Challenge: e.ID})
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

// DigitsChanged reports whether a code has other digits than it had then.
func (co *CodesTable) DigitsChanged(since Origin) bool {
	seen, known := co.codes.seen[since.ID]
	return known && !seen.changedAt.Equal(since.changed)
}

// setCodes sets new rows, wipes the codes that ended, and reports
// whether anything the user sees changed.
func (co *CodesTable) setCodes(rows []Code) kernel.Topic {
	b := &co.codes
	gone := slices.DeleteFunc(slices.Clone(b.rows), func(old Code) bool {
		return slices.ContainsFunc(rows, func(c Code) bool { return c.ID == old.ID })
	})
	announced := co.announce(b.rows, rows)
	changed := b.update(rows, gone)
	for _, c := range rows {
		b.ended = slices.DeleteFunc(b.ended, func(e Ended) bool { return e.ID == c.ID })
	}
	co.end(gone)
	if !changed {
		return announced
	}
	return announced | kernel.TopicCodes
}

// update sets new rows, newest first; gone are those that left it.
func (b *codeList) update(rows, gone []Code) (changed bool) {
	slices.SortStableFunc(rows, newerCode)
	b.markReplaced(rows, gone)
	same := slices.EqualFunc(b.rows, rows, func(x, y Code) bool {
		return x.ID == y.ID && x.Replaced == y.Replaced && x.Status == y.Status && x.ExpiresAt.Equal(y.ExpiresAt) && x.Amount == y.Amount && x.AmountKnown == y.AmountKnown && x.OTP.Equal(y.OTP.Secret)
	})
	old := b.rows
	b.rows = rows
	for _, c := range old {
		b.wipe(c.OTP)
	}
	for id := range b.asked {
		if _, ok := b.find(id); !ok {
			delete(b.asked, id)
		}
	}
	return !same
}

// expire removes the codes whose time is over.
func (co *CodesTable) expire(now time.Time) kernel.Topic {
	serverNow := co.Clock.Server(now)
	live := slices.DeleteFunc(slices.Clone(co.codes.rows), func(c Code) bool { return !c.ExpiresAt.After(serverNow) })
	if len(live) == len(co.codes.rows) {
		return 0
	}
	return co.setCodes(live) | kernel.TopicCodes
}
