package hub

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/approval"
	"github.com/cardtop/cardtop/internal/hub/once"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
)

// askApproval has an operation wait for a lead.
func (s *Server) askApproval(r *request, op operation) error {
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
		return forbidden("above your cap of $" + r.person.Cap.Grouped() + ", and " + err.Error())
	}
	if err != nil {
		return refuse(http.StatusInternalServerError, "not_stored", "the hub cannot store the request: ask again")
	}
	s.tellAsked(r.Context(), req)
	return refuse(http.StatusForbidden, api.HubApprovalRequired,
		"above your cap of $"+r.person.Cap.Grouped()+": "+req.ID+" waits for a lead, for 24 h")
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

// figures are the balances that a confirmation rests on, USD; nil where not known.
type figures struct {
	CardBefore   *api.USD `json:"card_balance"`
	CardAfter    *api.USD `json:"card_balance_after"`
	WalletBefore *api.USD `json:"wallet_balance"`
	WalletAfter  *api.USD `json:"wallet_balance_after"`
}

func (f figures) same(g figures) bool {
	same := func(a, b *api.USD) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	return same(f.CardBefore, g.CardBefore) && same(f.CardAfter, g.CardAfter) && same(f.WalletBefore, g.WalletBefore) && same(f.WalletAfter, g.WalletAfter)
}

