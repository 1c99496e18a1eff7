package hub

import (
	"context"
	"net/http"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/stream"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// Several is what a hub needs that is one of several. The one that leads has Follow. A
// reader has Do, Age, Work and Events: it has no engine, serves what another hub tells it, and
// sends nothing.
type Several struct {
	// Follow is told of each change once the lists were read, on the goroutine that owns
	// the store.
	Follow func(*state.Store, kernel.Topic)
	// Claimed is told of each claim, on the same goroutine; Claims are those that a leader
	// begins with.
	Claimed func(Claim)
	Claims  []Claim
	// Asked is told of each request for an approval when it is there, and when it waits no
	// more, on the same goroutine.
	Asked func(a Asked, waits bool)
	// RuleOff is told of each rule that stopped itself or that a person had off, and when it
	// is on again, on the same goroutine; RulesOff are those that a leader begins with. Told
	// returns when the other hubs were told of all until now.
	RuleOff  func(r RuleOff, off bool)
	RulesOff []RuleOff
	Told     func(context.Context) error
	// Do runs the effects of the store in place of the engine.
	Do func(context.Context, kernel.Effect) kernel.Event
	// Age is how old what a lane has read is.
	Age func(poll.Lane) time.Duration
	// Work lists what is under way at the hub that leads.
	Work func() []Work
	// Events are applied as they come.
	Events <-chan kernel.Event
}

// rulesOff are the rules that an earlier leader left off.
func (c Config) rulesOff() []RuleOff {
	if c.Several == nil {
		return nil
	}
	return c.Several.RulesOff
}

// events are what comes by itself: of a reader what the leader tells, else what webhooks
// tell of.
func (s *Server) events() <-chan kernel.Event {
	if s.reader() {
		return s.cfg.Several.Events
	}
	return s.cfg.Pushed
}

// reader reports whether another hub tells this one what there is.
func (s *Server) reader() bool { return s.cfg.Several != nil && s.cfg.Several.Do != nil }

// errElsewhere is that only the hub that leads can answer.
var errElsewhere = refuse(http.StatusServiceUnavailable, "unavailable", "no hub leads now: what is not in memory cannot be read")

// follow tells of a change; of all that there is when the lists were just read.
func (s *Server) follow(st *state.Store, topics kernel.Topic) {
	if s.cfg.Several == nil || s.cfg.Several.Follow == nil {
		return
	}
	select {
	case <-s.ready:
		s.cfg.Several.Follow(st, topics)
	default:
	}
}

// Ready is closed when the lists were read once.
func (s *Server) Ready() <-chan struct{} { return s.ready }

// Look calls a function with the store, on the goroutine that owns it.
func (s *Server) Look(ctx context.Context, use func(*state.Store)) error { return s.read(ctx, use) }

// EndStreams ends the streams: their readers open them anew.
func (s *Server) EndStreams() { s.streams.closeAll() }

// Work is an operation without an outcome as hubs tell one another of it. Its amount is
// not told.
type Work struct {
	Key  api.IdempotencyKey `json:"id"`
	Card api.CardID         `json:"card_id,omitempty"`
	// Label is that of a card to be issued.
	Label string `json:"label,omitempty"`
	// Name is empty for what the hub does by itself.
	Name  string    `json:"by,omitempty"`
	What  string    `json:"operation"`
	State string    `json:"state"`
	At    time.Time `json:"at"`
	// Moves reports whether it moves the money of its card, Webhook that it is about a
	// webhook.
	Moves   bool `json:"moves,omitempty"`
	Webhook bool `json:"webhook,omitempty"`
}

func workOf(op state.Op) Work {
	return Work{
		Key: op.Key, Card: op.Card, Label: op.Label, Name: op.By.Name, What: op.Kind.String(), State: phaseOf(op), At: op.At.UTC(),
		Moves: op.Card != "" && op.Kind.MovesWallet(), Webhook: op.Kind == state.OpSubscribe || op.Kind == state.OpUnsubscribe,
	}
}

// WorkOf lists the operations of a store that have no outcome.
func WorkOf(st *state.Store) []Work {
	ops := st.Ops.List()
	all := make([]Work, 0, len(ops))
	for _, op := range ops {
		all = append(all, workOf(op))
	}
	return all
}

// work lists what is under way, here or at the hub that leads.
func (s *Server) work(st *state.Store) []Work {
	if s.reader() {
		return s.cfg.Several.Work()
	}
	return WorkOf(st)
}

// seesWork reports whether a person sees an operation, and the label of its card now.
// Webhooks are for admins.
func seesWork(st *state.Store, p *team.Person, w Work) (label string, ok bool) {
	if w.Webhook {
		return "", p.May(team.Admin)
	}
	label, known := w.Label, true
	if w.Card != "" {
		card, there := st.Cards.Get(w.Card)
		label, known = string(card.Label), there
	}
	return label, seesLabel(p, label, known)
}

// leaseBody is an operation under way that moves the money of a card, so that another of
// the card is refused.
type leaseBody struct {
	Card  api.CardID `json:"card_id"`
	Name  string     `json:"by"`
	What  string     `json:"operation"`
	State string     `json:"state"`
	At    time.Time  `json:"at"`
}

// leasesOf are those of the cards that a person sees.
func leasesOf(st *state.Store, p *team.Person, all []Work) []leaseBody {
	out := []leaseBody{}
	for _, w := range all {
		if !w.Moves {
			continue
		}
		if _, ok := seesWork(st, p, w); ok {
			out = append(out, leaseBody{w.Card, w.Name, w.What, w.State, w.At})
		}
	}
	return out
}

// listLeases lists what is under way with the money of cards.
func (s *Server) listLeases(r *request) (answer, error) {
	out := listOf[leaseBody]{}
	if err := s.read(r.Context(), func(st *state.Store) { out.Data = leasesOf(st, r.person, s.work(st)) }); err != nil {
		return answer{}, err
	}
	return jsonOf(out, -1)
}

// workParts sums up what changes with operations, as a person sees it: the leases, and
// for leads what has no outcome.
func (t *streams) workParts(st *state.Store, p *team.Person, all []Work, into map[string]uint64) {
	into["leases"] = t.digests.Of(func(w *stream.Digest) {
		for _, l := range leasesOf(st, p, all) {
			w.Text(string(l.Card), l.Name, l.What, l.State)
		}
	})
	if !p.May(team.Lead) {
		return
	}
	into["operations"] = t.digests.Of(func(w *stream.Digest) {
		for _, o := range all {
			if _, ok := seesWork(st, p, o); ok {
				w.Text(string(o.Key), o.State)
			}
		}
	})
}

// WorkChanged tells readers what changed of what is under way at the hub that leads.
func (s *Server) WorkChanged(ctx context.Context) error {
	return s.read(ctx, func(st *state.Store) { s.streams.tell(s, st, kernel.TopicOps) })
}
