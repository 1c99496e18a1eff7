package act_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

const key = "sk_test_act0123456789"

func clock() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

// shop is a world with a card of 25 USD and 75 USD in the wallet, in virtual time.
type shop struct {
	t     *testing.T
	world *sandbox.Server
	eng   *engine.Engine
	card  api.CardItem
	asked []act.Proposal
	say   bool
}

func story(t *testing.T, tell func(s *shop)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		world, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 3, APIKeys: []string{key}, Cards: -1, Wallet: "100", Quiet: true})
		must(t, err)
		t.Cleanup(func() {
			if err := world.Close(); err != nil {
				t.Error(err)
			}
		})
		s := &shop{t: t, world: world, say: true}
		s.open()
		made := s.ask(http.MethodPost, "/v1/cards", `{"bin_id":"424242","amount":25,"label":"fb/01"}`)
		data, err := json.Marshal(made)
		if err == nil {
			err = json.Unmarshal(data, &s.card)
		}
		must(t, err)
		tell(s)
	})
}

func (s *shop) open() {
	s.t.Helper()
	none, err := journal.Open("", clock)
	must(s.t, err)
	past, err := history.Open(history.Config{Now: clock})
	must(s.t, err)
	var eng *engine.Engine
	cl, err := client.New(client.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey(key), Transport: s.world.Transport(), Observe: func(c api.Call) { eng.Observe(c) },
	})
	must(s.t, err)
	eng = engine.New(engine.Config{Client: cl, Journal: none, History: past, Now: clock})
	s.eng = eng
}

func (s *shop) ask(method, path, body string) map[string]any {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, "http://localhost"+path, strings.NewReader(body))
	must(s.t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	res, err := s.world.Transport().RoundTrip(req)
	must(s.t, err)
	defer func() { _ = res.Body.Close() }() // It is in memory.
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= http.StatusBadRequest {
		s.t.Fatalf("%s: %d %s %v", path, res.StatusCode, data, err)
	}
	var out map[string]any
	must(s.t, json.Unmarshal(data, &out))
	return out
}

func (s *shop) fault(route, kind string, times string) {
	s.t.Helper()
	s.ask(http.MethodPost, "/sandbox/faults", `{"route":"`+route+`","kind":"`+kind+`","times":`+times+`}`)
}

func (s *shop) config() act.Config {
	at := clock()
	return act.Config{
		Run: s.eng.Run, Now: clock, Rand: func() float64 { return 0.5 },
		Known: []kernel.Event{state.CardsKnown{Meta: kernel.Meta{Sent: at, At: at}, Items: []api.CardItem{s.card}}},
		Confirm: func(_ context.Context, p act.Proposal) (bool, error) {
			s.asked = append(s.asked, p)
			return s.say, nil
		},
	}
}

func (s *shop) fund() kernel.Intent { return state.Fund(s.card.ID, 5*api.Dollar) }

func (s *shop) holds(want float64) {
	s.t.Helper()
	if got := s.ask(http.MethodGet, "/v1/cards/"+string(s.card.ID), "")["balance"]; got != want {
		s.t.Errorf("the card holds %v, not %v", got, want)
	}
	if twice, _ := s.ask(http.MethodGet, "/sandbox/report", "")["duplicated_effects"].([]any); len(twice) > 0 {
		s.t.Errorf("done twice: %v", twice)
	}
}

func TestWhatIsConfirmedIsDone(t *testing.T) {
	story(t, func(s *shop) {
		t := s.t
		r, err := act.One(t.Context(), s.config(), s.fund())
		if err != nil || r.Status != state.OpStatusDone || r.Done.CardBalance == nil || *r.Done.CardBalance != 30*api.Dollar {
			t.Fatalf("%+v, %v", r, err)
		}
		if p := s.asked; len(p) != 1 || p[0].Preview == nil || p[0].Preview.WalletAfter != 70*api.Dollar || p[0].Verdict.Danger != kernel.Money {
			t.Errorf("asked %+v", p)
		}
		s.holds(30)
	})
}

func TestWhatIsNotConfirmedIsNotSent(t *testing.T) {
	story(t, func(s *shop) {
		t := s.t
		s.say = false
		if _, err := act.One(t.Context(), s.config(), s.fund()); !errors.Is(err, act.ErrNotConfirmed) {
			t.Errorf("%v", err)
		}
		var refused *act.RefusedError
		if _, err := act.One(t.Context(), s.config(), state.Fund(s.card.ID, 500*api.Dollar)); !errors.As(err, &refused) {
			t.Errorf("%v", err)
		}
		if _, err := act.One(t.Context(), s.config(), state.Fund("card_none", 5*api.Dollar)); !errors.As(err, &refused) {
			t.Errorf("%v", err)
		}
		s.holds(25)
	})
}

// TestALostAnswerIsAskedForAgain, with the same key, and acts once.
func TestALostAnswerIsAskedForAgain(t *testing.T) {
	for _, kind := range []string{"commit_then_timeout", "cut_body", "connection_reset", "server_error", "bad_gateway"} {
		story(t, func(s *shop) {
			t := s.t
			s.fault("POST /cards/{card_id}/fund", kind, "2")
			r, err := act.One(t.Context(), s.config(), s.fund())
			if err != nil || r.Status != state.OpStatusDone {
				t.Fatalf("%s: %+v, %v", kind, r, err)
			}
			s.holds(30)
		})
	}
}

