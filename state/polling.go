package state

import (
	"errors"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/push"
)

// PollTable is the polling of the lanes, and what programs that share a key say of
// each other.
type PollTable struct {
	*kernel.Core
	*poll.Table
	privacy     *kernel.Privacy
	nextPages   [poll.Lanes]kernel.Effect // the page to go on with after a failure; nil to start anew
	shareDue    time.Time
	shareFailed bool
	adoption    adoption
	push        pushed
	told        bool // by a hub, of what changes
	// unread are the items that could not be read and that a notice told of; one without
	// an identifier by its list alone.
	unread map[api.Unread]bool
}

// unreadSaid bounds how many items that could not be read are remembered.
const unreadSaid = 1000

// sayUnread tells in a notice of items that could not be read, once of each.
func (p *PollTable) sayUnread(to *kernel.Notices, items []api.Unread) kernel.Topic {
	var fresh []api.Unread
	for _, u := range items {
		about := api.Unread{Route: u.Route, ID: u.ID}
		if p.unread[about] {
			continue
		}
		if p.unread == nil || len(p.unread) == unreadSaid {
			p.unread = make(map[api.Unread]bool)
		}
		p.unread[about] = true
		fresh = append(fresh, u)
	}
	if len(fresh) == 0 {
		return 0
	}
	to.SayNext(kernel.Warn, p.privacy.Display().Sentence(errtext.Unread(p.Lang, fresh)))
	return kernel.TopicNotice
}

// Health reports on the link.
func (p *PollTable) Health() Health {
	h := Health{Link: Live, Age: max(0, p.Source(poll.Codes).Age(p.Time))}
	worst, cached := error(nil), false
	for _, lane := range [...]poll.Lane{poll.Codes, poll.Wallet, poll.Feed, poll.Hot} {
		src := p.Source(lane)
		age := src.Age(p.Time)
		if age < 0 && src.Err == nil {
			h.Link = max(h.Link, Connecting)
			continue
		}
		if src.Cached && src.Err == nil {
			cached = true
			continue
		}
		if src.Err == nil {
			if src.Stale(p.Time) && h.Link < Late {
				h.Link, h.Age = Late, age
			}
			continue
		}
		if link := linkOf(src.Err); link > h.Link || worst == nil {
			h.Link, worst, h.Age = max(h.Link, link), src.Err, max(0, age)
			h.Since, h.Until = src.Since, p.DueAt(lane)
		}
	}
	if h.Link == Live && (cached || p.OKAt(poll.Codes).IsZero()) {
		h.Link = Connecting
	}
	if short := p.Source(poll.Codes).ShortTill; worst == nil && !short.IsZero() {
		h.Link, h.Until = Limited, short
		h.Text = p.Lang.T("the hour's requests are used up: the rest is reserved for your actions")
	}
	if worst != nil {
		h.Text = p.privacy.Display().Sentence(errtext.Explain(p.Lang, worst))
	}
	return h
}

// RefusedAtStart returns the error when the API refused the key before anything
// was ever read: the dashboard cannot do its work then.
func (p *PollTable) RefusedAtStart() error {
	if p.OKAt(poll.Codes).IsZero() && errors.Is(p.Err(poll.Codes), api.ErrKeyInvalid) {
		return p.Err(poll.Codes)
	}
	return nil
}

// succeed closes a lane's request and plans the next.
func (p *PollTable) succeed(lane poll.Lane, m kernel.Meta) {
	p.nextPages[lane] = nil
	p.Succeed(lane, m.Sent, m.At)
}

// follow numbers a lane's next request, which may be for the next page.
func (p *PollTable) follow(lane poll.Lane) poll.Seq {
	seq := p.NextSeq()
	p.Ask(lane, seq)
	return seq
}

// postpone closes a lane's request that never left this machine.
func (p *PollTable) postpone(lane poll.Lane, e kernel.Effect, at time.Time, wait time.Duration) {
	p.savePage(lane, e)
	p.Postpone(lane, at, wait, p.nextPages[lane] != nil)
}

