package cmd

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/cmdtest"
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
			must(t, err)
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

// TestOTPUsage runs the command as main does, without an account.
func TestOTPUsage(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "config.toml")
	must(t, os.WriteFile(empty, nil, 0o600))
	tests := []struct{ args, text string }{
		{"--wait", "no account: set CARDTOP_API_KEY or a profile"},
		{"--card=", "--card is empty"},
		{"--json --copy", "choose one"},
		{"--timeout 0s", "--timeout has to be more than 0"},
		{"--timeout -1s", "--timeout takes a time such as 90m, 24h"},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		root := commands(program{app.Program{Errs: &errs, Now: cmdtest.Clock}, &out})
		root.SetArgs(append([]string{"otp", "--config", empty}, strings.Fields(tt.args)...))
		code := cli.Report(&errs, root.ExecuteContext(t.Context()))
		if code != cli.ExitUsage || !strings.Contains(errs.String(), tt.text) || strings.Count(errs.String(), "\n") != 1 || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %q, printed %q", tt.args, code, errs.String(), out.String())
		}
	}
}
