package node_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub"
)

// sshKey is the fingerprint of ann's key.
const sshKey = "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"

// stream reads what a hub tells ann until the test ends.
func (m *member) stream() (told func() string) { return m.streamOf(token) }

// streamOf reads what a hub tells whoever has a token.
func (m *member) streamOf(token string) (told func() string) {
	m.w.t.Helper()
	ctx, cancel := context.WithCancel(m.w.t.Context())
	m.w.t.Cleanup(cancel)
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/hub/v1/stream", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := hub.Visit(m.node, "192.0.2.9:50000").RoundTrip(r) //nolint:bodyclose // by who reads it
	must(m.w.t, err)
	lines := make(chan string, 1000)
	go func() {
		defer func() { _ = res.Body.Close() }() // It was read.
		for in := bufio.NewScanner(res.Body); in.Scan(); {
			lines <- in.Text()
		}
	}()
	return func() string {
		var all []string
		for len(lines) > 0 {
			all = append(all, <-lines)
		}
		return strings.Join(all, "\n")
	}
}

// TestAClaimShowsOnEveryHubAndSurvivesATakeover has somebody take a code at a hub that
// does not lead.
func TestAClaimShowsOnEveryHubAndSurvivesATakeover(t *testing.T) {
	hubs(t, func(w *world) {
		card := w.card("fb/a")
		a, b, c := w.join(), w.join(), w.join()
		id := w.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":3,"otp":"482913"}`, card))["id"]
		wait(10 * time.Second)
		tells := []func() string{a.stream(), b.stream(), c.stream()}
		wait(time.Second)
		w.want(b.ask(http.MethodPost, "/hub/v1/claims", fmt.Sprintf(`{"challenge_id":%q}`, id), ""), 200, "")
		wait(time.Second)
		for i, told := range tells {
			if got := told(); !strings.Contains(got, "event: claim") || !strings.Contains(got, `"by":"ann"`) {
				t.Errorf("hub %d tells %q", i, got)
			}
		}
		listed := func(m *member) {
			t.Helper()
			if r := m.ask(http.MethodGet, "/hub/v1/claims", "", ""); r.status != 200 || !strings.Contains(r.text, fmt.Sprint(id)) {
				t.Errorf("listed: %d %s", r.status, r.text)
			}
		}
		listed(a)
		listed(c)
		a.stop()
		wait(15 * time.Second)
		listed(b)
		listed(c)
		wait(20 * time.Minute) // The code is over, and so is the claim.
		if r := c.ask(http.MethodGet, "/hub/v1/claims", "", ""); r.status != 200 || strings.Contains(r.text, fmt.Sprint(id)) {
			t.Errorf("later: %d %s", r.status, r.text)
		}
	})
}

// visit asks a hub as somebody on SSH.
func (m *member) visit(name, method, path, body string) reply {
	m.w.t.Helper()
	r := httptest.NewRequestWithContext(m.w.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer sk_test_hub_visitor")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := hub.Visit(m.node.As(hub.Visitor{Name: name, Key: sshKey}), "192.0.2.9:50000").RoundTrip(r)
	must(m.w.t, err)
	data, err := io.ReadAll(res.Body)
	must(m.w.t, err)
	must(m.w.t, res.Body.Close())
	return reply{status: res.StatusCode, age: res.Header.Get("Age"), text: string(data)}
}

// TestAVisitorIsAnsweredByAnyHub has somebody on SSH at a hub that does not lead: reads
// are of its memory, the rest is the leader's, whose audit has who it was.
func TestAVisitorIsAnsweredByAnyHub(t *testing.T) {
	hubs(t, func(w *world) {
		card := w.card("fb/a")
		a, b := w.join(), w.join()
		for _, m := range []*member{a, b} {
			if r := m.visit("ann", http.MethodGet, "/v1/cards", ""); r.status != 200 || !strings.Contains(r.text, card) {
				t.Errorf("cards: %d %s", r.status, r.text)
			}
			if r := m.visit("ann", http.MethodPost, "/v1/cards/"+card+"/fund", `{"amount":5}`); r.status != 200 {
				t.Errorf("fund: %d %s", r.status, r.text)
			}
			if r := m.visit("bob", http.MethodPost, "/v1/cards/"+card+"/fund", `{"amount":5}`); r.status != 401 {
				t.Errorf("by the name of another: %d %s", r.status, r.text)
			}
			if r := m.visit("bob", http.MethodGet, "/v1/cards", ""); r.status != 401 {
				t.Errorf("read by the name of another: %d %s", r.status, r.text)
			}
		}
		if got := w.balance(card); got != 60 {
			t.Errorf("the card holds %v", got)
		}
		if _, writes := b.count(); writes != 0 {
			t.Errorf("who does not lead sent %d writes", writes)
		}
	})
}
