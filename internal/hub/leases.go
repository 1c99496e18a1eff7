package hub

import (
	"fmt"
	"io"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
)

// leaseBody is an operation under way that moves the money of a card, so that another of
// the card is refused. Its amount is not told.
type leaseBody struct {
	Card api.CardID `json:"card_id"`
	// Name is empty for what the hub does by itself.
	Name  string    `json:"by"`
	What  string    `json:"operation"`
	State string    `json:"state"`
	At    time.Time `json:"at"`
}

// leasesOf are those of the cards that a person sees.
func leasesOf(st *state.Store, p *team.Person) []leaseBody {
	out := []leaseBody{}
	for _, op := range st.Ops.List() {
		if op.Card == "" || !op.Kind.MovesWallet() {
			continue
		}
		if _, ok := seesOperation(st, p, op); ok {
			out = append(out, leaseBody{op.Card, op.By.Name, op.Kind.String(), phaseOf(op), op.At.UTC()})
		}
	}
	return out
}

// listLeases lists what is under way with the money of cards.
func (s *Server) listLeases(r *request) (answer, error) {
	out := listOf[leaseBody]{}
	if err := s.read(r.Context(), func(st *state.Store) { out.Data = leasesOf(st, r.person) }); err != nil {
		return answer{}, err
	}
	return jsonOf(out, -1)
}

// operationParts sums up what changes with operations, as a person sees it: the leases,
// and for leads what has no outcome.
func operationParts(st *state.Store, p *team.Person, into map[string]uint64) {
	into["leases"] = sum(func(w io.Writer) {
		for _, l := range leasesOf(st, p) {
			_, _ = fmt.Fprint(w, l.Card, l.Name, l.What, l.State, "\n") // A hash never fails.
		}
	})
	if !p.May(team.Lead) {
		return
	}
	into["operations"] = sum(func(w io.Writer) {
		for _, op := range st.Ops.List() {
			if _, ok := seesOperation(st, p, op); ok {
				_, _ = fmt.Fprint(w, op.Key, phaseOf(op), "\n") // A hash never fails.
			}
		}
	})
}
