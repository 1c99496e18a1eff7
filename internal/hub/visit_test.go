package hub_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/team"
)

const sshKey = "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"

// visit is a visitor's transport, as ssh has it.
func (s *site) visit(name string) http.RoundTripper {
	return hub.Visit(s.hub.As(hub.Visitor{Name: name, Key: sshKey}), "192.0.2.9:50000")
}

func TestAVisitorIsKnownByTheirKeyAndNothingElse(t *testing.T) {
	crew(t, func(s *site) {
		fb := s.card("fb/a")
		s.begin()
		ask := func(name, method, path string) int {
			r, err := http.NewRequestWithContext(s.t.Context(), method, "http://hub"+path, http.NoBody)
			must(s.t, err)
			r.Header.Set("Authorization", "Bearer "+s.tokens["root"]) // It does not count.
			res, err := s.visit(name).RoundTrip(r)
			must(s.t, err)
			defer func() { _ = res.Body.Close() }()
			if _, err := io.ReadAll(res.Body); err != nil {
				s.t.Error(err)
			}
			return res.StatusCode
		}
		if got := ask("ann", "GET", "/v1/cards"); got != http.StatusUnauthorized {
			s.t.Errorf("without a key: %d", got)
		}
		people := &team.Team{}
		for _, p := range s.people.Team().People {
			if p.Name == "ann" {
				p.Keys = []string{sshKey}
			}
			people.People = append(people.People, p)
		}
		s.people.Set(people)
		if got := ask("bob", "GET", "/v1/cards"); got != http.StatusUnauthorized {
			s.t.Errorf("the key of another: %d", got)
		}
		if got := ask("ann", "POST", "/v1/cards/"+fb+"/freeze"); got != http.StatusOK {
			s.t.Errorf("a freeze: %d", got)
		}
		if got := ask("ann", "DELETE", "/v1/cards/"+fb); got != http.StatusForbidden {
			s.t.Errorf("a termination by a buyer: %d", got)
		}
		last, err := s.past.Load(1)
		if err != nil || len(last) != 1 || last[0].By.From != "ssh 192.0.2.9" || last[0].By.Name != "ann" {
			s.t.Errorf("the audit has %+v, %v", last, err)
		}
	})
}

func TestAVisitorsStreamEndsWithItsReader(t *testing.T) {
	crew(t, func(s *site) {
		s.card("fb/a")
		s.begin()
		people := &team.Team{People: append([]team.Person{}, s.people.Team().People...)}
		people.People[0].Keys = []string{sshKey}
		s.people.Set(people)
		name := people.People[0].Name
		ctx, cancel := context.WithCancel(s.t.Context())
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://hub/hub/v1/stream", http.NoBody)
		must(s.t, err)
		res, err := s.visit(name).RoundTrip(r)
		must(s.t, err)
		hello := make([]byte, 64)
		if n, err := res.Body.Read(hello); err != nil || !strings.HasPrefix(string(hello[:n]), "event: hello") {
			s.t.Errorf("the stream begins with %q, %v", hello[:n], err)
		}
		wait(time.Second)
		cancel()
		if _, err := io.ReadAll(res.Body); !errors.Is(err, context.Canceled) {
			s.t.Errorf("it ends with %v", err)
		}
		if err := res.Body.Close(); err != nil {
			s.t.Error(err)
		}
	})
}