// TestWhatNobodyKnowsIsUnknown: no answer ever comes.
func TestWhatNobodyKnowsIsUnknown(t *testing.T) {
	story(t, func(s *shop) {
		t := s.t
		s.fault("POST /cards/{card_id}/fund", "commit_then_timeout", "1000")
		began := clock()
		r, err := act.One(t.Context(), s.config(), s.fund())
		if err != nil || r.Status != state.OpStatusUnknown || r.Key == "" || r.Err == nil {
			t.Fatalf("%+v, %v", r, err)
		}
		if took := clock().Sub(began); took > 3*time.Minute {
			t.Errorf("it took %s", took)
		}
		s.holds(30)
	})
}

// TestAnInterruptionWaitsForWhatIsSent: its outcome is known.
func TestAnInterruptionWaitsForWhatIsSent(t *testing.T) {
	story(t, func(s *shop) {
		t := s.t
		s.ask(http.MethodPost, "/sandbox/faults", `{"route":"POST /cards/{card_id}/fund","kind":"latency","latency_ms":3000,"times":1}`)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		r, err := act.One(ctx, s.config(), s.fund())
		if err != nil || r.Status != state.OpStatusDone {
			t.Errorf("%+v, %v", r, err)
		}
		s.holds(30)
		// One that comes before anything is sent sends nothing.
		cfg := s.config()
		cfg.Confirm = func(ctx context.Context, _ act.Proposal) (bool, error) {
			<-ctx.Done()
			return true, nil
		}
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := act.One(ctx, cfg, s.fund()); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		s.holds(30)
	})
}

// TestAnInterruptedPlanKnowsWhatItSent: rows that were being sent have their outcome, and no
// other begins.
func TestAnInterruptedPlanKnowsWhatItSent(t *testing.T) {
	story(t, func(s *shop) {
		t := s.t
		var rows []cardcsv.Row
		for i := range 12 {
			label := "new/" + string(rune('a'+i))
			rows = append(rows, cardcsv.Row{Line: i + 1, Request: api.CreateCardRequest{BIN: "424242", Amount: 5 * api.Dollar, Label: label}})
		}
		ctx, cancel := context.WithCancel(t.Context())
		cfg, sent := s.config(), atomic.Int32{}
		cfg.Run = func(ctx context.Context, e kernel.Effect) kernel.Event {
			if _, sends := e.(state.Do); sends && sent.Add(1) == 3 {
				cancel()
				<-time.After(2 * time.Second)
			}
			return s.eng.Run(ctx, e)
		}
		b, err := act.Many(ctx, cfg, state.Writes{Kind: state.BulkIssue, Rows: rows})
		if !errors.Is(err, context.Canceled) || len(b.Batches) != 1 {
			t.Fatalf("%v, %d batches", err, len(b.Batches))
		}
		batch, n := b.Batches[0], int(sent.Load())
		if batch.Count(state.RowDone) != n || batch.Count(state.RowWaiting) != len(rows)-n || n < 3 || n == len(rows) || batch.Phase != state.BatchPaused {
			t.Errorf("%d were sent, %d are done, %d wait; phase %d", n, batch.Count(state.RowDone), batch.Count(state.RowWaiting), batch.Phase)
		}
		if cards, _ := s.ask(http.MethodGet, "/v1/cards", "")["data"].([]any); len(cards) != n+1 {
			t.Errorf("%d cards, %d were sent", len(cards), n)
		}
	})
}

// TestWhatAnEarlierRunLeft is settled with its own key, or by the user when it is old.
func TestWhatAnEarlierRunLeft(t *testing.T) {
	story(t, func(s *shop) {
		t := s.t
		w, err := api.FundWrite(s.card.ID, 5*api.Dollar)
		must(t, err)
		left := state.Op{Kind: state.OpFund, Card: s.card.ID, Amount: 5 * api.Dollar, Write: &w, Name: "fb/01", Key: "left-1", At: clock(), Tries: 1, Expected: state.Preview{
			CardBefore: 25 * api.Dollar, CardAfter: 30 * api.Dollar, WalletBefore: 75 * api.Dollar, WalletAfter: 70 * api.Dollar,
		}}
		cfg := s.config()
		cfg.Pending = []state.Op{left}
		if r, err := act.Continue(t.Context(), cfg, "left-1"); err != nil || r.Status != state.OpStatusDone {
			t.Fatalf("%+v, %v", r, err)
		}
		s.holds(30)
		time.Sleep(time.Hour) //nolint:forbidigo // virtual time in a bubble
		left.Key = "left-2"
		cfg = s.config()
		cfg.Pending = []state.Op{left}
		r, e, err := act.Settle(t.Context(), cfg, "left-2", nil)
		if err != nil || r.Status != state.OpStatusUnknown || e.Card != 30*api.Dollar || e.Suggests != state.SuggestsDone {
			t.Fatalf("%+v, %+v, %v", r, e, err)
		}
		happened := false
		if r, _, err := act.Settle(t.Context(), cfg, "left-2", &happened); err != nil || r.Status != state.OpStatusResolvedNotDone {
			t.Fatalf("%+v, %v", r, err)
		}
		s.holds(30)
	})
}

// TestAnAnswerAfterADayCounts: a command has no screen that locks itself, whatever the
// settings say.
func TestAnAnswerAfterADayCounts(t *testing.T) {
	t.Parallel()
	story(t, func(s *shop) {
		cfg := s.config()
		cfg.Store.Reloadable = settings.Defaults()
		cfg.Confirm = func(context.Context, act.Proposal) (bool, error) {
			<-time.After(24 * time.Hour)
			return true, nil
		}
		if _, err := act.One(s.t.Context(), cfg, s.fund()); err != nil {
			s.t.Error(err)
		}
		s.holds(30)
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
