package state

import (
	"context"
	"errors"
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
)

// HubJoined is that the service is a hub, and who the user is to it.
type HubJoined struct {
	kernel.Meta
	You team.You
}

func (ev HubJoined) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Team.Join(ev.You, s.Time)
	return kernel.TopicTeam, readTeam(s)
}

// HubTold is that a hub told of something new: lanes and lists are read at once.
// Open is set when the stream is there: while it is, lanes rest between what it tells.
type HubTold struct {
	kernel.Meta
	Open  bool
	Lanes []poll.Lane
	Lists []team.Part
}

func (ev HubTold) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	if ev.Open {
		s.Push.told = true
		s.Poll.Replan()
	}
	for _, lane := range ev.Lanes {
		s.Poll.MakeDue(lane)
		if s.Team.Watched() && (lane == poll.Wallet || lane == poll.Hot) {
			s.Team.Tell(s.Time, team.Requests) // The balances that they rest on.
		}
	}
	s.Team.Tell(s.Time, ev.Lists...)
	if slices.Contains(ev.Lists, team.Leases) || slices.Contains(ev.Lists, team.Operations) {
		askOutcomes(s)
	}
	return 0, readTeam(s)
}

// HubLost is that the hub's stream ended: lanes are polled as ever.
type HubLost struct{ kernel.Meta }

func (HubLost) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Push.told = false
	s.Poll.Replan()
	return kernel.TopicAll, nil
}

// readTeam reads the lists of the team that are due.
func readTeam(s *Store) (out []kernel.Effect) {
	for _, p := range s.Team.Due(s.Time) {
		f := FetchTeam{List: p}
		if p == team.Outcomes {
			op, ok := s.Ops.toAskHub()
			if !ok {
				s.Team.ReadOutcome(s.Time)
				continue
			}
			// What is told from now on may be newer than the answer: then it is asked again.
			op.askHub = false
			f.Op, f.Key, f.Write = op.ID, op.Key, op.Write
		}
		out = append(out, f)
	}
	return out
}

// FetchTeam reads a list of a hub. Of the outcomes it reads that of one operation.
type FetchTeam struct {
	List  team.Part
	Op    OpID
	Key   api.IdempotencyKey
	Write *api.Write
}

func (FetchTeam) Effect() {}

// Cost is that of a poll.
func (FetchTeam) Cost() kernel.Cost {
	return kernel.Cost{Priority: budget.Middle, Lane: lang.N("team")}
}

func (f FetchTeam) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	ev := TeamLoaded{FetchTeam: f}
	var err error
	switch f.List {
	case team.People:
		ev.People, err = on.API.HubPeople(ctx)
	case team.Requests:
		ev.Requests, err = on.API.HubApprovals(ctx)
	case team.Operations:
		ev.Operations, err = on.API.HubOperations(ctx)
	case team.Claims:
		ev.Claims, err = on.API.HubClaims(ctx)
	case team.Outcomes:
		ev.Outcome, err = on.API.HubOutcome(ctx, *f.Write, f.Key)
	default:
		ev.Leases, err = on.API.HubLeases(ctx)
	}
	ev.Meta = on.Over()
	return ev, err
}

func (f FetchTeam) Failed(s *Store, e kernel.Failure) kernel.Topic {
	if f.List == team.Outcomes && errors.Is(e.Err, api.ErrNotFound) {
		s.Team.ReadOutcome(s.Time) // The hub is of a version that does not tell.
		return 0
	}
	if op, ok := s.Ops.findOp(f.Op); ok {
		op.askHub = true
	}
	s.Team.Failed(f.List, s.Time, e.Err)
	return kernel.TopicTeam
}

// TeamLoaded is a list of a hub: the one that was asked for.
type TeamLoaded struct {
	FetchTeam
	kernel.Meta
	People     []team.Person
	Requests   []team.Request
	Operations []team.Operation
	Leases     []team.Lease
	Claims     []team.Claim
	Outcome    api.HubOutcome
}

