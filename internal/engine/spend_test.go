package engine_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/txns"
)

// TestASpanIsReadWhole reads spans of the past page by page and compares them with a
// search of all of it.
func TestASpanIsReadWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		eng, now := past(t, 3000)
		all := make(map[api.TransactionID]time.Time)
		for f, more := (txns.FetchOlder{To: now, Page: 1}), true; more; f.Page++ {
			ev, ok := eng.Run(t.Context(), f).(txns.OlderLoaded)
			if !ok {
				t.Fatalf("%+v is not answered", f)
			}
			for _, r := range ev.Items {
				all[r.ID] = r.CreatedAt
			}
			more = ev.More
		}
		for _, long := range []time.Duration{time.Hour, 12 * time.Hour, 24 * time.Hour} {
			f := insight.Fetch{Seq: 7, To: now.Add(-long), From: now.Add(-2 * long), Page: 1}
			want := 0
			for _, at := range all {
				if !at.Before(f.From) && !at.After(f.To) {
					want++
				}
			}
			got := make(map[api.TransactionID]bool)
			for more := true; more; f.Page++ {
				ev, ok := eng.Run(t.Context(), f).(insight.Loaded)
				if !ok || ev.Fetch != f || ev.More != (len(ev.Items) == api.MaxPerPage) {
					t.Fatalf("%+v is answered by %+v", f, ev.Fetch)
				}
				for i, r := range ev.Items {
					got[r.ID] = true
					if i > 0 && r.CreatedAt.After(ev.Items[i-1].CreatedAt) || r.CreatedAt.Before(f.From) || r.CreatedAt.After(f.To) {
						t.Fatalf("%s of %s is out of order or of another time", r.ID, r.CreatedAt)
					}
				}
				more = ev.More
			}
			if len(got) != want || want == 0 {
				t.Errorf("%s: %d transactions of %d", long, len(got), want)
			}
		}
	})
}
