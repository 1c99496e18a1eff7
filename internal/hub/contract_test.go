package hub_test

import (
	"net/http"
	"path/filepath"
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

// TestAValidatingProxyFindsNoFaultOfTheHub holds each answer to api/openapi.yaml.
func TestAValidatingProxyFindsNoFaultOfTheHub(t *testing.T) {
	document, err := filepath.Abs("../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	apitest.PlayProxy(t, document, func(t *testing.T) (http.Handler, string) {
		t.Helper()
		s := open(t, sandbox.Config{Seed: 1, Quiet: true, Cards: 12, Transactions: 120}, admin())
		s.begin()
		return s.hub, s.tokens["root"]
	})
}