func (ev TeamLoaded) Apply(s *Store) (topics kernel.Topic, effects []kernel.Effect) {
	topics = kernel.TopicTeam
	switch ev.List {
	case team.People:
		s.Team.SetPeople(ev.People, s.Time)
	case team.Requests:
		topics |= tellRequests(s, s.Team.SetRequests(ev.Requests, s.Time))
	case team.Operations:
		s.Team.SetOperations(ev.Operations, s.Time)
	case team.Claims:
		s.Team.ReadClaims(s.Time)
		you, _ := s.Team.You()
		topics |= s.Codes.Claimed(ev.Claims, you.Name)
	case team.Outcomes:
		topics, effects = outcomeTold(s, ev)
	default:
		s.Team.SetLeases(ev.Leases, s.Time)
		topics |= kernel.TopicOps | kernel.TopicCards
	}
	return topics, append(effects, readTeam(s)...)
}

// askOutcomes has the hub asked what became of the user's operations that are asked for no
// more: a lead may have settled them since.
func askOutcomes(s *Store) {
	if _, onHub := s.Team.You(); onHub && s.Ops.askHub() {
		s.Team.Tell(s.Time, team.Outcomes)
	}
}

// outcomeTold ends an operation as the hub says it ended. What the hub never had stays: it
// may be on its way.
func outcomeTold(s *Store, ev TeamLoaded) (topics kernel.Topic, effects []kernel.Effect) {
	s.Team.ReadOutcome(s.Time)
	if _, more := s.Ops.toAskHub(); more {
		s.Team.Tell(s.Time, team.Outcomes)
	}
	op, ok := s.Ops.findOp(ev.Op)
	if !ok || op.Phase != Unsettled {
		return 0, nil
	}
	op.atHub = ev.Outcome.State == api.HubOpen
	switch ev.Outcome.State {
	case api.HubDone, api.HubNotDone:
		return kernel.TopicOps | kernel.TopicCards | kernel.TopicNotice, settledThere(s, op, ev.Outcome.State == api.HubDone, string(ev.Outcome.Message))
	case api.HubOpen:
		s.Notices.SayResult(kernel.Bad, s.Lang.Tf("%s of %s could not be confirmed: a lead settles it", op.Kind.Noun(s.Lang), s.Cards.opName(op)))
		return kernel.TopicOps | kernel.TopicNotice, nil
	}
	return kernel.TopicOps, nil
}

// tellRequests says which requests wait for the user, and what became of their own.
func tellRequests(s *Store, n team.News) kernel.Topic {
	if len(n.Asked)+len(n.Ended) == 0 {
		return 0
	}
	for _, r := range n.Asked {
		text := team.By(nil, r.By) + " asks: " + requestText(nil, s, r)
		s.News.Report(news.News{Kind: news.Alert, ID: r.ID, Card: r.Card, Type: approval, Text: text})
	}
	switch len(n.Asked) {
	case 0:
	case 1:
		s.Notices.SayIfFree(kernel.Warn, s.Lang.Tf("%s asks: %s", team.By(s.Lang, n.Asked[0].By), requestText(s.Lang, s, n.Asked[0])))
	default:
		s.Notices.SayIfFree(kernel.Warn, s.Lang.Tf("%d requests wait for a lead", len(n.Asked)))
	}
	for _, r := range n.Ended {
		level := kernel.Good
		if r.State != team.Approved {
			level = kernel.Bad
		}
		s.Notices.SayUntilDismissed(r.ID, level, endedText(s.Lang, s, r))
		s.Wants = append(s.Wants, NoteRequest{requestRecord(s, r)})
		s.News.Report(news.News{Kind: news.Alert, ID: r.ID, Card: r.Card, Type: approval, Text: endedText(nil, s, r)})
	}
	return kernel.TopicNotice
}

// NoteRequest records in the history what became of a request of the user's.
type NoteRequest struct{ Record Record }

func (NoteRequest) Effect() {}

