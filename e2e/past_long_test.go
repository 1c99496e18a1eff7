//go:build long

package e2e

import (
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/internal/storage/cache"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/settings"
)

// keptDays are days on a real disk, all of them read at once.
type keptDays struct {
	t     *testing.T
	files *cache.Days
}

func (k keptDays) Next() (days []ledger.Closed, more bool) {
	list, err := k.files.List(clock())
	if err != nil {
		k.t.Error(err)
	}
	for _, day := range list {
		c, err := k.files.Load(day)
		if err != nil {
			k.t.Error(err)
		}
		days = append(days, c)
	}
	return days, false
}

func (k keptDays) Save(days []ledger.Closed) error {
	var err error
	for _, c := range days {
		err = errors.Join(err, k.files.Save(c))
	}
	return err
}

// spans counts the lists of transactions that are asked for from a time on that is over a day ago.
type spans struct {
	next http.RoundTripper
	n    *atomic.Int32
}

func (s spans) RoundTrip(r *http.Request) (*http.Response, error) {
	from, err := time.Parse(time.RFC3339, r.URL.Query().Get("from"))
	if err == nil && strings.HasSuffix(r.URL.Path, "/transactions") && clock().Sub(from) > 25*time.Hour {
		s.n.Add(1)
	}
	return s.next.RoundTrip(r)
}

// TestThirtyDaysAreReadOnceAndKept reads the days of an account in the background, and
// starts again an hour later.
func TestThirtyDaysAreReadOnceAndKept(t *testing.T) {
	t.Parallel()
	folder, cards, txns := t.TempDir(), nighttest.Times(200, 800), nighttest.Times(6_000, 30_000)
	if raced {
		cards, txns = 100, 1_500
	}
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		var spent [2]api.USD
		for i := range spent {
			asked.Store(0)
			d, stop := start(t, options{
				data: filepath.Join(folder, "world.db"), cards: cards, txns: txns,
				store:   func(c *settings.Config) { c.SpendHourly, c.KeepDays = 1000, true },
				days:    keptDays{t, cache.OpenDays(folder, cache.Account{Origin: "http://localhost:80", Mode: "TEST", Key: api.NewAPIKey(testKey)})},
				through: func(next http.RoundTripper) http.RoundTripper { return spans{next, &asked} },
			})
			d.wait(10 * time.Minute)
			d.inside(func(s *state.Store) {
				sum := s.Insight.Ledger().Total(ledger.Account(), ledger.Last30d)
				if spent[i] = sum.Spent(); !sum.Coverage.Complete || clock().Sub(sum.Coverage.Until) > time.Minute {
					t.Errorf("run %d: read %+v", i, sum.Coverage)
				}
				t.Logf("run %d: %d requests, %d transactions, %d days", i, asked.Load(), s.Insight.Ledger().Len(), len(s.Insight.Ledger().ClosedDays()))
			})
			if n := asked.Load(); i == 0 && (n < 29 || n > 600) || i == 1 && n > 10 {
				t.Errorf("run %d: %d requests for past days", i, n)
			}
			if i == 0 {
				d.press("B")
				d.see("API requests", "spending")
				d.press("esc")
			}
			d.press("q")
			if err := <-d.done; err != nil {
				t.Error(err)
			}
			d.done <- nil
			stop()
			time.Sleep(time.Hour) //nolint:forbidigo // virtual time in a bubble
		}
		if spent[0] != spent[1] || spent[0] == 0 {
			t.Errorf("the first run knows of $%s, the next of $%s", spent[0], spent[1])
		}
	})
}
