package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/push"
	"github.com/cardtop/cardtop/state/webhooks"
)

// PushTable is what webhooks, or a hub, tell of, so that lanes may rest.
type PushTable struct {
	*kernel.Core
	push.Table
	told   bool              // by a hub, of what changes
	secret api.SigningSecret // until the address is registered
	op     OpID              // the registration of this run; 0 for none
	state  push.State        // as it was last shown
}

// newPushTable returns a table by which lanes rest longer while something tells of what is new.
func newPushTable(c *kernel.Core, lanes *kernel.Lanes) *PushTable {
	p := &PushTable{Core: c}
	if c.Cfg.Push || c.Cfg.Hub {
		lanes.SetRest(func(id poll.Lane, every time.Duration) time.Duration {
			if p.told {
				return push.Told(id, every)
			}
			return p.Interval(id, every, p.Time)
		})
	}
	lanes.HearFound(p.Polled)
	return p
}

// Status returns how the deliveries of webhooks stand, and when they are lost why.
func (p *PushTable) Status() (push.State, string) { return p.State(p.Time) }

// followPush opens the address of deliveries once the API has answered, follows its
// registration, and says when deliveries are lost.
func followPush(s *Store) kernel.Topic {
	p := s.Push
	if !p.Cfg.Push {
		return 0
	}
	var topics kernel.Topic
	if !s.Poll.OKAt(poll.Codes).IsZero() && p.Want() {
		p.Wants = append(p.Wants, OpenPush{})
	}
	if due := p.ListDue(); !due.IsZero() && poll.Reached(p.Time, due) {
		p.Asked(p.Time)
		p.Wants = append(p.Wants, s.Webhooks.Load()...)
	}
	if _, open := s.Ops.ByID(p.op); p.Registering() && !open {
		refused, _ := s.Ops.Refused(p.op)
		p.Resolve("", refused.Reason)
	}
	if p.Update(p.Time) {
		s.Poll.Replan()
		topics = kernel.TopicAll
	}
	now, why := p.State(p.Time)
	if now != p.state {
		p.state, topics = now, topics|kernel.TopicHealth
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
	p := s.Push
	rows, _, _ := s.Webhooks.All()
	hooks := make([]push.Hook, 0, len(rows))
	for _, w := range rows {
		all := len(w.Events) == 1 && w.Events[0] == api.AllEvents
		hooks = append(hooks, push.Hook{ID: string(w.ID), URL: string(w.URL), All: all, Off: w.Active != nil && !*w.Active})
	}
	if !p.List(hooks) {
		if p.Registered() {
			p.dropSecret()
		}
		return settleRegistrations(s, SuggestsDone)
	}
	if s.Webhooks.MayBeUnread("") {
		p.Fail(s.Lang.T("not registered: a webhook of the list cannot be read and may be this address"))
		return nil
	}
	return registerPush(s)
}

// registerPush sends the registration of the address, once its secret is stored.
func registerPush(s *Store) []kernel.Effect {
	p := s.Push
	in := CreateWebhook{URL: p.URL(), Events: []string{api.AllEvents}, secret: p.secret}
	effects := settleRegistrations(s, SuggestsNotDone)
	if v := s.Check(in); v.Reason != "" {
		p.Fail(s.Lang.Tf("not registered: %s", v.Reason))
		return effects
	}
	if s.Ops.DryRun() {
		p.Fail(s.Lang.T("not registered: dry run"))
		return effects
	}
	if p.Store() {
		return append(effects, KeepPush{})
	}
	r, err := s.Ops.buildRequest(in)
	if err != nil {
		p.Fail(s.Lang.Tf("not registered: %s", errtext.Explain(s.Lang, err)))
		return effects
	}
	_, sent := s.begin(r)
	p.op = s.Ops.lastOp
	p.Send()
	return append(effects, sent...)
}

// lostAfter is how long after it was sent a registration that the list does not show
// was not done: what is left of its request is gone by then.
const lostAfter = 2 * time.Minute

// settleRegistrations resolves registrations of the address of which no answer came, in this run or before, where the list
// suggests this: nobody is asked at a hub, and one that did not happen would stand in the way of the one to be sent.
func settleRegistrations(s *Store, as Suggestion) (effects []kernel.Effect) {
	name := webhooks.Name(s.Push.URL())
	for _, op := range s.Ops.List() {
		if op.Kind != OpSubscribe || op.Phase != Unsettled || op.Name != name {
			continue
		}
		e, ok := s.Ops.Evidence(op.ID)
		happened := as == SuggestsDone
		switch {
		case !ok || e.Suggests != as:
		case happened && s.Push.isOwn(&op, e.Webhooks), !happened && !e.WebhooksAt.Before(op.At.Add(lostAfter)):
			effects = append(effects, s.resolve(Resolve{Op: op.ID, Happened: happened})...)
		}
	}
	return effects
}

// isOwn reports whether a registration, of which the list shows what may have come of it, is that of the address. The user may
// have registered another at the same host; what an earlier run sent is not known.
func (p *PushTable) isOwn(op *Op, found []webhooks.Webhook) bool {
	mine := slices.ContainsFunc(found, func(w webhooks.Webhook) bool { return string(w.URL) == p.URL() })
	return mine && (op.ID == p.op || op.here == 0 && len(found) == 1)
}

// registeredPush keeps what the answer to the registration says; false when it was of
// another webhook.
func (p *PushTable) registeredPush(ev OpDone) ([]kernel.Effect, bool) {
	if ev.Op != p.op || ev.Op == 0 || ev.Webhook == nil {
		return nil, false
	}
	p.Resolve(string(ev.Webhook.ID), "")
	p.dropSecret()
	return []kernel.Effect{KeepPush{Webhook: ev.Webhook.ID, Secret: ev.Webhook.Secret}}, true
}

// dropSecret wipes the signing secret: the address is registered, and not again in this
// run.
func (p *PushTable) dropSecret() {
	p.secret.Wipe()
	p.secret = api.SigningSecret{}
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
	if p := s.Push; ev.Err != nil {
		p.Fail(errtext.Explain(p.Lang, ev.Err))
	} else {
		p.secret = ev.Secret
		p.Open(ev.URL, string(ev.Webhook), ev.Known, s.Time)
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
	switch p := s.Push; {
	case ev.Err == nil && p.Stored():
		return followPush(s) | kernel.TopicOps, registerPush(s)
	case ev.Err == nil:
		return 0, nil
	case p.Storing():
		p.Fail(s.Lang.Tf("not registered: the signing secret cannot be stored: %s", errtext.Explain(p.Lang, ev.Err)))
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
	p := s.Push
	for _, name := range ev.Events {
		push.Calls(name, func(lane poll.Lane, pause time.Duration) {
			p.Tell(lane, ev.Report.At)
			s.Poll.Ring(lane, pause)
		})
	}
	if ev.Beat {
		p.Beat(ev.Report.At)
	}
	if ev.Beat || ev.Unreached != "" {
		p.Unreached(ev.Unreached)
	}
	p.Refused(ev.Refused)
	return followPush(s), nil
}

// wakes calls at with the times at which the table has something to do.
func (p *PushTable) wakes(at func(time.Time)) {
	at(p.ListDue())
	p.NextCheck(p.Time, at)
}
