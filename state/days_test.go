package state_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/kernel"
	sums "github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/settings"
)

func keeping(c *settings.Config) { c.SpendHourly, c.KeepDays = 1000, true }

// disk keeps days for an account. It reads them one at a time.
type disk struct {
	*account
	days   map[time.Time]sums.Closed
	left   []sums.Closed
	writes []time.Duration
	fails  bool
}

func newDisk(a *account) *disk { return &disk{account: a, days: make(map[time.Time]sums.Closed)} }

// next begins another run.
func (d *disk) next() *state.Store {
	d.left, d.asked, d.times, d.writes = nil, nil, nil, nil
	for _, day := range d.days {
		d.left = append(d.left, day)
	}
	return newStore(keeping)
}

func (d *disk) local(e kernel.Effect, now time.Time) kernel.Event {
	m := kernel.Meta{Sent: now, At: now}
	switch e := e.(type) {
	case insight.LoadDays:
		ev := insight.DaysLoaded{Meta: m}
		if len(d.left) > 0 {
			ev.Days, d.left = d.left[:1], d.left[1:]
		}
		ev.More = len(d.left) > 0
		return ev
	case insight.SaveDays:
		d.writes = append(d.writes, now.Sub(at(0)))
		if d.fails {
			return insight.DaysSaved{Meta: m, Err: errors.New("the disk is full")}
		}
		for _, day := range e.Days {
			d.days[day.Day] = day
		}
		return insight.DaysSaved{Meta: m, Versions: e.Versions}
	default:
		return nil
	}
}

func TestTheNextStartReadsAlmostNothing(t *testing.T) {
	t.Parallel()
	d := newDisk(campaigner(800, 30_000))
	d.disk = d.local
	first := d.next()
	d.run(t, first, 0, 8*time.Minute, never)
	if !allRead(first)() || len(d.days) != 30 {
		t.Fatalf("%d days are kept", len(d.days))
	}
	if len(d.writes) != 30 {
		t.Errorf("%d writes of 30 days", len(d.writes))
	}
	for i, w := range d.writes {
		if i > 0 && w == d.writes[i-1] {
			t.Errorf("two days are written at %s", w)
		}
	}
	if e, ok := first.Insight.Unsaved(); ok {
		t.Errorf("%d days are not saved", len(e.Days))
	}
	again := d.next()
	end := d.run(t, again, time.Hour, 2*time.Hour, allRead(again))
	if len(d.asked) > 10 || end > time.Hour+time.Minute {
		t.Errorf("%d requests, complete after %s", len(d.asked), end-time.Hour)
	}
	first.Tick(at(end)) // Its ranges are of the same hour then.
	want := first.Insight.Ledger().Total(sums.Scope{By: sums.ByCampaign, Name: "fb"}, sums.Last30d)
	if got := again.Insight.Ledger().Total(sums.Scope{By: sums.ByCampaign, Name: "fb"}, sums.Last30d); got.Totals != want.Totals || got.Settled == 0 {
		t.Errorf("the next run knows %+v, the first knew %+v", got.Totals, want.Totals)
	}
	d.run(t, again, end, end+time.Hour, never)
	if len(d.writes) > 0 {
		t.Errorf("what was on disk is written at %v", d.writes)
	}
	late := d.next()
	d.run(t, late, 24*time.Hour, 25*time.Hour, allRead(late))
	if n := len(d.asked); n > 10 {
		t.Errorf("%d requests a day later", n)
	}
}

// TestThePastWaitsForTheDisk holds that no page is asked for of days that may be there.
func TestThePastWaitsForTheDisk(t *testing.T) {
	t.Parallel()
	d := newDisk(campaigner(10, 300))
	d.disk = func(e kernel.Effect, now time.Time) kernel.Event {
		if _, ok := e.(insight.LoadDays); ok {
			return insight.DaysSaved{Meta: kernel.Meta{Sent: now, At: now}} // No answer to it.
		}
		return d.local(e, now)
	}
	s := d.next()
	d.run(t, s, 0, time.Minute, never)
	if _, ok := s.Insight.Unsaved(); ok || len(d.asked) > 0 || len(d.writes) > 0 {
		t.Errorf("%d requests and %d writes before the disk answers", len(d.asked), len(d.writes))
	}
	apply(s, insight.DaysLoaded{Meta: meta(time.Minute)})
	if d.run(t, s, time.Minute, 10*time.Minute, allRead(s)); len(d.asked) == 0 {
		t.Error("nothing is asked for when it has answered")
	}
}

func TestADayIsWrittenAgainWhenItChanged(t *testing.T) {
	t.Parallel()
	d := newDisk(campaigner(10, 300))
	d.disk = d.local
	s := d.next()
	d.run(t, s, 0, 5*time.Minute, never)
	writes := len(d.writes)
	row := d.rows[100]
	row.Amount -= dollar
	apply(s, insight.Loaded{Items: []api.Transaction{row}})
	d.days = make(map[time.Time]sums.Closed)
	d.run(t, s, 5*time.Minute, 10*time.Minute, never)
	day := row.CreatedAt.Truncate(24 * time.Hour)
	if len(d.writes) != writes+1 || len(d.days) != 1 || len(d.days[day].Rows) == 0 {
		t.Errorf("%d writes of %d days", len(d.writes)-writes, len(d.days))
	}
	if s := newStore(background); s != nil {
		d.writes = nil
		d.run(t, s, 0, 5*time.Minute, never)
		if _, ok := s.Insight.Unsaved(); ok || len(d.writes) > 0 {
			t.Error("a store that keeps no days writes some")
		}
	}
}

func TestADiskThatIsFullIsToldOnce(t *testing.T) {
	t.Parallel()
	d := newDisk(campaigner(10, 300))
	d.disk, d.fails = d.local, true
	s := d.next()
	d.run(t, s, 0, 5*time.Minute, func() bool { return len(d.writes) == 1 })
	wantNotice(t, s, kernel.Warn, "the disk is full")
	d.run(t, s, 5*time.Minute, 40*time.Minute, func() bool {
		if n := s.Notice(); n.Text != "" && len(d.writes) > 1 {
			t.Fatalf("told again: %q", n.Text)
		}
		return false
	})
	if n := len(d.writes); n < 3 || n > 5 {
		t.Errorf("%d writes in 40 minutes", n)
	}
	d.fails = false
	d.run(t, s, 41*time.Minute, 60*time.Minute, never)
	if len(d.days) != 30 {
		t.Errorf("%d days are kept in the end", len(d.days))
	}
}
