package engine_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/secrets"
)

// TestTheEngineSendsNothingThatIsOff hands it every write and the request for
// details, as if nobody had checked before.
func TestTheEngineSendsNothingThatIsOff(t *testing.T) {
	label := "x"
	build := func(w api.Write, err error) api.Write {
		t.Helper()
		must(t, err)
		return w
	}
	writes := map[state.OpKind]api.Write{
		state.OpFreeze:      build(api.FreezeWrite("card_1")),
		state.OpUnfreeze:    build(api.UnfreezeWrite("card_1")),
		state.OpFund:        build(api.FundWrite("card_1", api.Dollar)),
		state.OpWithdraw:    build(api.WithdrawWrite("card_1", api.Dollar)),
		state.OpIssue:       build(api.CreateCardWrite(api.CreateCardRequest{BIN: "bin_1", Amount: api.Dollar})),
		state.OpUpdate:      build(api.UpdateCardWrite("card_1", api.UpdateCardRequest{Label: &label})),
		state.OpTerminate:   build(api.TerminateWrite("card_1")),
		state.OpSubscribe:   build(api.CreateWebhookWrite(api.CreateWebhookRequest{URL: "https://a.example/", Events: []string{"*"}})),
		state.OpUnsubscribe: build(api.DeleteWebhookWrite("wh_1")),
	}
	for _, off := range []struct{ writes, details bool }{{true, false}, {false, true}, {true, true}, {false, false}} {
		t.Run(fmt.Sprintf("%+v", off), func(t *testing.T) {
			s := &service{err: errors.New("nobody is there")}
			c, err := client.New(client.Config{
				BaseURL: "http://localhost/v1", Key: api.NewAPIKey("sk_test_1"), Transport: s, ReadOnly: off.writes, NoDetails: off.details,
			})
			must(t, err)
			e := engine.New(engine.Config{Client: c, Journal: &ledger{service: s}, Now: time.Now}) //nolint:forbidigo // nothing waits for it
			for kind, w := range writes {
				before := s.count()
				ev, failed := e.Run(context.Background(), state.Do{Op: state.Op{ID: 1, Kind: kind, Write: &w, Key: "k", Tries: 1}}).(state.OpFailed)
				if refused := errors.Is(ev.Err, api.ErrReadOnly); !failed || refused != off.writes || (s.count() == before) != off.writes {
					t.Errorf("%s: %v, %d requests", kind, ev.Err, s.count()-before)
				}
			}
			before := s.count()
			ev, failed := e.Run(context.Background(), secrets.FetchDetails{Card: "card_1"}).(state.FetchFailed)
			if refused := errors.Is(ev.Err, api.ErrNoDetails); !failed || refused != off.details || (s.count() == before) != off.details {
				t.Errorf("details: %v, %d requests", ev.Err, s.count()-before)
			}
		})
	}
}

func TestAClosedEngineSendsNoWrite(t *testing.T) {
	w, err := api.FreezeWrite("card_1")
	must(t, err)
	s := &service{err: errors.New("nobody is there")}
	c, err := client.New(client.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey("sk_test_1"), Transport: s})
	must(t, err)
	e := engine.New(engine.Config{Client: c, Journal: &ledger{service: s}, Now: time.Now}) //nolint:forbidigo // nothing waits for it
	e.CloseWrites()
	ev, failed := e.Run(context.Background(), state.Do{Op: state.Op{ID: 1, Kind: state.OpFreeze, Write: &w, Key: "k", Tries: 1}}).(state.OpFailed)
	if !failed || !ev.NotSent || s.count() > 0 {
		t.Errorf("%+v, %d requests", ev, s.count())
	}
}
