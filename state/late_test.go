package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// lasting is the notice that stays.
func lasting(t *testing.T, s *state.Store, level kernel.Level, parts ...string) {
	t.Helper()
	n, all := s.Lasting()
	if all != 1 || n.Level != level {
		t.Errorf("%d notices, level %d: %q", all, n.Level, n.Text)
	}
	for _, p := range parts {
		if !strings.Contains(n.Text, p) {
			t.Errorf("%q lacks %q", n.Text, p)
		}
	}
}

func TestAWriteThatActsLateIsToldUntilItIsPutAway(t *testing.T) {
	s := settled(t)
	op, d := sent(t, s, state.Fund(first, 25*dollar)), 2*time.Second
	fail(s, d, op, cut())
	if _, all := s.Lasting(); all != 0 {
		t.Fatal("nothing is known yet")
	}
	op, d = resent(t, s, d, d+40*time.Second)
	apply(s, state.OpDone{Meta: meta(d), Op: op.ID, CardBalance: new(125 * dollar), WalletBalance: new(975 * dollar)})
	lasting(t, s, kernel.Good, "confirmed late, asked for at 12:00:01", "funded fb ••0001 with $25.00", "card $125.00")
	tick(s, time.Hour)
	if s.Notice().Text != "" {
		t.Errorf("%q is told as news for an hour", s.Notice().Text)
	}
	lasting(t, s, kernel.Good, "funded")
	if s.Notices.DismissLasting(); s.Notices.DismissLasting() != 0 {
		t.Error("it is not put away")
	}
	news := s.News.Drain()
	if len(news) == 0 || news[len(news)-1].Type != "late write" {
		t.Errorf("news: %+v", news)
	}
}

func TestAnAnswerInTimeIsToldAsEver(t *testing.T) {
	s := settled(t)
	op := sent(t, s, state.Fund(first, 25*dollar))
	apply(s, state.OpDone{Meta: meta(9 * time.Second), Op: op.ID, CardBalance: new(125 * dollar), WalletBalance: new(975 * dollar)})
	if n, all := s.Lasting(); all != 0 {
		t.Errorf("%q stays", n.Text)
	}
}

// TestWhatNobodyConfirmedIsLookedAtUntilItHasActed gives up on a fund, lets the
// server come to it an hour later, and reads the card by itself.
func TestWhatNobodyConfirmedIsLookedAtUntilItHasActed(t *testing.T) {
	s := settled(t)
	op, d, _ := unsettled(t, s, state.Fund(first, 25*dollar))
	looked := 0
	balance := 100 * dollar
	for now := d; now < 3*time.Hour; now += time.Second {
		if now > time.Hour {
			balance = 125 * dollar
		}
		for _, e := range tick(s, now) {
			ev := answer(e, meta(now))
			switch e := e.(type) {
			case state.FetchCards: // The hot page does not hold it.
				ev = state.CardsLoaded{FetchCards: e, Meta: meta(now), TotalPages: 1, Total: 2}
			case state.FetchSummary:
				looked++
				ev = state.SummaryLoaded{FetchSummary: e, Meta: meta(now), Summary: api.CardSummary{ID: first, Status: api.CardActive, Balance: balance, Label: "fb"}}
			default:
			}
			if ev != nil {
				apply(s, ev)
			}
		}
		if _, all := s.Lasting(); all > 0 && now < time.Hour {
			t.Fatalf("after %v it is told to have acted", now)
		}
	}
	lasting(t, s, kernel.Warn, "the fund of $25.00 of fb ••0001, asked for at 12:00:01 and never confirmed, seems to have acted: card $125.00; x settles it")
	if looked < 15 || looked > 80 {
		t.Errorf("it was looked at %d times in three hours", looked)
	}
	if p, _ := s.Ops.Pending(first); p.Phase != state.Unsettled {
		t.Error("a person has the last word")
	}
	do(t, s, state.Resolve{Op: op.ID, Happened: true})
	if n, all := s.Lasting(); all != 0 {
		t.Errorf("after it is settled: %q", n.Text)
	}
}

func TestAnOperationInDoubtWaitsForTheNetwork(t *testing.T) {
	s := settled(t)
	op := sent(t, s, state.Fund(first, 25*dollar))
	fail(s, 2*time.Second, op, cut())
	now := 2 * time.Second
	for ; now < time.Minute; now += 250 * time.Millisecond {
		for _, e := range tick(s, now) {
			if _, lane := kernel.LaneName(e); lane {
				s.Apply(state.FetchFailed{Meta: meta(now), Effect: e, Err: unreachable()})
			}
			if again, ok := e.(state.Do); ok && now > 2500*time.Millisecond {
				t.Fatalf("%v into an outage it is sent again: %+v", now, again.Op.Tries)
			}
		}
	}
	comesBack(s, now, item(first, api.CardActive, 100*dollar), item("card_0002", api.CardFrozen, 50*dollar))
	if got, d := resent(t, s, now, now+2*time.Second); got.Key != op.Key || got.Tries != 2 {
		t.Errorf("after %v: %+v", d-now, got)
	}
}
