package hub

import (
	"cmp"
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
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
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
	if err := s.restored(r.Context()); err != nil {
		return answer{}, err
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
	return refuse(http.StatusConflict, api.HubFiguresChanged, "amount, status or balances changed: look at the request again")
}

// readAnew reads the card of a request and reports whether it is as the list has it, which
// may be some seconds old. What was read is in the list then: who looks again sees it.
func (s *Server) readAnew(ctx context.Context, req approval.Request) (same bool, err error) {
	if req.Card == "" {
		return true, nil
	}
	before, now, err := s.readCard(ctx, req.Card)
	return before.Balance == now.Balance && before.Label == now.Label && before.Status == now.Status, err
}

// readCard reads a card into the list, and returns it as the list had it and as it is.
func (s *Server) readCard(ctx context.Context, id api.CardID) (before, now cardlist.Card, err error) {
	var fetch state.FetchSummary
	err = s.read(ctx, func(st *state.Store) {
		before, _ = st.Cards.Get(id)
		fetch = st.Info.Read(id)
	})
	if err != nil {
		return before, now, err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ev := s.cfg.Engine.Run(limited, fetch)
	switch ev := ev.(type) {
	case state.SummaryLoaded:
	case state.FetchFailed:
		return before, now, ev.Err
	case state.Deferred:
		return before, now, tooMany(ev.Wait)
	default:
		return before, now, errors.New("read the card: no answer")
	}
	err = s.call(ctx, func(st *state.Store) (kernel.Topic, []kernel.Effect) {
		topics, effects := st.Apply(ev)
		now, _ = st.Cards.Get(id)
		return topics, effects
	})
	if before.Balance != now.Balance || before.Label != now.Label || before.Status != now.Status {
		s.cache.forget()
	}
	return before, now, err
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
	entry, before, err := s.beginApproved(r.Context(), &op)
	if err != nil {
		if !before {
			s.waitAgain(req)
		}
		return answer{}, err
	}
	answered, err := s.await(r.Context(), entry, &op)
	if o, ended := entry.Ended(); ended && undone(o) {
		s.returnUndone(op.Key)
	}
	return answered, err
}

// undone reports whether an outcome is that nothing was done, for certain.
func undone(o once.Outcome) bool { return !o.Unknown && (o.Err != nil || o.Wait > 0) }

// returnUndone has the request of an operation wait again that was approved and did not act.
func (s *Server) returnUndone(key api.IdempotencyKey) {
	if entry, ok := s.writes.Find(key); ok {
		if o, ended := entry.Ended(); !ended || !undone(o) {
			return // It was begun again since.
		}
	}
	req, back, err := s.approvals.ReturnOf(key)
	if err != nil {
		s.cfg.Tell("approvals are not stored: " + err.Error())
	}
	if back {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		s.tellAsked(ctx, req)
	}
}

// beginApproved begins what was approved. Who asked may have asked again at that moment: they
// are told that it waits, and then it is begun. before reports that an earlier run of the hub
// did.
func (s *Server) beginApproved(ctx context.Context, op *operation) (entry *once.Entry, before bool, err error) {
	for {
		entry, found := s.writes.Begin(op.Key, op.Write.Body)
		switch found {
		case once.Reused:
			return nil, false, reused()
		case once.Settled:
			o, _ := entry.Ended()
			if !undone(o) {
				return entry, false, nil
			}
			s.writes.Forget(entry, o) // Of an approval before: nobody was told.
		case once.Waiting:
			select {
			case <-entry.Done():
			case <-ctx.Done():
				return entry, false, nil
			}
			var asked *refusal
			if o, _ := entry.Ended(); !errors.As(o.Err, &asked) || asked.id != api.HubApprovalRequired {
				return entry, false, nil
			}
		case once.New:
			if before, err = s.doneBefore(op.Key, entry); err == nil {
				err = s.begin(ctx, op, entry)
			}
			return entry, before, err
		}
	}
}

// waitAgain has a request wait again of which nothing was done.
func (s *Server) waitAgain(req approval.Request) {
	if err := s.approvals.Return(req.ID); err != nil {
		s.cfg.Tell("approvals are not stored: " + err.Error())
	}
}
