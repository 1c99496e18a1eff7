package report

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/ledger"
)

// TestTheTimeOfAReport: where the range begins and ends, and from when on is read.
func TestTheTimeOfAReport(t *testing.T) {
	now := time.Date(2026, 3, 14, 12, 34, 56, 7e8, time.UTC)
	for text, want := range map[string][3]string{
		"24h":        {"2026-03-13T12:00:00Z", "2026-03-08T00:00:00Z", "2026-03-13T12:00:00Z"},
		"2d":         {"2026-03-12T12:00:00Z", "2026-03-08T00:00:00Z", "2026-03-12T12:00:00Z"},
		"7d":         {"2026-03-07T12:00:00Z", "2026-02-28T11:25:03Z", "2026-03-07T12:00:00Z"},
		"14d":        {"2026-02-28T12:00:00Z", "2026-02-28T12:00:00Z", "2026-02-28T12:00:00Z"},
		"30d":        {"2026-02-12T12:00:00Z", "2026-02-12T12:00:00Z", "2026-02-12T12:00:00Z"},
		"2026-02-13": {"2026-02-13T00:00:00Z", "2026-02-13T00:00:00Z", "2026-02-13T00:00:00Z"},
		"2026-03-14": {"2026-03-14T00:00:00Z", "2026-03-08T00:00:00Z", "2026-03-14T00:00:00Z"},
	} {
		var s since
		if err := s.Set(text); err != nil {
			t.Fatal(err)
		}
		w, err := s.window(now, false)
		short, errShort := s.window(now, true)
		got := [3]string{w.from.Format(time.RFC3339), w.read.Format(time.RFC3339), short.read.Format(time.RFC3339)}
		if err != nil || errShort != nil || got != want || w.to.Format(time.RFC3339) != "2026-03-14T12:34:57Z" {
			t.Errorf("%s: %q to %s, %v, want %q", text, got, w.to, err, want)
		}
	}
	for text, want := range map[string]bool{"2026-02-11": false, "2026-03-15": false, "2026-02-12": true} {
		s := since{}
		err := s.Set(text)
		if _, refused := s.window(now, false); err != nil || (refused == nil) != want {
			t.Errorf("%s: %v, %v", text, err, refused)
		}
	}
}

// TestAReportHasTheRangesOfTheScreens, which are those of the ledger, and reads the span that it compares them with.
func TestAReportHasTheRangesOfTheScreens(t *testing.T) {
	now := time.Date(2026, 3, 14, 12, 34, 56, 7e8, time.UTC)
	l := ledger.New()
	l.Advance(now)
	for _, over := range ledger.Ranges() {
		text := over.String()
		var s since
		if err := s.Set(text); err != nil {
			t.Fatal(err)
		}
		w, err := s.window(now, false)
		if err != nil || !w.from.Equal(l.Begin(over)) {
			t.Errorf("%s is since %s, on the screens since %s: %v", text, w.from, l.Begin(over), err)
		}
		l := ledger.New()
		l.Advance(now)
		l.Cover(w.read, w.to)
		if sum := l.Total(ledger.Account(), over); !sum.Coverage.Complete || sum.Compared && !sum.BeforeRead.Complete {
			t.Errorf("%s is not all read: %+v", text, sum)
		}
	}
}

func TestRatesAndChanges(t *testing.T) {
	for want, got := range map[string]string{
		"33.3": rate(1, 3).Text, "100.0": rate(4, 4).Text, "0.0": rate(0, 7).Text, "66.7": rate(2, 3).Text,
		"": rate(0, 0).Text,
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, l := range map[string]Line{
		"50.0":   {Compared: true, Totals: ledger.Totals{Settled: 150 * api.Dollar}, Before: ledger.Past{Spent: 100 * api.Dollar}},
		"-100.0": {Compared: true, Before: ledger.Past{Spent: 100 * api.Dollar}},
		"0.0":    {Compared: true, Totals: ledger.Totals{Settled: 100*api.Dollar - 1}, Before: ledger.Past{Spent: 100 * api.Dollar}},
		"-101.8": {Compared: true, Totals: ledger.Totals{Refunded: 1800 * api.Cent}, Before: ledger.Past{Spent: 1000 * api.Dollar}},
		"":       {Totals: ledger.Totals{Settled: 150 * api.Dollar}, Before: ledger.Past{Spent: 100 * api.Dollar}},
	} {
		if got := change(l).Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := change(Line{Compared: true, Totals: ledger.Totals{Settled: 1}}).Text; got != "" {
		t.Errorf("a change from nothing is %q", got)
	}
}
