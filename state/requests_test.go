package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/requestlog"
)

// over tells the store of requests that are over.
func over(s *state.Store, list ...requestlog.Request) kernel.Topic {
	topics, _ := s.Apply(state.UseShared{Meta: kernel.Meta{At: at(0), Requests: list}})
	return topics
}

func TestTheLastRequestsAreHeld(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	if s.Requests.All() != 0 || s.Requests.At(0) != (requestlog.Request{}) {
		t.Error("there is one before the first")
	}
	for i := range 1203 {
		if topics := over(s, requestlog.Request{Method: "GET", Route: "/cards", Took: time.Duration(i)}); topics&kernel.TopicRequests == 0 {
			t.Fatal("nothing changed")
		}
	}
	if topics, _ := s.Apply(state.UseShared{Meta: meta(0)}); topics&kernel.TopicRequests != 0 {
		t.Error("no request is news")
	}
	if n := s.Requests.All(); n != 500 {
		t.Fatalf("%d are held", n)
	}
	for i := range 500 {
		if r := s.Requests.At(i); r.Took != time.Duration(1202-i) || r.N != uint64(1203-i) {
			t.Fatalf("%d is %+v", i, r)
		}
	}
	if r := s.Requests.At(500); r.N != 0 {
		t.Errorf("beyond the last: %+v", r)
	}
}

func TestARequestSaysWhatItCostAndWhetherItFailed(t *testing.T) {
	for _, tt := range []struct {
		r             requestlog.Request
		cost, outcome string
		words         []string
		matches       bool
	}{
		{requestlog.Request{Method: "GET", Route: "/cards", Status: 200}, "1", "200", []string{"get", "200"}, true},
		{requestlog.Request{Method: "POST", Route: "/cards", Status: 201}, "1 + create", "201", []string{"failed"}, false},
		{requestlog.Request{Method: "GET", Route: "/cards/{card_id}/details", Status: 429, Err: api.ErrRateLimited}, "1 + details", "429", []string{"failed", "limit"}, true},
		{requestlog.Request{Method: "GET", Route: "/3ds", Err: api.ErrUnreachable}, "1", "no answer", []string{"3ds", "no", "answer"}, true},
		{requestlog.Request{Method: "GET", Route: "/3ds", ID: "req_Ab"}, "1", "no answer", []string{"req_ab"}, true},
	} {
		if got := tt.r.Cost(); got != tt.cost {
			t.Errorf("%+v costs %s", tt.r, got)
		}
		if got := tt.r.Outcome(nil); got != tt.outcome {
			t.Errorf("%+v ended %s", tt.r, got)
		}
		for _, word := range tt.words {
			if got := strings.Contains(tt.r.Text(nil), word); got != tt.matches {
				t.Errorf("%+v holds %q: %v", tt.r, word, got)
			}
		}
	}
}

func TestARequestIsACommandWithoutSecrets(t *testing.T) {
	const with = `printf 'header = "Authorization: Bearer %s"\n' "$CARDTOP_API_KEY" | curl -K -`
	for _, c := range []struct {
		method, route string
		want          string
	}{
		{"GET", "/cards/{card_id}/details", with + ` -X GET "$CARDTOP_BASE_URL/cards/${CARD_ID:?}/details"`},
		{"POST", "/cards/{card_id}/freeze", with + ` -X POST "$CARDTOP_BASE_URL/cards/${CARD_ID:?}/freeze" \
  -H "X-Idempotency-Key: ${IDEMPOTENCY_KEY:?}"`},
		{"PATCH", "/cards/{card_id}", with + ` -X PATCH "$CARDTOP_BASE_URL/cards/${CARD_ID:?}" \
  -H "X-Idempotency-Key: ${IDEMPOTENCY_KEY:?}" \
  -H 'Content-Type: application/json' -d @"${BODY_FILE:?}"`},
	} {
		if got := (requestlog.Request{Method: c.method, Route: c.route}).Curl(); got != c.want {
			t.Errorf("%s %s:\n%s", c.method, c.route, got)
		}
	}
}
