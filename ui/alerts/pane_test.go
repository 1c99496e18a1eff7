package alerts

import (
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/theme"
)

// at is a moment of the tests' own time.
func at(d time.Duration) time.Time {
	return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(d)
}

// read brings a page of cards with a balance each.
func read(t *testing.T, s *state.Store, d time.Duration, balances map[api.CardID]api.USD) {
	t.Helper()
	_, effects := s.Tick(at(d))
	for _, e := range effects {
		f, ok := e.(state.FetchCards)
		if !ok {
			continue
		}
		ev := state.CardsLoaded{FetchCards: f, Meta: kernel.Meta{Sent: at(d), At: at(d)}, TotalPages: 1, Total: len(balances)}
		for _, id := range []api.CardID{"card_1", "card_2", "card_3"} {
			ev.Items = append(ev.Items, api.CardItem{ID: id, Last4: api.Text(id), Label: "fb", Status: api.CardActive, Balance: balances[id]})
		}
		s.Apply(ev)
		return
	}
	t.Fatal("no list of cards is due")
}

func acted(p *Pane) api.CardID {
	for _, in := range p.Act(keymap.Freeze) {
		if f, _ := in.(state.Write); f.Kind == state.OpFreeze {
			return f.Card
		}
	}
	return ""
}

func TestNoKeyActsOnTheAlertThatTookThePlaceOfAnother(t *testing.T) {
	t.Parallel()
	th, err := theme.New(theme.Plain, colorprofile.NoTTY)
	if err != nil {
		t.Fatal(err)
	}
	s := state.New(settings.Config{
		Screen: &settings.Screen{},
		Rand:   func() float64 { return 0.5 }, NewKey: func() api.IdempotencyKey { return "key-1" },
		Reloadable: settings.Reloadable{Alerts: alert.Rules{Cards: 10 * api.Dollar}},
	})
	p := New(&th, keymap.New(keymap.Defaults()))
	p.SetSize(80, 20)
	read(t, s, 0, map[api.CardID]api.USD{})
	p.Sync(s, kernel.TopicAll)
	p.Act(keymap.Down)
	if got := acted(p); got != "card_2" {
		t.Fatalf("a key acts on %q", got)
	}
	// The card under the cursor is funded elsewhere.
	read(t, s, time.Minute, map[api.CardID]api.USD{"card_2": 500 * api.Dollar})
	p.Sync(s, kernel.TopicAll)
	if got := acted(p); got != "" || len(p.Act(keymap.Acknowledge)) > 0 {
		t.Errorf("a key acts on %q, which came under the cursor by itself", got)
	}
	p.Act(keymap.Up)
	if got := acted(p); got != "card_1" {
		t.Errorf("after a move a key acts on %q", got)
	}
	// A person who is done with an alert goes on to the next.
	for _, in := range p.Act(keymap.Snooze) {
		if _, _, err := s.Dispatch(in); err != nil {
			t.Fatal(err)
		}
	}
	p.Sync(s, kernel.TopicAll)
	if got := acted(p); got != "card_3" {
		t.Errorf("after a snooze a key acts on %q", got)
	}
}
