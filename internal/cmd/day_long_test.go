//go:build long

package cmd

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rule"
)

// writer is an account that may be written to, with the settings of a profile that has none.
func writer(t *testing.T, world *sandbox.Server, rules ...rule.Rule) app.Account {
	t.Helper()
	none, err := journal.Open("", clock)
	if err != nil {
		t.Fatal(err)
	}
	past, err := history.Open(history.Config{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	var eng *engine.Engine
	client, err := api.New(api.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey(otpKey), Transport: world.Transport(), Observe: func(c api.Call) { eng.Observe(c) },
	})
	if err != nil {
		t.Fatal(err)
	}
	eng = engine.New(engine.Config{Client: client, Journal: none, History: past, Rules: rules, Now: clock})
	settings := state.Defaults()
	settings.SpendHourly, settings.Rules = 0, rules
	return app.Account{Engine: eng, Journal: none, History: past, Settings: settings}
}

// TestRulesActAllDay issues an empty card every two hours, which a rule freezes.
func TestRulesActAllDay(t *testing.T) {
	otpStory(t, otpOptions{}, func(s *till) {
		acc := writer(s.t, s.world, rule.Rule{Name: "stop", When: "bal<6 status=active label~day/", Action: rule.Freeze})
		r := &acting{account: acc, armed: make(map[string]bool), ended: make(map[string]string)}
		if err := r.choose([]string{"stop"}); err != nil {
			s.t.Fatal(err)
		}
		for n := range 12 {
			s.after(time.Duration(n)*2*time.Hour+time.Hour, func() { s.ask("/v1/cards", fmt.Sprintf(`{"bin_id":"424242","amount":5,"label":"day/%d"}`, n)) })
		}
		w := watcher{program: s.program, watchOptions: watchOptions{plain: true, span: 24 * time.Hour}, eng: acc.Engine, settings: acc.Settings, acting: r}
		if code := s.end(w.run(s.t.Context())); code != cli.ExitDone {
			t.Errorf("exit code %d: %s", code, s.errs.String())
		}
		cards, err := listCards(s.t.Context(), acc.Engine)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, c := range cards {
			if strings.HasPrefix(string(c.Label), "day/") && c.Status != api.CardFrozen {
				t.Errorf("%s is %s", c.Label, c.Status)
			}
		}
		if len(cards) != 13 {
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
	otpStory(t, otpOptions{}, func(s *till) {
		id, _ := s.card["id"].(string)
		for n := range 24 {
			s.after(time.Duration(n)*time.Hour+time.Minute, func() {
				s.ask("/sandbox/transactions", `{"card_id":"`+id+`","type":"authorization","amount":0.05,"merchant":"Acme"}`)
			})
		}
		settings := state.Defaults()
		settings.SpendHourly = 0
		w := watcher{program: s.program, watchOptions: watchOptions{json: true, span: 24 * time.Hour}, eng: s.eng, settings: settings}
		if code := s.end(w.run(s.t.Context())); code != cli.ExitDone {
			t.Errorf("exit code %d: %s", code, s.errs.String())
		}
		if n := strings.Count(s.out.String(), `"authorization"`); n != 24 {
			t.Errorf("%d of 24 purchases are printed", n)
		}
	})
}

// TestOTPWaitsADay for a code.
func TestOTPWaitsADay(t *testing.T) {
	otpStory(t, otpOptions{wait: true, timeout: 25 * time.Hour}, func(s *till) {
		s.after(24*time.Hour, func() { s.challenge("482913", "12.5") })
		if code := s.end(s.print(s.t.Context())); code != cli.ExitDone {
			t.Errorf("exit code %d: %s", code, s.errs.String())
		}
		s.wants("482913\n")
	})
}
