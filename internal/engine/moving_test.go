package engine_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
)

// busy is a service that more transactions come to with every request than a page has.
type busy struct {
	made  []time.Time // oldest first
	bound []string    // what was asked for as to
	came  int         // with each request
}

func (b *busy) RoundTrip(r *http.Request) (*http.Response, error) {
	now := time.Now() //nolint:forbidigo // virtual time in a bubble
	q := r.URL.Query()
	if b.bound = append(b.bound, q.Get("to")); len(b.bound) > 40 {
		return nil, errors.New("it never ends")
	}
	body := b.page(q)
	for i := range b.came {
		b.made = append(b.made, now.Add(time.Duration(i)*time.Millisecond))
	}
	time.Sleep(2 * time.Second) //nolint:forbidigo // As above.
	h := http.Header{"Content-Type": {"application/json"}, "Date": {now.UTC().Format(http.TimeFormat)}}
	return &http.Response{StatusCode: http.StatusOK, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}, nil
}

// page is what is asked for. This service compares whole seconds.
func (b *busy) page(q url.Values) string {
	var rows []string
	for i, at := range slices.Backward(b.made) {
		to, err := time.Parse(time.RFC3339Nano, q.Get("to"))
		if err == nil && at.After(to.Truncate(time.Second)) {
			continue
		}
		rows = append(rows, fmt.Sprintf(`{"id":"txn_%d","card_id":"card_1","type":"settlement","amount":-1,"created_at":%q}`, i, at.UTC().Format(time.RFC3339Nano)))
	}
	page := 1
	_, _ = fmt.Sscan(q.Get("page"), &page) // Else it is the first.
	from, to := min(len(rows), (page-1)*api.MaxPerPage), min(len(rows), page*api.MaxPerPage)
	return fmt.Sprintf(`{"data":[%s],"pagination":{"page":%d,"per_page":100,"total":%d}}`, strings.Join(rows[from:to], ","), page, len(rows))
}

// TestAReadingIsOfWhatThereWasWhenItBegan, with an inflow of more than a page for each
// page that is read.
func TestAReadingIsOfWhatThereWasWhenItBegan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &busy{came: 130}
		start := time.Now() //nolint:forbidigo // virtual time in a bubble
		for i := range 950 {
			b.made = append(b.made, start.Add(time.Duration(i-950)*77*time.Millisecond))
		}
		c, err := client.New(client.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey("sk_test_busy"), Transport: b})
		must(t, err)
		eng := engine.New(engine.Config{Client: c, Now: time.Now}) //nolint:forbidigo // As above.
		seen := map[api.TransactionID]int{}
		for page, err := range eng.Transactions(t.Context(), api.ListTransactionsOptions{}) {
			must(t, err)
			for _, r := range page {
				seen[r.ID]++
			}
		}
		for i := range 950 {
			if id := api.TransactionID(fmt.Sprintf("txn_%d", i)); seen[id] != 1 {
				t.Fatalf("%s came %d times", id, seen[id])
			}
		}
		if len(b.bound) > 12 || b.bound[0] != "" || b.bound[1] == "" || len(slices.Compact(slices.Clone(b.bound[1:]))) != 1 || len(eng.Missed()) != 0 {
			t.Errorf("%d pages up to %q, missed %v", len(b.bound), b.bound, eng.Missed())
		}
	})
}
