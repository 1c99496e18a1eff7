package limit_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub/limit"
)

func TestATokenAsksForSoMuchInAMinute(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	table := limit.New(limit.Limits{Requests: 3, Details: 1, Pages: 2, Streams: 2}, func() time.Time { return now })
	for i := range 5 {
		if wait := table.Take("ann", limit.Request); (wait > 0) != (i >= 3) || wait > time.Minute {
			t.Errorf("request %d waits %s", i, wait)
		}
	}
	if table.Take("ann", limit.Detail) > 0 || table.Take("ann", limit.Detail) == 0 || table.Take("bob", limit.Request) > 0 {
		t.Error("limits are mixed up")
	}
	for i := range 3 {
		if wait := table.Take("ann", limit.Page); (wait > 0) != (i >= 2) {
			t.Errorf("page %d waits %s", i, wait)
		}
	}
	now = now.Add(time.Minute)
	if table.Take("ann", limit.Request) > 0 || table.Take("ann", limit.Detail) > 0 {
		t.Error("waits for more than a minute")
	}
	now = now.Add(-time.Hour) // The clock is set back.
	if table.Take("ann", limit.Request) > 0 {
		t.Error("waits for an hour")
	}
	for i := range 3 {
		if table.Open("ann") != (i < 2) {
			t.Errorf("stream %d", i)
		}
	}
	if !table.Open("bob") {
		t.Error("streams of others count")
	}
	table.Close("ann")
	if !table.Open("ann") {
		t.Error("a stream that ended counts")
	}
}
