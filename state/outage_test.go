package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/wallets"
)

func TestTheFirstAnswerOfAnyLaneEndsAnOutage(t *testing.T) {
	t.Parallel()
	s := settled(t)
	for now := 2 * time.Second; ; now += 250 * time.Millisecond {
		for _, e := range tick(s, now) {
			if _, ok := e.(wallets.FetchDeposits); !ok {
				s.Apply(state.FetchFailed{Meta: meta(now), Effect: e, Err: unreachable()})
				continue
			}
			s.Apply(answer(e, meta(now)))
			now += 100 * time.Millisecond
			for _, e := range tick(s, now) {
				s.Apply(answer(e, meta(now)))
			}
			if h := s.Poll.Health(); h.Link != kernel.Live {
				t.Errorf("right after the first answer: %+v", h)
			}
			return
		}
	}
}

// TestALimitThatTellsNoEndStopsNoLane refuses everything: codes are asked for
// more often than the others, whose pauses end all the same.
func TestALimitThatTellsNoEndStopsNoLane(t *testing.T) {
	t.Parallel()
	s := newStore()
	asked := play(t, s, 0, 10*time.Minute, func(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration) {
		m := kernel.Meta{Sent: sent, At: sent}
		return state.FetchFailed{Meta: m, Effect: e, Err: limited(0)}, 0
	})
	for _, lane := range []string{"wallet", "transactions", "cards"} {
		if n := asked[lane]; n < 15 || n > asked["codes"]/4 {
			t.Errorf("%s: %d requests in ten minutes", lane, n)
		}
	}
}

func TestTheOutcomeOfACodeIsAskedForWhenSomebodyAnswers(t *testing.T) {
	t.Parallel()
	s := settled(t)
	pollCodes(t, s, 2*time.Second, challenge("a", time.Second, "111111"))
	ends := 5*time.Minute + time.Second
	now := 3500 * time.Millisecond
	for ; now < time.Hour; now += time.Second {
		for _, e := range tick(s, now) {
			if f, ok := e.(codes.FetchOne); ok {
				t.Fatalf("after %v its outcome is asked for: %v", now, f)
			}
			s.Apply(state.FetchFailed{Meta: meta(now), Effect: e, Err: unreachable()})
		}
	}
	ended := s.Codes.Ended()
	if len(ended) != 1 || !ended[0].EndedAt.Equal(at(ends)) {
		t.Fatalf("ended: %v, want one at %v", ended, at(ends))
	}
	for range 40 {
		now += time.Second
		for _, e := range tick(s, now) {
			if f, ok := e.(codes.FetchOne); ok && now < time.Hour+20*time.Second {
				// Other tries find nobody once more.
				s.Apply(state.FetchFailed{Meta: meta(now), Effect: f, Err: unreachable()})
				continue
			} else if ok {
				c := challenge("a", time.Second, "111111")
				c.Status = api.ChallengeExpired
				s.Apply(codes.OneLoaded{Meta: meta(now), Item: c})
				continue
			}
			s.Apply(answer(e, meta(now)))
		}
	}
	if got := s.Codes.Ended(); len(got) != 1 || got[0].Status != api.ChallengeExpired {
		t.Errorf("ended: %v", got)
	}
}
