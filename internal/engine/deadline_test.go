package engine_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state"
)

// silent is a server that takes a request and never answers.
type silent struct{ asked int }

func (s *silent) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked++
	<-r.Context().Done()
	return nil, context.Cause(r.Context())
}

// slowDisk is a journal that takes its time.
type slowDisk struct {
	ledger
	takes time.Duration
}

func (d *slowDisk) Begin(op state.Op, w api.Write) error {
	<-time.After(d.takes)
	return d.ledger.Begin(op, w)
}

// TestAWriteWaitsNoLongerThanItsDeadline counts from when it was asked for,
// whatever held it up.
func TestAWriteWaitsNoLongerThanItsDeadline(t *testing.T) {
	for _, tt := range []struct {
		name  string
		disk  time.Duration
		ago   time.Duration // asked for before the engine hears of it
		tries int
		asked int
		takes time.Duration
		what  api.Result
	}{
		{"a silent server", 0, 0, 1, 1, 10 * time.Second, api.Unknown},
		{"a slow disk before it", 4 * time.Second, 0, 1, 1, 10 * time.Second, api.Unknown},
		{"a disk that is too slow", 11 * time.Second, 0, 1, 0, 11 * time.Second, api.Refused},
		{"a program that was stopped", 0, time.Hour, 1, 0, 0, api.Refused},
		{"a later try of an old one", 0, time.Minute, 2, 1, 10 * time.Second, api.Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				now := time.Now //nolint:forbidigo // virtual time in a bubble
				s := &silent{}
				c, err := client.New(client.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey("sk_test_1"), Transport: s, Now: now})
				must(t, err)
				disk := &slowDisk{ledger{service: &service{}}, tt.disk}
				e := engine.New(engine.Config{Client: c, Journal: disk, Now: now})
				w, err := api.FundWrite("card_1", api.Dollar)
				must(t, err)
				began := now()
				op := state.Op{ID: 1, Kind: state.OpFund, Card: "card_1", Amount: api.Dollar, Key: "key-1", Tries: tt.tries, Write: &w, At: began.Add(-tt.ago)}
				ev, failed := e.Run(t.Context(), state.Do{Op: op}).(state.OpFailed)
				if took := now().Sub(began); !failed || took != tt.takes || s.asked != tt.asked {
					t.Errorf("%d requests, after %v: %v", s.asked, took, ev.Err)
				}
				if got := api.Outcome(ev.Err); got != tt.what || !errors.Is(ev.Err, api.ErrUnreachable) {
					t.Errorf("%s: %v", got, ev.Err)
				}
			})
		})
	}
}
