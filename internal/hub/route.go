package hub

import (
	"net/http"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/poll"
)

// route is one endpoint.
type route struct {
	method, template string
	// role is the least that may ask; why is what others are told.
	role   team.Role
	why    string
	handle func(*request) (answer, error)
	// stream answers for as long as it is read, in place of handle.
	stream func(http.ResponseWriter, *request)
}

// answer checks the role and runs the endpoint.
func (rt *route) answer(r *request) (answer, error) {
	if !r.person.May(rt.role) {
		return answer{}, forbidden(rt.why)
	}
	return rt.handle(r)
}

// roleOf is the least role that may send a write.
func roleOf(kind state.OpKind) team.Role {
	switch kind {
	case state.OpFreeze, state.OpUnfreeze, state.OpFund:
		return team.Buyer
	case state.OpIssue, state.OpUpdate, state.OpTerminate, state.OpWithdraw:
		return team.Lead
	default:
		return team.Admin
	}
}

// What who may not ask is told.
const (
	needsBuyer = "this needs the role buyer"
	needsLead  = "this needs the role lead"
	needsAdmin = "this needs the role admin"
)

// contract are the endpoints.
func (s *Server) contract() []route {
	write := func(kind state.OpKind) func(*request) (answer, error) {
		return func(r *request) (answer, error) { return s.write(r, kind) }
	}
	memory := func(lane poll.Lane, handle func(*request) (answer, error)) func(*request) (answer, error) {
		return func(r *request) (answer, error) { return s.remembered(r, lane, handle) }
	}
	return []route{
		{method: "GET", template: "/v1/cards", role: team.Viewer, handle: memory(poll.Sweep, s.listCards)},
		{method: "POST", template: "/v1/cards", role: roleOf(state.OpIssue), why: needsLead, handle: write(state.OpIssue)},
		{method: "GET", template: "/v1/cards/{id}", role: team.Viewer, handle: s.getCard},
		{method: "PATCH", template: "/v1/cards/{id}", role: roleOf(state.OpUpdate), why: needsLead, handle: write(state.OpUpdate)},
		{method: "DELETE", template: "/v1/cards/{id}", role: roleOf(state.OpTerminate), why: needsLead, handle: write(state.OpTerminate)},
		{method: "GET", template: "/v1/cards/{id}/details", role: team.Buyer, why: needsBuyer, handle: s.getDetails},
		{method: "POST", template: "/v1/cards/{id}/freeze", role: roleOf(state.OpFreeze), why: needsBuyer, handle: write(state.OpFreeze)},
		{method: "POST", template: "/v1/cards/{id}/unfreeze", role: roleOf(state.OpUnfreeze), why: needsBuyer, handle: write(state.OpUnfreeze)},
		{method: "POST", template: "/v1/cards/{id}/fund", role: roleOf(state.OpFund), why: needsBuyer, handle: write(state.OpFund)},
		{method: "POST", template: "/v1/cards/{id}/withdraw", role: roleOf(state.OpWithdraw), why: needsLead, handle: write(state.OpWithdraw)},
		{method: "GET", template: "/v1/transactions", role: team.Viewer, handle: memory(poll.Feed, s.listTransactions)},
		{method: "GET", template: "/v1/transactions/{id}", role: team.Viewer, handle: s.getTransaction},
		{method: "GET", template: "/v1/wallet/balance", role: team.Viewer, handle: memory(poll.Wallet, s.getWallet)},
		{method: "GET", template: "/v1/wallet/deposit-address", role: team.Admin, why: needsAdmin, handle: s.getAddresses},
		{method: "GET", template: "/v1/wallet/deposits", role: team.Viewer, handle: s.listDeposits},
		{method: "GET", template: "/v1/bins", role: team.Viewer, handle: s.listBINs},
		{method: "GET", template: "/v1/3ds", role: team.Viewer, handle: s.listChallenges},
		{method: "GET", template: "/v1/3ds/{id}", role: team.Viewer, handle: s.getChallenge},
		{method: "GET", template: "/v1/webhooks", role: team.Admin, why: needsAdmin, handle: s.listWebhooks},
		{method: "POST", template: "/v1/webhooks", role: roleOf(state.OpSubscribe), why: needsAdmin, handle: write(state.OpSubscribe)},
		{method: "DELETE", template: "/v1/webhooks/{id}", role: roleOf(state.OpUnsubscribe), why: needsAdmin, handle: write(state.OpUnsubscribe)},

		{method: "GET", template: "/hub/v1/about", role: team.Viewer, handle: s.about},
		{method: "GET", template: "/hub/v1/people", role: team.Viewer, handle: s.listPeople},
		{method: "GET", template: "/hub/v1/stream", role: team.Viewer, stream: s.serveStream},
		{method: "GET", template: "/hub/v1/leases", role: team.Viewer, handle: s.listLeases},
		{method: "GET", template: "/hub/v1/claims", role: team.Buyer, why: needsBuyer, handle: s.listClaims},
		{method: "POST", template: "/hub/v1/claims", role: team.Buyer, why: needsBuyer, handle: s.claim},
		{method: "GET", template: "/hub/v1/approvals", role: team.Buyer, why: needsBuyer, handle: s.listApprovals},
		{method: "POST", template: "/hub/v1/approvals/{id}", role: team.Lead, why: needsLead, handle: s.decide},
		{method: "GET", template: "/hub/v1/operations", role: team.Lead, why: needsLead, handle: s.listOperations},
		{method: "POST", template: "/hub/v1/operations/{id}", role: team.Lead, why: needsLead, handle: s.settleOperation},
		{method: "GET", template: "/hub/v1/outcome", role: team.Buyer, why: needsBuyer, handle: s.tellOutcome},
		{method: "GET", template: "/hub/v1/rules", role: team.Admin, why: needsAdmin, handle: s.listRules},
		{method: "POST", template: "/hub/v1/rules/{name}", role: team.Admin, why: needsAdmin, handle: s.switchRule},
	}
}