// requestRecord is what became of a request, for the history.
func requestRecord(s *Store, r team.Request) Record {
	out := Record{Action: string(r.Operation), Card: r.Card, Name: requestName(nil, s, r), Label: string(r.Label), Amount: r.Amount, Outcome: OpStatusRefused}
	for k := OpFreeze; k <= OpUnsubscribe; k++ {
		if k.String() == out.Action {
			out.Action = k.Verb()
			break
		}
	}
	if r.State == team.Approved {
		out.Outcome = OpStatusApproved
	}
	out.Err = string(r.State)
	if r.DecidedBy != "" {
		out.Err += " by " + string(r.DecidedBy)
	}
	return out
}

// approval is the type of news of requests.
const approval = "approval"

// endedText says what became of a request.
func endedText(w *lang.Words, s *Store, r team.Request) string {
	if r.DecidedBy != "" {
		return w.Tf("%s by %s: %s", w.T(string(r.State)), string(r.DecidedBy), requestText(w, s, r))
	}
	return w.T(string(r.State)) + ": " + requestText(w, s, r)
}

// requestText is what a request is for, in a sentence.
func requestText(w *lang.Words, s *Store, r team.Request) string {
	return waitingText(w, w.T(string(r.Operation)), r.Amount, requestName(w, s, r))
}

// requestName names the card of a request.
func requestName(w *lang.Words, s *Store, r team.Request) string {
	if r.Card == "" {
		return s.Cards.OnScreen("", w.Tf("a card %s", quoted(w, string(r.Label))))
	}
	return s.Cards.name(r.Card)
}

func waitingText(w *lang.Words, what string, amount api.USD, name string) string {
	return what + " " + w.Dollars(amount) + ", " + name
}

// waitsForLead reports whether a write was not done because it waits for a lead: the hub
// sends it when one approves.
func waitsForLead(err error) bool { return errors.Is(err, api.ErrApprovalRequired) }

// WatchTeam has the lists of the team read for as long as the user looks at them.
type WatchTeam struct{ On bool }

func (in WatchTeam) Check(s *Store) kernel.Verdict {
	if _, known := s.Team.You(); in.On && !known {
		return kernel.Verdict{Reason: s.Lang.T("this account is not on a hub: cardtop hub serves one to a team")}
	}
	return kernel.Verdict{}
}

func (in WatchTeam) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Team.Watch(in.On, s.Time)
	return kernel.TopicTeam, readTeam(s)
}

// ApproveRequest approves a request with the figures that are shown of it.
type ApproveRequest struct {
	ID string
	// Amount is what it moves, USD, Label that of its card.
	Amount api.USD
	Label  string
}

func (in ApproveRequest) Check(s *Store) kernel.Verdict { return checkDecision(s, in.ID, true) }

func (in ApproveRequest) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return decide(s, in.ID, true)
}

func (ApproveRequest) Least() team.Role { return team.Lead }

func (in ApproveRequest) Moves() (api.USD, bool) { return in.Amount, true }

func (in ApproveRequest) LabelIn(func(api.CardID) string) string { return in.Label }

func (ApproveRequest) WaitsForAPI() bool { return true }

// RefuseRequest refuses a request.
type RefuseRequest struct{ ID string }

func (in RefuseRequest) Check(s *Store) kernel.Verdict { return checkDecision(s, in.ID, false) }

func (in RefuseRequest) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return decide(s, in.ID, false)
}

func (RefuseRequest) Least() team.Role { return team.Lead }

func (RefuseRequest) WaitsForAPI() bool { return true }

func checkDecision(s *Store, id string, approve bool) kernel.Verdict {
	v := s.Writable(kernel.Money)
	r, ok := s.Team.Request(id)
	d, _ := s.Team.Decision(id)
	switch {
	case v.Reason != "":
	case s.Ops.DryRun():
		v.Reason = s.Lang.T("a dry run sends nothing")
	case !ok:
		v.Reason = s.Lang.T("no request is selected")
	case d.Sending:
		v.Reason = s.Lang.T("the hub has not answered yet")
	case approve && !team.Known(r) && s.Team.WhyNot(s.Lang, r, approve) == "":
		v.Reason = s.Lang.T("balances are not known yet: try again")
	default:
		v.Reason = s.Team.WhyNot(s.Lang, r, approve)
	}
	return v
}

