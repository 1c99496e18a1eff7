//go:build long && !race

// The race detector makes this several times slower, and plays the same handlers with
// the vectors over HTTP.

package hub_test

import (
	"net/http"
	"testing"

	"github.com/cardtop/cardtop/api/apitest"
	"github.com/cardtop/cardtop/api/sandbox"
)

// TestAVisitorPlaysTheVectors holds the answers in memory to the contract. The vectors
// that are about keys are not for visitors, who have none.
func TestAVisitorPlaysTheVectors(t *testing.T) {
	t.Parallel()
	apitest.PlayServer(t, func(t *testing.T) (string, http.RoundTripper, string) {
		t.Helper()
		root := admin()
		root.Keys = []string{sshKey}
		s := open(t, sandbox.Config{Seed: 1, Quiet: true}, root)
		s.begin()
		return "http://hub/v1", asVisitor{s.hub, s.visit("root"), s.tokens["root"]}, s.tokens["root"]
	})
}

// asVisitor sends as a visitor what has the right token.
type asVisitor struct {
	hub   http.Handler
	visit http.RoundTripper
	token string
}

func (v asVisitor) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("Authorization") != "Bearer "+v.token {
		return local{v.hub}.RoundTrip(r)
	}
	return v.visit.RoundTrip(r)
}
