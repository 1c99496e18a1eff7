package state_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
)

func lanes(effects []kernel.Effect) map[string]int {
	out := make(map[string]int)
	for _, e := range effects {
		if name, ok := kernel.LaneName(e); ok {
			out[name]++
		}
	}
	return out
}

func TestTheFirstTickAsksEveryLaneOnceAndTheHistoryASecondLater(t *testing.T) {
	s := newStore()
	got := lanes(tick(s, 0))
	for _, name := range []string{"codes", "wallet", "transactions", "cards", "all cards", "deposits"} {
		if got[name] != 1 {
			t.Errorf("%s: asked %d times", name, got[name])
		}
	}
	if len(got) != 6 {
		t.Errorf("asked %v", got)
	}
	if effects := tick(s, 999*time.Millisecond); len(effects) != 0 {
		t.Errorf("before the second: %v", effects)
	}
	history := one[txns.Fetch](t, tick(s, time.Second))
	if !history.History || !history.From.Equal(at(-24*time.Hour)) {
		t.Errorf("history: %+v", history)
	}
	if effects := tick(s, time.Hour); len(effects) != 0 {
		t.Errorf("asked again before an answer: %v", effects)
	}
}

func TestTenMinutesCostWhatTheDesignSays(t *testing.T) {
	for _, tt := range []struct {
		attention poll.Attention
		want      map[string]int
	}{
		{poll.Focused, map[string]int{"codes": 600, "transactions": 200, "cards": 60, "wallet": 60, "deposits": 10, "all cards": 2, "history": 1}},
		{poll.Unfocused, map[string]int{"codes": 200, "transactions": 50, "cards": 15, "wallet": 15, "deposits": 3, "all cards": 1, "history": 1}},
		{poll.Awaiting, map[string]int{"codes": 1200, "transactions": 200, "cards": 60, "wallet": 60, "deposits": 10, "all cards": 2, "history": 1}},
	} {
		t.Run(fmt.Sprint(tt.attention), func(t *testing.T) {
			s := newStore()
			s.Poll.SetAttention(tt.attention, at(0))
			got := play(t, s, 0, 10*time.Minute, func(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration) {
				wait := 120 * time.Millisecond
				return answer(e, kernel.Meta{Sent: sent, At: sent.Add(wait)}), wait
			})
			for lane, want := range tt.want {
				if got[lane] < want-1 || got[lane] > want+2 {
					t.Errorf("%s: %d requests, want about %d", lane, got[lane], want)
				}
			}
		})
	}
}

func TestASweepOfManyPagesStaysUnderATenthOfTheHour(t *testing.T) {
	for _, pages := range []int{1, 50, 100, 300} {
		t.Run(fmt.Sprint(pages), func(t *testing.T) {
			s := newStore()
			got := play(t, s, 0, 2*time.Hour, func(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration) {
				ev := answer(e, kernel.Meta{Sent: sent, At: sent.Add(50 * time.Millisecond)})
				if f, ok := e.(state.FetchCards); ok {
					ev = state.CardsLoaded{
						FetchCards: f, Meta: kernel.Meta{Sent: sent, At: sent.Add(50 * time.Millisecond)}, TotalPages: pages,
						Items: []api.CardItem{item(api.CardID(fmt.Sprintf("card_%04d", f.Page)), api.CardActive, 0)},
					}
				}
				return ev, 50 * time.Millisecond
			})
			// The first sweep of the first hour comes on top.
			if n := got["all cards"] - pages; n > 360 {
				t.Errorf("%d requests in two hours", n)
			}
			if sweeps := got["all cards"] / pages; sweeps < 2 {
				t.Errorf("%d sweeps in two hours", sweeps)
			}
			if n := s.Cards.All().Len(); n != pages {
				t.Errorf("%d cards", n)
			}
		})
	}
}

func TestALateAnswerOfAGivenUpRequestChangesNothing(t *testing.T) {
	s := newStore()
	wallet := one[wallets.Fetch](t, tick(s, 0))
	apply(s, state.FetchFailed{Meta: meta(5 * time.Second), Effect: wallet, Err: unreachable()})
	late := wallets.Loaded{Fetch: wallet, Meta: meta(6 * time.Second), Wallet: api.Wallet{Balance: dollar}}
	if topics, effects := s.Apply(late); topics != 0 || len(effects) != 0 {
		t.Errorf("topics %b, effects %v", topics, effects)
	}
	if _, known := s.Wallets.Balance(); known {
		t.Error("the late answer was taken")
	}
	for _, ev := range []kernel.Event{
		state.FetchFailed{Meta: meta(6 * time.Second), Effect: wallet, Err: cut()},
		state.Deferred{Meta: meta(6 * time.Second), Effect: wallet, Wait: time.Hour},
	} {
		apply(s, ev)
	}
	one[wallets.Fetch](t, tick(s, 6*time.Second))
}

func TestARefusedLaterPageEndsTheWalk(t *testing.T) {
	for name, err := range map[string]error{"refused": refused(), "not found": &api.Error{Status: 404, ID: "not_found"}} {
		t.Run(name, func(t *testing.T) {
			s := newStore()
			read := make(map[string]int)
			asked := play(t, s, 0, 10*time.Minute, func(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration) {
				m := kernel.Meta{Sent: sent, At: sent}
				switch f := e.(type) {
				case state.FetchCards:
					if f.Page > 2 {
						return state.FetchFailed{Meta: m, Effect: e, Err: err}, 0
					}
					id := api.CardID(fmt.Sprintf("card_%04d", f.Page))
					return state.CardsLoaded{FetchCards: f, Meta: m, TotalPages: 9, Items: []api.CardItem{item(id, api.CardActive, 0)}}, 0
				case txns.Fetch:
					if f.Page > 2 {
						return state.FetchFailed{Meta: m, Effect: e, Err: err}, 0
					}
					read[fmt.Sprint(f.History)]++
					row := txn(read["true"]*1000+read["false"], time.Minute, api.TransactionSettlement, -dollar)
					return txns.Loaded{Fetch: f, Meta: m, Items: []api.Transaction{row}, More: true}, 0
				default:
					return answer(e, m), 0
				}
			})
			if asked["history"] != 3 || asked["all cards"] > 3*3 {
				t.Errorf("asked %v", asked)
			}
			if _, complete := s.Insight.Spent24h(); complete {
				t.Error("a past that was cut short is called complete")
			}
			if _, complete := s.Cards.Total(); !complete {
				t.Error("the sweep has no end")
			}
			if h := s.Poll.Health(); h.Link != kernel.Live {
				t.Errorf("health %+v", h)
			}
		})
	}
}

func TestOnlyTheLanesAskedForArePolled(t *testing.T) {
	s := state.New(settings.Config{NewKey: func() api.IdempotencyKey { return "k" }, Rand: func() float64 { return 0.5 }, Only: []poll.Lane{poll.Codes}})
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	_, effects := s.Tick(now)
	_, more := s.Tick(now.Add(time.Hour))
	for _, e := range append(effects, more...) {
		if _, ok := e.(codes.Fetch); !ok {
			t.Errorf("%T was asked for", e)
		}
	}
	if len(effects) != 1 {
		t.Errorf("%d effects, want the challenges alone", len(effects))
	}
}
