package errtext_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/errtext"
)

func TestExplain(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{api.ErrUnauthorized, "the API refused the key: replace it, cardtop doctor says where it is from"},
		{&api.Error{Status: 401, ID: "unauthorized", Message: api.HubUnknownToken}, "the hub does not know this token: it was removed or replaced, ask who runs the hub"},
		{&api.Error{Status: 401, ID: "unauthorized", Message: "no"}, "the API refused the key: replace it, cardtop doctor says where it is from"},
		{api.ErrReadOnly, errtext.ReadOnly(nil)},
		{api.ErrNoDetails, errtext.NoReveal(nil)},
		{api.ErrRateLimited, "the API's rate limit is reached"},
		{fmt.Errorf("x: %w", api.ErrUnreachable), "the API does not answer"},
		{api.ErrServer, "the API failed"},
		{&api.Error{Status: 403, ID: api.HubApprovalRequired, Message: "above your cap of $5.00: apr_1 waits for a lead, for 24 h"}, "above your cap of $5.00: apr_1 waits for a lead, for 24 h"},
		{errtext.LimitUsed(1500 * time.Millisecond), "the request limit is used up: try again in 2 s"},
		{errors.New("other"), "other"},
	} {
		if got := errtext.Explain(nil, tt.err); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
}

func TestExplainSaysWhatTheServerSaid(t *testing.T) {
	err := &api.Error{Status: 500, Message: "database"}
	if got := errtext.Explain(nil, err); got != err.Error() && got != "the API failed (500): database" {
		t.Error(got)
	}
	if got := errtext.RetryAfter(fmt.Errorf("x: %w", &api.Error{RetryAfter: time.Second})); got != time.Second {
		t.Error(got)
	}
	if got := errtext.RetryAfter(errors.New("x")); got != 0 {
		t.Error(got)
	}
}

func TestCountsAndTimes(t *testing.T) {
	if errtext.Plural(1, "card", "cards") != "1 card" || errtext.Plural(2, "card", "cards") != "2 cards" {
		t.Error("plural")
	}
	now := time.Date(2026, 7, 28, 14, 0, 0, 0, time.Local)
	if got := errtext.Clock(nil, now, now); got != "14:00:00" {
		t.Error(got)
	}
	if got := errtext.Clock(nil, now.AddDate(0, 0, -1), now); got != "Jul 27 14:00" {
		t.Error(got)
	}
}
