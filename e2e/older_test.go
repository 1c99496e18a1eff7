package e2e

import (
	"net/http"

	"github.com/cardtop/cardtop/state"
)

// held counts the transactions that are held of all cards.
func (d *driver) held() (n int) {
	d.t.Helper()
	d.inside(func(s *state.Store) { n = len(s.Txns.All()) })
	return n
}

// found counts those that a search in the past has found.
func (d *driver) found() (n int) {
	d.t.Helper()
	d.inside(func(s *state.Store) { n = len(s.Past.Found().Rows) })
	return n
}

// pickAny gives some active card.
func (d *driver) pickAny() string {
	d.t.Helper()
	return text(d.t, objects(d.t, d.api(http.MethodGet, "/cards?per_page=1&status=active", nil)["data"])[0]["id"])
}
