//go:build long

package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/txns"
)

func TestASearchIsBounded(t *testing.T) {
	l := newArchive()
	for i := range 100_500 {
		l.rows = append(l.rows, txn(i, 30*time.Hour+time.Duration(i)*time.Minute, api.TransactionDecline, dollar))
	}
	s := l.begin(t)
	a := txns.Search{Type: api.TransactionDecline}
	now := 2 * time.Second
	for range 1001 {
		now += time.Second
		tick(s, now)
		for _, f := range all[txns.FetchOlder](do(t, s, txns.LoadOlder{Search: a})) {
			from := (f.Page - 1) * api.MaxPerPage
			apply(s, txns.OlderLoaded{FetchOlder: f, Meta: meta(now), Items: l.rows[from : from+api.MaxPerPage], More: true})
		}
	}
	if found := s.Past.Found(); len(found.Rows) < 99_900 || !found.Older.Full {
		t.Errorf("%d rows, %+v", len(found.Rows), found.Older)
	}
}
