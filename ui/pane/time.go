package pane

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
)

// TimeCells is the width in cells from which a column of times shows the day
// and the clock.
const TimeCells = len("Jan _2 15:04")

// plainYear is how far away the year of a month and a day is plain.
const plainYear = 180 * 24 * time.Hour

// plainMonth is how far away the month of a day and a clock is plain.
const plainMonth = 27 * 24 * time.Hour

// Time formats, on this machine's calendar when something was, as much of it as
// n cells hold: a clock alone is of today, what is of another day has its day,
// and what is older, its year.
func Time(w *lang.Words, at, now time.Time, n int) string {
	// The longest comes first. Each is as wide for every moment, so that they
	// stand below each other.
	layouts := []string{time.TimeOnly, "15:04"}
	switch {
	case at.IsZero():
		return w.T("unknown")
	case older(at, now):
		layouts = []string{time.DateOnly, "2006-01", "2006"}
	case !sameDay(at, now):
		layouts = []string{"Jan _2 15:04", "Jan _2"}
		if now.Sub(at).Abs() < plainMonth {
			layouts = slices.Insert(layouts, 1, "_2 15:04")
		}
	}
	for len(layouts) > 1 && len(layouts[0]) > n {
		layouts = layouts[1:]
	}
	return w.Time(at.Local(), layouts[0])
}

// When is a moment in a sentence: its clock, and the day and the year where they
// are not plain.
func When(w *lang.Words, at, now time.Time) string {
	layout := time.TimeOnly
	switch {
	case at.IsZero():
		return w.T("unknown")
	case older(at, now):
		layout = "2006-01-02 15:04"
	case !sameDay(at, now):
		layout = "Jan 2 15:04"
	}
	return w.Time(at.Local(), layout)
}

func sameDay(at, now time.Time) bool {
	at, now = at.Local(), now.Local()
	return at.Year() == now.Year() && at.YearDay() == now.YearDay()
}

// older reports whether a moment needs its year: December is plain in January.
func older(at, now time.Time) bool {
	return at.Local().Year() != now.Local().Year() && now.Sub(at).Abs() > plainYear
}
