package state_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

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

func TestALaneIsDueAnIntervalAfterItWasSent(t *testing.T) {
	for _, tt := range []struct {
		name      string
		sent, at  time.Duration
		want      time.Duration
		attention poll.Attention
	}{
		{"latency does not add up", 0, 400 * time.Millisecond, time.Second, poll.Focused},
		{"slower than its interval", 0, 1700 * time.Millisecond, 1700 * time.Millisecond, poll.Focused},
		{"unfocused", 0, 400 * time.Millisecond, 3 * time.Second, poll.Unfocused},
		{"armed", 0, 100 * time.Millisecond, 500 * time.Millisecond, poll.Awaiting},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore()
			s.Poll.SetAttention(tt.attention, at(0))
			fetch := one[codes.Fetch](t, tick(s, tt.sent))
			apply(s, codes.Loaded{Fetch: fetch, Meta: kernel.Meta{Sent: at(tt.sent), At: at(tt.at)}})
			none[codes.Fetch](t, tick(s, tt.want-time.Millisecond))
			one[codes.Fetch](t, tick(s, tt.want))
		})
	}
}

func TestAttentionMovesLanesUpButNeverDelaysThem(t *testing.T) {
	s := settled(t)
	s.Poll.SetAttention(poll.Unfocused, at(time.Second))
	fetch := one[codes.Fetch](t, tick(s, 2*time.Second))
	apply(s, codes.Loaded{Fetch: fetch, Meta: meta(2 * time.Second)})
	none[codes.Fetch](t, tick(s, 4*time.Second))
	s.Poll.SetAttention(poll.Focused, at(4*time.Second))
	one[codes.Fetch](t, tick(s, 4*time.Second))
	s.Poll.SetAttention(poll.Awaiting, at(4*time.Second)) // In flight: nothing to move.
	none[codes.Fetch](t, tick(s, 5*time.Second))
}

// TestTenMinutesCostWhatTheDesignSays adds up 10 virtual minutes.
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

func TestBackoffIsCapped(t *testing.T) {
	for _, tt := range []struct {
		lane poll.Lane
		most time.Duration
	}{{poll.Codes, 4 * time.Second}, {poll.Feed, 30 * time.Second}, {poll.Wallet, 30 * time.Second}} {
		s := newStore(func(c *settings.Config) { c.Rand = func() float64 { return 0.999999 } })
		longest, last := time.Duration(0), at(0)
		name := [...]string{"codes", "wallet", "transactions"}[tt.lane]
		play(t, s, 0, 10*time.Minute, func(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration) {
			if lane, _ := kernel.LaneName(e); lane == name {
				longest, last = max(longest, sent.Sub(last)), sent
			}
			return state.FetchFailed{Meta: kernel.Meta{Sent: sent, At: sent}, Effect: e, Err: unreachable()}, 0
		})
		if longest > tt.most || longest < tt.most-time.Second {
			t.Errorf("%s: longest wait %v, want %v", name, longest, tt.most)
		}
	}
}

func TestRetryAfterIsObeyed(t *testing.T) {
	s := settled(t)
	var held []kernel.Effect
	for _, e := range tick(s, 11*time.Second) {
		held = append(held, e)
		apply(s, state.FetchFailed{Meta: meta(11 * time.Second), Effect: e, Err: limited(40 * time.Second)})
	}
	if len(held) < 4 {
		t.Fatalf("only %v was due", held)
	}
	// Neither a closer look nor an operation makes the store ask sooner.
	s.Poll.SetAttention(poll.Awaiting, at(12*time.Second))
	op := one[state.Do](t, do(t, s, state.Fund("card_0001", 10*dollar))).Op
	apply(s, state.OpDone{Meta: meta(13 * time.Second), Op: op.ID, CardBalance: new(110 * dollar), WalletBalance: new(990 * dollar)})
	if effects := tick(s, 50*time.Second); len(effects) != 0 {
		t.Errorf("asked before the server allowed it: %v", effects)
	}
	fetch := tick(s, 51*time.Second)
	one[codes.Fetch](t, fetch)
	if effects := append(fetch, tick(s, 52*time.Second)...); len(effects) < len(held) {
		t.Errorf("asked for %v when it was allowed", effects)
	}
}

