package apitest_test

import (
	"net/http"
	"testing"

	"github.com/cardtop/cardtop/api/apitest"
	"github.com/cardtop/cardtop/api/sandbox"
)

// TestTheSandboxPlaysTheVectors is where the two readings of the contract
// meet: the client's tests play the same vectors from the other side.
func TestTheSandboxPlaysTheVectors(t *testing.T) {
	t.Parallel()
	const key = "sk_test_vectors"
	apitest.PlayServer(t, func(t *testing.T) (string, http.RoundTripper, string) {
		t.Helper()
		world, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 1, APIKeys: []string{key}, Quiet: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := world.Close(); err != nil {
				t.Error(err)
			}
		})
		return "http://localhost/v1", world.Transport(), key
	})
}
