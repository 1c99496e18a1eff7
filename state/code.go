package state

import (
	"maps"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// CodesTable holds the codes, those that ended, and the checkout that waits for one.
type CodesTable struct {
	*core
	notices  *NoticesTable
	cards    *CardsTable
	news     *NewsTable
	poll     *PollTable
	txns     *TxnsTable
	codes    codeBook
	checkout Checkout
	statuses []StatusChange // the oldest first
}

// Code is a pending 3DS challenge with its one-time code.
type Code struct {
	ID       api.ChallengeID
	Card     api.CardID
	Merchant api.Text
	// Amount is in USD; AmountKnown tells one of nothing from one not told.
	Amount      api.USD
	AmountKnown bool
	OTP         api.OTP
	// CreatedAt and ExpiresAt are on the server's clock, SeenAt is when the
	// challenge was first listed, on this machine's. A challenge that does not
	// tell when it was made counts from when it was seen, one that does not tell
	// when it ends lasts as long as the contract says.
	CreatedAt, ExpiresAt, SeenAt time.Time
	// CopiedAt is when it was first copied, this machine's clock; zero for never.
	CopiedAt time.Time
	// Status is pending, or the word of the API's that this program does not know.
	Status api.ChallengeStatus
	// Replaced says that the same merchant asked again for the same card since,
	// which usually ends the older code. It stays so when the newer one ends.
	Replaced bool
	// Replaces is the code that it replaced last; empty for none.
	Replaces api.ChallengeID
}

// Left is how long the code still holds, on the server's clock.
func (c Code) Left(serverNow time.Time) time.Duration {
	return max(0, c.ExpiresAt.Sub(serverNow))
}

const (
	// askAgain is the pause before a challenge is asked for by id again that
	// had no code yet, askFailed the one after a failure.
	askAgain  = 3 * time.Second
	askFailed = time.Second
	// askLost is longer than any request takes.
	askLost = 15 * time.Second
)

// codeBook keeps pending challenges, newest first.
type codeBook struct {
	rows []Code
	// asked says when a challenge whose code is missing may be asked for by id
	// again.
	asked map[api.ChallengeID]time.Time
	// seen says when each challenge was first listed, for as long as it is or
	// could be: one that a list left out by mistake does not begin anew.
	seen map[api.ChallengeID]sight
	// told are those among them whose code is known of.
	told map[api.ChallengeID]bool
	// listed says that the list has been read in this session: what was in the
	// first is as old as it is.
	listed bool
	// ended are the challenges that are over, the latest first.
	ended []Ended
	// times are how long the codes of this session took, the oldest first; asking
	// is when the list was last asked for that was answered, the server's clock.
	times  []CodeTime
	asking time.Time
	// doubted is the replaced code that a person was asked about, which they may
	// answer until then.
	doubted      api.ChallengeID
	doubtedUntil time.Time
}

// sight is when a challenge was first listed, this machine's clock, and when it
// ends, the server's.
type sight struct {
	at, until time.Time
	// missed is when the last answer was asked for that did not list it, the
	// server's clock. during says that there was one in this session, clocked
	// that it is known how long the code took.
	missed          time.Time
	during, clocked bool
	// replaced and replaces are as in Code.
	replaced bool
	replaces api.ChallengeID
}

func newCodeBook() codeBook {
	return codeBook{
		asked: make(map[api.ChallengeID]time.Time), seen: make(map[api.ChallengeID]sight), told: make(map[api.ChallengeID]bool),
	}
}

// Codes lists the pending challenges, newest first. The slice is the store's
// own: it is read, not kept and not changed.
func (co *CodesTable) All() []Code { return co.codes.rows }

// NewestCode is the code a checkout most likely waits for.
func (co *CodesTable) Newest() (Code, bool) {
	for _, c := range co.codes.rows {
		if !c.OTP.IsZero() && !c.Replaced && c.Left(co.ServerNow()) > 0 {
			return c, true
		}
	}
	return Code{}, false
}

// followUp has an armed checkout take the code that came, and what shows or holds
// a replaced code the one that replaced it.
func (s *Store) followUp() (Topic, []Effect) {
	topics, effects := s.catch()
	more, renewed := s.renew()
	return topics | more, append(effects, renewed...)
}

// reportCodes tells of codes that are there since the last time.
func (co *CodesTable) reportCodes(first bool) {
	maps.DeleteFunc(co.codes.told, func(id api.ChallengeID, _ bool) bool {
		_, seen := co.codes.seen[id]
		return !seen
	})
	for i := len(co.codes.rows) - 1; i >= 0; i-- {
		c := &co.codes.rows[i]
		if c.OTP.IsZero() {
			continue
		}
		known := first || co.codes.told[c.ID]
		if co.codes.told[c.ID] = true; known {
			continue
		}
		n := News{Kind: NewsCode, Type: codeType(c.Status), ID: string(c.ID), Card: c.Card, Merchant: c.Merchant, Replaces: c.Replaces}
		if c.AmountKnown {
			amount := c.Amount
			n.Amount = &amount
		}
		co.news.report(n)
	}
}

// over reports whether a challenge has ended. One in a state that this program
// does not know has not, as far as it can tell: its code may be asked for.
func over(s api.ChallengeStatus) bool {
	return s == api.ChallengeCompleted || s == api.ChallengeExpired
}

// askLater plans the next request for a challenge whose code is missing.
func (co *CodesTable) askLater(id api.ChallengeID, wait time.Duration) {
	if _, ok := co.codes.asked[id]; ok {
		co.codes.asked[id] = co.now.Add(wait)
	}
}

// see notes when challenges were first listed and forgets those that are
// listed no more and over.
func (co *CodesTable) see(items []api.Challenge, m Meta) {
	b, now := &co.codes, co.ServerNow()
	listed := make(map[api.ChallengeID]bool, len(items))
	for _, item := range items {
		listed[item.ID] = true
		seen, ok := b.seen[item.ID]
		if !ok {
			seen.at, seen.missed, seen.during = m.At, b.asking, b.listed && !item.CreatedAt.IsZero()
		}
		if seen.until = item.ExpiresAt; seen.until.IsZero() {
			seen.until = co.clock.Server(seen.at).Add(api.ChallengeLifetime)
		}
		b.seen[item.ID] = seen
	}
	maps.DeleteFunc(b.seen, func(id api.ChallengeID, seen sight) bool { return !listed[id] && !seen.until.After(now) })
	b.listed, b.asking = true, co.clock.Server(m.Sent)
}

// codeOf makes a row of a challenge, keeping what an earlier answer told and
// this one does not.
func (co *CodesTable) codeOf(item api.Challenge) Code {
	c := Code{
		ID: item.ID, Card: item.CardID, Merchant: item.Merchant, Status: item.Status,
		Amount: orZero(item.Amount), AmountKnown: item.Amount != nil,
		OTP: item.OTP, CreatedAt: item.CreatedAt, ExpiresAt: item.ExpiresAt, SeenAt: co.codes.seen[item.ID].at,
	}
	rows := co.codes.rows
	if i := slices.IndexFunc(rows, func(old Code) bool { return old.ID == item.ID }); i >= 0 {
		if c.OTP.IsZero() || c.OTP.Equal(rows[i].OTP.Secret) {
			c.OTP = rows[i].OTP
		}
		if c.CreatedAt.IsZero() {
			c.CreatedAt = rows[i].CreatedAt
		}
		c.CopiedAt = rows[i].CopiedAt
	}
	if c.CreatedAt.IsZero() {
		c.CreatedAt = co.clock.Server(c.SeenAt)
	}
	if c.ExpiresAt.IsZero() {
		c.ExpiresAt = c.CreatedAt.Add(api.ChallengeLifetime)
	}
	return c
}

func orZero(u *api.USD) api.USD {
	if u == nil {
		return 0
	}
	return *u
}

// setCodes takes a new set of rows, wipes the codes that ended, and tells
// whether anything a person sees changed.
func (co *CodesTable) setCodes(rows []Code) Topic {
	b := &co.codes
	gone := slices.DeleteFunc(slices.Clone(b.rows), func(old Code) bool {
		return slices.ContainsFunc(rows, func(c Code) bool { return c.ID == old.ID })
	})
	told := co.cards.announce(b.rows, rows)
	changed := b.update(rows, gone)
	for _, c := range rows {
		b.ended = slices.DeleteFunc(b.ended, func(e Ended) bool { return e.ID == c.ID })
	}
	co.end(gone)
	if !changed {
		return told
	}
	return told | TopicCodes
}

// update takes a new set of rows, newest first; gone are those that left it.
func (b *codeBook) update(rows, gone []Code) (changed bool) {
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

// find gives a pending challenge.
func (b *codeBook) find(id api.ChallengeID) (Code, bool) {
	i := slices.IndexFunc(b.rows, func(c Code) bool { return c.ID == id })
	if i < 0 {
		return Code{}, false
	}
	return b.rows[i], true
}

// wipe overwrites a code that no row shows.
func (b *codeBook) wipe(otp api.OTP) {
	if !slices.ContainsFunc(b.rows, func(c Code) bool { return c.OTP == otp }) {
		otp.Wipe()
	}
}

// wipeAll overwrites the codes of challenges that no row shows.
func (b *codeBook) wipeAll(items []api.Challenge) {
	for _, item := range items {
		b.wipe(item.OTP)
	}
}

func compareID[T ~string](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// expireCodes lets go of the codes whose time is over.
func (co *CodesTable) expire(now time.Time) Topic {
	serverNow := co.clock.Server(now)
	live := slices.DeleteFunc(slices.Clone(co.codes.rows), func(c Code) bool { return !c.ExpiresAt.After(serverNow) })
	if len(live) == len(co.codes.rows) {
		return 0
	}
	return co.setCodes(live) | TopicCodes
}
