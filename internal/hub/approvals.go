package hub

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/approval"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
)

// mostAsked bounds the body of what waits for a lead, in bytes: all requests are stored as one.
const mostAsked = 4 << 10

// waitsForLead returns why an operation waits for a lead; empty when it does not. What only
// leads may do they have confirmed themselves.
func (s *Server) waitsForLead(r *request, op *operation) (why string, err error) {
	switch {
	case !op.Kind.FromWallet():
	case r.person.Cap > 0 && op.Amount > r.person.Cap:
		why = "above your cap of $" + r.person.Cap.Grouped()
	case !r.person.May(team.Lead):
		err = s.read(r.Context(), func(st *state.Store) {
			why = cmp.Or(st.Cards.UnknownStatus(op.Card), st.Cards.ExpiredText(op.Card))
		})
	}
	return why, err
}

// askApproval has an operation wait for a lead.
func (s *Server) askApproval(r *request, op operation, why string) error {
	if len(op.Write.Body) > mostAsked {
		return refuse(http.StatusRequestEntityTooLarge, "body_too_large", why+", and a body that waits for a lead has at most 4 kB")
	}
	req, err := s.approvals.Ask(approval.Request{
		Key: op.Key, Name: r.person.Name, What: op.Kind.String(), Card: op.Card, Label: op.Label, Amount: op.Amount,
		Body: sha256.Sum256(op.Write.Body),
	}, op, func(req approval.Request) error {
		return s.noted(auditOf(r, "ask", state.OpStatusWaits, &op, what(req)), "nothing was asked for")
	})
	if of := (*refusal)(nil); errors.As(err, &of) {
		return of
	}
	if errors.Is(err, approval.ErrReused) {
		return reused()
	}
	if errors.Is(err, approval.ErrMany) {
		return forbidden(why + ", and " + err.Error())
	}
	if err != nil {
		return refuse(http.StatusInternalServerError, "not_stored", "the hub cannot store the request: ask again")
	}
	s.tellAsked(r.Context(), req)
	return refuse(http.StatusForbidden, api.HubApprovalRequired,
		why+": "+req.ID+" waits for a lead, for 24 h")
}

// auditOf is a record of what a person did about an operation. note says what about.
func auditOf(r *request, action, outcome string, op *operation, note string) state.Record {
	return state.Record{
		Action: action, Card: op.Card, Name: op.Name, Label: op.Label, Amount: op.Amount, Outcome: outcome,
		Method: r.Method, Route: routeOf(op.Kind), By: r.actor(), Err: note,
	}
}

// what says which request a record is about, and who asked for it.
func what(req approval.Request) string { return "the " + req.What + " that " + req.Name + " asked for" }

// noted stores a record before what it tells of is done; what is not done without it says
// instead.
func (s *Server) noted(record state.Record, instead string) error {
	if _, err := s.cfg.Audit.Add(record); err != nil {
		return refuse(http.StatusInternalServerError, "audit_failed", "the audit cannot be written: "+instead)
	}
	return nil
}

// Asked is a request for an approval as hubs tell one another of it: who is to read the
// requests again.
type Asked struct {
	ID    string `json:"id"`
	Name  string `json:"by"`
	Label string `json:"label"`
	// Until is when it ends by itself.
	Until time.Time `json:"until"`
}

// tellAsked tells people, here and at the other hubs, that a request is there or was
// decided.
func (s *Server) tellAsked(ctx context.Context, req approval.Request) {
	s.streams.approvals(req.Name, req.Label)
	if s.cfg.Several == nil || s.cfg.Several.Asked == nil {
		return
	}
	_, _, waits := s.approvals.Get(req.ID)
	a := askedOf(req)
	_ = s.read(ctx, func(*state.Store) { s.cfg.Several.Asked(a, waits) }) // A hub that ends forgets the request.
}

