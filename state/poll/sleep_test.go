package poll_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

func TestAMachineSleptWhenTheWallClockRanAhead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steady, wall  time.Duration
		slept         bool
		elapsed       time.Duration
		reachedMinute bool
	}{
		"awake":               {steady: time.Minute, wall: time.Minute, elapsed: time.Minute, reachedMinute: true},
		"a correction":        {steady: time.Second, wall: 31 * time.Second, elapsed: 31 * time.Second},
		"a short sleep":       {steady: time.Second, wall: 32 * time.Second, slept: true, elapsed: 32 * time.Second},
		"a night":             {steady: time.Second, wall: 8 * time.Hour, slept: true, elapsed: 8 * time.Hour, reachedMinute: true},
		"the clock went back": {steady: time.Minute, wall: -time.Hour, elapsed: time.Minute, reachedMinute: true},
	} {
		from, to := clocks(0, 0), clocks(c.steady, c.wall)
		if got := poll.Slept(from, to); got != c.slept {
			t.Errorf("%s: slept %v", name, got)
		}
		if got := poll.Elapsed(from, to); got != c.elapsed {
			t.Errorf("%s: %v elapsed, want %v", name, got, c.elapsed)
		}
		if got := poll.Reached(to, clocks(time.Minute, time.Minute)); got != c.reachedMinute {
			t.Errorf("%s: a minute is over: %v", name, got)
		}
	}
}

func TestAWakeMakesAllLanesDueAndGivesUpTheirRequests(t *testing.T) {
	t.Parallel()
	p := started()
	p.succeedAll(at(0))
	seq := p.ask(poll.Sweep, at(0))
	if p.Wake(at(0)) || p.Wake(at(time.Second)) {
		t.Fatal("a second awake is a sleep")
	}
	woken := clocks(2*time.Second, time.Hour)
	if !p.Wake(woken) {
		t.Fatal("an hour's sleep is none")
	}
	if p.Current(poll.Sweep, seq) {
		t.Error("a request from before the sleep is still waited for")
	}
	for lane := range poll.Lanes {
		if !p.Done(lane) && !p.isDue(lane, woken) {
			t.Errorf("%s is due in %v", lane, p.DueAt(lane).Sub(woken))
		}
	}
	if p.Wake(clocks(3*time.Second, time.Hour+time.Second)) {
		t.Error("a sleep is reported twice")
	}
}

func TestAnAnswerFromBeforeASleepIsAsOldAsItsRequest(t *testing.T) {
	t.Parallel()
	p := started()
	p.ask(poll.Wallet, at(0))
	woken := clocks(time.Second, 8*time.Hour)
	p.Succeed(poll.Wallet, at(0), woken)
	if got := p.Source(poll.Wallet).Age(woken); got != 8*time.Hour {
		t.Errorf("it is %v old", got)
	}
}