func TestADeferredReadIsPlannedAgain(t *testing.T) {
	s := newStore()
	fetch := one[codes.Fetch](t, tick(s, 0))
	apply(s, state.Deferred{Meta: meta(0), Effect: fetch, Wait: 7 * time.Second})
	none[codes.Fetch](t, tick(s, 6*time.Second))
	fetch = one[codes.Fetch](t, tick(s, 7*time.Second))
	apply(s, state.Deferred{Meta: meta(7 * time.Second), Effect: fetch, Wait: time.Millisecond})
	none[codes.Fetch](t, tick(s, 7*time.Second+500*time.Millisecond))
	one[codes.Fetch](t, tick(s, 8*time.Second))
	if s.Poll.Source(poll.Codes).Err != nil {
		t.Error("what the budget did not allow counts as a failure")
	}
}

// TestPollingNeverStopsForGood plays random failures for twenty minutes, then
// good answers: every lane must be fresh within a minute.
func TestPollingNeverStopsForGood(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		random := rapid.Float64Range(0, 0.999)
		s := newStore(func(c *settings.Config) { c.Rand = func() float64 { return random.Draw(rt, "jitter") } })
		span := time.Duration(rapid.IntRange(5, 90).Draw(rt, "seconds")) * time.Second
		late := make(map[string]int)
		respond := func(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration) {
			if sent.After(at(span)) {
				lane, _ := kernel.LaneName(e)
				late[lane]++
				return answer(e, kernel.Meta{Sent: sent, At: sent}), 0
			}
			wait := time.Duration(rapid.IntRange(100, 5000).Draw(rt, "latency")) * time.Millisecond
			m := kernel.Meta{Sent: sent, At: sent.Add(wait)}
			pause := time.Duration(rapid.IntRange(0, 30).Draw(rt, "pause")) * time.Second
			switch rapid.IntRange(0, 6).Draw(rt, "kind") {
			case 0:
				return state.FetchFailed{Meta: m, Effect: e, Err: unauthorized()}, wait
			case 1:
				return state.FetchFailed{Meta: m, Effect: e, Err: limited(pause)}, wait
			case 2:
				return state.FetchFailed{Meta: m, Effect: e, Err: refused()}, wait
			case 3:
				return state.Deferred{Meta: m, Effect: e, Wait: pause}, wait
			case 4:
				return answer(e, m), wait
			default:
				return state.FetchFailed{Meta: m, Effect: e, Err: unreachable()}, wait
			}
		}
		play(t, s, 0, span+2*time.Minute, respond)
		for _, lane := range []string{"codes", "wallet", "transactions", "cards", "deposits"} {
			if late[lane] == 0 {
				rt.Fatalf("%s is not polled any more: %v", lane, late)
			}
		}
	})
}

func TestAFailedPageIsAskedForAgainAndNotThePagesBefore(t *testing.T) {
	page := func(n int) []api.Transaction {
		return []api.Transaction{{ID: api.TransactionID(fmt.Sprintf("txn_%d", n)), Type: api.TransactionSettlement, Amount: -dollar, CreatedAt: at(-time.Duration(n) * time.Minute)}}
	}
	s := settled(t)
	// The first answer of all is one page; the second poll has a start.
	f := one[txns.Fetch](t, tick(s, 5*time.Second))
	apply(s, txns.Loaded{Fetch: f, Meta: meta(5 * time.Second), Items: page(30)})
	f = one[txns.Fetch](t, tick(s, 10*time.Second))
	f = one[txns.Fetch](t, apply(s, txns.Loaded{Fetch: f, Meta: meta(10 * time.Second), Items: page(1), More: true}))
	if f.Page != 2 {
		t.Fatalf("follow-up: %+v", f)
	}
	from := f.From
	apply(s, state.FetchFailed{Meta: meta(11 * time.Second), Effect: f, Err: unreachable()})
	f = one[txns.Fetch](t, tick(s, 20*time.Second))
	if f.Page != 2 || !f.From.Equal(from) {
		t.Fatalf("after a failure: %+v", f)
	}
	apply(s, state.Deferred{Meta: meta(20 * time.Second), Effect: f, Wait: time.Second})
	f = one[txns.Fetch](t, tick(s, 30*time.Second))
	if f.Page != 2 {
		t.Fatalf("after a deferral: %+v", f)
	}
	apply(s, state.FetchFailed{Meta: meta(31 * time.Second), Effect: f, Err: refused()})
	if f = one[txns.Fetch](t, tick(s, 60*time.Second)); f.Page != 1 {
		t.Fatalf("after a refusal: %+v", f)
	}
	apply(s, txns.Loaded{Fetch: f, Meta: meta(60 * time.Second), Items: page(1)})
	if f = one[txns.Fetch](t, tick(s, 90*time.Second)); f.Page != 1 {
		t.Fatalf("after a success: %+v", f)
	}
}