// savePage records the page of a request that brought nothing. A later page
// is asked for again by itself: the pages before it would not be read on from
// a second time, because the feed stops where nothing is new.
func (p *PollTable) savePage(lane poll.Lane, e kernel.Effect) {
	p.nextPages[lane] = nil
	if pageOf(e) > 1 {
		p.nextPages[lane] = e
	}
}

// Link is how things stand between the dashboard and the API.
type Link uint8

// The states of the link, best first.
const (
	Connecting Link = iota
	Live
	Late
	Limited
	Offline
	KeyRefused
)

// Health is the state of the link for the header.
type Health struct {
	Link Link
	// Age is how old what is wrong is, or else the codes, the lane that is polled
	// most often.
	Age time.Duration
	// Since is when things went wrong, Until when the server will be asked
	// again; both this machine's clock, zero when they do not apply.
	Since, Until time.Time
	// Text explains in a line what is wrong and what to do; empty when live.
	Text string
}

func linkOf(err error) Link {
	switch {
	case errors.Is(err, api.ErrUnauthorized):
		return KeyRefused
	case errors.Is(err, api.ErrRateLimited):
		return Limited
	case errors.Is(err, api.ErrUnreachable):
		return Offline
	default:
		return Late
	}
}

// pageOf is the page an effect reads; 0 when what it reads has none.
func pageOf(e kernel.Effect) int {
	if p, ok := e.(kernel.Paged); ok {
		return p.AtPage()
	}
	return 0
}

// wakes calls at with the times at which the table has something to do.
func (p *PollTable) wakes(at func(time.Time)) {
	p.NextDue(at)
	at(p.shareDue)
	at(p.adoption.due)
	at(p.push.ListDue())
	p.push.NextCheck(p.Time, at)
}

// adoptEvery is how often a dashboard adopts operations that another left
// when it was killed, and reads what the others moved.
const adoptEvery = 30 * time.Second

// adoption is what is known of the other dashboards of the profile.
type adoption struct {
	due    time.Time
	failed bool
	// moved is what all dashboards moved in the last day, as of then; the own
	// ones since are counted live.
	moved []guard.Moved
	at    time.Time
	// planned are the cards that plans of other programs are about.
	planned map[api.CardID]bool
}

// plannedElsewhere reports whether a plan of another program is about a card.
func (p *PollTable) plannedElsewhere(id api.CardID) bool { return p.adoption.planned[id] }

// adoptOps asks what the other dashboards did when it is time.
func (p *PollTable) adoptOps(now time.Time) {
	if p.Cfg.Shared && poll.Reached(now, p.adoption.due) {
		p.adoption.due = now.Add(adoptEvery)
		p.Wants = append(p.Wants, AdoptOperations{})
	}
}

// shareEvery is how often programs that use the same key exchange what
// they spent.
const shareEvery = 10 * time.Second

// share requests the exchange when it is due.
func (p *PollTable) share(now time.Time) {
	if p.Cfg.Shared && poll.Reached(now, p.shareDue) {
		p.shareDue = now.Add(shareEvery)
		p.Wants = append(p.Wants, ShareUse{})
	}
}

// ShareUse exchanges with the other programs that use the key what was spent:
// both ways.
type ShareUse struct{}

func (ShareUse) Effect() {}

// UseShared confirms that programs exchanged what they spent, or says why they
// could not.
type UseShared struct {
	kernel.Meta
	Err error
}

// shared is why the programs that use the key could not exchange what they
// spent; empty when they could, and when it was said before.
func (p *PollTable) shared(ev UseShared) string {
	if ev.Err == nil || p.shareFailed {
		return ""
	}
	p.shareFailed = true
	return p.Lang.Tf("%s; other programs with this key may use up its limit", ev.Err.Error())
}

// movedByAll is what all dashboards moved in the last day, as of a time.
func (p *PollTable) movedByAll() (moved []guard.Moved, at time.Time) {
	return p.adoption.moved, p.adoption.at
}

// pushed is what webhooks tell of, so that lanes may rest.
type pushed struct {
	push.Table
	secret api.SigningSecret // until the address is registered
	op     OpID              // the registration of this run; 0 for none
	state  push.State        // as it was last shown
}

