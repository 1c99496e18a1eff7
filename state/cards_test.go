package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// pages picks the card reads of a tick.
func pages(t *testing.T, effects []kernel.Effect) (hot, sweep state.FetchCards) {
	t.Helper()
	for _, f := range all[state.FetchCards](effects) {
		if f.Hot {
			hot = f
		} else {
			sweep = f
		}
	}
	return hot, sweep
}

func TestCardsStayInTheOrderTheyWereFirstSeen(t *testing.T) {
	s := newStore()
	hot, sweep := pages(t, tick(s, 0))
	apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(0), Total: 3, TotalPages: 1, Items: []api.CardItem{
		item("card_0003", api.CardActive, 3*dollar), item("card_0001", api.CardActive, dollar),
	}})
	if total, complete := s.Cards.Total(); total != 3 || complete {
		t.Errorf("after the hot page: %d %v", total, complete)
	}
	next := one[state.FetchCards](t, apply(s, state.CardsLoaded{FetchCards: sweep, Meta: meta(0), Total: 3, TotalPages: 2, Items: []api.CardItem{
		item("card_0001", api.CardActive, dollar), item("card_0002", api.CardActive, 2*dollar),
	}}))
	if next.Page != 2 || next.Seq <= sweep.Seq {
		t.Errorf("next page: %+v", next)
	}
	// A page that shifted brings a card twice.
	apply(s, state.CardsLoaded{FetchCards: next, Meta: meta(0), Total: 3, TotalPages: 2, Items: []api.CardItem{
		item("card_0002", api.CardActive, 2*dollar), item("card_0003", api.CardFrozen, 3*dollar),
	}})
	var order []api.CardID
	for _, c := range s.Cards.All().All() {
		order = append(order, c.ID)
	}
	want := []api.CardID{"card_0003", "card_0001", "card_0002"}
	if len(order) != 3 || order[0] != want[0] || order[1] != want[1] || order[2] != want[2] {
		t.Errorf("order %v", order)
	}
	if _, complete := s.Cards.Total(); !complete {
		t.Error("not complete after the last page")
	}
	if card(t, s, "card_0003").Status != api.CardFrozen {
		t.Error("the later page was not taken")
	}
	if _, ok := s.Cards.Get("card_9999"); ok {
		t.Error("a card nobody told of")
	}
}

func TestWhatDidNotChangeIsNotRedrawn(t *testing.T) {
	s := settled(t)
	hot, _ := pages(t, tick(s, 11*time.Second))
	topics, _ := s.Apply(state.CardsLoaded{FetchCards: hot, Meta: meta(11 * time.Second), TotalPages: 1, Items: []api.CardItem{
		item("card_0001", api.CardActive, 100*dollar),
	}})
	if topics != kernel.TopicHealth {
		t.Errorf("topics %b", topics)
	}
}

func TestAReadSentBeforeAnOperationSettledBringsNothingBack(t *testing.T) {
	old := []api.CardItem{item("card_0001", api.CardActive, 100*dollar)}
	for _, how := range []string{"hot page", "hot page while it lands late", "summary", "sweep"} {
		t.Run(how, func(t *testing.T) {
			s := settled(t)
			hot, sweep := pages(t, tick(s, 6*time.Minute))
			summary := one[state.FetchSummary](t, do(t, s, state.InspectCard{Card: "card_0001"}))
			op := one[state.Do](t, do(t, s, state.Freeze("card_0001"))).Op
			if how == "hot page" {
				// While it is under way the answer may show, under the overlay.
				apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(6 * time.Minute), TotalPages: 1, Items: old})
			}
			fresh := one[state.FetchSummary](t, apply(s, state.OpDone{Meta: meta(6 * time.Minute), Op: op.ID, Status: api.CardFrozen, CardBalance: new(99 * dollar)}))
			switch how {
			case "hot page while it lands late":
				apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(6 * time.Minute), TotalPages: 1, Items: old})
			case "summary":
				apply(s, state.SummaryLoaded{FetchSummary: summary, Meta: meta(6 * time.Minute), Summary: api.CardSummary{Status: api.CardActive, Balance: 100 * dollar}})
				if s.Info.Inspected().Summary != nil {
					t.Error("the old summary is shown")
				}
			case "sweep":
				apply(s, state.CardsLoaded{FetchCards: sweep, Meta: meta(6 * time.Minute), TotalPages: 1, Items: old})
			}
			if c := card(t, s, "card_0001"); c.Status != api.CardFrozen || c.Balance != 99*dollar {
				t.Fatalf("old news came back: %+v", c)
			}
			apply(s, state.SummaryLoaded{FetchSummary: fresh, Meta: meta(6 * time.Minute), Summary: api.CardSummary{Status: api.CardActive, Balance: 98 * dollar}})
			if c := card(t, s, "card_0001"); c.Status != api.CardActive || c.Balance != 98*dollar {
				t.Errorf("what was asked for since is not taken: %+v", c)
			}
		})
	}
}

func TestGoingThroughCardsReadsOnlyWhereOneStays(t *testing.T) {
	s := settled(t)
	do(t, s, state.InspectCard{Card: "card_0001"})
	from := s.Now()
	for _, id := range []api.CardID{"card_0002", "card_0003"} {
		if effects := do(t, s, state.InspectCard{Card: id, Passed: from}); len(effects) != 0 {
			t.Fatalf("%s is read: %+v", id, effects)
		}
	}
	if wake := s.NextWake(); wake.After(from.Add(250 * time.Millisecond)) {
		t.Errorf("wakes at %v", wake)
	}
	_, effects := s.Tick(from.Add(250 * time.Millisecond))
	if got := one[state.FetchCardTransactions](t, effects); got.Card != "card_0003" {
		t.Errorf("reads %s", got.Card)
	}
	if got := one[state.FetchSummary](t, effects); got.Card != "card_0003" {
		t.Errorf("reads %s", got.Card)
	}
}

