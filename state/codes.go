package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Code is a pending 3DS challenge with its one-time code.
type Code struct {
	ID        api.ChallengeID
	Card      api.CardID
	Merchant  api.Text
	Amount    api.USD
	OTP       api.OTP
	CreatedAt time.Time
	ExpiresAt time.Time // server's clock
	SeenAt    time.Time // this machine's clock
	// Superseded says that the same merchant asked again for the same card
	// since, which usually ends the older code.
	Superseded bool
}

// Left is how long the code still holds, on the server's clock.
func (c Code) Left(serverNow time.Time) time.Duration {
	return max(0, c.ExpiresAt.Sub(serverNow))
}

// codeBook keeps pending challenges, newest first.
type codeBook struct {
	rows  []Code
	asked map[api.ChallengeID]bool
}

func newCodeBook() codeBook {
	return codeBook{asked: make(map[api.ChallengeID]bool)}
}

// Codes lists the pending challenges, newest first. The slice is the store's
// own: it is read, not kept and not changed.
func (s *Store) Codes() []Code { return s.codes.rows }

// NewestCode is the code a checkout most likely waits for.
func (s *Store) NewestCode() (Code, bool) {
	for _, c := range s.codes.rows {
		if !c.OTP.IsZero() {
			return c, true
		}
	}
	return Code{}, false
}

func (s *Store) challengesLoaded(ev ChallengesLoaded) (Topic, []Effect) {
	s.succeed(LaneCodes, ev.Meta)
	var (
		effects []Effect
		rows    = make([]Code, 0, len(ev.Items))
		now     = s.ServerNow()
	)
	for _, item := range ev.Items {
		c := s.codes.from(item, ev.At)
		if !pending(item, now) {
			continue
		}
		rows = append(rows, c)
		if c.OTP.IsZero() && !s.codes.asked[c.ID] {
			s.codes.asked[c.ID] = true
			effects = append(effects, FetchChallenge{Challenge: c.ID})
		}
	}
	if !s.codes.replace(rows) {
		return 0, effects
	}
	return TopicCodes, effects
}

func (s *Store) challengeLoaded(ev ChallengeLoaded) Topic {
	delete(s.codes.asked, ev.Item.ID)
	i := slices.IndexFunc(s.codes.rows, func(c Code) bool { return c.ID == ev.Item.ID })
	if i < 0 {
		return 0
	}
	rows := slices.Clone(s.codes.rows)
	if pending(ev.Item, s.ServerNow()) {
		rows[i] = s.codes.from(ev.Item, ev.At)
	} else {
		rows = slices.Delete(rows, i, i+1)
	}
	s.codes.replace(rows)
	return TopicCodes
}

func pending(c api.Challenge, serverNow time.Time) bool {
	return c.Status == api.ChallengePending && c.ExpiresAt.After(serverNow)
}

// from makes a row of a challenge, keeping what an earlier answer told and
// this one does not.
func (b *codeBook) from(item api.Challenge, at time.Time) Code {
	c := Code{
		ID: item.ID, Card: item.CardID, Merchant: item.Merchant, Amount: orZero(item.Amount), OTP: item.OTP,
		CreatedAt: item.CreatedAt, ExpiresAt: item.ExpiresAt, SeenAt: at,
	}
	if i := slices.IndexFunc(b.rows, func(old Code) bool { return old.ID == item.ID }); i >= 0 {
		c.SeenAt = b.rows[i].SeenAt
		if c.OTP.IsZero() {
			c.OTP = b.rows[i].OTP
		}
	}
	return c
}

func orZero(u *api.USD) api.USD {
	if u == nil {
		return 0
	}
	return *u
}

// replace takes a new set of rows, wipes the codes that ended, and tells
// whether anything a person sees changed.
func (b *codeBook) replace(rows []Code) bool {
	slices.SortStableFunc(rows, func(x, y Code) int {
		if c := y.CreatedAt.Compare(x.CreatedAt); c != 0 {
			return c
		}
		return -compareID(x.ID, y.ID)
	})
	type asker struct {
		card     api.CardID
		merchant api.Text
	}
	seen := make(map[asker]bool, len(rows))
	for i := range rows {
		who := asker{rows[i].Card, rows[i].Merchant}
		rows[i].Superseded = seen[who]
		seen[who] = true
	}
	same := slices.EqualFunc(b.rows, rows, func(x, y Code) bool {
		return x.ID == y.ID && x.Superseded == y.Superseded && x.ExpiresAt.Equal(y.ExpiresAt) && x.Amount == y.Amount && x.OTP.IsZero() == y.OTP.IsZero()
	})
	b.rows = rows
	for id := range b.asked {
		if !slices.ContainsFunc(rows, func(c Code) bool { return c.ID == id }) {
			delete(b.asked, id)
		}
	}
	return !same
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

func (b *codeBook) expire(serverNow time.Time) Topic {
	live := slices.DeleteFunc(slices.Clone(b.rows), func(c Code) bool { return !c.ExpiresAt.After(serverNow) })
	if len(live) == len(b.rows) {
		return 0
	}
	b.replace(live)
	return TopicCodes
}