// newPollTable returns the lanes, which rest longer while webhooks tell of what is new.
func newPollTable(c *kernel.Core, privacy *kernel.Privacy) *PollTable {
	p := &PollTable{Core: c, Table: poll.New(c.Cfg.Rand), privacy: privacy}
	if c.Cfg.Push || c.Cfg.Hub {
		p.SetRest(func(id poll.Lane, every time.Duration) time.Duration {
			if p.told {
				return push.Told(id, every)
			}
			return p.push.Interval(id, every, p.Time)
		})
	}
	return p
}

// Push returns how the deliveries of webhooks stand, and when they are lost why.
func (p *PollTable) Push() (push.State, string) { return p.push.State(p.Time) }

// PushRefused is how many deliveries had a signature of another secret.
func (p *PollTable) PushRefused() int { return p.push.Others() }

// found notes whether an answer had something that a webhook tells of. It is called
// before the lane's next request is planned.
func (p *PollTable) found(lane poll.Lane, m kernel.Meta, something bool) {
	p.push.Polled(lane, m.Sent, m.At, something)
}

// followPush opens the address of deliveries once the API has answered, follows its
// registration, and says when deliveries are lost.
func followPush(s *Store) kernel.Topic {
	p := s.Poll
	if !p.Cfg.Push {
		return 0
	}
	var topics kernel.Topic
	if !p.OKAt(poll.Codes).IsZero() && p.push.Want() {
		p.Wants = append(p.Wants, OpenPush{})
	}
	if due := p.push.ListDue(); !due.IsZero() && poll.Reached(p.Time, due) {
		p.push.Asked(p.Time)
		p.Wants = append(p.Wants, s.Webhooks.load()...)
	}
	if _, open := s.Ops.ByID(p.push.op); p.push.Registering() && !open {
		refused, _ := s.Ops.Refused(p.push.op)
		p.push.Resolve("", refused.Reason)
	}
	if p.push.Update(p.Time) {
		p.Replan()
		topics = kernel.TopicAll
	}
	now, why := p.push.State(p.Time)
	if now != p.push.state {
		p.push.state, topics = now, topics|kernel.TopicHealth
		if now == push.Lost {
			s.Notices.Say(kernel.Warn, s.Lang.Tf("polling: %s", why))
			topics |= kernel.TopicNotice
		}
	}
	return topics
}

// listPush looks for the address in the list of webhooks, and registers it when it is
// not there.
func listPush(s *Store) []kernel.Effect {
	p := s.Poll
	rows, _, _ := s.Webhooks.All()
	hooks := make([]push.Hook, 0, len(rows))
	for _, w := range rows {
		all := len(w.Events) == 1 && w.Events[0] == api.AllEvents
		hooks = append(hooks, push.Hook{ID: string(w.ID), URL: string(w.URL), All: all, Off: w.Active != nil && !*w.Active})
	}
	if !p.push.List(hooks) {
		if p.push.Registered() {
			p.dropSecret()
		}
		return nil
	}
	if s.Webhooks.mayBeUnread("") {
		p.push.Fail(s.Lang.T("not registered: a webhook of the list cannot be read and may be this address"))
		return nil
	}
	return registerPush(s)
}

// registerPush sends the registration of the address, once its secret is stored.
func registerPush(s *Store) []kernel.Effect {
	p := s.Poll
	in := CreateWebhook{URL: p.push.URL(), Events: []string{api.AllEvents}, secret: p.push.secret}
	effects := settleUnregistered(s, webhookName(in.URL))
	if v := s.Check(in); v.Reason != "" {
		p.push.Fail(s.Lang.Tf("not registered: %s", v.Reason))
		return effects
	}
	if s.Ops.DryRun() {
		p.push.Fail(s.Lang.T("not registered: dry run"))
		return effects
	}
	if p.push.Store() {
		return append(effects, KeepPush{})
	}
	_, sent := s.begin(in)
	p.push.op = s.Ops.lastOp
	p.push.Send()
	return append(effects, sent...)
}

