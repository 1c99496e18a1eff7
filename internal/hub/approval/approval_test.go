package approval_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/approval"
)

// desk is a table whose rows are stored in memory, and its clock.
type desk struct {
	*approval.Table[string]
	now    time.Time
	stored []approval.Row[string]
	err    error
	denied error // by what is told of a new request
}

func newDesk() *desk {
	d := &desk{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	d.Table = approval.New(func() time.Time { return d.now }, func(rows []approval.Row[string]) error {
		if d.err == nil {
			d.stored = slices.Clone(rows)
		}
		return d.err
	})
	return d
}

func (d *desk) ask(key string) (approval.Request, error) {
	return d.Ask(approval.Request{Key: api.IdempotencyKey(key), Name: "ann"}, "op "+key, func(approval.Request) error { return d.denied })
}

func (d *desk) states() (all []approval.State) {
	for _, r := range d.All() {
		all = append(all, r.State)
	}
	return all
}

func TestRequestsWaitADayAndAreDecidedOnce(t *testing.T) {
	d := newDesk()
	first, err := d.ask("1")
	if again, err2 := d.ask("1"); err != nil || err2 != nil || again.ID != first.ID {
		t.Errorf("%v, %v, %v, %v", first, again, err, err2)
	}
	d.now = d.now.Add(time.Hour)
	second, err := d.ask("2")
	must(t, err)
	if op, ok, err := d.Decide(second.ID, approval.Approved, "lea"); !ok || op != "op 2" || err != nil {
		t.Errorf("%q, %v, %v", op, ok, err)
	}
	if _, ok, _ := d.Decide(second.ID, approval.Refused, "max"); ok {
		t.Error("decided twice")
	}
	if all := d.All(); all[1].State != approval.Approved || all[1].By != "lea" || !all[1].Ended.Equal(d.now) {
		t.Errorf("%+v", all[1])
	}
	d.now = first.Until().Add(-time.Second)
	if _, _, ok := d.Get(first.ID); !ok {
		t.Error("gone before its time")
	}
	d.now = first.Until()
	if _, _, ok := d.Get(first.ID); ok || !slices.Equal(d.states(), []approval.State{approval.Expired, approval.Approved}) {
		t.Errorf("after a day: %v", d.states())
	}
	d.now = first.Until().Add(approval.Life)
	if len(d.All()) != 0 {
		t.Errorf("a day after the end: %v", d.states())
	}
	for i := range 21 {
		if _, err := d.ask(string(rune('a' + i))); (i == 20) != errors.Is(err, approval.ErrMany) {
			t.Errorf("request %d: %v", i, err)
		}
	}
}

func TestWhatCannotBeStoredDoesNotHappen(t *testing.T) {
	d := newDesk()
	first, err := d.ask("1")
	must(t, err)
	d.err = errors.New("disk full")
	if _, err := d.ask("2"); !errors.Is(err, d.err) || len(d.All()) != 1 {
		t.Errorf("%v, %v", err, d.states())
	}
	d.err, d.denied = nil, errors.New("no audit")
	if _, err := d.ask("2"); !errors.Is(err, d.denied) || len(d.All()) != 1 {
		t.Errorf("%v, %v", err, d.states())
	}
	if again, err := d.ask("1"); err != nil || again.ID != first.ID {
		t.Errorf("asked again: %v, %v", again, err)
	}
	d.err = errors.New("disk full")
	if _, ok, err := d.Decide(first.ID, approval.Approved, "lea"); ok || !errors.Is(err, d.err) || d.states()[0] != approval.Waiting {
		t.Errorf("%v, %v, %v", ok, err, d.states())
	}
}

// TestWhoAsksWithoutEndTakesNoMore has a person ask and take back, over and over.
func TestWhoAsksWithoutEndTakesNoMore(t *testing.T) {
	d := newDesk()
	if _, err := d.Ask(approval.Request{Key: "b", Name: "bob"}, "op", func(approval.Request) error { return nil }); err != nil {
		t.Fatal(err)
	}
	last := ""
	for range 300 {
		r, err := d.ask("1")
		must(t, err)
		if _, _, err := d.Decide(r.ID, approval.Refused, "ann"); err != nil {
			t.Fatal(err)
		}
		last = r.ID
	}
	all := d.All()
	if len(all) != 101 || all[0].Name != "bob" || all[100].ID != last {
		t.Errorf("%d are kept, the first of %s, the last %v", len(all), all[0].Name, all[len(all)-1].ID == last)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatWasNotBegunWaitsAgain(t *testing.T) {
	d := newDesk()
	first, err := d.ask("1")
	if err != nil {
		t.Fatal(err)
	}
	for _, again := range []bool{false, true} {
		if _, ok, err := d.Decide(first.ID, approval.Approved, "lea"); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if again { // Asked for anew while it was not known that it would not begin.
			if _, err := d.ask("1"); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Return(first.ID); err != nil {
			t.Fatal(err)
		}
		waiting := 0
		for _, r := range d.All() {
			if r.State == approval.Waiting {
				waiting++
			}
		}
		if waiting != 1 {
			t.Errorf("%v", d.states())
		}
	}
}
