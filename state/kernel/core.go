// Package kernel is what the features of the store share: the time, the configuration, the words, the numbers of
// requests, and what effects, answers, verdicts and topics are. It names no feature.
package kernel

import (
	"context"
	"errors"
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

// Core is what all tables share: the configuration, the time, the numbers of
// requests and the effects that wait for the next tick.
type Core struct {
	Cfg settings.Config
	// Lang are the words of the screen.
	Lang *lang.Words
	// Time is that of the last tick or event, this machine's clock.
	Time    time.Time
	Started bool
	Begun   time.Time // this run, by this machine's clock
	Seq     poll.Seq
	Clock   poll.ServerClock
	Wants   []Effect
	// Team is who shares the account over a hub, what they may do, and what they do.
	Team *team.Table

	facts []func() (Topic, []Effect)
	hears map[any][]func(any) (Topic, []Effect)
}

// Effect is work the store asks for. Each says beside its type what it costs,
// what the user waits for, and what the store does when it brings nothing.
type Effect interface{ Effect() }

// Costly is an effect that sends a request.
type Costly interface {
	Effect
	// Cost is what the request is to the budget.
	Cost() Cost
}

// Fetch is a request for what is there, or for what a hub alone has. It runs off the goroutine that owns the store.
type Fetch interface {
	Costly
	// Run returns what came; an error makes it a failure.
	Run(ctx context.Context, on Env) (Event, error)
}

// Env is what a fetch runs on.
type Env struct {
	API api.Calls
	// Over is what an answer has with it; unread are the items of its list that could not be read.
	Over func(unread ...api.Unread) Meta
}

// OrWithheld is Over for a list that a hub may give nothing of to the user: their screen has an empty one.
func (on Env) OrWithheld(unread []api.Unread, err error) (Meta, error) {
	m := on.Over(unread...)
	if m.Withheld = errors.Is(err, api.ErrWithheld); m.Withheld {
		return m, nil
	}
	return m, err
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
	// Polled is an effect of a lane.
	Polled interface {
		Fetch
		Lane() (poll.Lane, poll.Seq)
	}
	// Paged is an effect that reads a page of a list, from 1 on.
	Paged interface{ AtPage() int }
)

// Failure is how a request brought nothing.
type Failure struct {
	At   time.Time
	Err  error
	Wait time.Duration // that the server or the request budget asks for
	// Deferred reports whether the request budget did not allow it.
	Deferred bool
}

// Polling is the cost of an effect of a lane.
func Polling(f Polled, p budget.Priority) Cost {
	lane, _ := f.Lane()
	return Cost{Priority: p, Lane: lane.String()}
}

// LaneName is the name of the lane that an effect polls; false for what is
// read only when it is needed.
func LaneName(e Effect) (string, bool) {
	p, ok := e.(Polled)
	if !ok {
		return "", false
	}
	lane, _ := p.Lane()
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

// Head returns it, for what embeds it.
func (m Meta) Head() Meta { return m }

// ConfirmsLabel reports whether cards of a label are confirmed twice.
func (c *Core) ConfirmsLabel(label string) bool {
	for _, pattern := range c.Cfg.Guard.ConfirmLabels {
		if guard.Match(pattern, label) {
			return true
		}
	}
	return false
}

// Words are the texts of the screen in the language of its user.
func (c *Core) Words() *lang.Words { return c.Lang }

// WordsIn are those of a setting that is not in force.
func (c *Core) WordsIn(language string) *lang.Words {
	if language == c.Cfg.Language {
		return c.Lang
	}
	return lang.For(language, c.Cfg.Locale)
}

// Now is the time of the last tick or event, this machine's clock.
func (c *Core) Now() time.Time { return c.Time }

// ServerNow is Now on the server's clock, which decides when codes expire.
func (c *Core) ServerNow() time.Time { return c.Clock.Server(c.Time) }

// ReadOnly reports whether writes are refused.
func (c *Core) ReadOnly() bool { return c.Cfg.ReadOnly }

// NoReveal reports whether numbers, CVVs and addresses are refused.
func (c *Core) NoReveal() bool { return c.Cfg.NoReveal }

// NextSeq numbers a request.
func (c *Core) NextSeq() poll.Seq {
	c.Seq++
	return c.Seq
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

// Writable reports whether anything is written at all.
func (c *Core) Writable(danger Danger) Verdict {
	v := Verdict{Danger: danger}
	if c.Cfg.ReadOnly {
		v.Reason = errtext.ReadOnly(c.Lang)
	}
	return v
}

// TooLittle refuses an amount of nothing or less.
func (c *Core) TooLittle() string { return c.Lang.T("the amount must be more than 0") }

// LockedReason is why nothing is done.
func (c *Core) LockedReason() string { return c.Lang.T("locked: enter unlocks") }

// OfflineSince is why nothing is written while nothing answers.
func (c *Core) OfflineSince(since time.Time) string {
	return c.Lang.Tf("offline since %s: not sent, try again when live", errtext.Clock(c.Lang, since, c.Time))
}

// WalletShort says what the wallet lacks, USD.
func (c *Core) WalletShort(short api.USD) string {
	return c.Lang.Tf("the wallet is %s short", c.Lang.Dollars(short))
}

// Later is the later of two times.
func Later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// OrZero is a value that may not be known.
func OrZero[T any](v *T) (zero T) {
	if v == nil {
		return zero
	}
	return *v
}

// ValueOr is what the server said, or else what is known without it.
func ValueOr(said *api.USD, known api.USD) api.USD {
	if said != nil {
		return *said
	}
	return known
}

// Earlier is the earlier of two times.
func Earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