// lostAfter is how long after it was sent a registration that the list does not show
// was not done: what is left of its request is gone by then.
const lostAfter = 2 * time.Minute

// settleUnregistered resolves registrations that a killed run left, and that the list
// shows did not happen: they would stand in the way of the one to be sent.
func settleUnregistered(s *Store, name string) (effects []kernel.Effect) {
	for _, op := range s.Ops.List() {
		if op.Kind != OpSubscribe || op.Phase != Unsettled || op.Name != name {
			continue
		}
		e, ok := s.Ops.Evidence(op.ID)
		if ok && e.Suggests == SuggestsNotDone && !e.WebhooksAt.Before(op.At.Add(lostAfter)) {
			effects = append(effects, s.resolve(Resolve{Op: op.ID})...)
		}
	}
	return effects
}

// registeredPush keeps what the answer to the registration says; false when it was of
// another webhook.
func (p *PollTable) registeredPush(ev OpDone) ([]kernel.Effect, bool) {
	if ev.Op != p.push.op || ev.Op == 0 || ev.Webhook == nil {
		return nil, false
	}
	p.push.Resolve(string(ev.Webhook.ID), "")
	p.dropSecret()
	return []kernel.Effect{KeepPush{Webhook: ev.Webhook.ID, Secret: ev.Webhook.Secret}}, true
}

// dropSecret wipes the signing secret: the address is registered, and not again in this
// run.
func (p *PollTable) dropSecret() {
	p.push.secret.Wipe()
	p.push.secret = api.SigningSecret{}
}

// OpenPush opens the address that webhooks are delivered to.
type OpenPush struct{}

func (OpenPush) Effect() {}

// PushOpened is that address, or why there is none.
type PushOpened struct {
	kernel.Meta
	URL string
	// Webhook is what an earlier run registered; empty for none that is known. Known
	// reports whether the secret is from an earlier run.
	Webhook api.WebhookID
	Known   bool
	Secret  api.SigningSecret
	Err     error
}

func (ev PushOpened) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	if p := s.Poll; ev.Err != nil {
		p.push.Fail(errtext.Explain(p.Lang, ev.Err))
	} else {
		p.push.secret = ev.Secret
		p.push.Open(ev.URL, string(ev.Webhook), ev.Known, s.Time)
	}
	return followPush(s) | kernel.TopicHealth, nil
}

// KeepPush stores what the deliveries to the address are signed with, and by which
// webhook.
type KeepPush struct {
	Webhook api.WebhookID     // empty: it is not registered yet
	Secret  api.SigningSecret // empty: the one that was sent
}

func (KeepPush) Effect() {}

// PushKept confirms KeepPush, or says why it failed.
type PushKept struct {
	kernel.Meta
	Err error
}

func (ev PushKept) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	switch p := s.Poll; {
	case ev.Err == nil && p.push.Stored():
		return followPush(s) | kernel.TopicOps, registerPush(s)
	case ev.Err == nil:
		return 0, nil
	case p.push.Storing():
		p.push.Fail(s.Lang.Tf("not registered: the signing secret cannot be stored: %s", errtext.Explain(p.Lang, ev.Err)))
		return followPush(s) | kernel.TopicHealth, nil
	}
	s.Notices.Say(kernel.Warn, s.Lang.Tf("the signing secret is not stored, push will end with the program: %s", ev.Err.Error()))
	return kernel.TopicNotice, nil
}

// PushReported is what came to the address of deliveries. What they say is not used:
// lists are read.
type PushReported struct {
	kernel.Meta
	push.Report
}

func (ev PushReported) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	p := s.Poll
	for _, name := range ev.Events {
		push.Calls(name, func(lane poll.Lane, pause time.Duration) {
			p.push.Tell(lane, ev.Report.At)
			p.Ring(lane, pause)
		})
	}
	if ev.Beat {
		p.push.Beat(ev.Report.At)
	}
	if ev.Beat || ev.Unreached != "" {
		p.push.Unreached(ev.Unreached)
	}
	p.push.Refused(ev.Refused)
	return followPush(s), nil
}