func decide(s *Store, id string, approve bool) (kernel.Topic, []kernel.Effect) {
	r, _ := s.Team.Request(id)
	s.Team.Decide(id, approve)
	return kernel.TopicTeam, []kernel.Effect{SendDecision{Request: r, Approve: approve}}
}

// preview is what approving a request would do, by the hub's figures.
func (in ApproveRequest) preview(s *Store) (p Preview, ok bool) {
	r, ok := s.Team.Request(in.ID)
	if !ok || !team.Known(r) {
		return p, false
	}
	p.WalletBefore, p.WalletAfter = *r.WalletBefore, *r.WalletAfter
	p.CardBefore, p.CardAfter = kernel.OrZero(r.CardBefore), kernel.ValueOr(r.CardAfter, r.Amount)
	return p, true
}

// SendDecision sends the user's word on a request, with its figures as they were shown.
type SendDecision struct {
	Request team.Request
	Approve bool
}

func (SendDecision) Effect() {}

// Cost is that of a write.
func (SendDecision) Cost() kernel.Cost {
	return kernel.Cost{Priority: budget.User, Lane: lang.N("team")}
}

func (f SendDecision) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	err := on.API.DecideHubApproval(ctx, f.Request, f.Approve)
	return RequestDecided{SendDecision: f, Meta: on.Over()}, err
}

// Failed shows why. Whatever it was, the request is read again: of one that may have been
// decided that tells.
func (f SendDecision) Failed(s *Store, e kernel.Failure) kernel.Topic {
	why := errtext.Explain(s.Lang, e.Err)
	var of *api.Error
	switch {
	case errors.As(e.Err, &of) && of.ID == api.HubFiguresChanged:
		why = s.Lang.T("amount or balances changed: check them and press again")
	case !e.Deferred && api.Outcome(e.Err) == api.Unknown:
		why = s.Lang.Tf("sent but unconfirmed, the request is read again: %s", why)
	}
	s.Team.Decided(f.Request.ID, why)
	s.Team.Tell(s.Time, team.Requests)
	s.Wants = append(s.Wants, readTeam(s)...)
	s.Notices.SayResult(kernel.Bad, s.Lang.T(f.verb())+" "+requestText(s.Lang, s, f.Request)+": "+why)
	return kernel.TopicTeam | kernel.TopicNotice
}

func (f SendDecision) verb() string {
	if f.Approve {
		return lang.N("approve")
	}
	return lang.N("refuse")
}

// RequestDecided confirms a SendDecision.
type RequestDecided struct {
	SendDecision
	kernel.Meta
}

func (ev RequestDecided) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Team.Decided(ev.Request.ID, "")
	s.Team.Tell(s.Time, team.Requests)
	text := s.Lang.T("approved: ")
	if !ev.Approve {
		text = s.Lang.T("refused: ")
	}
	s.Notices.SayResult(kernel.Good, s.Lang.Tf("%s%s, asked by %s", text, requestText(s.Lang, s, ev.Request), team.By(s.Lang, ev.Request.By)))
	s.Poll.MakeDue(poll.Hot)
	s.Poll.MakeDue(poll.Wallet)
	return kernel.TopicTeam | kernel.TopicNotice, readTeam(s)
}

// Outcome is what a lead says of an operation without an outcome.
type Outcome string

// The outcomes. ReadFirst says nothing: what shows the outcome is read again.
const (
	ReadFirst      Outcome = "read"
	SettledDone    Outcome = "done"
	SettledNotDone Outcome = "not-done"
)

// SettleOperation is the user's word on an operation of the hub that has no outcome. Without
// one it asks for the evidence.
type SettleOperation struct {
	ID api.IdempotencyKey
	As Outcome
}

