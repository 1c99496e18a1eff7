package state

import (
	"slices"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rows"
)

// codeTimesKept bounds how many codes' times are remembered.
const codeTimesKept = 1000

// CodeTime is how long a code of this session took: from when the server made
// its challenge to when its digits were here, and from there to the clipboard.
// A challenge that was there before the program has none.
type CodeTime struct {
	ID       api.ChallengeID
	Card     api.CardID
	Merchant api.Text
	// CreatedAt is on the server's clock, as HereAt is; CopiedAt is zero for a
	// code that was not copied.
	CreatedAt, HereAt, CopiedAt time.Time
	// API is how long the service is known to have kept it back: it did not list
	// it for a request that was sent since, or listed it without its digits. Poll
	// is the rest: our pause between two requests, and the last one's way.
	API, Poll time.Duration
}

// Here is how long it took until the digits were here.
func (c CodeTime) Here() time.Duration { return c.API + c.Poll }

// Copied is how long it took from there to the clipboard; false for a code that
// was not copied.
func (c CodeTime) Copied() (time.Duration, bool) {
	return max(0, c.CopiedAt.Sub(c.HereAt)), !c.CopiedAt.IsZero()
}

// Delays sums up the codes of this session. API and Poll are the parts of Seen;
// Copied is the person's.
type Delays struct {
	Seen, API, Poll, Copied Spread
}

// Spread sums up durations.
type Spread struct {
	N        int
	P50, P95 time.Duration
}

// CodeTimes lists how long the codes of this session took, the newest first.
func (co *CodesTable) Times() []CodeTime {
	out := slices.Clone(co.codes.times)
	slices.Reverse(out)
	return out
}

// Delays reports on the codes of this session.
func (co *CodesTable) Delays() Delays {
	var seen, api, poll, copied []time.Duration
	for _, c := range co.codes.times {
		seen, api, poll = append(seen, c.Here()), append(api, c.API), append(poll, c.Poll)
		if took, ok := c.Copied(); ok {
			copied = append(copied, took)
		}
	}
	return Delays{Seen: spread(seen), API: spread(api), Poll: spread(poll), Copied: spread(copied)}
}

func spread(all []time.Duration) Spread {
	if len(all) == 0 {
		return Spread{}
	}
	sorted := slices.Sorted(slices.Values(all))
	at := func(percent int) time.Duration { return sorted[(len(sorted)*percent+99)/100-1] }
	return Spread{N: len(all), P50: at(50), P95: at(95)}
}

// clockCodes notes how long the codes took whose digits are here since at, this
// machine's clock.
func (co *CodesTable) clockCodes(at time.Time) {
	b := &co.codes
	for i := range b.rows {
		c := &b.rows[i]
		seen := b.seen[c.ID]
		if c.OTP.IsZero() || seen.clocked || !seen.during {
			continue
		}
		seen.clocked = true
		b.seen[c.ID] = seen
		here := co.clock.Server(at)
		total := max(0, here.Sub(c.CreatedAt))
		kept := max(0, seen.missed.Sub(c.CreatedAt))
		if listed := co.clock.Server(seen.at); listed.Before(here) {
			kept += here.Sub(listed) // The digits were not told with it.
		}
		kept = min(kept, total)
		b.times = append(b.times, CodeTime{
			ID: c.ID, Card: c.Card, Merchant: c.Merchant, CreatedAt: c.CreatedAt, HereAt: here, API: kept, Poll: total - kept,
		})
		if n := len(b.times) - codeTimesKept; n > 0 {
			b.times = slices.Delete(b.times, 0, n)
		}
	}
}

// clockCopy notes when a code was first copied.
func (co *CodesTable) clockCopy(id api.ChallengeID, at time.Time) {
	for i := range co.codes.times {
		if c := &co.codes.times[i]; c.ID == id && c.CopiedAt.IsZero() {
			c.CopiedAt = co.clock.Server(at)
		}
	}
}

// CodeTimeRows are the codes' times for other programs, in milliseconds.
func (co *CodesTable) TimeRows(times []CodeTime) Rows {
	list := slices.Clone(times)
	names := make([]string, 0, len(list))
	for i := range list {
		names = append(names, co.cards.Name(list[i].Card))
	}
	return Rows{
		What: "code times", N: len(list),
		Columns: []string{"created_at", "seen_at", "copied_at", "api_ms", "poll_ms", "seen_ms", "copied_ms", "merchant", "card", "name", "challenge"},
		Row: func(i int) []Cell {
			c, copied := &list[i], Cell{}
			if took, ok := c.Copied(); ok {
				copied = msCell(took)
			}
			return []Cell{
				instantCell(c.CreatedAt), instantCell(c.HereAt), instantCell(c.CopiedAt), msCell(c.API), msCell(c.Poll), msCell(c.Here()), copied,
				rows.Text(c.Merchant), rows.Text(c.Card), rows.Text(names[i]), rows.Text(c.ID),
			}
		},
	}
}

func msCell(d time.Duration) Cell {
	return Cell{Text: strconv.FormatInt(d.Milliseconds(), 10), Number: true}
}

// instantCell is a time in UTC to the millisecond; nothing for one that never was.
func instantCell(t time.Time) Cell {
	if t.IsZero() {
		return Cell{}
	}
	return Cell{Text: t.UTC().Format("2006-01-02T15:04:05.000Z07:00")}
}

// armedFor is how long a checkout stays armed.
const armedFor = 5 * time.Minute