func askedOf(r approval.Request) Asked {
	return Asked{ID: r.ID, Name: r.Name, Label: r.Label, Until: r.Until().UTC()}
}

// Asked tells people of a request at the hub that leads.
func (s *Server) Asked(a Asked) { s.streams.approvals(a.Name, a.Label) }

// approvalBody is a request for an approval, with the figures as they are now.
type approvalBody struct {
	ID     string     `json:"id"`
	Name   string     `json:"by"`
	What   string     `json:"operation"`
	Card   api.CardID `json:"card_id,omitempty"`
	Label  string     `json:"label"`
	Amount api.USD    `json:"amount"`
	At     time.Time  `json:"at"`
	Until  time.Time  `json:"until"`
	// State is waiting, approved, refused or expired; By and Ended are set but for the
	// first.
	State approval.State `json:"state"`
	By    string         `json:"decided_by,omitempty"`
	Ended *time.Time     `json:"decided_at,omitempty"`
	figures
}

// figures are what a confirmation rests on: the status of the card, empty when not known, and balances, USD; nil
// where not known.
type figures struct {
	CardStatus   api.CardStatus `json:"card_status"`
	CardBefore   *api.USD       `json:"card_balance"`
	CardAfter    *api.USD       `json:"card_balance_after"`
	WalletBefore *api.USD       `json:"wallet_balance"`
	WalletAfter  *api.USD       `json:"wallet_balance_after"`
}

func (f figures) same(g figures) bool {
	same := func(a, b *api.USD) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	return f.CardStatus == g.CardStatus && same(f.CardBefore, g.CardBefore) && same(f.CardAfter, g.CardAfter) && same(f.WalletBefore, g.WalletBefore) && same(f.WalletAfter, g.WalletAfter)
}

func figuresOf(st *state.Store, r approval.Request) figures {
	var f figures
	if w, known := st.Wallets.Balance(); known {
		after := w.Balance - r.Amount
		f.WalletBefore, f.WalletAfter = &w.Balance, &after
	}
	if c, ok := st.Cards.Get(r.Card); ok {
		after := c.Balance + r.Amount
		f.CardStatus, f.CardBefore, f.CardAfter = c.Shown(), &c.Balance, &after
	}
	return f
}

// labelOf is the label of a request's card as it is now, and of a card to be issued the
// one asked for; known is false when the list does not have the card.
func labelOf(st *state.Store, r approval.Request) (label string, known bool) {
	if r.Card == "" {
		return r.Label, true
	}
	card, known := st.Cards.Get(r.Card)
	return string(card.Label), known
}

// seesLabel reports whether a person may see what has a label, if that is known.
func seesLabel(p *team.Person, label string, known bool) bool {
	return known && p.Sees(label) || p.SeesAll()
}

// approvalRow is a request as it is now. One that is over has no figures.
func approvalRow(st *state.Store, a approval.Request, label string) approvalBody {
	row := approvalBody{
		ID: a.ID, Name: a.Name, What: a.What, Card: a.Card, Label: label, Amount: a.Amount,
		At: a.At.UTC(), Until: a.Until().UTC(), State: a.State, By: a.By,
	}
	if a.State == approval.Waiting {
		row.figures = figuresOf(st, a)
		return row
	}
	ended := a.Ended.UTC()
	row.Ended = &ended
	return row
}

// listApprovals lists the person's own requests, and to leads those of others, of the
// cards that they see.
func (s *Server) listApprovals(r *request) (answer, error) {
	out := listOf[approvalBody]{Data: []approvalBody{}}
	err := s.read(r.Context(), func(st *state.Store) {
		for _, a := range s.approvals.All() {
			label, known := labelOf(st, a)
			if (a.Name == r.person.Name || r.person.May(team.Lead)) && seesLabel(r.person, label, known) {
				out.Data = append(out.Data, approvalRow(st, a, label))
			}
		}
	})
	if err != nil {
		return answer{}, err
	}
	return jsonOf(out, -1)
}
