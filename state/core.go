package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/requestlog"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/team"
)

// core is what all tables share: the configuration, the time, the numbers of
// requests and the effects that wait for the next tick.
type core struct {
	cfg     settings.Config
	words   *lang.Words
	now     time.Time // of the last tick or event, this machine's clock
	started bool
	begun   time.Time // this run, by this machine's clock
	seq     poll.Seq
	clock   poll.ServerClock
	wants   []Effect
	// Team is who shares the account over a hub, what they may do, and what they do.
	Team *team.Table
}

// Effect is work the store asks for. Each says beside its type what it costs,
// what the user waits for, and what the store does when it brings nothing.
//
//sumtype:decl
type Effect interface{ effect() }

// Fetch is an effect that sends a request.
type Fetch interface {
	Effect
	// Cost is what the request is to the budget.
	Cost() Cost
}

// Awaited is an effect that the user may wait for.
type Awaited interface {
	Effect
	// Label says what the user waits for; empty when it is nothing. asked says
	// that a key led to the effect.
	Label(asked bool) string
}

// Cost is what a request is to the budget: which limit it counts against, how
// early it is refused, and the lane it is shown under.
type Cost struct {
	Kind     budget.Kind
	Priority budget.Priority
	Lane     string
}

type (
	// polled is an effect of a lane.
	polled interface {
		Fetch
		lane() (poll.Lane, poll.Seq)
	}
	// paged is an effect that reads a page of a list, from 1 on.
	paged interface{ page() int }
)

// failure is how a request brought nothing.
type failure struct {
	at   time.Time
	err  error
	wait time.Duration // that the server or the request budget asks for
	// deferred reports whether the request budget did not allow it.
	deferred bool
}

func polling(f polled, p budget.Priority) Cost {
	lane, _ := f.lane()
	return Cost{Priority: p, Lane: lane.String()}
}

// LaneName is the name of the lane that an effect polls; false for what is
// read only when it is needed.
func LaneName(e Effect) (string, bool) {
	p, ok := e.(polled)
	if !ok {
		return "", false
	}
	lane, _ := p.lane()
	return lane.String(), true
}

// Meta is when and how an answer came. Times are this machine's.
type Meta struct {
	Sent, At time.Time
	// Clock is what a recent answer said of the server's clock.
	Clock poll.ClockSample
	// Budget is how the requests of the last hour were spent.
	Budget poll.Budget
	// Requests are those that ended since the last event that had any.
	Requests []requestlog.Request
	// Unread are the items of the answer that could not be read.
	Unread []api.Unread
	// Withheld reports that the list is empty because the user's role on a hub may not read
	// it.
	Withheld bool
}

func (m Meta) meta() Meta { return m }

// confirmsLabel reports whether cards of a label are confirmed twice.
func (c *core) confirmsLabel(label string) bool {
	for _, pattern := range c.cfg.Guard.ConfirmLabels {
		if guard.Match(pattern, label) {
			return true
		}
	}
	return false
}

// Words are the texts of the screen in the language of its user.
func (c *core) Words() *lang.Words { return c.words }

// WordsIn are those of a setting that is not in force.
func (c *core) WordsIn(language string) *lang.Words {
	if language == c.cfg.Language {
		return c.words
	}
	return lang.For(language, c.cfg.Locale)
}

// Now is the time of the last tick or event, this machine's clock.
func (c *core) Now() time.Time { return c.now }

// ServerNow is Now on the server's clock, which decides when codes expire.
func (c *core) ServerNow() time.Time { return c.clock.Server(c.now) }

// ReadOnly reports whether writes are refused.
func (c *core) ReadOnly() bool { return c.cfg.ReadOnly }

// NoReveal reports whether numbers, CVVs and addresses are refused.
func (c *core) NoReveal() bool { return c.cfg.NoReveal }

func (c *core) nextSeq() poll.Seq {
	c.seq++
	return c.seq
}

// Topic is a set of parts of the store. Views redraw when a part they read
// has changed.
type Topic uint32

// The parts.
const (
	TopicCards Topic = 1 << iota
	TopicCodes
	TopicFeed
	TopicWallet
	TopicInspector
	TopicOps
	TopicSecrets
	TopicNotice
	TopicHealth
	TopicBINs
	TopicHistory
	TopicViews
	TopicWebhooks
	TopicRequests
	TopicAlerts
	TopicRules
	TopicTeam
	// TopicSpend is the sums of the ledger.
	TopicSpend
	// TopicClock changes with every second.
	TopicClock
	TopicAll Topic = 1<<iota - 1
)

// Danger grades what an intent can cost.
type Danger uint8

// The grades. Money and Permanent intents are confirmed before they are
// dispatched.
const (
	Harmless Danger = iota
	Reversible
	Money
	Permanent
)

// Verdict is what the store says of an intent before it is dispatched.
type Verdict struct {
	// Reason is in one line why the intent cannot be done; empty when it can.
	Reason string
	// Remedy is what would let it be done; empty where that is plain.
	Remedy string
	Danger Danger
	// Again is why a second confirmation is asked for; empty when one is
	// enough.
	Again string
	// TypeTwice reports whether the amount has to be typed a second time.
	TypeTwice bool
	// UnknownStatus says that the status of the card is one that this program does not
	// know; empty when it is not. Again has it too.
	UnknownStatus string
	// Expired says that the card to be funded has expired; empty when it has not. Again
	// has it too.
	Expired string
	// Shortfall is what the wallet lacks, USD, when that is the reason.
	Shortfall api.USD
}

// writable reports whether anything is written at all.
func (c *core) writable(danger Danger) Verdict {
	v := Verdict{Danger: danger}
	if c.cfg.ReadOnly {
		v.Reason = errtext.ReadOnly(c.words)
	}
	return v
}

// tooLittle refuses an amount of nothing or less.
func (c *core) tooLittle() string { return c.words.T("the amount must be more than 0") }

// lockedReason is why nothing is done.
func (c *core) lockedReason() string { return c.words.T("locked: enter unlocks") }

// offlineSince is why nothing is written while nothing answers.
func (c *core) offlineSince(since time.Time) string {
	return c.words.Tf("offline since %s: not sent, try again when live", errtext.Clock(c.words, since, c.now))
}

// walletShort says what the wallet lacks, USD.
func (c *core) walletShort(short api.USD) string {
	return c.words.Tf("the wallet is %s short", c.words.Dollars(short))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func orZero(u *api.USD) api.USD {
	if u == nil {
		return 0
	}
	return *u
}

// valueOr is what the server said, or else what is known without it.
func valueOr(said *api.USD, known api.USD) api.USD {
	if said != nil {
		return *said
	}
	return known
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