// Checkout is a card whose next code is waited for, and the code it brought.
type Checkout struct {
	// Card is armed until Until; empty when none is.
	Card         api.CardID
	Since, Until time.Time
	// Caught is the code that came last, to be shown large; empty when there is
	// none, when it ended, or when it was put away.
	Caught api.ChallengeID
	of     origin // of Caught
}

// Checkout reports on the armed checkout.
func (co *CodesTable) Checkout() Checkout { return co.checkout }

// Caught is the code that an armed checkout brought.
func (co *CodesTable) Caught() (Code, bool) {
	if co.checkout.Caught == "" {
		return Code{}, false
	}
	return co.codes.find(co.checkout.Caught)
}

// arm waits for a card's next code; asked for again, it stops waiting.
func (co *CodesTable) arm(id api.CardID) {
	if co.checkout.Card == id {
		co.disarm(Checkout{})
		co.notices.tell(Info, co.cards.name(id)+" is not armed any more")
		return
	}
	co.checkout = Checkout{Card: id, Since: co.now, Until: co.now.Add(armedFor)}
	text := "armed: the next code of " + co.cards.name(id) + " shows large"
	if co.cfg.CopyArmed {
		text += " and is copied"
	}
	for _, c := range co.codes.rows {
		if c.Card == id && !c.Replaced && c.Left(co.ServerNow()) > 0 {
			text = "armed for the next code; one of " + co.cards.name(id) + " is waiting already"
		}
	}
	if c, _ := co.cards.Get(id); c.Status == api.CardFrozen {
		text += "; the card is FROZEN"
	}
	co.notices.tell(Info, text)
	co.poll.Arm()
}

// disarm ends the wait; c is what is left of it.
func (co *CodesTable) disarm(c Checkout) {
	co.checkout = c
	co.poll.Disarm()
}

// putAway takes the large code off the screen.
func (co *CodesTable) putAway() Topic {
	if co.checkout.Caught == "" {
		return 0
	}
	co.checkout.Caught = ""
	return TopicCodes
}

// catch ends the wait when the armed card's next code is here. One that was
// listed before does not count: it belongs to an earlier checkout.
func (s *Store) catch() (Topic, []Effect) {
	if s.Codes.checkout.Card == "" {
		return 0, nil
	}
	i := slices.IndexFunc(s.Codes.codes.rows, func(c Code) bool {
		return c.Card == s.Codes.checkout.Card && c.SeenAt.After(s.Codes.checkout.Since) && !c.OTP.IsZero() && !c.Replaced
	})
	if i < 0 {
		return 0, nil
	}
	c := s.Codes.codes.rows[i]
	s.Codes.disarm(Checkout{Caught: c.ID, of: c.origin()})
	if !s.cfg.CopyArmed {
		s.Notices.tell(Good, "the code of "+s.Cards.name(c.Card)+" for "+string(c.Merchant)+" is here")
		return TopicCodes | TopicNotice, nil
	}
	if s.Notices.notice.Level == Info {
		s.Notices.Dismiss() // That it is armed was news.
	}
	topics, effects := s.Clip.copyCode(CopyCode{Challenge: c.ID})
	return topics | TopicCodes | TopicNotice, effects
}

// expireCheckout ends what has waited long enough, and what no code is left
// of.
func (co *CodesTable) expireCheckout(now time.Time) Topic {
	c := &co.checkout
	if c.Caught != "" {
		if _, ok := co.codes.find(c.Caught); !ok {
			c.Caught = ""
			return TopicCodes
		}
	}
	if c.Card == "" || !poll.Reached(now, c.Until) {
		return 0
	}
	co.notices.tell(Warn, "no code came for "+co.cards.name(c.Card)+" in five minutes: not armed any more")
	co.disarm(Checkout{})
	return TopicCodes | TopicNotice
}

func (co *CodesTable) codeToCopy(in CopyCode) (Code, bool) {
	if in.Challenge == "" {
		return co.Newest()
	}
	for _, c := range co.codes.rows {
		if c.ID == in.Challenge && !c.OTP.IsZero() && c.Left(co.ServerNow()) > 0 {
			return c, true
		}
	}
	return Code{}, false
}

// Lack is what a card lacks for a charge that a code waits for.
type Lack struct {
	Merchant api.Text
	// Charge is what the code authorizes, Amount what the card lacks for it,
	// but not less than can be funded. USD.
	Charge, Amount api.USD
}

// Lack finds what a card lacks for the newest code that waits on it. With an
// amount, it is the code that lacks just this much.
func (co *CodesTable) Lack(id api.CardID, amount api.USD) (Lack, bool) {
	for _, c := range co.codes.rows {
		if c.Card != id || c.Replaced {
			continue
		}
		if short := co.Short(c.ID); short > 0 && (amount == 0 || amount == short) {
			return Lack{Merchant: c.Merchant, Charge: c.Amount, Amount: short}, true
		}
	}
	return Lack{}, false
}

// Short is what the card of a code that waits lacks for its charge, in USD:
// at least the least that can be funded, 0 when it lacks nothing or was
// replaced.
func (co *CodesTable) Short(id api.ChallengeID) api.USD {
	c, ok := co.codes.find(id)
	if !ok || !c.AmountKnown || c.Replaced || c.Left(co.ServerNow()) == 0 {
		return 0
	}
	card, ok := co.cards.Get(c.Card)
	if !ok || card.Status == api.CardTerminated || card.Balance >= c.Amount {
		return 0
	}
	return max(c.Amount-card.Balance, api.MinFunding)
}
