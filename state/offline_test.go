package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// cutOff lets every read find nobody from a moment on, and gives the next one.
func cutOff(s *state.Store, from, until time.Duration) time.Duration {
	for now := from; now <= until; now += 250 * time.Millisecond {
		for _, e := range tick(s, now) {
			if _, lane := kernel.LaneName(e); lane {
				s.Apply(state.FetchFailed{Meta: meta(now), Effect: e, Err: unreachable()})
			}
		}
	}
	return until + 250*time.Millisecond
}

// comesBack answers every read at a moment, with what the cards hold.
func comesBack(s *state.Store, now time.Duration, items ...api.CardItem) (effects []kernel.Effect) {
	for range 3 {
		for _, e := range tick(s, now) {
			ev := answer(e, meta(now))
			if f, ok := e.(state.FetchCards); ok {
				ev = state.CardsLoaded{FetchCards: f, Meta: meta(now), TotalPages: 1, Total: len(items), Items: items}
			}
			switch e := e.(type) {
			case state.FetchSummary:
				for _, it := range items {
					if it.ID == e.Card {
						ev = state.SummaryLoaded{FetchSummary: e, Meta: meta(now), Summary: api.CardSummary{ID: it.ID, Status: it.Status, Balance: it.Balance, Label: it.Label}}
					}
				}
			case state.Do:
				effects = append(effects, e)
			default:
			}
			if ev != nil {
				effects = append(effects, apply(s, ev)...)
			}
		}
		now += 100 * time.Millisecond
	}
	return effects
}

func TestNothingIsWrittenWhileOffline(t *testing.T) {
	s := settled(t)
	label := "x"
	plan := s.Plan(state.Writes{Kind: state.BulkFund, Cards: []api.CardID{first}, Amount: 5 * dollar})
	freezing := s.Plan(state.Writes{Kind: state.BulkFreeze, Cards: []api.CardID{first}})
	writes := []kernel.Intent{
		state.Unfreeze("card_0002"),
		state.Fund(first, 5*dollar),
		state.Withdraw(first, 5*dollar),
		state.FillCard{Card: first},
		state.Issue(api.CreateCardRequest{BIN: "bin_1", Amount: 5 * dollar}),
		state.Update(first, api.UpdateCardRequest{Label: &label}),
		state.Terminate(first),
		state.CreateWebhook{URL: "https://a.example/", Events: []string{"*"}},
		state.Writes{Kind: state.BulkFund, Cards: []api.CardID{first}},
		state.RunPlan{Plan: plan},
	}
	for _, in := range writes {
		if why := s.Check(in).Reason; why != "" {
			t.Fatalf("%T while live: %s", in, why)
		}
	}
	now := cutOff(s, 2*time.Second, 20*time.Second)
	const want = "offline since 12:00:02: not sent, try again when live"
	for _, in := range writes {
		_, effects, err := s.Dispatch(in)
		if _, asked := in.(state.FillCard); asked {
			err = nil // Nobody dispatches it.
		} else if err == nil || err.Error() != want {
			t.Errorf("%T: %v", in, err)
		}
		none[state.Do](t, effects)
		if why := s.Ask(in).Reason; why != want {
			t.Errorf("%T is asked about: %q", in, why)
		}
	}
	for _, in := range []kernel.Intent{state.Freeze(first), state.RunPlan{Plan: freezing}, state.Writes{Kind: state.BulkFreeze, Cards: []api.CardID{first}}} {
		if why := s.Check(in).Reason; why != "" {
			t.Errorf("%T only makes safer: %s", in, why)
		}
	}
	comesBack(s, now+5*time.Second, item(first, api.CardActive, 100*dollar), item("card_0002", api.CardFrozen, 50*dollar))
	for _, in := range writes {
		if why := s.Check(in).Reason; why != "" {
			t.Errorf("%T when it is back: %s", in, why)
		}
	}
}

