package hub_test

import (
	"net/http"
	"path/filepath"
	"testing"

	"github.com/cardtop/cardtop/api/apitest"
	"github.com/cardtop/cardtop/api/sandbox"
)

// TestAValidatingProxyFindsNoFaultOfTheHub holds each answer to api/openapi.yaml.
func TestAValidatingProxyFindsNoFaultOfTheHub(t *testing.T) {
	document, err := filepath.Abs("../../api/openapi.yaml")
	must(t, err)
	apitest.PlayProxy(t, document, func(t *testing.T) (http.Handler, string) {
		t.Helper()
		s := open(t, sandbox.Config{Seed: 1, Quiet: true, Cards: 12, Transactions: 120}, admin())
		s.begin()
		return s.hub, s.tokens["root"]
	})
}
