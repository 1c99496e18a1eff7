package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// cardMerchant is a merchant that asks for codes of a card.
type cardMerchant struct {
	card     api.CardID
	merchant api.Text
}

// origin names a code without its digits.
type origin struct {
	id   api.ChallengeID
	by   cardMerchant
	made time.Time
}

func (c *Code) asker() cardMerchant { return cardMerchant{c.Card, c.Merchant} }

func (c *Code) origin() origin { return origin{c.ID, c.asker(), c.CreatedAt} }

// newerCode orders codes, the newest first.
func newerCode(x, y Code) int {
	if c := y.CreatedAt.Compare(x.CreatedAt); c != 0 {
		return c
	}
	return -compareID(x.ID, y.ID)
}

// markReplaced marks the codes that their merchant asked for again on the same
// card. One that has just left the list is marked as well: the API may end a
// code as soon as it is replaced.
func (b *codeBook) markReplaced(rows, gone []Code) {
	all := slices.Concat(rows, gone)
	slices.SortStableFunc(all, newerCode)
	newer := make(map[cardMerchant]api.ChallengeID, len(all))
	for i := range all {
		c := &all[i]
		id, again := newer[c.asker()]
		newer[c.asker()] = c.ID
		if seen := b.seen[c.ID]; again && !seen.replaced {
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
func (b *codeBook) replaced(id api.ChallengeID) bool { return b.seen[id].replaced }

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

// renew puts the code that replaced the large one in its place, and on the
// clipboard if an armed checkout had the other copied and it is still there. Of
// any other replaced code on the clipboard it only tells.
func (s *Store) renew() (Topic, []Effect) {
	large := s.Codes.checkout.of
	if c, ok := s.Codes.successor(large); ok && s.Codes.checkout.Caught != "" {
		held := s.Clip.holds(large.id)
		s.Codes.checkout.Caught, s.Codes.checkout.of = c.ID, c.origin()
		switch {
		case held && s.cfg.CopyArmed:
			topics, effects := s.Clip.copyCode(CopyCode{Challenge: c.ID})
			s.Notices.tell(Info, "replaced: copying the new code of "+string(c.Merchant))
			return topics | TopicCodes | TopicNotice, effects
		case held:
			s.Clip.tellHeld(c)
		default:
			s.Notices.tell(Warn, "replaced: "+string(c.Merchant)+" asked again, this is the new code")
		}
		return TopicCodes | TopicNotice, nil
	}
	if c, ok := s.Codes.successor(s.Clip.copying.of); ok && s.Clip.holds(s.Clip.copying.of.id) && !s.Clip.copying.told {
		s.Clip.tellHeld(c)
		return TopicSecrets | TopicNotice, nil
	}
	return 0, nil
}

// tellHeld tells that the clipboard holds the code that another has replaced.
func (cl *ClipTable) tellHeld(by Code) {
	cl.copying.told = true
	cl.notices.tell(Warn, "replaced: the clipboard still holds the old code of "+string(by.Merchant))
}

// holds reports whether the clipboard holds a code, or is about to.
func (cl *ClipTable) holds(id api.ChallengeID) bool {
	if cl.copying.of.id != id {
		return false
	}
	underWay := cl.clip.seq != cl.copying.seq
	return underWay || cl.clip.State == ClipCopied || cl.clip.State == ClipSent
}

// WaitingCodes counts the codes that wait and were not replaced.
func (co *CodesTable) Waiting() int {
	n := 0
	for i := range co.codes.rows {
		if !co.codes.rows[i].Replaced {
			n++
		}
	}
	return n
}
