package engine_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/kernel"
	sums "github.com/cardtop/cardtop/state/ledger"
)

// dayShelf keeps days in memory.
type dayShelf struct {
	days []sums.Closed
	err  error
}

func (s *dayShelf) Next() (days []sums.Closed, more bool) {
	days, s.days = s.days[:1], s.days[1:]
	return days, len(s.days) > 0
}

func (s *dayShelf) Save(days []sums.Closed) error {
	s.days = append(s.days, days...)
	return s.err
}

func TestDaysAreReadAndWritten(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	day := func(n int) sums.Closed { return sums.Closed{Day: at.Truncate(24*time.Hour).AddDate(0, 0, -n)} }
	kept := &dayShelf{days: []sums.Closed{day(1), day(2)}}
	eng := engine.New(engine.Config{Days: kept, Now: func() time.Time { return at }})
	m := kernel.Meta{Sent: at, At: at}
	for _, want := range []kernel.Event{
		insight.DaysLoaded{Meta: m, Days: []sums.Closed{day(1)}, More: true}, insight.DaysLoaded{Meta: m, Days: []sums.Closed{day(2)}},
	} {
		if got := eng.Run(t.Context(), insight.LoadDays{}); !sameDays(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	kept.err = errors.New("the disk is full")
	versions := []sums.DayVersion{{Day: day(3).Day, Version: 7}}
	got, ok := eng.Run(t.Context(), insight.SaveDays{Days: []sums.Closed{day(3)}, Versions: versions}).(insight.DaysSaved)
	if !ok || !errors.Is(got.Err, kept.err) || !reflect.DeepEqual(got.Versions, versions) || !reflect.DeepEqual(kept.days, []sums.Closed{day(3)}) {
		t.Errorf("%+v, kept %+v", got, kept.days)
	}
	none := engine.New(engine.Config{Now: func() time.Time { return at }})
	if got := none.Run(t.Context(), insight.LoadDays{}); !sameDays(got, insight.DaysLoaded{Meta: m}) {
		t.Errorf("without a disk: %+v", got)
	}
	if got, ok := none.Run(t.Context(), insight.SaveDays{Versions: versions}).(insight.DaysSaved); !ok || got.Err != nil {
		t.Errorf("without a disk: %+v", got)
	}
}

// sameDays compares what was read, whatever the budget says.
func sameDays(a, b kernel.Event) bool {
	x, ok1 := a.(insight.DaysLoaded)
	y, ok2 := b.(insight.DaysLoaded)
	return ok1 && ok2 && x.More == y.More && reflect.DeepEqual(x.Days, y.Days) && x.At.Equal(y.At)
}
