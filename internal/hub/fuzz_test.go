package hub_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/hub/team"
)

// fuzzed is a hub with a card that ann sees, and one that she does not.
func fuzzed(f *testing.F) (s *site, hidden string) {
	f.Helper()
	s = open(f, sandbox.Config{Seed: 7, Cards: -1, NoLimits: true, Quiet: true, Wallet: "50000"},
		team.Person{Name: "ann", Role: team.Lead, Labels: []string{"fb/*"}}, admin())
	s.card("fb/a")
	hidden = s.card("gg/hidden-brand")
	s.begin()
	if r := s.ask("root", "GET", "/v1/cards", ""); !strings.Contains(r.text, hidden) {
		f.Fatalf("the hub has no cards: %d %s", r.status, r.text)
	}
	return s, hidden
}

// FuzzRequests sends whatever a connection may bring, with a token and without one.
// Nothing of a hidden card is answered, nothing fails within, and without a token
// everything is refused.
func FuzzRequests(f *testing.F) {
	for _, seed := range []string{
		"GET /v1/cards HTTP/1.1\r\nHost: h\r\n\r\n",
		"GET /v1/cards?label=gg&page=2 HTTP/1.1\r\nHost: h\r\n\r\n",
		"POST /v1/cards/x%2f..%2fy/fund HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"amount\":1}",
		"POST /hub/v1/approvals/apr_1 HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{\"approve\":true}\r\n0\r\n\r\n",
		"POST /hub/v1/operations/%00 HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 17\r\n\r\n{\"settle\":\"read\"}",
		"PATCH /v1//cards/./x HTTP/1.0\r\nX-Idempotency-Key: \x01\r\n\r\n",
	} {
		f.Add([]byte(seed))
	}
	s, hidden := fuzzed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, token := range []string{"", "sk_test_hub_bob", s.tokens["ann"]} {
			req, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(data)))
			if err != nil || strings.HasSuffix(req.URL.Path, "/stream") || strings.Contains(string(data), hidden) {
				return
			}
			if token != "" {
				req.Header.Set("Authorization", "Bearer "+token)
			}
			req.RemoteAddr = "192.0.2.7:4711"
			w := httptest.NewRecorder()
			s.hub.ServeHTTP(w, req)
			text := fmt.Sprint(w.Header()) + w.Body.String()
			switch known := token == s.tokens["ann"]; {
			case !known && w.Code != http.StatusUnauthorized:
				t.Errorf("answered %d %s", w.Code, text)
			case w.Code == http.StatusInternalServerError, strings.Contains(text, hidden), strings.Contains(text, "hidden-brand"):
				t.Errorf("answered %d %s", w.Code, text)
			}
		}
	})
}

// leaving is the reading end of a stream whose reader leaves at the first words.
type leaving struct {
	*httptest.ResponseRecorder
	leave context.CancelFunc
}

func (l leaving) Flush() { l.leave() }

// FuzzStream opens a stream with whatever parameters and headers: it begins with its
// first words or is refused, and tells nothing of what is hidden.
func FuzzStream(f *testing.F) {
	f.Add("", "Last-Event-ID", "4")
	f.Add("topics=cards&topics=%00", "Accept", "text/html")
	f.Add("%", "", "")
	f.Add("since=-1&id=\xff", "Connection", "Upgrade")
	s, hidden := fuzzed(f)
	f.Fuzz(func(t *testing.T, query, name, value string) {
		if strings.Contains(query+name+value, "hidden-brand") || strings.Contains(query+name+value, hidden) {
			return
		}
		for _, token := range []string{"", s.tokens["ann"]} {
			ctx, leave := context.WithTimeout(t.Context(), 5*time.Second)
			req := httptest.NewRequest(http.MethodGet, "/hub/v1/stream", http.NoBody).WithContext(ctx)
			req.URL.RawQuery, req.RemoteAddr = query, "192.0.2.7:4711"
			req.Header[http.CanonicalHeaderKey(name)] = []string{value}
			delete(req.Header, "Authorization")
			if token != "" {
				req.Header.Set("Authorization", "Bearer "+token)
			}
			w := leaving{httptest.NewRecorder(), leave}
			s.hub.ServeHTTP(w, req)
			want := map[bool]int{true: http.StatusOK, false: http.StatusUnauthorized}[token != ""]
			if _, err := url.ParseQuery(query); err != nil && token != "" {
				want = http.StatusBadRequest
			}
			if ctx.Err() == nil && want == http.StatusOK || errors.Is(ctx.Err(), context.DeadlineExceeded) {
				t.Errorf("the stream of %q has not begun: %d %s", query, w.Code, w.Body)
			}
			leave()
			text := fmt.Sprint(w.Header()) + w.Body.String()
			if w.Code != want || strings.Contains(text, hidden) || strings.Contains(text, "hidden-brand") {
				t.Errorf("answered %d %s", w.Code, text)
			}
		}
	})
}
