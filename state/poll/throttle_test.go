package poll_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

// priority is the order in which lanes are served when requests run short.
func priority() []poll.Lane {
	return []poll.Lane{poll.Codes, poll.Feed, poll.Hot, poll.Sweep, poll.Wallet, poll.Deposits}
}

// TestLanesAreThrottledInOrder lowers the pace step by step: the last in
// priority is throttled first, and none beyond its bound.
func TestLanesAreThrottledInOrder(t *testing.T) {
	t.Parallel()
	order := priority()
	slices.Reverse(order)
	for pace := 10_000; pace >= 0; pace -= 10 {
		p := started()
		p.SetBudget(poll.Budget{Hour: 1, Pace: pace})
		for i, lane := range order {
			bound := 20.0
			if lane == poll.Codes {
				bound = 10
			}
			if got := p.Throttle(lane); got < 1 || got > bound {
				t.Fatalf("pace %d: %s is throttled by %v, bound %v", pace, lane, got, bound)
			}
			if i > 0 && p.Throttle(lane) > 1 && p.Throttle(order[i-1]) <= 1 {
				t.Fatalf("pace %d: %s is throttled before %s", pace, lane, order[i-1])
			}
		}
	}
}

func TestTheThrottleByPace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		budget poll.Budget
		armed  bool
		want   []float64 // in the order of priority
	}{
		"nothing is known":               {poll.Budget{}, false, []float64{1, 1, 1, 1, 1, 1}},
		"enough for all":                 {poll.Budget{Hour: 1, Pace: 6_000}, false, []float64{1, 1, 1, 1, 1, 1}},
		"for codes and transactions":     {poll.Budget{Hour: 1, Pace: 5_160}, false, []float64{1, 1, 2, 12, 2, 20}},
		"half of the transactions":       {poll.Budget{Hour: 1, Pace: 4_560}, false, []float64{1, 2, 2, 12, 2, 20}},
		"nothing is left":                {poll.Budget{Hour: 10_000, Pace: 0}, false, []float64{10, 20, 6, 12, 6, 20}},
		"armed":                          {poll.Budget{Hour: 1, Pace: 6_000}, true, []float64{1.2, 1, 1, 1, 1, 1}},
		"armed for most of the hour":     {poll.Budget{Hour: 8_500, Pace: 6_000}, true, []float64{1.5, 20, 2, 12, 2, 20}},
		"armed, and most left to others": {poll.Budget{Hour: 8_499, Pace: 8_000}, true, []float64{1, 1, 1, 1, 1, 1}},
	} {
		p := started()
		p.SetBudget(c.budget)
		if c.armed {
			p.Arm()
		}
		for i, lane := range priority() {
			if got := p.Throttle(lane); got != c.want[i] {
				t.Errorf("%s: %s is throttled by %v, want %v", name, lane, got, c.want[i])
			}
		}
		if got := p.Throttle(poll.History); got != 1 {
			t.Errorf("%s: the history is throttled by %v", name, got)
		}
	}
}

func TestAThrottledLaneMovesUpWhenThereAreMoreRequests(t *testing.T) {
	t.Parallel()
	p := started()
	p.SetBudget(poll.Budget{Hour: 1, Pace: 0})
	p.succeedAll(at(0))
	if got := p.wait(poll.Codes); got != 10*time.Second {
		t.Fatalf("throttled, the codes are due after %v", got)
	}
	p.SetNow(at(4 * time.Second))
	p.SetBudget(poll.Budget{Hour: 1, Pace: 8_000})
	if got := p.wait(poll.Codes); got != 4*time.Second {
		t.Errorf("the codes are due after %v, want at once", got)
	}
	if got := p.wait(poll.Feed); got != 4*time.Second {
		t.Errorf("the transactions are due after %v, want at once", got)
	}
	if got := p.wait(poll.Wallet); got != 10*time.Second {
		t.Errorf("the wallet is due after %v, want an interval after its answer", got)
	}
	if p.Budget().Pace != 8_000 {
		t.Errorf("budget: %+v", p.Budget())
	}
}

func TestUsesNameTheLanesInPriorityAndThenTheRest(t *testing.T) {
	t.Parallel()
	p := started()
	p.SetBudget(poll.Budget{Hour: 900, Pace: 4_560, Lanes: map[string]int{"codes": 700, "transactions": 150, "writes": 30, "history": 20}})
	uses := p.Uses()
	var names []string
	for _, u := range uses {
		names = append(names, u.Name)
	}
	if want := []string{"codes", "transactions", "cards", "all cards", "wallet", "deposits", "history", "writes"}; !slices.Equal(names, want) {
		t.Fatalf("%q, want %q", names, want)
	}
	if u := uses[1]; u.Every != 6*time.Second || u.Planned != 3*time.Second || u.Used != 150 {
		t.Errorf("%+v", u)
	}
	if u := uses[7]; u != (poll.LaneUse{Name: "writes", Used: 30}) {
		t.Errorf("%+v", u)
	}
}