// TestARefusedLaterPageEndsTheWalk gives the pages of a server that refuses
// what lies beyond the last one.
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

func TestAFailedSweepGoesOnWhereItWas(t *testing.T) {
	s := newStore()
	var f state.FetchCards
	for _, c := range all[state.FetchCards](tick(s, 0)) {
		if !c.Hot {
			f = c
		}
	}
	rows := []api.CardItem{item("card_0001", api.CardActive, 0)}
	f = one[state.FetchCards](t, apply(s, state.CardsLoaded{FetchCards: f, Meta: meta(0), Items: rows, TotalPages: 3}))
	apply(s, state.FetchFailed{Meta: meta(0), Effect: f, Err: unreachable()})
	again := one[state.FetchCards](t, tick(s, time.Minute))
	if again.Page != 2 || again.Hot || again.Seq <= f.Seq {
		t.Errorf("after a failure: %+v", again)
	}
}

func TestSourceTellsAgeAndStaleness(t *testing.T) {
	s := newStore()
	effects := tick(s, 0)
	if src := s.Poll.Source(poll.Wallet); src.Age(at(time.Hour)) >= 0 || src.Stale(at(time.Hour)) {
		t.Errorf("before the first answer: %+v", src)
	}
	wallet := one[wallets.Fetch](t, effects)
	apply(s, answer(wallet, meta(0)))
	src := s.Poll.Source(poll.Wallet)
	if src.Every != 10*time.Second || src.Age(at(4*time.Second)) != 4*time.Second {
		t.Errorf("source: %+v", src)
	}
	if src.Stale(at(35*time.Second)) || !src.Stale(at(36*time.Second)) {
		t.Error("not stale right after three intervals and their slack")
	}
	wallet = one[wallets.Fetch](t, tick(s, 10*time.Second))
	apply(s, state.FetchFailed{Meta: meta(10 * time.Second), Effect: wallet, Err: cut()})
	src = s.Poll.Source(poll.Wallet)
	if src.Err == nil || !src.Since.Equal(at(10*time.Second)) || src.Stale(at(30*time.Second)) || !src.Stale(at(31*time.Second)) {
		t.Errorf("failing: %+v", src)
	}
}

func TestOneAnswerAfterAnOutageBringsAllLanesBack(t *testing.T) {
	t.Parallel()
	s := settled(t)
	now := 2 * time.Second
	for range 400 {
		now += 250 * time.Millisecond
		for _, e := range tick(s, now) {
			s.Apply(state.FetchFailed{Meta: meta(now), Effect: e, Err: unreachable()})
		}
	}
	for {
		now += 250 * time.Millisecond
		effects := tick(s, now)
		if len(effects) == 0 {
			continue
		}
		s.Apply(answer(effects[0], meta(now)))
		for _, e := range effects[1:] {
			s.Apply(state.FetchFailed{Meta: meta(now), Effect: e, Err: unreachable()})
		}
		break
	}
	now += time.Second
	for _, e := range tick(s, now) {
		s.Apply(answer(e, meta(now)))
	}
	if h := s.Poll.Health(); h.Link != kernel.Live {
		t.Errorf("a second after the first answer: %+v", h)
	}
}

func TestALaneThatFailsByItselfBacksOffByItself(t *testing.T) {
	s := newStore()
	asked := play(t, s, 0, 10*time.Minute, func(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration) {
		m := kernel.Meta{Sent: sent, At: sent}
		if _, ok := e.(wallets.FetchDeposits); ok {
			return state.FetchFailed{Meta: m, Effect: e, Err: unreachable()}, 0
		}
		return answer(e, m), 0
	})
	if n := asked["deposits"]; n > 60 {
		t.Errorf("%d requests in ten minutes", n)
	}
}

// TestAPartialOutageStaysCheap lets one lane come and go while all others
// fail: their pauses must hold.
func TestAPartialOutageStaysCheap(t *testing.T) {
	s := newStore()
	up := false
	asked := play(t, s, 0, time.Hour, func(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration) {
		m := kernel.Meta{Sent: sent, At: sent}
		if _, ok := e.(codes.Fetch); ok {
			if up = !up; up {
				return answer(e, m), 0
			}
		}
		return state.FetchFailed{Meta: m, Effect: e, Err: unreachable()}, 0
	})
	for _, lane := range []string{"wallet", "transactions", "cards", "all cards", "deposits"} {
		// Twelve a minute and the tries of its own backoff.
		if n := asked[lane]; n > 12*60+300 {
			t.Errorf("%s: %d requests in an hour", lane, n)
		}
	}
}

