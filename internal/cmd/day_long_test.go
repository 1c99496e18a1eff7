//go:build long

package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/cmdtest"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
)

// writer is an account that may be written to, with the settings of a profile that has none.
func writer(t *testing.T, world *sandbox.Server, rules ...rule.Rule) app.Account {
	t.Helper()
	return writerOver(t, world.Transport(), rules...)
}

// writerOver is a writer whose requests go another way.
func writerOver(t *testing.T, way http.RoundTripper, rules ...rule.Rule) app.Account {
	t.Helper()
	none, err := journal.Open("", cmdtest.Clock)
	if err != nil {
		t.Fatal(err)
	}
	past, err := history.Open(history.Config{Now: cmdtest.Clock})
	if err != nil {
		t.Fatal(err)
	}
	var eng *engine.Engine
	client, err := client.New(client.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey(cmdtest.Key), Transport: way, Observe: func(c api.Call) { eng.Observe(c) },
	})
	if err != nil {
		t.Fatal(err)
	}
	eng = engine.New(engine.Config{Client: client, Journal: none, History: past, Rules: rules, Now: cmdtest.Clock})
	settings := settings.Defaults()
	settings.SpendHourly, settings.Rules = 0, rules
	return app.Account{Engine: eng, Journal: none, History: past, Settings: settings}
}

// A program lives some hours; at night a whole day.
var day = nighttest.Times(4, 24)

// TestRulesActAllDay issues an empty card every two hours, which a rule freezes.
func TestRulesActAllDay(t *testing.T) {
	story(t, func(s *till) {
		acc := writer(s.T, s.World, rule.Rule{Name: "stop", When: "bal<6 status=active label~day/", Action: rule.Freeze})
		r := &acting{account: acc, armed: make(map[string]bool), ended: make(map[string]string)}
		if err := r.choose([]string{"stop"}); err != nil {
			s.T.Fatal(err)
		}
		for n := range day / 2 {
			s.After(time.Duration(n)*2*time.Hour+time.Hour, func() { s.Ask("/v1/cards", fmt.Sprintf(`{"bin_id":"424242","amount":5,"label":"day/%d"}`, n)) })
		}
		w := watcher{program: s.program, watchOptions: watchOptions{plain: true, span: time.Duration(day) * time.Hour}, eng: acc.Engine, settings: acc.Settings, acting: r}
		if code := s.End(w.run(s.T.Context())); code != cli.ExitDone {
			t.Errorf("exit code %d: %s", code, s.Told.String())
		}
		cards, err := listCards(s.T.Context(), acc.Engine)
		if err != nil {
			s.T.Fatal(err)
		}
		for _, c := range cards {
			if strings.HasPrefix(string(c.Label), "day/") && c.Status != api.CardFrozen {
				t.Errorf("%s is %s", c.Label, c.Status)
			}
		}
		if len(cards) != day/2+1 {
			t.Errorf("%d cards", len(cards))
		}
	})
}

func listCards(ctx context.Context, eng *engine.Engine) ([]api.CardItem, error) {
	switch ev := eng.Run(ctx, state.FetchCards{Page: 1}).(type) {
	case state.CardsLoaded:
		return ev.Items, nil
	default:
		return nil, fmt.Errorf("%T", ev)
	}
}

// TestWatchPrintsAllDay has a purchase in each hour.
func TestWatchPrintsAllDay(t *testing.T) {
	story(t, func(s *till) {
		id, _ := s.Card["id"].(string)
		for n := range day {
			s.After(time.Duration(n)*time.Hour+time.Minute, func() {
				s.Ask("/sandbox/transactions", `{"card_id":"`+id+`","type":"authorization","amount":0.05,"merchant":"Acme"}`)
			})
		}
		settings := settings.Defaults()
		settings.SpendHourly = 0
		w := watcher{program: s.program, watchOptions: watchOptions{json: true, span: time.Duration(day) * time.Hour}, eng: s.Engine, settings: settings}
		if code := s.End(w.run(s.T.Context())); code != cli.ExitDone {
			t.Errorf("exit code %d: %s", code, s.Told.String())
		}
		if n := strings.Count(s.Printed.String(), `"authorization"`); n != day {
			t.Errorf("%d of %d purchases are printed", n, day)
		}
	})
}

// slowly answers a write late, or loses the answer, and is over as soon as one comes.
type slowly struct {
	context.Context //nolint:containedctx // it is one: its time is over when a write comes
	http.RoundTripper
	came chan struct{}
	lost bool
}

func (s *slowly) Done() <-chan struct{} { return s.came }

func (s *slowly) Err() error {
	select {
	case <-s.came:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func (s *slowly) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		return s.RoundTripper.RoundTrip(r)
	}
	if s.Err() == nil {
		close(s.came)
	}
	res, err := s.RoundTripper.RoundTrip(r)
	select {
	case <-time.After(9 * time.Second):
	case <-r.Context().Done():
		return nil, errors.Join(r.Context().Err(), res.Body.Close())
	}
	if err == nil && s.lost {
		return nil, errors.Join(io.ErrUnexpectedEOF, res.Body.Close())
	}
	return res, err
}

// TestTheEndOfForWaitsForAWrite that is being sent: its outcome is printed, and one that stays
// unknown ends with exit code 6.
func TestTheEndOfForWaitsForAWrite(t *testing.T) {
	fund := rule.Rule{Name: "fund", When: "status=active", Action: rule.FundTo, Amount: 90 * api.Dollar, MaxDay: 100 * api.Dollar}
	for _, lost := range []bool{false, true} {
		story(t, func(s *till) {
			way := &slowly{Context: s.T.Context(), RoundTripper: s.World.Transport(), came: make(chan struct{}), lost: lost}
			acc := writerOver(s.T, way, fund)
			r := &acting{account: acc, most: 100 * api.Dollar, armed: make(map[string]bool), held: make(map[string]string), ended: make(map[string]string)}
			if err := r.choose([]string{"fund"}); err != nil {
				t.Fatal(err)
			}
			w := watcher{program: s.program, watchOptions: watchOptions{plain: true}, eng: acc.Engine, settings: acc.Settings, acting: r}
			code := s.End(w.runWithin(s.T.Context(), way))
			cards, err := listCards(s.T.Context(), s.Engine)
			if err != nil || len(cards) != 1 || cards[0].Balance != 90*api.Dollar {
				t.Errorf("the cards are %+v, %v", cards, err)
			}
			switch {
			case lost && (code != cli.ExitUnknown || !strings.Contains(s.Told.String(), "may have acted")):
				t.Errorf("lost: exit code %d: %s", code, s.Told.String())
			case !lost && (code != cli.ExitDone || !strings.Contains(s.Printed.String(), "fund")):
				t.Errorf("exit code %d, printed %s%s", code, s.Printed.String(), s.Told.String())
			}
		})
	}
}