func figuresOf(st *state.Store, r approval.Request) figures {
	var f figures
	if w, known := st.Wallet.Balance(); known {
		after := w.Balance - r.Amount
		f.WalletBefore, f.WalletAfter = &w.Balance, &after
	}
	if c, ok := st.Cards.Get(r.Card); ok {
		after := c.Balance + r.Amount
		f.CardBefore, f.CardAfter = &c.Balance, &after
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

// decide approves or declines a request. An approval carries the figures that the lead
// saw: when they are others by now, they are shown anew and nothing is sent.
func (s *Server) decide(r *request) (answer, error) {
	body, err := readBody(r)
	if err != nil {
		return answer{}, err
	}
	var in struct {
		Approve *bool    `json:"approve"`
		Amount  *api.USD `json:"amount"`
		figures
	}
	if json.Unmarshal(body, &in) != nil || in.Approve == nil {
		return answer{}, invalid("approve is missing")
	}
	req, op, ok := s.approvals.Get(r.id)
	if !ok {
		return answer{}, notFound()
	}
	var now figures
	var known bool
	err = s.read(r.Context(), func(st *state.Store) {
		now = figuresOf(st, req)
		req.Label, known = labelOf(st, req)
	})
	if err != nil || !seesLabel(r.person, req.Label, known) {
		return answer{}, orNotFound(err)
	}
	if !*in.Approve {
		op.Label = req.Label
		return s.refuseApproval(r, req, &op)
	}
	if req.Name == r.person.Name {
		return answer{}, forbidden("another lead has to approve it")
	}
	if r.person.Cap > 0 && req.Amount > r.person.Cap {
		return answer{}, forbidden("it is above your cap, too")
	}
	if in.Amount == nil || *in.Amount != req.Amount || !in.same(now) {
		return answer{}, changed()
	}
	same, err := s.readAnew(r.Context(), req)
	if err != nil {
		return answer{}, err
	}
	if !same {
		return answer{}, changed()
	}
	if asker, there := s.cfg.Team.Team().Named(req.Name); !there || !asker.May(roleOf(op.Kind)) || !seesLabel(asker, req.Label, known) {
		return answer{}, forbidden(req.Name + " may not do this any more")
	}
	return s.approve(r, req)
}

// changed is the answer when a lead saw other figures than those of now.
func changed() *refusal {
	return refuse(http.StatusConflict, api.HubFiguresChanged, "amount, card or balances changed: look at the request again")
}

// readAnew reads the card of a request and reports whether it is as the list has it, which
// may be some seconds old. What was read is in the list then: who looks again sees it.
func (s *Server) readAnew(ctx context.Context, req approval.Request) (same bool, err error) {
	if req.Card == "" {
		return true, nil
	}
	var fetch state.FetchSummary
	var before, now state.Card
	err = s.read(ctx, func(st *state.Store) {
		before, _ = st.Cards.Get(req.Card)
		fetch = st.Info.Read(req.Card)
	})
	if err != nil {
		return false, err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ev := s.cfg.Engine.Run(limited, fetch)
	switch ev := ev.(type) {
	case state.SummaryLoaded:
	case state.FetchFailed:
		return false, ev.Err
	case state.Deferred:
		return false, tooMany(ev.Wait)
	default:
		return false, errors.New("read the card: no answer")
	}
	err = s.call(ctx, func(st *state.Store) (state.Topic, []state.Effect) {
		topics, effects := st.Apply(ev)
		now, _ = st.Cards.Get(req.Card)
		return topics, effects
	})
	same = before.Balance == now.Balance && before.Label == now.Label && before.Status == now.Status
	if !same {
		s.cache.forget()
	}
	return same, err
}

// refuseApproval ends a request, once that is in the audit. Who asked may do so with
// theirs.
func (s *Server) refuseApproval(r *request, req approval.Request, op *operation) (answer, error) {
	record := auditOf(r, "refuse", state.OpStatusRefused, op, what(req))
	record.Route = "/hub/v1/approvals/{id}"
	if err := s.noted(record, "nothing was refused"); err != nil {
		return answer{}, err
	}
	if _, ok, err := s.approvals.Decide(r.id, approval.Refused, r.person.Name); err != nil || !ok {
		return answer{}, undecided(err)
	}
	s.tellAsked(r.Context(), req)
	return jsonOf(struct {
		ID       string `json:"id"`
		Approved bool   `json:"approved"`
	}{req.ID, false}, -1)
}

// endRemoved refuses the requests of people who are not in the team any more. A team of
// nobody ends none: it may be that of a file with a mistake, and nobody could decide
// anyway.
func (s *Server) endRemoved() (ended []approval.Request) {
	now := s.cfg.Team.Team()
	if len(now.People) == 0 {
		return nil
	}
	rows, err := s.approvals.End(func(r approval.Row[operation]) bool {
		_, there := now.Named(r.Name)
		return !there
	})
	if err != nil {
		s.cfg.Tell("requests of people who were removed still wait: " + err.Error())
	}
	for _, r := range rows {
		record := state.Record{
			Action: "refuse", Card: r.Op.Card, Name: r.Op.Name, Label: r.Op.Label, Amount: r.Op.Amount, Outcome: state.OpStatusRefused,
			By: state.Actor{Name: "hub", Role: "host"}, Err: what(r.Request) + ": the asker was removed",
		}
		if _, err := s.cfg.Audit.Add(record); err != nil {
			s.cfg.Tell("that a request of " + r.Name + " was refused is not in the audit: " + err.Error())
		}
		ended = append(ended, r.Request)
	}
	return ended
}

// undecided is the answer when a request was not decided: somebody else did, or it cannot
// be stored.
func undecided(err error) *refusal {
	if err == nil {
		return notFound()
	}
	return refuse(http.StatusInternalServerError, "not_stored", "the hub cannot store it: nothing was decided")
}

// approve sends an operation that a lead approved, in the name of both. The label of the
// request is the one of now.
func (s *Server) approve(r *request, req approval.Request) (answer, error) {
	op, ok, err := s.approvals.Decide(r.id, approval.Approved, r.person.Name)
	if err != nil || !ok {
		return answer{}, undecided(err)
	}
	defer s.tellAsked(context.WithoutCancel(r.Context()), req) // It was decided, or waits again.
	op.Label = req.Label
	op.By.Approved = r.person.Name
	op.all = r.person.SeesAll()
	entry, found := s.writes.Begin(op.Key, op.Write.Body)
	switch found {
	case once.Reused:
		return answer{}, reused()
	case once.New:
		begun, err := s.doneBefore(op.Key, entry)
		if begun {
			return answer{}, err // It does not wait any more.
		}
		if err == nil {
			err = s.begin(r.Context(), &op, entry)
		}
		if err != nil {
			if kept := s.approvals.Return(req.ID); kept != nil {
				s.cfg.Tell("approvals are not stored: " + kept.Error())
			}
			return answer{}, err
		}
	case once.Waiting, once.Settled:
	}
	return s.await(r.Context(), entry, &op)
}
