package hub

import (
	"context"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/stream"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
)

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
	return s.read(ctx, func(st *state.Store) { s.streams.tell(s, st, state.TopicOps) })
}
