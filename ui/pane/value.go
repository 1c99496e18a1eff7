package pane

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Value is a value of the API in words: those that are known in the language of the
// screen, another as it was sent.
func Value(w *lang.Words, value string) string {
	switch value {
	case "not_required":
		return w.Tc("value", "not required")
	case "authenticated":
		return w.Tc("value", "authenticated")
	case "failed":
		return w.Tc("value", "failed")
	case "authorized":
		return w.Tc("value", "authorized")
	case "settled":
		return w.Tc("value", "settled")
	case "refunded":
		return w.Tc("value", "refunded")
	case "declined":
		return w.Tc("value", "declined")
	case "advertising":
		return w.Tc("value", "advertising")
	case "everyday":
		return w.Tc("value", "everyday")
	}
	return strings.ReplaceAll(value, "_", " ")
}

// Dollars is an amount for the next column, without the sign of the currency where that
// has no room.
func Dollars(d display.Display, u api.USD, w *widget.RowWriter) string {
	if text := d.Dollars(u); widget.Width(text) <= w.Width() {
		return text
	}
	return d.Amount(u)
}

// Lasts is how long a balance lasts, such as 40 m, 5.2 h or ≤1.3 d.
func Lasts(w *lang.Words, r burn.Runway) string { return r.Short(w) }

// LastsRange is how long a balance lasts with its range: 1.3 d (0.9–1.8).
func LastsRange(w *lang.Words, r burn.Runway) string { return r.Text(w) }

// RangeName is what a range is called, in English.
func RangeName(over ledger.Range) string {
	switch over {
	case ledger.Today:
		return lang.N("today")
	case ledger.Last24h:
		return lang.N("24 h")
	case ledger.Last7d:
		return lang.N("7 d")
	case ledger.Last14d:
		return lang.N("14 d")
	default:
		return lang.N("30 d")
	}
}

// TurnRange returns the next longer one of some ranges, or for -1 the next shorter one, the other end after the last.
func TurnRange(all []ledger.Range, over ledger.Range, by int) ledger.Range {
	return all[(slices.Index(all, over)+by+len(all))%len(all)]
}

// RangeTabs names ranges in a title and marks the one that is shown, which stands alone where there is no room.
func RangeTabs(t *theme.Theme, all []ledger.Range, over ledger.Range, room bool) []widget.Span {
	tabs := []widget.Span{{Text: "  "}}
	for _, r := range all {
		switch {
		case r == over:
			tabs = append(tabs, widget.Span{Style: t.Selection, Text: " " + t.Words.T(RangeName(r)) + " "})
		case room:
			tabs = append(tabs, widget.Span{Style: t.Muted, Text: " " + t.Words.T(RangeName(r)) + " "})
		}
	}
	return tabs
}

// DeclineRate is a decline rate. Level is that of the alert that it raises, which its mark stands for; 0 for none.
func DeclineRate(t *theme.Theme, declined, attempts, level int) (text, style string) {
	percent, known := decline.Rate(declined, attempts)
	if !known {
		return "–", t.Faint
	}
	text = t.Words.Number(fmt.Sprintf("%.1f %%", percent))
	switch level {
	case 0:
		return text, t.Text
	case 1:
		return text + " " + t.Glyphs.Alert, t.Warn
	}
	return text + " " + t.Glyphs.Alert, t.Bad
}

// Term asks for a name in a field of a list. A filter has no way to write a quote: of
// a name that has one what stands before it is looked for.
func Term(field, name string) string {
	value, _, cut := strings.Cut(name, `"`)
	op := "="
	if cut {
		op = "~"
	}
	if strings.ContainsAny(value, " \t,=~<>!") || strings.HasPrefix(value, "/") {
		value = `"` + value + `"`
	}
	return field + op + value
}

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
