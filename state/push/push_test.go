package push

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
	"github.com/cardtop/cardtop/state/poll"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func at(s float64) time.Time { return start.Add(time.Duration(s * float64(time.Second))) }

// table is one whose address is registered and reached at 0.
func table() *Table {
	t := &Table{}
	t.Want()
	t.Open("https://hooks.example.com/x", "", true, at(0))
	t.List([]Hook{{ID: "wh_1", URL: "https://hooks.example.com/x", All: true}})
	t.Beat(at(0))
	return t
}

// find is a poll that finds something new.
func (t *Table) find(id poll.Lane, since, now float64) {
	t.lanes[id].polled = at(since)
	t.Polled(id, at(now-0.1), at(now), true)
}

func TestALaneRestsOnceWhatItFoundWasTold(t *testing.T) {
	p := table()
	every := func(now float64, id poll.Lane) time.Duration { return p.Interval(id, 3*time.Second, at(now)) }
	if every(1, poll.Codes) != 3*time.Second {
		t.Error("a lane rests of which nothing was told")
	}
	p.Polled(poll.Codes, at(0), at(1), true)
	p.Tell(poll.Codes, at(2))
	if every(2, poll.Codes) != 3*time.Second {
		t.Error("the first answer, or a delivery that no poll has confirmed, proves something")
	}
	p.find(poll.Codes, 1.5, 2.2)
	if got := every(3, poll.Codes); got != 10*time.Second {
		t.Errorf("codes are polled every %s", got)
	}
	if got := every(3, poll.Feed); got != 15*time.Second {
		t.Errorf("transactions are polled every %s", got)
	}
	if got := p.Interval(poll.Wallet, 10*time.Second, at(3)); got != 30*time.Second {
		t.Errorf("the wallet is polled every %s", got)
	}
	if got := p.Interval(poll.Sweep, 5*time.Minute, at(3)); got != 20*time.Minute {
		t.Errorf("all cards are polled every %s", got)
	}
	if every(61, poll.Codes) != 3*time.Second {
		t.Error("a lane rests a minute after the last heartbeat")
	}
}

func TestCodesAreProvenByCodesOnly(t *testing.T) {
	p := table()
	p.Tell(poll.Feed, at(1))
	p.find(poll.Feed, 0.5, 2)
	if p.Proven(poll.Codes, at(3)) || !p.Proven(poll.Feed, at(3)) || !p.Proven(poll.Wallet, at(3)) {
		t.Error("the codes rest, or another lane does not")
	}
}

func TestOneMissAndEveryLaneIsPolledAsBefore(t *testing.T) {
	p := table()
	for _, id := range []poll.Lane{poll.Codes, poll.Feed} {
		p.Tell(id, at(1))
		p.find(id, 0.9, 1.1)
	}
	if !p.Update(at(2)) {
		t.Error("that lanes rest is no change")
	}
	p.find(poll.Feed, 10, 12)
	var next time.Time
	p.NextCheck(at(12), func(t time.Time) {
		if next.IsZero() || t.Before(next) {
			next = t
		}
	})
	if next != at(15).Add(1) {
		t.Errorf("it is checked at %s", next)
	}
	p.Update(at(15))
	if !p.Missed().IsZero() {
		t.Error("it is missed before the delivery could come")
	}
	p.Update(next)
	if p.Proven(poll.Codes, at(16)) || p.Proven(poll.Feed, at(16)) || p.Missed() != next {
		t.Error("a lane rests after a miss")
	}
	if s, why := p.State(at(16)); s != Lost || why != "a delivery was missed" {
		t.Errorf("state %d %q", s, why)
	}
	for i, want := range []bool{false, true} {
		p.Tell(poll.Codes, at(20+float64(i)))
		p.find(poll.Codes, 19+float64(i), 20.2+float64(i))
		if got := p.Proven(poll.Codes, at(22)); got != want {
			t.Errorf("told %d times after a miss, the codes rest: %v", i+1, got)
		}
	}
	if s, _ := p.State(at(22)); s != On {
		t.Errorf("state %d after it is proven again", s)
	}
}

func TestTrustComesBackInAnHour(t *testing.T) {
	p := table()
	for i := range 9 {
		now := float64(10 * i)
		p.find(poll.Codes, now, now+1)
		p.Update(at(now + 5))
	}
	if got := p.needed(); got != 64 {
		t.Errorf("%d deliveries in a row are needed", got)
	}
	p.Update(at(3600 + 86))
	if got := p.needed(); got != 1 {
		t.Errorf("%d deliveries are needed an hour later", got)
	}
}

// No lane rests that was told of late by more than the grace, whatever comes.
func TestNothingUntoldIsTakenForTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := table()
		now, polled, told, owed := 0.0, 0.0, -1.0, -1.0
		p.Polled(poll.Codes, at(0), at(0), false)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now += rapid.Float64Range(0.1, 5).Draw(t, "passes")
			p.Beat(at(now))
			if rapid.Bool().Draw(t, "told") {
				told = now
				p.Tell(poll.Codes, at(now))
				if now <= owed+grace.Seconds() {
					owed = -1
				}
			}
			before := p.Missed()
			p.Update(at(now))
			missed := p.Missed() != before
			if want := owed >= 0 && now > owed+grace.Seconds(); missed != want {
				t.Fatalf("at %.1f missed is %v, want %v", now, missed, want)
			} else if missed {
				owed, told = -1, -1
			}
			found := rapid.Bool().Draw(t, "found")
			p.Polled(poll.Codes, at(now), at(now), found)
			if found && told <= polled && owed < 0 {
				owed = now
			}
			polled = now
			if owed >= 0 && p.Proven(poll.Codes, at(now)) {
				t.Fatalf("at %.1f the codes rest, and nothing told of what was found", now)
			}
		}
	})
}

func TestCalls(t *testing.T) {
	for event, want := range map[string][]poll.Lane{
		"3ds.challenge": {poll.Codes}, "transaction.settled": {poll.Feed, poll.Hot}, "card.funded": {poll.Hot, poll.Wallet},
		"deposit.pending": {poll.Deposits, poll.Wallet}, "": {poll.Codes, poll.Feed, poll.Hot, poll.Wallet, poll.Deposits},
	} {
		var got []poll.Lane
		Calls(event, func(id poll.Lane, _ time.Duration) { got = append(got, id) })
		if len(got) != len(want) {
			t.Errorf("%q makes %v due, want %v", event, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q makes %v due, want %v", event, got, want)
			}
		}
	}
}
