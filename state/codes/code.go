// Package codes holds the pending 3DS challenges with their one-time codes, those that ended, and the checkout that waits
// for one.
package codes

import (
	"maps"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/cart"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
)

// Table holds the codes, those that ended, and the checkout that waits for one.
type Table struct {
	*kernel.Core
	needs Needs

	codes    codeList
	checkout Checkout
}

// Needs are what codes use of other features.
type Needs struct {
	Notices *kernel.Notices
	News    *kernel.News
	Lanes   *kernel.Lanes
	Cards   Cards
	// Locked reports whether the screen is, Copies whether what is copied reaches a clipboard.
	Locked, Copies func() bool
	// Transactions are those of the feed, the oldest first.
	Transactions func() []api.Transaction
	// Funds is what a card has for charges, Cart what is known of paying an amount with it, USD.
	Funds func(api.CardID) cart.Funds
	Cart  func(api.CardID, api.USD) cart.Facts
}

// Cards are those that codes are of.
type Cards interface {
	Get(id api.CardID) (cardlist.Card, bool)
	Name(id api.CardID) string
	CheckAlive(id api.CardID) kernel.Verdict
}

// New returns a table without codes.
func New(c *kernel.Core, needs Needs) *Table {
	return &Table{Core: c, needs: needs, codes: newCodeList()}
}

// Code is a pending 3DS challenge with its one-time code.
type Code struct {
	ID       api.ChallengeID
	Card     api.CardID
	Merchant api.Text
	// Amount is in USD; AmountKnown reports whether the API said it.
	Amount      api.USD
	AmountKnown bool
	OTP         api.OTP
	// CreatedAt and ExpiresAt are on the server's clock, SeenAt is when the
	// challenge was first listed, on this machine's. A challenge that does not
	// say when it was made counts from when it was seen, one that does not say
	// when it ends lasts as long as the contract says.
	CreatedAt, ExpiresAt, SeenAt time.Time
	// ChangedAt is when its digits were last seen to be others than before, this machine's
	// clock; zero for never.
	ChangedAt time.Time
	// CopiedAt is when these digits were first copied, this machine's clock; zero for never.
	CopiedAt time.Time
	// TakenBy is who said on a hub that they use the code, and TakenAt when, on the
	// server's clock; empty for nobody but perhaps the user.
	TakenBy api.Text
	TakenAt time.Time
	// Status is pending, or a status of the API's that this program does not know.
	Status api.ChallengeStatus
	// Replaced reports whether the same merchant asked again for the same card since,
	// which usually ends the older code. It stays so when the newer one ends.
	Replaced bool
	// Replaces is the code that it replaced last; empty for none.
	Replaces api.ChallengeID
}

// Shown is the code as it may be drawn; empty while the challenge has none.
func (c Code) Shown(d display.Display) string { return d.Code(c.OTP) }

// Left is how long the code still holds, on the server's clock.
func (c Code) Left(serverNow time.Time) time.Duration {
	return max(0, c.ExpiresAt.Sub(serverNow))
}

const (
	// askAgain is the pause before a challenge is asked for by id again that
	// had no code yet, askFailed the one after a failure.
	askAgain  = 3 * time.Second
	askFailed = time.Second
	// askLost is longer than any request lasts.
	askLost = 15 * time.Second
)

// codeList holds pending challenges, newest first.
type codeList struct {
	rows []Code
	// asked says when a challenge whose code is missing may be asked for by id
	// again.
	asked map[api.ChallengeID]time.Time
	// seen says when each challenge was first listed, for as long as it is or
	// could be: one that a list left out by mistake does not begin anew.
	seen map[api.ChallengeID]seenCode
	// taken says who uses which code, as a hub told.
	taken map[api.ChallengeID]Taken
	// ready are those among them whose code is known of.
	ready map[api.ChallengeID]bool
	// listed reports whether the list has been read in this session: what was in the
	// first is as old as it is.
	listed bool
	// ended are the challenges that are over, the latest first.
	ended []Ended
	// times are the delays of the codes of this session, the oldest first; asking
	// is when the list was last asked for that was answered, the server's clock.
	times  []Time
	asking time.Time
	// doubted is the replaced code whose copy the user may confirm until
	// doubtedUntil.
	doubted      api.ChallengeID
	doubtedUntil time.Time
}

