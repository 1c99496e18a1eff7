package poll_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

func TestTheIntervalOfEachLane(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lane                      poll.Lane
		name                      string
		focused, unfocused, armed time.Duration
		background                time.Duration
	}{
		{poll.Codes, "codes", time.Second, 3 * time.Second, 500 * time.Millisecond, 5 * time.Second},
		{poll.Wallet, "wallet", 10 * time.Second, 40 * time.Second, 10 * time.Second, time.Minute},
		{poll.Feed, "transactions", 3 * time.Second, 12 * time.Second, 3 * time.Second, time.Minute},
		{poll.Hot, "cards", 10 * time.Second, 40 * time.Second, 10 * time.Second, time.Minute},
		{poll.Sweep, "all cards", 5 * time.Minute, 20 * time.Minute, 5 * time.Minute, 20 * time.Minute},
		{poll.History, "history", 0, 0, 0, 0},
		{poll.Deposits, "deposits", time.Minute, 4 * time.Minute, time.Minute, 4 * time.Minute},
	} {
		p := started()
		for grade, want := range map[poll.Attention]time.Duration{poll.Focused: c.focused, poll.Unfocused: c.unfocused, poll.Awaiting: c.armed, poll.Background: c.background} {
			p.SetAttention(grade, at(0))
			if got := p.Interval(c.lane); got != want || p.Attention() != grade {
				t.Errorf("%s, attention %d: every %v, want %v", c.lane, grade, got, want)
			}
		}
		if c.lane.String() != c.name {
			t.Errorf("lane %d is named %q, want %q", c.lane, c.lane, c.name)
		}
	}
}

// TestLanesThatAreDueTogetherAreAskedTogether has transactions that are due a moment after
// the codes, as something is new in them. Codes never come early, nor does a lane while one
// fails or while the budget holds it back.
func TestLanesThatAreDueTogetherAreAskedTogether(t *testing.T) {
	t.Parallel()
	codes, feed := at(time.Second), 70*time.Millisecond
	for _, c := range []struct {
		name  string
		apart time.Duration
		then  func(*table)
		want  []poll.Lane
	}{
		{"a moment", feed, nil, []poll.Lane{poll.Codes, poll.Feed}},
		{"longer", 110 * time.Millisecond, nil, []poll.Lane{poll.Codes}},
		{"codes after it", -feed, nil, nil},
		{"while one fails", feed, func(p *table) { p.fail(poll.Deposits, at(0), api.ErrUnreachable, 0) }, []poll.Lane{poll.Codes, poll.Deposits}},
		{"held back", feed, func(p *table) {
			p.ask(poll.Feed, at(0))
			p.Postpone(poll.Feed, at(0), time.Second+feed, true)
		}, []poll.Lane{poll.Codes}},
	} {
		p := started()
		p.succeedAll(at(0))
		p.MakeDueAfter(poll.Feed, time.Second+c.apart)
		now := codes
		if c.then != nil {
			c.then(p)
		}
		if c.want == nil { // The feed is due, the codes a moment later.
			now, c.want = codes.Add(c.apart), []poll.Lane{poll.Feed}
		}
		if got := p.Due(now); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestLanesAreAskedOnBeats has lanes that rest for a while be due at whole seconds since the
// start, and an armed checkout, which does not, be due when it is.
func TestLanesAreAskedOnBeats(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lane        poll.Lane
		asked, want time.Duration
		armed       bool
	}{
		{poll.Codes, 5 * time.Second, 6 * time.Second, false},
		{poll.Codes, 5300 * time.Millisecond, 7 * time.Second, false},
		{poll.Codes, 5015 * time.Millisecond, 6 * time.Second, false},
		{poll.Codes, 5030 * time.Millisecond, 7 * time.Second, false},
		{poll.Codes, 5300 * time.Millisecond, 5800 * time.Millisecond, true},
		{poll.Feed, 5300 * time.Millisecond, 9 * time.Second, false},
	} {
		p := started()
		p.succeedAll(at(0))
		if c.armed {
			p.Arm()
		}
		if p.succeed(c.lane, at(c.asked)); p.wait(c.lane) != c.want {
			t.Errorf("%s, asked for at %v: due at %v, want %v", c.lane, c.asked, p.wait(c.lane), c.want)
		}
	}
}

func TestALaneIsDueAnIntervalAfterItsRequestWasSent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answered, want time.Duration
		again          bool
	}{
		"latency does not add up":            {answered: 400 * time.Millisecond, want: time.Second},
		"slower than the interval":           {answered: 1700 * time.Millisecond, want: 1700 * time.Millisecond},
		"made due while it was in flight":    {answered: 400 * time.Millisecond, again: true, want: 400 * time.Millisecond},
		"slow, made due while it was flying": {answered: 1700 * time.Millisecond, again: true, want: 1700 * time.Millisecond},
	} {
		p := started()
		seq := p.ask(poll.Codes, at(0))
		if !p.Current(poll.Codes, seq) || p.Current(poll.Codes, seq+1) || p.isDue(poll.Codes, at(time.Hour)) {
			t.Errorf("%s: the request in flight is not the current one", name)
		}
		if c.again {
			p.MakeDue(poll.Codes)
		}
		p.Succeed(poll.Codes, at(0), at(c.answered))
		if got := p.wait(poll.Codes); got != c.want || p.Current(poll.Codes, seq) {
			t.Errorf("%s: due after %v, want %v", name, got, c.want)
		}
		if !p.OKAt(poll.Codes).Equal(at(c.answered)) || p.Err(poll.Codes) != nil {
			t.Errorf("%s: answered at %v, error %v", name, p.OKAt(poll.Codes), p.Err(poll.Codes))
		}
	}
	p := started()
	if p.succeed(poll.History, at(time.Second)); !p.Done(poll.History) {
		t.Error("the history is polled again")
	}
}