func (in SettleOperation) Check(s *Store) kernel.Verdict {
	v := s.Writable(kernel.Reversible)
	o, ok := s.Team.Operation(in.ID)
	d, _ := s.Team.Decision(string(in.ID))
	switch {
	case v.Reason != "":
	case s.Ops.DryRun():
		v.Reason = s.Lang.T("a dry run sends nothing")
	case !ok:
		v.Reason = s.Lang.T("it has an outcome by now")
	case d.Sending:
		v.Reason = s.Lang.T("the hub has not answered yet")
	case (in.As == SettledDone || in.As == SettledNotDone) && o.State != team.Unsettled:
		v.Reason = s.Lang.T("the hub still asks for it, with the same key")
	}
	return v
}

func (in SettleOperation) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	o, _ := s.Team.Operation(in.ID)
	s.Team.Decide(string(in.ID), false)
	return kernel.TopicTeam, []kernel.Effect{SendSettlement{Operation: o, As: in.As}}
}

func (SettleOperation) Least() team.Role { return team.Lead }

func (SettleOperation) WaitsForAPI() bool { return true }

// SendSettlement sends the user's word on an operation, or has it read again.
type SendSettlement struct {
	Operation team.Operation
	As        Outcome
}

func (SendSettlement) Effect() {}

// Cost is that of a write.
func (SendSettlement) Cost() kernel.Cost {
	return kernel.Cost{Priority: budget.User, Lane: lang.N("team")}
}

func (f SendSettlement) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	now, err := on.API.SettleHubOperation(ctx, f.Operation.ID, string(f.As))
	return OperationSettled{SendSettlement: f, Meta: on.Over(), Now: now}, err
}

// Failed shows why. The operations are read again: they tell whether it counted.
func (f SendSettlement) Failed(s *Store, e kernel.Failure) kernel.Topic {
	why := errtext.Explain(s.Lang, e.Err)
	switch {
	case errors.Is(e.Err, api.ErrNotFound):
		why = s.Lang.T("it has an outcome by now")
	case f.As != ReadFirst && !e.Deferred && api.Outcome(e.Err) == api.Unknown:
		why = s.Lang.Tf("sent but unconfirmed, the operations are read again: %s", why)
	}
	s.Team.Decided(string(f.Operation.ID), why)
	s.Team.Tell(s.Time, team.Operations)
	s.Wants = append(s.Wants, readTeam(s)...)
	if f.As == ReadFirst {
		return kernel.TopicTeam
	}
	s.Notices.SayResult(kernel.Bad, s.Lang.Tf("settle %s: %s", operationText(s, f.Operation), why))
	return kernel.TopicTeam | kernel.TopicNotice
}

// OperationSettled confirms a SendSettlement. Now is the operation as it was read.
type OperationSettled struct {
	SendSettlement
	kernel.Meta
	Now team.Operation
}

func (ev OperationSettled) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Team.Decided(string(ev.Operation.ID), "")
	if ev.As == ReadFirst {
		s.Team.SetOperation(ev.Now)
		return kernel.TopicTeam, nil
	}
	s.Team.Tell(s.Time, team.Operations, team.Leases)
	s.Notices.SayResult(kernel.Good, s.Lang.Tf("settled as %s: %s, asked by %s", s.Lang.T(string(ev.As)), operationText(s, ev.Operation), team.By(s.Lang, ev.Operation.By)))
	s.Poll.MakeDue(poll.Hot)
	s.Poll.MakeDue(poll.Wallet)
	return kernel.TopicTeam | kernel.TopicNotice, readTeam(s)
}

// operationText is what an operation is, in a sentence.
func operationText(s *Store, o team.Operation) string {
	name := s.Cards.OnScreen("", quoted(s.Lang, string(o.Label)))
	if o.Card != "" {
		name = s.Cards.name(o.Card)
	}
	if o.Amount == 0 {
		return s.Lang.T(string(o.Operation)) + ", " + name
	}
	return waitingText(s.Lang, s.Lang.T(string(o.Operation)), o.Amount, name)
}
