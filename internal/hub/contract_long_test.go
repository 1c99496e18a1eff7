//go:build long

package hub_test

import (
	"net/http"
	"testing"

	"github.com/cardtop/cardtop/api/apitest"
	"github.com/cardtop/cardtop/api/sandbox"
)

// TestTheHubPlaysTheVectors holds the hub to the contract as the sandbox is.
func TestTheHubPlaysTheVectors(t *testing.T) {
	t.Parallel()
	apitest.PlayServer(t, func(t *testing.T) (string, http.RoundTripper, string) {
		t.Helper()
		s := open(t, sandbox.Config{Seed: 1, Quiet: true, Cards: 12, Transactions: 120}, admin())
		s.begin()
		return "http://hub/v1", local{s.hub}, s.tokens["root"]
	})
}