// seenCode is when a challenge was first listed, this machine's clock, and when it
// ends, the server's.
type seenCode struct {
	at, until time.Time
	// missed is when the last answer was asked for that did not list it, the
	// server's clock. during says that there was one in this session, clocked
	// that the delay of the code is known.
	missed          time.Time
	during, clocked bool
	// changedAt, replaced and replaces are as in Code.
	changedAt time.Time
	replaced  bool
	replaces  api.ChallengeID
}

func newCodeList() codeList {
	return codeList{
		asked: make(map[api.ChallengeID]time.Time), seen: make(map[api.ChallengeID]seenCode), ready: make(map[api.ChallengeID]bool),
		taken: make(map[api.ChallengeID]Taken),
	}
}

// All lists the pending challenges, newest first. The slice is the store's
// own: it is read only.
func (co *Table) All() []Code { return co.codes.rows }

// Newest is the code a checkout most likely waits for: the newest that is pending, else
// the newest of a status that this program does not know.
func (co *Table) Newest() (Code, bool) {
	var odd Code
	for _, c := range co.codes.rows {
		switch usable := !c.OTP.IsZero() && !c.Replaced && c.Left(co.ServerNow()) > 0; {
		case usable && c.Pending():
			return c, true
		case usable && odd.ID == "":
			odd = c
		}
	}
	return odd, odd.ID != ""
}

// Pending reports whether the code is known to be good: its status is not one that this
// program does not know.
func (c Code) Pending() bool { return c.Status == api.ChallengePending }

// reportCodes reports codes that are there since the last time.
func (co *Table) reportCodes(first bool) {
	maps.DeleteFunc(co.codes.ready, func(id api.ChallengeID, _ bool) bool {
		_, seen := co.codes.seen[id]
		return !seen
	})
	for i := len(co.codes.rows) - 1; i >= 0; i-- {
		c := &co.codes.rows[i]
		if c.OTP.IsZero() {
			continue
		}
		known := first || co.codes.ready[c.ID]
		if co.codes.ready[c.ID] = true; known {
			continue
		}
		n := news.News{Kind: news.Code, Type: codeType(c.Status), ID: string(c.ID), Card: c.Card, Merchant: c.Merchant, Replaces: c.Replaces}
		if c.AmountKnown {
			amount := c.Amount
			n.Amount = &amount
		}
		co.needs.News.Report(n)
	}
}

// Over reports whether a challenge has ended. One in a state that this program
// does not know has not, as far as is known: its code may be asked for.
func Over(s api.ChallengeStatus) bool {
	return s == api.ChallengeCompleted || s == api.ChallengeExpired
}

// retryCode plans the next request for a challenge whose code is missing.
func (co *Table) retryCode(id api.ChallengeID, wait time.Duration) {
	if _, ok := co.codes.asked[id]; ok {
		co.codes.asked[id] = co.Time.Add(wait)
	}
}

// unseen reports whether a challenge was not listed before.
func (co *Table) unseen(item api.Challenge) bool {
	_, seen := co.codes.seen[item.ID]
	return !seen
}

// updateSeen records when challenges were first listed and forgets those that are
// listed no more and over.
func (co *Table) updateSeen(items []api.Challenge, m kernel.Meta) {
	b, now := &co.codes, co.ServerNow()
	listed := make(map[api.ChallengeID]bool, len(items))
	for _, item := range items {
		listed[item.ID] = true
		seen, ok := b.seen[item.ID]
		if !ok {
			seen.at, seen.missed, seen.during = m.At, b.asking, b.listed && !item.CreatedAt.IsZero()
		}
		if seen.until = item.ExpiresAt; seen.until.IsZero() {
			seen.until = co.Clock.Server(seen.at).Add(api.ChallengeLifetime)
		}
		b.seen[item.ID] = seen
	}
	maps.DeleteFunc(b.seen, func(id api.ChallengeID, seen seenCode) bool { return !listed[id] && !seen.until.After(now) })
	b.listed, b.asking = true, co.Clock.Server(m.Sent)
}

