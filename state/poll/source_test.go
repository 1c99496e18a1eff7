package poll_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

func TestWhenDataIsStale(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src   poll.Source
		age   time.Duration
		stale bool
	}{
		"nothing was read":             {poll.Source{Every: time.Second}, -1, false},
		"nothing was read, and failed": {poll.Source{Every: time.Second, Err: errRefused}, -1, false},
		"new":                          {poll.Source{Every: time.Second, OKAt: at(0)}, 0, false},
		"three intervals, no failure":  {poll.Source{Every: time.Second, OKAt: at(-8 * time.Second)}, 8 * time.Second, false},
		"and five seconds more":        {poll.Source{Every: time.Second, OKAt: at(-8*time.Second - 1)}, 8*time.Second + 1, true},
		"three intervals of failures":  {poll.Source{Every: time.Second, OKAt: at(-3 * time.Second), Err: errRefused}, 3 * time.Second, false},
		"more than three":              {poll.Source{Every: time.Second, OKAt: at(-3*time.Second - 1), Err: errRefused}, 3*time.Second + 1, true},
		"a slow lane":                  {poll.Source{Every: time.Minute, OKAt: at(-3 * time.Minute)}, 3 * time.Minute, false},
		"a time ahead":                 {poll.Source{Every: time.Second, OKAt: at(time.Hour)}, 0, false},
		"after a sleep":                {poll.Source{Every: time.Second, OKAt: clocks(-time.Second, -time.Hour)}, time.Hour, true},
	} {
		if got := c.src.Age(at(0)); got != c.age {
			t.Errorf("%s: %v old, want %v", name, got, c.age)
		}
		if got := c.src.Stale(at(0)); got != c.stale {
			t.Errorf("%s: stale %v", name, got)
		}
	}
}

func TestASourceSaysWhatIsKnownOfItsLane(t *testing.T) {
	t.Parallel()
	p := started()
	p.Restore(poll.Wallet, at(-time.Hour))
	if src := p.Source(poll.Wallet); !src.Cached || !p.Cached(poll.Wallet) || !src.OKAt.Equal(at(-time.Hour)) {
		t.Errorf("restored: %+v", src)
	}
	p.Restore(poll.Hot, time.Time{})
	if p.Cached(poll.Hot) {
		t.Error("a lane without an earlier answer is cached")
	}
	p.succeed(poll.Wallet, at(0))
	if src := p.Source(poll.Wallet); src.Cached || !src.OKAt.Equal(at(0)) || src.Every != 10*time.Second || src.Slowed || src.Windows != 1 {
		t.Errorf("answered: %+v", src)
	}
	p.SetCached(poll.Wallet, true)
	if !p.Source(poll.Wallet).Cached {
		t.Error("an answer that could not be used is not")
	}
	p.SetBudget(poll.Budget{Hour: 1, Pace: 0, Programs: 2})
	if src := p.Source(poll.Wallet); !src.Slowed || src.Windows != 3 || src.Every != time.Minute {
		t.Errorf("short of requests: %+v", src)
	}
	p.ask(poll.Deposits, at(0))
	p.Postpone(poll.Deposits, at(0), time.Hour, false)
	if src := p.Source(poll.Deposits); !src.ShortTill.Equal(at(time.Hour)) {
		t.Errorf("postponed: %+v", src)
	}
	p.SetNow(at(time.Hour))
	if src := p.Source(poll.Deposits); !src.ShortTill.IsZero() {
		t.Errorf("an hour later: %+v", src)
	}
}
