package cmd

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// TestAPrintedCodeIsClaimedOnAHub asks for a code with the token of a hub and with a key:
// the hub is told who takes it, another service is asked for nothing of the kind, and that
// a hub cannot be told is no failure.
func TestAPrintedCodeIsClaimedOnAHub(t *testing.T) {
	for _, c := range []struct {
		name, key string
		status    int
		claims    int
		says      string
	}{
		{"a hub", "sk_test_hub_claims", http.StatusOK, 1, ""},
		{"a hub that fails", "sk_test_hub_claims", http.StatusForbidden, 1, "the others on the hub were not told that you take this code"},
		{"a key", servedKey, http.StatusOK, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			nobody(t)
			world, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 3, APIKeys: []string{servedKey, c.key}, Quiet: true, Cards: -1, Wallet: "100"})
			if err != nil {
				t.Fatal(err)
			}
			var claims []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/hub/") {
					body, _ := io.ReadAll(r.Body) // What is missing is seen below.
					claims = append(claims, r.Method+" "+r.URL.Path+" "+string(body))
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(c.status)
					_, _ = io.WriteString(w, "{}") // As above.
					return
				}
				world.Handler().ServeHTTP(w, r)
			}))
			t.Cleanup(func() {
				server.Close()
				if err := world.Close(); err != nil {
					t.Error(err)
				}
			})
			s := &served{t: t, world: world, key: c.key, url: server.URL}
			s.ask(http.MethodPost, "/v1/cards", `{"bin_id":"424242","amount":5,"label":"a"}`)
			s.ask(http.MethodPost, "/sandbox/challenges", `{"merchant":"Acme","amount":3,"otp":"482913"}`)
			s.does(cli.ExitDone, "otp")
			if s.out != "482913\n" || !strings.Contains(s.errs, c.says) || c.says == "" && s.errs != "" {
				t.Errorf("printed %q, said %q", s.out, s.errs)
			}
			if len(claims) != c.claims || slices.ContainsFunc(claims, func(told string) bool {
				return !strings.HasPrefix(told, `POST /hub/v1/claims {"challenge_id":"3ds_`)
			}) {
				t.Errorf("the hub was told %q", claims)
			}
		})
	}
}