// match finds the endpoint of a request, or the methods that its path knows. A path with
// something in the place of an identifier that is none has no endpoint; strange is its
// template.
func (s *Server) match(r *request) (rt *route, others []string, strange string) {
	path := r.URL.EscapedPath()
	for i := range s.routes {
		id, is := fits(s.routes[i].template, path)
		switch is {
		case otherPath:
			continue
		case noID:
			strange = s.routes[i].template
			continue
		case ofPath:
		}
		if s.routes[i].method != r.Method {
			others = append(others, s.routes[i].method)
			continue
		}
		r.id, r.path = id, strings.TrimPrefix(path, "/v1")
		return &s.routes[i], nil, ""
	}
	return nil, others, strange
}

// fit is whether a path is of a template.
type fit int

const (
	otherPath fit = iota
	// noID is that the path is of the template but for what stands in the place of the
	// identifier, which is none.
	noID
	ofPath
)

// fits compares a path with a template, and returns the identifier in it. Nothing of the
// path is decoded: an identifier has no character that is escaped.
func fits(template, path string) (id string, is fit) {
	before, after, has := strings.Cut(template, "{")
	if !has {
		if template == path {
			return "", ofPath
		}
		return "", otherPath
	}
	kind, after, _ := strings.Cut(after, "}")
	id, ok := strings.CutPrefix(path, before)
	if !ok || !strings.HasSuffix(id, after) {
		return "", otherPath
	}
	id = strings.TrimSuffix(id, after)
	switch {
	case id == "" || strings.Contains(id, "/"):
		return "", otherPath
	case kind == "id" && !api.IsID(id), kind == "name" && !api.IsRuleName(id):
		return "", noID
	}
	return id, ofPath
}

// refuseStrange answers a request with something in its path that is no identifier. Nobody
// types one by mistake: it counts as a read of details, and is in the audit without it.
func (s *Server) refuseStrange(r *request, template string) *refusal {
	if wait := s.limits.Take(r.person.Name, limit.Detail); wait > 0 {
		return tooMany(wait)
	}
	record := state.Record{
		Action: "invalid-id", Outcome: state.OpStatusRefused, Method: r.Method, Route: strings.TrimPrefix(template, "/v1"), By: r.actor(),
		Err: "the path has no identifier where one has to be",
	}
	if _, err := s.cfg.Audit.Add(record); err != nil {
		return refuse(http.StatusInternalServerError, "audit_failed", "the audit cannot be written: nothing was read")
	}
	return notFound()
}
