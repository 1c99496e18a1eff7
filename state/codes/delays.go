package codes

import (
	"slices"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/rows"
)

// Time is the delay of a code of this session: from when the server made
// its challenge to when its digits were here, and from there to the clipboard.
// A challenge that was there before the program has none.
type Time struct {
	ID       api.ChallengeID
	Card     api.CardID
	Merchant api.Text
	// CreatedAt is on the server's clock, as HereAt is; CopiedAt is zero for a
	// code that was not copied.
	CreatedAt, HereAt, CopiedAt time.Time
	// API is how long the service is known to have held it back: it did not list
	// it for a request that was sent since, or listed it without its digits. Poll
	// is the rest: our pause between two requests, and the last one's way.
	API, Poll time.Duration
}

// Here is the delay until the digits were here.
func (c Time) Here() time.Duration { return c.API + c.Poll }

// Copied is the delay from there to the clipboard; false for a code that
// was not copied.
func (c Time) Copied() (time.Duration, bool) {
	return max(0, c.CopiedAt.Sub(c.HereAt)), !c.CopiedAt.IsZero()
}

// Delays sums up the codes of this session. API and Poll are the parts of Seen;
// Copied is the user's.
type Delays struct {
	Seen, API, Poll, Copied Spread
}

// Spread is the distribution of durations.
type Spread struct {
	N        int
	P50, P95 time.Duration
}

// codeTimesKept bounds how many codes' times are remembered.
const codeTimesKept = 1000

// Times lists the delays of the codes of this session, the newest first.
func (co *Table) Times() []Time {
	out := slices.Clone(co.codes.times)
	slices.Reverse(out)
	return out
}

// Delays reports on the codes of this session.
func (co *Table) Delays() Delays {
	var seen, api, poll, copied []time.Duration
	for _, c := range co.codes.times {
		seen, api, poll = append(seen, c.Here()), append(api, c.API), append(poll, c.Poll)
		if delay, ok := c.Copied(); ok {
			copied = append(copied, delay)
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

// clockCodes records the delays of the codes whose digits are here since at, this
// machine's clock.
func (co *Table) clockCodes(at time.Time) {
	b := &co.codes
	for i := range b.rows {
		c := &b.rows[i]
		seen := b.seen[c.ID]
		if c.OTP.IsZero() || seen.clocked || !seen.during {
			continue
		}
		seen.clocked = true
		b.seen[c.ID] = seen
		here := co.Clock.Server(at)
		total := max(0, here.Sub(c.CreatedAt))
		held := max(0, seen.missed.Sub(c.CreatedAt))
		if listed := co.Clock.Server(seen.at); listed.Before(here) {
			held += here.Sub(listed) // The digits did not come with it.
		}
		held = min(held, total)
		b.times = append(b.times, Time{
			ID: c.ID, Card: c.Card, Merchant: c.Merchant, CreatedAt: c.CreatedAt, HereAt: here, API: held, Poll: total - held,
		})
		if n := len(b.times) - codeTimesKept; n > 0 {
			b.times = slices.Delete(b.times, 0, n)
		}
	}
}

// clockCopy records when a code was first copied.
func (co *Table) clockCopy(id api.ChallengeID, at time.Time) {
	for i := range co.codes.times {
		if c := &co.codes.times[i]; c.ID == id && c.CopiedAt.IsZero() {
			c.CopiedAt = co.Clock.Server(at)
		}
	}
}

// Copied records when a code was first copied.
func (co *Table) Copied(id api.ChallengeID, at time.Time) {
	for i := range co.codes.rows {
		if c := &co.codes.rows[i]; c.ID == id && c.CopiedAt.IsZero() {
			c.CopiedAt = at
			co.clockCopy(id, at)
			co.Claim(id)
		}
	}
}

// TimeRows are the codes' times for other programs, in milliseconds.
func (co *Table) TimeRows(times []Time) rows.Rows {
	list := slices.Clone(times)
	names := make([]string, 0, len(list))
	for i := range list {
		names = append(names, co.needs.Cards.Name(list[i].Card))
	}
	return rows.Rows{
		What: "code times", N: len(list),
		Columns: []string{"created_at", "seen_at", "copied_at", "api_ms", "poll_ms", "seen_ms", "copied_ms", "merchant", "card", "name", "challenge"},
		Row: func(i int) []rows.Cell {
			c, copied := &list[i], rows.Cell{}
			if delay, ok := c.Copied(); ok {
				copied = msCell(delay)
			}
			return []rows.Cell{
				instantCell(c.CreatedAt), instantCell(c.HereAt), instantCell(c.CopiedAt), msCell(c.API), msCell(c.Poll), msCell(c.Here()), copied,
				rows.Text(c.Merchant), rows.Text(c.Card), rows.Text(names[i]), rows.Text(c.ID),
			}
		},
	}
}

func msCell(d time.Duration) rows.Cell {
	return rows.Cell{Text: strconv.FormatInt(d.Milliseconds(), 10), Number: true}
}

// instantCell is a time in UTC to the millisecond; nothing for one that never was.
func instantCell(t time.Time) rows.Cell {
	if t.IsZero() {
		return rows.Cell{}
	}
	return rows.Cell{Text: t.UTC().Format("2006-01-02T15:04:05.000Z07:00")}
}