// TestAPlanWaitsAndAsksWhileOffline loses the network in the middle: its rows
// are not tried for ever, and not refused either.
func TestAPlanWaitsAndAsksWhileOffline(t *testing.T) {
	s, p := funding(t, 20)
	l := newTill(t, s)
	b := l.start(p)
	sends := l.sends
	now := cutOff(s, 2*time.Second, 3*time.Second)
	l.now = now
	for len(l.waiting) > 0 { // Those under way are answered: their connections were there.
		l.send(apply(s, l.act(l.take(l.waiting[0].Card))))
	}
	if l.sends != sends || b.Count(state.RowWaiting) != 12 {
		t.Fatalf("%d rows are sent, %s", l.sends-sends, shown(b))
	}
	now = cutOff(s, now, 3*time.Minute)
	if b.Phase != state.BatchPaused || !strings.Contains(b.Reason, "paused: offline since 12:00:02") || l.sends != sends {
		t.Errorf("phase %d, %q, %d rows sent", b.Phase, b.Reason, l.sends-sends)
	}
	if v := s.Check(state.ResumeBatch{ID: p.ID}); !strings.Contains(v.Reason, "offline since") {
		t.Errorf("%+v", v)
	}
	comesBack(s, now+5*time.Second, itemsOf(s)...)
	l.now = now + 6*time.Second
	l.send(do(t, s, state.ResumeBatch{ID: p.ID}))
	l.finish()
	if got := shown(b); got != strings.Repeat("D", 20) {
		t.Error(got)
	}
}

// itemsOf are the cards as they are known, as a server lists them.
func itemsOf(s *state.Store) []api.CardItem {
	var items []api.CardItem
	for _, c := range s.Cards.All().All() {
		items = append(items, api.CardItem{ID: c.ID, Label: c.Label, Last4: c.Last4, Status: c.Status, Balance: c.Balance, CreatedAt: c.CreatedAt})
	}
	return items
}

func TestAReviewTellsFromWhenItsFiguresAre(t *testing.T) {
	s := settled(t)
	in := state.Fund(first, 5*dollar)
	if f := s.Figures(in); f.Stale || !f.At.Equal(at(time.Second)) {
		t.Errorf("just read: %+v", f)
	}
	cutOff(s, 2*time.Second, 4*time.Second)
	if f := s.Figures(in); !f.Stale || !f.At.Equal(at(time.Second)) {
		t.Errorf("offline: %+v", f)
	}
	for _, tt := range []struct {
		name  string
		until time.Duration
		stale bool
	}{{"failing for a moment", 5 * time.Second, false}, {"failing for a while", 20 * time.Second, true}} {
		s := settled(t)
		for now := 2 * time.Second; now < tt.until; now += 250 * time.Millisecond {
			for _, e := range tick(s, now) {
				if _, lane := kernel.LaneName(e); lane {
					s.Apply(state.FetchFailed{Meta: meta(now), Effect: e, Err: &api.Error{Status: 503}})
				}
			}
		}
		if f := s.Figures(in); f.Stale != tt.stale {
			t.Errorf("%s: %+v", tt.name, f)
		}
	}
}

func TestACardIsFrozenBesideAFundInDoubt(t *testing.T) {
	s := settled(t)
	fund, d, _ := unsettled(t, s, state.Fund(first, 25*dollar))
	if why := s.Check(state.Unfreeze(first)).Reason; !strings.Contains(why, "the fund before is unconfirmed") {
		t.Errorf("unfreezing: %q", why)
	}
	op := sent(t, s, state.Freeze(first))
	if why := s.Check(state.Freeze(first)).Reason; !strings.Contains(why, "the freeze is still under way") {
		t.Errorf("twice: %q", why)
	}
	for range 5 { // Nobody answers that either.
		fail(s, d, op, cut())
		if p, ok := s.Ops.ByID(op.ID); !ok || p.Phase == state.Unsettled {
			break
		}
		op, d = resent(t, s, d, d+40*time.Second)
	}
	comesBack(s, d+20*time.Second, item(first, api.CardFrozen, 125*dollar), item("card_0002", api.CardFrozen, 50*dollar))
	if _, ok := s.Ops.ByID(op.ID); ok || card(t, s, first).Status != api.CardFrozen {
		t.Errorf("the freeze is not settled: %+v", card(t, s, first))
	}
	if p, ok := s.Ops.ByID(fund.ID); !ok || p.Phase != state.Unsettled {
		t.Errorf("the fund is %+v", p)
	}
	if _, all := s.Lasting(); all != 2 {
		t.Errorf("%d notices stay", all)
	}
}