func TestAttentionMovesLanesUpButNeverDelaysThem(t *testing.T) {
	t.Parallel()
	p := started()
	p.succeedAll(at(0))
	p.SetAttention(poll.Unfocused, at(0))
	if got := p.wait(poll.Codes); got != time.Second {
		t.Errorf("unfocused, the codes are put off to %v", got)
	}
	p.succeed(poll.Codes, at(time.Second))
	p.SetAttention(poll.Focused, at(3*time.Second))
	if got := p.wait(poll.Codes); got != 3*time.Second {
		t.Errorf("focused after two seconds, the codes are due after %v, want at once", got)
	}
}

func TestALaneCanBeMadeDueSooner(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(*table)
		want    time.Duration
	}{
		"a pause after the last answer": {func(*table) {}, 3 * time.Second},
		"not sooner than now":           {func(p *table) { p.SetNow(at(5 * time.Second)) }, 5 * time.Second},
		"not later than planned":        {func(p *table) { p.MakeDue(poll.Wallet) }, 0},
		"a failing lane keeps its backoff": {func(p *table) {
			p.fail(poll.Wallet, at(0), errUnreachable, 0)
		}, 400 * time.Millisecond},
	} {
		p := started()
		p.succeedAll(at(0))
		c.prepare(p)
		p.MakeDueAfter(poll.Wallet, 3*time.Second)
		if got := p.wait(poll.Wallet); got != c.want {
			t.Errorf("%s: due after %v, want %v", name, got, c.want)
		}
	}
}

func TestAPostponedRequestWaitsForTheBudget(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		read       bool
		wait, want time.Duration
		unfinished bool
	}{
		"an interval at least":              {read: true, wait: time.Second, want: 10 * time.Second},
		"as long as the budget says":        {read: true, wait: time.Minute, want: time.Minute},
		"pages are missing":                 {read: true, wait: 0, unfinished: true, want: time.Second},
		"nothing was read yet":              {wait: 2 * time.Second, want: 2 * time.Second},
		"nothing was read, nothing to wait": {wait: 0, want: time.Second},
	} {
		p := started()
		if c.read {
			p.succeed(poll.Wallet, at(0))
		}
		p.ask(poll.Wallet, at(0))
		p.Postpone(poll.Wallet, at(0), c.wait, c.unfinished)
		if got := p.wait(poll.Wallet); got != c.want {
			t.Errorf("%s: due after %v, want %v", name, got, c.want)
		}
		if src := p.Source(poll.Wallet); !src.ShortTill.Equal(at(c.want)) {
			t.Errorf("%s: short till %v", name, src.ShortTill)
		}
		p.SetAttention(poll.Focused, at(0))
		if got := p.wait(poll.Wallet); got != c.want {
			t.Errorf("%s: attention moves it up to %v", name, got)
		}
	}
}

func TestTheNextBeatIsAWholeSecondAfterTheStart(t *testing.T) {
	var table poll.Table
	start := time.Date(2026, 3, 1, 12, 0, 0, int(300*time.Millisecond), time.UTC)
	table.Start(start, nil)
	for after, want := range map[time.Duration]time.Duration{
		0: time.Second, 1: time.Second, time.Second - 1: time.Second, time.Second: 2 * time.Second,
		-1: 0, -1200 * time.Millisecond: -time.Second, time.Hour + 1: time.Hour + time.Second,
	} {
		if got := table.NextBeat(start.Add(after)).Sub(start); got != want {
			t.Errorf("after %v: %v, want %v", after, got, want)
		}
	}
}
