package pane

import (
	"testing"
	"time"
)

func TestAMomentTellsItsDayAndYearWhereTheyAreNotThese(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 0, 30, 0, 0, time.Local)
	for _, c := range []struct {
		at       time.Time
		n        int
		in, when string
	}{
		{now.Add(-29 * time.Minute), 12, "00:01:00", "00:01:00"},
		{now.Add(-29 * time.Minute), 8, "00:01:00", ""},
		{now.Add(-29 * time.Minute), 7, "00:01", ""},
		{now.Add(-29 * time.Minute), 2, "00:01", ""}, // The cell cuts it, and shows that.
		{now.Add(-31 * time.Minute), 12, "Nov 21 23:59", "Nov 21 23:59"},
		{now.Add(-31 * time.Minute), 11, "21 23:59", ""},
		{now.Add(-31 * time.Minute), 7, "Nov 21", ""},
		{now.AddDate(0, 0, -20), 8, " 2 00:30", ""},
		{now.AddDate(0, 0, -40), 8, "Oct 13", ""},
		{now.AddDate(0, 0, -20), 40, "Nov  2 00:30", "Nov 2 00:30"},
		{now.AddDate(0, 0, -20), 6, "Nov  2", ""},
		{now.AddDate(0, -10, 0), 12, "Jan 22 00:30", "Jan 22 00:30"},
		{now.AddDate(0, -11, 0), 12, "2025-12-22", "2025-12-22 00:30"},
		{now.AddDate(-1, 0, 0), 12, "2025-11-22", "2025-11-22 00:30"},
		{now.AddDate(-1, 0, 0), 9, "2025-11", ""},
		{now.AddDate(-1, 0, 0), 6, "2025", ""},
		{time.Time{}, 12, "unknown", "unknown"},
		{now.AddDate(0, 0, 1), 12, "Nov 23 00:30", "Nov 23 00:30"},
	} {
		if got := Time(nil, c.at.UTC(), now.UTC(), c.n); got != c.in {
			t.Errorf("%s in %d cells: %q", c.at, c.n, got)
		}
		if got := When(nil, c.at.UTC(), now.UTC()); c.when != "" && got != c.when {
			t.Errorf("%s in a sentence: %q", c.at, got)
		}
	}
}

func TestInANewYearTheLastDaysNeedNoYear(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 1, 0, time.Local)
	for at, want := range map[time.Time]string{
		now.Add(-2 * time.Second):   "Dec 31 23:59",
		now.AddDate(0, 0, -20):      "Dec 12 00:00",
		now.AddDate(0, 0, -170):     "Jul 15 00:00",
		now.AddDate(0, 0, -190):     "2025-06-25",
		now.AddDate(-1, 0, 0):       "2025-01-01",
		now.AddDate(-1, 0, 0).UTC(): "2025-01-01",
	} {
		if got := Time(nil, at, now, TimeCells); got != want {
			t.Errorf("%s: %q, not %q", at, got, want)
		}
	}
}
