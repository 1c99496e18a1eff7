package state

import (
	"errors"
	"slices"
	"sort"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

func (c *Code) asker() cardMerchant { return cardMerchant{c.Card, c.Merchant} }

func (c *Code) origin() origin { return origin{c.ID, c.asker(), c.CreatedAt, c.ChangedAt} }

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

// successor is the code that has replaced one, once its digits are known.
func (co *CodesTable) successor(o origin) (Code, bool) {
	if !co.codes.replaced(o.id) {
		return Code{}, false
	}
	for _, c := range co.codes.rows {
		if c.asker() == o.by && !c.Replaced && !c.OTP.IsZero() && !c.CreatedAt.Before(o.made) && c.Left(co.ServerNow()) > 0 {
			return c, true
		}
	}
	return Code{}, false
}

// replaceCode puts the code that replaced the large one in its place, and on the
// clipboard if an armed checkout had the other copied and it is still there. Of
// any other replaced code on the clipboard it only shows a notice.
func (s *Store) replaceCode() (kernel.Topic, []kernel.Effect) {
	large := s.Codes.checkout.of
	if c, ok := s.Codes.successor(large); ok && s.Codes.checkout.Caught != "" {
		held := s.Clip.holds(large.id)
		s.Codes.checkout.Caught, s.Codes.checkout.of = c.ID, c.origin()
		switch {
		case held && s.Cfg.CopyArmed:
			topics, effects := s.Clip.copyCode(CopyCode{Challenge: c.ID})
			s.Notices.Say(kernel.Info, s.Lang.Tf("replaced: copying the new code of %s", string(c.Merchant)))
			return topics | kernel.TopicCodes | kernel.TopicNotice, effects
		case held:
			s.Clip.sayReplaced(c)
		default:
			s.Notices.Say(kernel.Warn, s.Lang.Tf("replaced: %s asked again, this is the new code", string(c.Merchant)))
		}
		return kernel.TopicCodes | kernel.TopicNotice, nil
	}
	if c, ok := s.Codes.successor(s.Clip.copying.of); ok && s.Clip.holds(s.Clip.copying.of.id) && !s.Clip.copying.said {
		s.Clip.sayReplaced(c)
		return kernel.TopicSecrets | kernel.TopicNotice, nil
	}
	return 0, nil
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

// ChallengesLoaded is the list of pending challenges.
type ChallengesLoaded struct {
	FetchChallenges
	kernel.Meta
	Items []api.Challenge
}

func (ev ChallengesLoaded) merge(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Poll.found(poll.Codes, ev.Meta, slices.ContainsFunc(ev.Items, s.Codes.unseen))
	s.Poll.succeed(poll.Codes, ev.Meta)
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
	more, caught := s.followUp()
	return topics | more, append(effects, caught...)
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
	return s.answer(ev.FetchChallenges, ev.Meta, ev.merge)
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
	more, caught := s.followUp()
	return topics | more, caught
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
	rows := co.txns.All()
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

// challengesAbout returns the challenges of a card that may have led to a decline, and
// whether all about that time are known with what became of them.
func (co *CodesTable) challengesAbout(t *api.Transaction) (out []decline.Challenge3DS) {
	amount := func(u api.USD, known bool) *api.USD {
		if !known {
			return nil
		}
		return &u
	}
	for i := range co.codes.rows {
		if c := &co.codes.rows[i]; c.Card == t.CardID && decline.Near(t.CreatedAt, c.CreatedAt, c.ExpiresAt) {
			out = append(out, decline.Challenge3DS{
				Merchant: c.Merchant, Amount: amount(c.Amount, c.AmountKnown), Status: c.Status, CreatedAt: c.CreatedAt, ExpiresAt: c.ExpiresAt,
			})
		}
	}
	for i := range co.codes.ended {
		e := &co.codes.ended[i]
		// One that is still called pending may have been answered.
		if e.Card == t.CardID && decline.Near(t.CreatedAt, e.CreatedAt, e.EndedAt) && e.Status != api.ChallengePending {
			out = append(out, decline.Challenge3DS{
				Merchant: e.Merchant, Amount: amount(e.Amount, e.AmountKnown), Status: e.Status, CreatedAt: e.CreatedAt, ExpiresAt: e.EndedAt,
			})
		}
	}
	return out
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

// statusesKept bounds how many changes are held, of all cards.
const statusesKept = 2000

// recordStatus records that a card was read in another state than before. One that
// is being written to changes by that: the history has it.
func (s *Store) recordStatus(before *cardlist.Row, now api.CardStatus, at time.Time) {
	from := before.Status()
	if from == now || from == "" || now == "" {
		return
	}
	if _, busy := s.Ops.Pending(before.ID); busy {
		return
	}
	if n := len(s.Codes.statuses) + 1 - statusesKept; n > 0 {
		s.Codes.statuses = append(s.Codes.statuses[:0], s.Codes.statuses[n:]...)
	}
	s.Codes.statuses = append(s.Codes.statuses, StatusChange{
		Card: before.ID, From: from, To: now, At: s.Clock.Server(at), Away: before.Cached,
	})
}

// changesOf returns how the status of a card was seen to change after a time, on the
// server's clock.
func (co *CodesTable) changesOf(id api.CardID, after time.Time) (out []StatusChange) {
	for i := len(co.statuses) - 1; i >= 0 && co.statuses[i].At.After(after); i-- {
		if co.statuses[i].Card == id {
			out = append(out, co.statuses[i])
		}
	}
	return out
}

// followUp passes an armed checkout the code that came, and what shows or holds
// a replaced code the one that replaced it.
func (s *Store) followUp() (kernel.Topic, []kernel.Effect) {
	topics, effects := s.catchCode()
	more, renewed := s.replaceCode()
	changed, again := copyChanged(s)
	return topics | more | changed, append(append(effects, renewed...), again...)
}

// copyChanged copies a code again whose digits changed since an armed checkout had it
// copied, if it is still on the clipboard. Of any other it only shows a notice.
func copyChanged(s *Store) (kernel.Topic, []kernel.Effect) {
	of := s.Clip.copying.of
	c, ok := s.Codes.codes.find(of.id)
	if !ok || !s.Codes.digitsChanged(of) || s.Clip.copying.saidChanged || !s.Clip.holds(of.id) {
		return 0, nil
	}
	if s.Codes.checkout.Caught == c.ID && s.Cfg.CopyArmed && !c.Replaced {
		topics, effects := s.Clip.copyCode(CopyCode{Challenge: c.ID})
		s.Notices.Say(kernel.Info, s.Lang.Tf("changed: copying the new code of %s", string(c.Merchant)))
		return topics | kernel.TopicNotice, effects
	}
	s.Clip.copying.saidChanged = true
	s.Notices.Say(kernel.Warn, s.Lang.Tf("changed: the clipboard still holds the old code of %s, copy it again", string(c.Merchant)))
	return kernel.TopicSecrets | kernel.TopicNotice, nil
}

// digitsChanged reports whether a code has other digits than it had then.
func (co *CodesTable) digitsChanged(since origin) bool {
	seen, known := co.codes.seen[since.id]
	return known && !seen.changedAt.Equal(since.changed)
}

// setCodes sets new rows, wipes the codes that ended, and reports
// whether anything the user sees changed.
func (co *CodesTable) setCodes(rows []Code) kernel.Topic {
	b := &co.codes
	gone := slices.DeleteFunc(slices.Clone(b.rows), func(old Code) bool {
		return slices.ContainsFunc(rows, func(c Code) bool { return c.ID == old.ID })
	})
	announced := co.cards.announce(b.rows, rows)
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