// codeOf makes a row of a challenge, with what an earlier answer said and
// this one does not.
func (co *Table) codeOf(item api.Challenge) Code {
	c := Code{
		ID: item.ID, Card: item.CardID, Merchant: item.Merchant, Status: item.Status,
		Amount: kernel.OrZero(item.Amount), AmountKnown: item.Amount != nil,
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
		c.ChangedAt, c.CopiedAt = rows[i].ChangedAt, rows[i].CopiedAt
		if had := rows[i].OTP; !had.IsZero() && !had.Equal(c.OTP.Secret) {
			co.changed(&c)
		}
	}
	if by, taken := co.codes.taken[c.ID]; taken {
		c.TakenBy, c.TakenAt = by.By, by.TakenAt
	}
	if c.CreatedAt.IsZero() {
		c.CreatedAt = co.Clock.Server(c.SeenAt)
	}
	if c.ExpiresAt.IsZero() {
		c.ExpiresAt = c.CreatedAt.Add(api.ChallengeLifetime)
	}
	return c
}

// changed records that a code has other digits than before: it is a new one, which was not
// Copied and not told of.
func (co *Table) changed(c *Code) {
	seen := co.codes.seen[c.ID]
	seen.changedAt = co.Time
	co.codes.seen[c.ID] = seen
	c.ChangedAt, c.CopiedAt = co.Time, time.Time{}
	delete(co.codes.ready, c.ID)
}

// find returns a pending challenge.
func (b *codeList) find(id api.ChallengeID) (Code, bool) {
	i := slices.IndexFunc(b.rows, func(c Code) bool { return c.ID == id })
	if i < 0 {
		return Code{}, false
	}
	return b.rows[i], true
}

// wipe overwrites a code that no row shows.
func (b *codeList) wipe(otp api.OTP) {
	if !slices.ContainsFunc(b.rows, func(c Code) bool { return c.OTP == otp }) {
		otp.Wipe()
	}
}

// wipeAll overwrites the codes of challenges that no row shows.
func (b *codeList) wipeAll(items []api.Challenge) {
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

// Find returns a code that waits.
func (co *Table) Find(id api.ChallengeID) (Code, bool) { return co.codes.find(id) }

// Tick ends what is over by the time, and asks for what is due.
func (co *Table) Tick(now time.Time) kernel.Topic {
	co.readEnded(now)
	return co.expire(now) | co.expireCheckout(now)
}

// announce shows on a locked screen that a code came, without its digits.
func (co *Table) announce(was, is []Code) kernel.Topic {
	if !co.needs.Locked() {
		return 0
	}
	known := make(map[api.ChallengeID]bool, len(was))
	for _, c := range was {
		known[c.ID] = true
	}
	for _, c := range is {
		if !known[c.ID] {
			co.needs.Notices.Say(kernel.Warn, co.Lang.Tf("a code of %s for %s is here: enter unlocks", co.needs.Cards.Name(c.Card), string(c.Merchant)))
			return kernel.TopicNotice
		}
	}
	return 0
}

// codeType is the type of the news of a code: its status where that is another than
// pending.
func codeType(s api.ChallengeStatus) string {
	if s == api.ChallengePending {
		return ""
	}
	return string(s)
}

// ToCopy is the code of a challenge that can be copied, the newest without one; false for none.
func (co *Table) ToCopy(id api.ChallengeID) (Code, bool) {
	if id == "" {
		return co.Newest()
	}
	for _, c := range co.codes.rows {
		if c.ID == id && !c.OTP.IsZero() && c.Left(co.ServerNow()) > 0 {
			return c, true
		}
	}
	return Code{}, false
}
