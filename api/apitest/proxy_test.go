package apitest_test

import (
	"net/http"
	"path/filepath"
	"testing"

	"github.com/cardtop/cardtop/api/apitest"
	"github.com/cardtop/cardtop/api/sandbox"
)

// TestAValidatingProxyFindsNoFault plays the vectors through a third party's
// proxy, which holds every answer to api/openapi.yaml.
func TestAValidatingProxyFindsNoFault(t *testing.T) {
	document, err := filepath.Abs("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	apitest.PlayProxy(t, document, func(t *testing.T) (http.Handler, string) {
		t.Helper()
		const key = "sk_test_proxy"
		s, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 1, APIKeys: []string{key}, Quiet: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		return s.Handler(), key
	})
}
