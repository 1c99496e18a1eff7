package ledger_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
	"github.com/cardtop/cardtop/state/ledger"
)

// server lists transactions. It refuses pages beyond the deepest one.
type server struct {
	rows    []api.Transaction
	deepest int
}

func (s *server) list(p ledger.Page) (items []api.Transaction, more, ok bool) {
	if p.Number > s.deepest {
		return nil, false, false
	}
	skip := (p.Number - 1) * api.MaxPerPage
	for _, t := range s.rows {
		switch {
		case t.CreatedAt.Before(p.From) || t.CreatedAt.After(p.To):
		case skip > 0:
			skip--
		case len(items) < api.MaxPerPage:
			items = append(items, t)
		}
	}
	return items, len(items) == api.MaxPerPage, true
}

// read reads until nothing is left, and returns how many pages that took.
func (s *server) read(t interface{ Fatalf(string, ...any) }, l *ledger.Ledger, until time.Time) (pages int) {
	var b ledger.Backfill
	last := until
	for {
		p, ok := b.Next(l, until, ledger.Days)
		if !ok {
			return pages
		}
		if pages++; pages > 5000 {
			t.Fatalf("no end at %+v", p)
		}
		switch {
		case p.To.Sub(p.From) > 24*time.Hour || p.From.Truncate(24*time.Hour).Before(p.To.Add(-1).Truncate(24*time.Hour)):
			t.Fatalf("a list of more than a day: %+v", p)
		case p.To.After(last.Truncate(24 * time.Hour).Add(24 * time.Hour)):
			t.Fatalf("%+v after %v", p, last)
		}
		last = p.To
		items, more, ok := s.list(p)
		if !ok {
			b.Refused(p)
			continue
		}
		l.Add(start(), items)
		if whole, ok := b.Loaded(p, items, more); ok {
			l.Cover(whole.From, whole.To)
		}
	}
}

// TestHolesAreReadFromTheNewestDay reads what any spans lack, from servers that list
// many transactions of one time and refuse deep pages.
func TestHolesAreReadFromTheNewestDay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &server{deepest: rapid.SampledFrom([]int{2, 3, 1000}).Draw(t, "deepest")}
		l, want := ledger.New(), ledger.New()
		l.Advance(start())
		for n := range rapid.IntRange(0, 8).Draw(t, "moments") {
			ago := time.Duration(rapid.IntRange(0, 29*24).Draw(t, "hours")) * time.Hour
			for i := range rapid.SampledFrom([]int{1, 100, 130}).Draw(t, "at once") {
				s.rows = append(s.rows, purchase(1000*n+i, "c1", "Ads", start().Add(-ago-time.Duration(i+1)*time.Second), api.Dollar))
			}
		}
		slices.SortFunc(s.rows, func(a, b api.Transaction) int {
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
		})
		for range rapid.IntRange(0, 4).Draw(t, "known") {
			from := start().Add(-time.Duration(rapid.IntRange(0, 30*24).Draw(t, "from")) * time.Hour)
			to := from.Add(time.Duration(rapid.IntRange(0, 48).Draw(t, "long")) * time.Hour)
			if to.After(start()) {
				to = start()
			}
			for _, row := range s.rows {
				if !row.CreatedAt.Before(from) && row.CreatedAt.Before(to) {
					l.Add(start(), []api.Transaction{row})
				}
			}
			l.Cover(from, to)
		}
		want.Add(start(), s.rows)
		s.read(t, l, start())
		first := start().Truncate(24*time.Hour).AddDate(0, 0, 1-ledger.Days)
		if got := l.Holes(ledger.Span{From: first, To: start()}); len(got) > 0 {
			t.Fatalf("still not read: %v", got)
		}
		if a, b := l.Total(ledger.Account(), ledger.Last30d), want.Total(ledger.Account(), ledger.Last30d); a.Totals != b.Totals {
			t.Fatalf("read %+v, there were %+v", a.Totals, b.Totals)
		}
	})
}