// TestAfterSleepEverythingIsReadAnew wakes a machine whose steady clock stood
// still.
func TestAfterSleepEverythingIsReadAnew(t *testing.T) {
	const night = 8 * time.Hour
	polled := func(change ...func(*settings.Config)) *state.Store {
		s := newStore(change...)
		for _, d := range []time.Duration{0, time.Second} {
			now := clocks(t, d, d)
			_, effects := s.Tick(now)
			for _, e := range effects {
				apply(s, answer(e, kernel.Meta{Sent: now, At: now}))
			}
		}
		return s
	}
	wake := clocks(t, 2*time.Second, night)
	t.Run("all at once, fetch first", func(t *testing.T) {
		s := polled()
		topics, effects := s.Tick(wake)
		got := lanes(effects)
		for _, name := range []string{"codes", "wallet", "transactions", "cards", "all cards", "deposits"} {
			if got[name] != 1 {
				t.Errorf("%s: asked %d times", name, got[name])
			}
		}
		if _, ok := effects[0].(codes.Fetch); !ok || len(got) != 6 || topics != kernel.TopicAll {
			t.Errorf("topics %b, effects %v", topics, effects)
		}
	})
	t.Run("nothing is fresh before it is read", func(t *testing.T) {
		s := polled()
		if src := s.Poll.Source(poll.Wallet); src.Age(wake) < 7*time.Hour || !src.Stale(wake) {
			t.Errorf("wallet of %v", src.Age(wake))
		}
		s.Tick(wake)
		if h := s.Poll.Health(); h.Link == kernel.Live || h.Age < 7*time.Hour {
			t.Errorf("health %+v", h)
		}
	})
	t.Run("an answer from before is not fresh", func(t *testing.T) {
		s := polled()
		_, effects := s.Tick(clocks(t, 2*time.Second, 2*time.Second))
		m := kernel.Meta{Sent: clocks(t, 2*time.Second, 2*time.Second), At: wake}
		fetch := one[codes.Fetch](t, effects)
		// What was under way is given up and asked for anew at once.
		_, effects = s.Tick(wake)
		again := one[codes.Fetch](t, effects)
		apply(s, codes.Loaded{Fetch: fetch, Meta: m})
		if src := s.Poll.Source(poll.Codes); src.Age(wake) < 7*time.Hour || !src.Stale(wake) {
			t.Errorf("codes of %v", src.Age(wake))
		}
		apply(s, codes.Loaded{Fetch: again, Meta: kernel.Meta{Sent: wake, At: wake}})
		if src := s.Poll.Source(poll.Codes); src.Age(wake) != 0 {
			t.Errorf("codes of %v after the sleep", src.Age(wake))
		}
	})
	t.Run("a wait the server asked for ends by either clock", func(t *testing.T) {
		for wait, due := range map[time.Duration]int{time.Hour: 1, 10 * time.Hour: 0} {
			s := polled()
			now := clocks(t, 2*time.Second, 2*time.Second)
			_, effects := s.Tick(now)
			fetch := one[codes.Fetch](t, effects)
			apply(s, state.FetchFailed{Meta: kernel.Meta{Sent: now, At: now}, Effect: fetch, Err: limited(wait)})
			_, effects = s.Tick(clocks(t, 3*time.Second, night))
			if n := lanes(effects)["codes"]; n != due {
				t.Errorf("a wait of %v: asked %d times", wait, n)
			}
		}
	})
	t.Run("a small correction of the clock is no sleep", func(t *testing.T) {
		s := polled()
		topics, effects := s.Tick(clocks(t, 2*time.Second, 25*time.Second))
		if got := lanes(effects); got["wallet"] != 0 || topics == kernel.TopicAll {
			t.Errorf("topics %b, effects %v", topics, effects)
		}
	})
	t.Run("nor is a long wait", func(t *testing.T) {
		s := polled()
		_, effects := s.Tick(clocks(t, 45*time.Second, 45*time.Second))
		if got := lanes(effects); got["all cards"] != 0 {
			t.Errorf("effects %v", effects)
		}
	})
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
