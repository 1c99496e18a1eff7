package codes

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// Fetch reads the pending 3DS challenges of all cards. Armed says
// that one is waited for at a checkout.
type Fetch struct {
	Seq   poll.Seq
	Armed bool
}

func (Fetch) Effect() {}

// Lane implements kernel.Polled.
func (f Fetch) Lane() (poll.Lane, poll.Seq) { return poll.Codes, f.Seq }

// Cost is that of codes, which come before the other polls. An armed checkout
// spends the user's own part, and they do other things meanwhile.
func (f Fetch) Cost() kernel.Cost {
	if f.Armed {
		return kernel.Polling(f, budget.Bulk)
	}
	return kernel.Polling(f, budget.High)
}

func (f Fetch) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	page, err := on.API.ListChallenges(ctx, api.ListChallengesOptions{Status: api.ChallengePending})
	m, err := on.OrWithheld(page.Unread, err)
	return Loaded{Fetch: f, Meta: m, Items: page.Data}, err
}

// FetchOne reads one challenge: its code when the list lacked it, or
// its outcome when it left the list.
type FetchOne struct{ Challenge api.ChallengeID }

func (FetchOne) Effect() {}

// Cost is counted with the codes.
func (FetchOne) Cost() kernel.Cost {
	return kernel.Cost{Priority: budget.High, Lane: lang.N("codes")}
}

func (f FetchOne) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	item, err := on.API.GetChallenge(ctx, f.Challenge)
	return OneLoaded{Meta: on.Over(), Item: item}, err
}

func (f FetchOne) Failed(co *Table, e kernel.Failure) kernel.Topic {
	if e.Deferred {
		co.retryCode(f.Challenge, e.Wait)
		return 0
	}
	co.retryCode(f.Challenge, max(askFailed, e.Wait))
	if errors.Is(e.Err, api.ErrUnreachable) {
		co.codes.undoTry(f.Challenge)
	}
	return 0
}

// Changed is that codes were read: others may be here, or be replaced, or have other digits.
type Changed struct{}

// Loaded is the list of pending challenges.
type Loaded struct {
	Fetch
	kernel.Meta
	Items []api.Challenge
}

func (ev Loaded) merge(co *Table) (kernel.Topic, []kernel.Effect) {
	co.needs.Lanes.Found(poll.Codes, ev.Meta, slices.ContainsFunc(ev.Items, co.unseen))
	co.needs.Lanes.Answered(poll.Codes, ev.Meta)
	var (
		effects []kernel.Effect
		rows    = make([]Code, 0, len(ev.Items))
		now     = co.ServerNow()
	)
	first := !co.codes.listed
	co.updateSeen(ev.Items, ev.Meta)
	for _, item := range ev.Items {
		if co.Cfg.Background {
			item.OTP.Wipe()
		}
		c := co.codeOf(item)
		if Over(item.Status) || c.Left(now) == 0 {
			continue
		}
		rows = slices.DeleteFunc(rows, func(listed Code) bool { return listed.ID == c.ID })
		rows = append(rows, c)
		if c.OTP.IsZero() && !co.Cfg.Background && !co.Time.Before(co.codes.asked[c.ID]) {
			co.codes.asked[c.ID] = co.Time.Add(askLost)
			effects = append(effects, FetchOne{Challenge: c.ID})
		}
	}
	rows = append(rows, co.stillListed(rows, ev.Unread, now)...)
	topics := co.setCodes(rows)
	co.clockCodes(ev.At)
	co.reportCodes(first)
	kernel.Tell(co.Core, Changed{})
	return topics, effects
}

// stillListed returns the codes that have not ended and may be among the items of a list that could not be
// read: an item without an id may be any of them.
func (co *Table) stillListed(read []Code, unread []api.Unread, now time.Time) (rows []Code) {
	for _, c := range co.codes.rows {
		listed := slices.ContainsFunc(read, func(r Code) bool { return r.ID == c.ID })
		mayBe := slices.ContainsFunc(unread, func(u api.Unread) bool { return u.ID == "" || string(u.ID) == string(c.ID) })
		if !listed && mayBe && c.Left(now) > 0 {
			rows = append(rows, c)
		}
	}
	return rows
}

func (ev Loaded) Apply(co *Table) (kernel.Topic, []kernel.Effect) {
	defer co.codes.wipeAll(ev.Items)
	return co.needs.Lanes.Answer(ev.Fetch, ev.Meta, func() (kernel.Topic, []kernel.Effect) { return ev.merge(co) })
}

// OneLoaded is one challenge.
type OneLoaded struct {
	kernel.Meta
	Item api.Challenge
}

func (ev OneLoaded) merge(co *Table) (kernel.Topic, []kernel.Effect) {
	co.retryCode(ev.Item.ID, askAgain)
	i := slices.IndexFunc(co.codes.rows, func(c Code) bool { return c.ID == ev.Item.ID })
	if i < 0 {
		return co.codes.setEnded(ev.Item.ID, ev.Item.Status), nil
	}
	rows := slices.Clone(co.codes.rows)
	if c := co.codeOf(ev.Item); !Over(ev.Item.Status) && c.Left(co.ServerNow()) > 0 {
		rows[i] = c
	} else {
		rows = slices.Delete(rows, i, i+1)
	}
	topics := co.setCodes(rows) | kernel.TopicCodes
	co.clockCodes(ev.At)
	co.reportCodes(false)
	topics |= co.codes.setEnded(ev.Item.ID, ev.Item.Status)
	kernel.Tell(co.Core, Changed{})
	return topics, nil
}

func (ev OneLoaded) Apply(co *Table) (kernel.Topic, []kernel.Effect) {
	defer co.codes.wipe(ev.Item.OTP)
	return ev.merge(co)
}

// setCodes sets new rows, wipes the codes that ended, and reports
// whether anything the user sees changed.
func (co *Table) setCodes(rows []Code) kernel.Topic {
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
func (co *Table) expire(now time.Time) kernel.Topic {
	serverNow := co.Clock.Server(now)
	live := slices.DeleteFunc(slices.Clone(co.codes.rows), func(c Code) bool { return !c.ExpiresAt.After(serverNow) })
	if len(live) == len(co.codes.rows) {
		return 0
	}
	return co.setCodes(live) | kernel.TopicCodes
}
