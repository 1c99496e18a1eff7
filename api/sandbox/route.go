package sandbox

import (
	"net/http"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// request is one request after authentication and routing.
type request struct {
	account string // the digest of the API key; empty for the control
	scope   string // method and path: where an idempotency key is valid
	id      string // the identifier in the path, if there is one
	query   string
	body    []byte
	key     string // the idempotency key, empty for none
}

// route is one endpoint. It either reads or writes.
type route struct {
	method, template string
	status           int // of success
	costs            wire.Cost
	money            bool // counted when repeated under another key
	list             bool // it answers with a list

	read  func(*Server, *request) (any, error)
	write func(*change, *request) (any, error)
}

// name is the endpoint in reports and faults, such as "GET /cards".
func (rt *route) name() string { return rt.method + " " + rt.template }

// contractRoutes are the endpoints below /v1.
func contractRoutes() []route {
	const ok, created = http.StatusOK, http.StatusCreated
	return []route{
		{method: "POST", template: "/cards", status: created, costs: wire.CostCreation, money: true, write: createCard},
		{method: "GET", template: "/cards", status: ok, list: true, read: listCards},
		{method: "GET", template: "/cards/{card_id}", status: ok, read: getCard},
		{method: "PATCH", template: "/cards/{card_id}", status: ok, write: updateCard},
		{method: "DELETE", template: "/cards/{card_id}", status: ok, write: terminateCard},
		{method: "GET", template: "/cards/{card_id}/details", status: ok, costs: wire.CostDetails, read: getDetails},
		{method: "POST", template: "/cards/{card_id}/freeze", status: ok, write: freezeCard},
		{method: "POST", template: "/cards/{card_id}/unfreeze", status: ok, write: unfreezeCard},
		{method: "POST", template: "/cards/{card_id}/fund", status: ok, money: true, write: fundCard},
		{method: "POST", template: "/cards/{card_id}/withdraw", status: ok, money: true, write: withdrawCard},
		{method: "GET", template: "/transactions", status: ok, list: true, read: listTransactions},
		{method: "GET", template: "/transactions/{txn_id}", status: ok, read: getTransaction},
		{method: "GET", template: "/wallet/balance", status: ok, read: getBalance},
		{method: "GET", template: "/wallet/deposit-address", status: ok, read: getAddresses},
		{method: "GET", template: "/wallet/deposits", status: ok, list: true, read: listDeposits},
		{method: "GET", template: "/bins", status: ok, list: true, read: listBINs},
		{method: "GET", template: "/3ds", status: ok, list: true, read: listChallenges},
		{method: "GET", template: "/3ds/{challenge_id}", status: ok, read: getChallenge},
		{method: "POST", template: "/webhooks", status: created, money: true, write: createWebhook},
		{method: "GET", template: "/webhooks", status: ok, list: true, read: listWebhooks},
		{method: "DELETE", template: "/webhooks/{webhook_id}", status: ok, write: deleteWebhook},
	}
}

// match returns the endpoint of a method and an escaped path below the base, or the
// other methods of that path.
func match(routes []route, method, path string) (rt *route, id string, others []string) {
	segments := strings.Split(path, "/")
	for i := range routes {
		candidate, fits := &routes[i], false
		value := ""
		if value, fits = matchPath(candidate.template, segments); !fits {
			continue
		}
		if candidate.method == method {
			return candidate, value, nil
		}
		others = append(others, candidate.method)
	}
	return nil, "", others
}

// matchPath compares a path to a template with at most one variable and returns the
// value of that.
func matchPath(template string, segments []string) (id string, fits bool) {
	parts := strings.Split(template, "/")
	if len(parts) != len(segments) {
		return "", false
	}
	for i, part := range parts {
		if !strings.HasPrefix(part, "{") {
			if part != segments[i] {
				return "", false
			}
			continue
		}
		if !isID(segments[i]) {
			return "", false
		}
		id = segments[i]
	}
	return id, true
}

// isID reports whether a part of a path is an identifier: nothing in one is escaped.
func isID(part string) bool {
	const most = 128
	other := func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_'
	}
	return part != "" && len(part) <= most && !strings.ContainsFunc(part, other)
}
