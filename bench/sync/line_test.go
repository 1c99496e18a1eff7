//go:build long

package sync_test

import "net/http"

// line is the network: half of the round trip before the server and half after.
type line struct{ next http.RoundTripper }

func (l line) RoundTrip(r *http.Request) (*http.Response, error) {
	pass(roundTrip / 2)
	res, err := l.next.RoundTrip(r)
	pass(roundTrip / 2)
	return res, err
}
