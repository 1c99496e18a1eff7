package report

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/ledger"
)

const (
	day = 24 * time.Hour
	// lastDays is how many days can be added up before today.
	lastDays = ledger.Days - 1
)

// since is a flag that takes how far back a report reaches.
type since struct {
	text string
	over ledger.Range // where it is one
	// date is a UTC day; zero for one of the ranges and for days, which are as many times 24 hours.
	date time.Time
	days int
}

func ofRange(r ledger.Range) since { return since{text: r.String(), over: r} }

// Set implements pflag.Value.
func (s *since) Set(text string) error {
	if age, ok := query.ParseAge(strings.ToLower(text)); ok {
		return s.setAge(age)
	}
	if strings.EqualFold(text, ledger.Today.String()) {
		*s = ofRange(ledger.Today)
		return nil
	}
	date, err := time.Parse(time.DateOnly, text)
	if err != nil || date.IsZero() {
		return errors.New("not a range")
	}
	*s = since{text: text, date: date}
	return nil
}

// setAge takes a span of whole days as ages are written elsewhere: 1d is 24h, 1w is 7d.
func (s *since) setAge(age time.Duration) error {
	for _, r := range ledger.Ranges() {
		if r != ledger.Today && r.Span() == age {
			*s = ofRange(r)
			return nil
		}
	}
	if age < day || age > lastDays*day || age%day != 0 {
		return errors.New("not a range")
	}
	n := int(age / day)
	*s = since{text: strconv.Itoa(n) + "d", days: n}
	return nil
}

// String implements pflag.Value.
func (s *since) String() string { return s.text }

// Type is its name in the help.
func (*since) Type() string { return "range" }

// Takes describes its values.
func (*since) Takes() string {
	return "today, 24h, days such as 7d or 2w up to 30d, or a date of the last 30 days such as 2026-03-01 (UTC)"
}

// window is the time that a report is about, on the server's clock.
type window struct {
	now time.Time
	// from and to bound the range; over is which it is, unless it is dated: of another length, or
	// from a date on.
	from, to time.Time
	over     ledger.Range
	dated    bool
	// read is from when on transactions are read: so much earlier than from that
	// what is held, and the span before, are known. alone is that it is not.
	read  time.Time
	alone bool
}

// window returns the time of a report that is made now, in UTC; alone is whether
// nothing earlier than the range is read.
func (s *since) window(now time.Time, alone bool) (window, error) {
	today, hour := now.Truncate(day), now.Truncate(time.Hour)
	first := today.Add(-lastDays * day)
	w := window{now: now, to: now.Truncate(time.Second).Add(time.Second), over: s.over, dated: !s.date.IsZero() || s.days > 0, alone: alone}
	switch {
	case s.date.Before(first) && !s.date.IsZero(), s.date.After(today):
		return w, app.Usage(fmt.Errorf("--since takes a date from %s to %s (UTC): the last %d days are added up", first.Format(time.DateOnly), today.Format(time.DateOnly), lastDays))
	case s.days > 0:
		w.from = hour.Add(-time.Duration(s.days) * day)
	case w.dated:
		w.from = s.date
	case w.over == ledger.Today:
		w.from = today
	default:
		w.from = hour.Add(-w.over.Span())
	}
	w.read = w.from
	switch compared := !alone && !w.dated; {
	case compared && w.over == ledger.Today:
		w.read = w.from.Add(-day)
	case compared && (w.over == ledger.Last24h || w.over == ledger.Last7d):
		w.read = w.from.Add(-w.to.Sub(w.from)) // The span before, which is as long.
	}
	if held := today.Add(-(ledger.PairDays - 1) * day); !alone && held.Before(w.read) {
		w.read = held // What tells what is held is the same for every range.
	}
	if w.read.Before(first) {
		w.read = first
	}
	return w, nil
}
