// Package team is what a hub tells of the people that share it: who the user is, who
// else is there, what waits for a lead, and what is under way. It is pure.
package team

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Role is what a person may do.
type Role uint8

// The roles, the least first. What an Unknown one may do only the hub knows.
const (
	Unknown Role = iota
	Viewer
	Buyer
	Lead
	Admin
)

func names() []string { return []string{"", "viewer", "buyer", "lead", "admin"} }

// RoleOf returns the role of a name; Unknown for one of another version.
func RoleOf(name api.Text) Role {
	for i, n := range names() {
		if n == string(name) {
			return Role(i)
		}
	}
	return Unknown
}

func (r Role) String() string { return names()[r] }

// May reports whether a role may do what needs another at least. Of an unknown one the
// hub says it.
func (r Role) May(least Role) bool { return r == Unknown || r >= least }

// You is who the user is to the hub.
type You struct {
	Name api.Text
	Role Role
	// Cap is the most that is funded without an approval, USD; 0 for no bound.
	Cap api.USD
}

// What a hub lists; see package api.
type (
	// Person is one of the team.
	Person = api.HubPerson
	// Request is an operation that waits for a lead, or what became of it.
	Request = api.HubApproval
	// Operation is one without an outcome.
	Operation = api.HubOperation
	// Lease is an operation under way that moves the money of a card.
	Lease = api.HubLease
	// Claim is that somebody uses a code.
	Claim = api.HubClaim
)

// The states of a request.
const (
	Waiting  = "waiting"
	Approved = "approved"
	Refused  = "refused"
	Expired  = "expired"
)

// Unsettled is the state of an operation that the hub asks for no more: a lead says what
// became of it.
const Unsettled = "unsettled"

// Part is one list of a hub.
type Part uint8

// The lists.
const (
	People Part = iota
	Requests
	Operations
	Leases
	Claims
	// Outcomes is what became of the user's own operations that are asked for no more, one
	// at a time.
	Outcomes
	parts
)

// least is the role that may read a list.
func (p Part) least() Role {
	switch p {
	case Requests, Claims, Outcomes:
		return Buyer
	case Operations:
		return Lead
	default:
		return Viewer
	}
}

// By is who an operation is of.
func By(w *lang.Words, name api.Text) string {
	if name == "" {
		return w.T("the hub")
	}
	return string(name)
}

// BusyText says which operation of another is in the way.
func BusyText(w *lang.Words, l Lease) string {
	if l.State == "sending" {
		return w.Tf("the %s by %s is still under way", w.T(string(l.Operation)), By(w, l.By))
	}
	return w.Tf("the %s by %s is unconfirmed", w.T(string(l.Operation)), By(w, l.By))
}
