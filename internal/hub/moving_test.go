package hub_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
)

// inflow has transactions made between the pages of the service.
type inflow struct {
	http.RoundTripper

	mu    sync.Mutex
	make  func()
	asked []url.Values // for a page
}

// set has transactions made by a function from now on; nil for none.
func (i *inflow) set(produce func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.make = produce
}

func (i *inflow) RoundTrip(r *http.Request) (*http.Response, error) {
	i.mu.Lock()
	produce := i.make
	q := r.URL.Query()
	if r.URL.Path != "/v1/transactions" || q.Get("per_page") != "100" {
		produce = nil
	}
	if produce != nil {
		i.asked = append(i.asked, q)
	}
	i.mu.Unlock()
	if produce != nil {
		produce()
	}
	return i.RoundTripper.RoundTrip(r)
}

// TestASearchIsOfWhatThereWasWhenItBegan for who sees some cards.
func TestASearchIsOfWhatThereWasWhenItBegan(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t, sandbox.Config{Seed: 7, Cards: 10, Transactions: 2500, Quiet: true, NoLimits: true, Wallet: "50000"}, scoped()...)
		mine := s.card("own")
		for range 300 {
			s.spend(mine, 1)
		}
		flow := &inflow{RoundTripper: s.world.Transport()}
		s.between = flow
		s.begin()
		time.Sleep(time.Minute) //nolint:forbidigo // virtual time in a bubble
		flow.set(func() {
			time.Sleep(3 * time.Second) //nolint:forbidigo // virtual time in a bubble
			for range 40 {
				s.spend(mine, 2)
			}
		})
		seen := map[string]int{}
		s.rows("buyer", "/v1/transactions?per_page=100&page=3")
		to := url.QueryEscape(clock().UTC().Format(time.RFC3339))
		for page := 1; page <= 3; page++ {
			for _, row := range s.rows("buyer", fmt.Sprintf("/v1/transactions?per_page=100&page=%d&to=%s", page, to)) {
				seen[fmt.Sprint(row["id"])]++
			}
		}
		flow.set(nil)
		flow.mu.Lock()
		defer flow.mu.Unlock()
		for i, q := range flow.asked {
			if q.Get("page") != "1" && q.Get("to") == "" {
				t.Errorf("page %d is asked for as %s", i, q.Encode())
			}
		}
		if len(flow.asked) < 4 {
			t.Errorf("only %d pages are read", len(flow.asked))
		}
		for id, n := range seen {
			if n > 1 {
				t.Errorf("%s came %d times", id, n)
			}
		}
		s.end()
	})
}

// spend makes a settlement past the hub.
func (s *site) spend(card string, dollars int) {
	s.upstream(http.MethodPost, "/sandbox/transactions", fmt.Sprintf(`{"card_id":%q,"type":"settlement","amount":%d,"merchant":"Acme"}`, card, dollars))
}
