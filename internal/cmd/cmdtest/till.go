// Package cmdtest is a sandbox in virtual time for the tests of commands.
package cmdtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/journal"
)

// Key is that of the account.
const Key = "sk_test_otpcommand"

// Clock is the virtual time of the bubble it is read in.
func Clock() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

// Till is a sandbox with one card, and what a command runs in on it.
type Till struct {
	T       *testing.T
	World   *sandbox.Server
	Program cli.Program
	Engine  *engine.Engine
	// Card is the card, as the API has it.
	Card map[string]any
	// Printed is the standard output, Told the standard error.
	Printed, Told bytes.Buffer
	Board         *clipboard.Fake

	later sync.WaitGroup
}

// Story tells a story in virtual time.
func Story(t *testing.T, tell func(s *Till)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		world, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 3, APIKeys: []string{Key}, Cards: -1, Wallet: "100", Quiet: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := world.Close(); err != nil {
				t.Error(err)
			}
		})
		s := &Till{T: t, World: world, Board: clipboard.NewFake(Clock), Engine: newEngine(t, world, Key)}
		s.Program = cli.Program{Program: app.Program{Errs: &s.Told, Now: Clock}, Out: &s.Printed}
		s.Card = s.Ask("/v1/cards", `{"bin_id":"424242","amount":5,"label":"a \"b\" <c>&\u2028\\"}`)
		tell(s)
		s.later.Wait()
	})
}

// newEngine asks a world with a key.
func newEngine(t *testing.T, world *sandbox.Server, key string) *engine.Engine {
	t.Helper()
	none, err := journal.Open("", Clock)
	if err != nil {
		t.Fatal(err)
	}
	var eng *engine.Engine
	cl, err := client.New(client.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey(key), Transport: world.Transport(), Observe: func(c api.Call) { eng.Observe(c) },
	})
	if err != nil {
		t.Fatal(err)
	}
	eng = engine.New(engine.Config{Client: cl, Journal: none, Now: Clock})
	return eng
}

// Refused is an engine with a key that the sandbox does not know.
func (s *Till) Refused() *engine.Engine { return newEngine(s.T, s.World, "sk_test_other") }

// After does something later, while the command runs. The story ends after it.
func (s *Till) After(d time.Duration, do func()) {
	s.later.Go(func() {
		time.Sleep(d) //nolint:forbidigo // virtual time in a bubble
		do()
	})
}

// Ask has the sandbox make something, and returns it.
func (s *Till) Ask(path, body string) map[string]any {
	s.T.Helper()
	req, err := http.NewRequestWithContext(s.T.Context(), http.MethodPost, "http://localhost"+path, strings.NewReader(body))
	if err != nil {
		s.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+Key)
	req.Header.Set("Content-Type", "application/json")
	res, err := s.World.Transport().RoundTrip(req)
	if err != nil {
		s.T.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }() // It is in memory.
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusCreated {
		s.T.Fatalf("%s: %d %s %v", path, res.StatusCode, data, err)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		s.T.Fatal(err)
	}
	return out
}

// Challenge has a merchant ask for a code of the card.
func (s *Till) Challenge(code, amount string) map[string]any {
	s.T.Helper()
	id, _ := s.Card["id"].(string)
	return s.Ask("/sandbox/challenges", `{"card_id":"`+id+`","merchant":"Acme \"& Sons\"","otp":"`+code+`","amount":`+amount+`}`)
}

// End reports how the command ended, as main does.
func (s *Till) End(err error) int { return cli.Report(&s.Told, err) }

// Wants holds what was printed, and that parts were told; none for nothing.
func (s *Till) Wants(out string, errs ...string) {
	s.T.Helper()
	if got := s.Printed.String(); got != out {
		s.T.Errorf("printed %q, want %q", got, out)
	}
	got := s.Told.String()
	if len(errs) == 0 && got != "" {
		s.T.Errorf("told %q, want nothing", got)
	}
	for _, part := range errs {
		if !strings.Contains(got, part) {
			s.T.Errorf("told %q, want %q in it", got, part)
		}
	}
	if strings.Contains(got, "482913") {
		s.T.Errorf("the code is told: %q", got)
	}
}
