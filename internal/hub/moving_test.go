package hub_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
)

// inflow has transactions made between the pages of the service.
type inflow struct {
	http.RoundTripper
	make  func()
	asked []url.Values // for a page
}

func (i *inflow) RoundTrip(r *http.Request) (*http.Response, error) {
	if q := r.URL.Query(); r.URL.Path == "/v1/transactions" && i.make != nil && q.Get("per_page") == "100" {
		i.asked = append(i.asked, q)
		i.make()
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
		flow.make = func() {
			time.Sleep(3 * time.Second) //nolint:forbidigo // virtual time in a bubble
			for range 40 {
				s.spend(mine, 2)
			}
		}
		seen := map[string]int{}
		s.rows("buyer", "/v1/transactions?per_page=100&page=3")
		to := url.QueryEscape(clock().UTC().Format(time.RFC3339))
		for page := 1; page <= 3; page++ {
			for _, row := range s.rows("buyer", fmt.Sprintf("/v1/transactions?per_page=100&page=%d&to=%s", page, to)) {
				seen[fmt.Sprint(row["id"])]++
			}
		}
		flow.make = nil
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