func TestTheInspectorShowsTheLatestAskedFor(t *testing.T) {
	s := settled(t)
	first := do(t, s, state.InspectCard{Card: "card_0001"})
	second := do(t, s, state.InspectCard{Card: "card_0002"})
	for _, e := range first {
		apply(s, answer(e, meta(2*time.Second)))
	}
	if in := s.Info.Inspected(); in.Card != "card_0002" || in.Summary != nil || in.Loaded {
		t.Fatalf("another card's answer is shown: %+v", in)
	}
	txns := one[state.FetchCardTransactions](t, second)
	apply(s, state.CardTransactionsLoaded{FetchCardTransactions: txns, Meta: meta(2 * time.Second), Items: []api.Transaction{
		{ID: "a", CreatedAt: at(1)}, {ID: "c", CreatedAt: at(3)}, {ID: "b", CreatedAt: at(2)},
	}})
	in := s.Info.Inspected()
	if !in.Loaded || len(in.Transactions) != 3 || in.Transactions[0].ID != "c" || in.Transactions[2].ID != "a" {
		t.Errorf("transactions: %+v", in)
	}
	if effects := do(t, s, state.InspectCard{}); len(effects) != 0 || s.Info.Inspected().Card != "" {
		t.Error("the inspector does not close")
	}
}

func TestTheInspectorTellsOfItsFailures(t *testing.T) {
	for name, fail := range map[string]func(kernel.Effect) kernel.Event{
		"failed": func(e kernel.Effect) kernel.Event {
			return state.FetchFailed{Meta: meta(2 * time.Second), Effect: e, Err: cut()}
		},
		"deferred": func(e kernel.Effect) kernel.Event {
			return state.Deferred{Meta: meta(2 * time.Second), Effect: e, Wait: 9 * time.Second}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := settled(t)
			old := do(t, s, state.InspectCard{Card: "card_0001"})
			effects := do(t, s, state.InspectCard{Card: "card_0001"})
			apply(s, fail(old[0]))
			apply(s, fail(old[1]))
			if s.Info.Inspected().Err != nil {
				t.Error("an old failure is shown")
			}
			apply(s, fail(one[state.FetchCardTransactions](t, effects)))
			apply(s, answer(one[state.FetchSummary](t, effects), meta(2*time.Second)))
			if in := s.Info.Inspected(); in.Err == nil || in.Loaded || in.Summary == nil {
				t.Errorf("the failure is not shown: %+v", in)
			}
			effects = do(t, s, state.InspectCard{Card: "card_0002"})
			apply(s, fail(one[state.FetchSummary](t, effects)))
			if s.Info.Inspected().Err == nil {
				t.Error("the summary's failure is not shown")
			}
			do(t, s, state.InspectCard{Card: "card_0002"})
			if s.Info.Inspected().Err != nil {
				t.Error("the failure stays when it is asked anew")
			}
		})
	}
}

func TestASummaryIsNotOverwrittenByAnOlderPage(t *testing.T) {
	s := settled(t)
	hot, _ := pages(t, tick(s, 11*time.Second))
	summary := one[state.FetchSummary](t, do(t, s, state.InspectCard{Card: first}))
	apply(s, state.SummaryLoaded{FetchSummary: summary, Meta: meta(12 * time.Second), Summary: api.CardSummary{Status: api.CardFrozen, Balance: 70 * dollar}})
	apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(13 * time.Second), Items: []api.CardItem{item(first, api.CardActive, 100*dollar)}})
	if c := card(t, s, first); c.Status != api.CardFrozen || c.Balance != 70*dollar {
		t.Errorf("card %+v", c)
	}
}

func TestALateAnswerDoesNotTurnTheClockBack(t *testing.T) {
	s := settled(t)
	tick(s, time.Minute)
	apply(s, state.SummaryLoaded{Meta: meta(2 * time.Second)})
	if !s.Now().Equal(at(time.Minute)) {
		t.Errorf("now %v", s.Now())
	}
}

func TestACardThatCannotBeReadIsNotForgotten(t *testing.T) {
	for name, id := range map[string]api.Text{"named": "card_0001", "nameless": ""} {
		s := settled(t)
		for i := range 4 {
			now := time.Duration(i+1) * 6 * time.Minute
			for _, e := range tick(s, now) {
				f, ok := e.(state.FetchCards)
				if !ok {
					apply(s, answer(e, meta(now)))
					continue
				}
				m := meta(now)
				m.Unread = []api.Unread{{Route: "/cards", ID: id, Row: 1}}
				apply(s, state.CardsLoaded{FetchCards: f, Meta: m, TotalPages: 1, Items: []api.CardItem{item("card_0002", api.CardFrozen, 50*dollar)}})
			}
		}
		if n := s.Cards.All().Len(); n != 2 {
			t.Errorf("%s: %d cards", name, n)
		}
		if src := s.Poll.Source(poll.Hot); len(src.Unread) != 1 {
			t.Errorf("%s: %+v", name, src.Unread)
		}
	}
}

// TestWhatFrozenCardsHoldIsCounted apart: they are not idle.
func TestWhatFrozenCardsHoldIsCounted(t *testing.T) {
	s := with(t, []api.CardItem{item(first, api.CardActive, 500*dollar), item(second, api.CardFrozen, 70*dollar), item("card_0003", api.CardFrozen, 0)})
	if n, sum := s.Cards.OnFrozen(); n != 1 || sum != 70*dollar {
		t.Errorf("%d cards hold %s", n, sum)
	}
}
