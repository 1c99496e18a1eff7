package sync_test

import "net/http"

// line is the way to the server: half the time goes there and half back.
type line struct{ next http.RoundTripper }

func (l line) RoundTrip(r *http.Request) (*http.Response, error) {
	pass(roundTrip / 2)
	res, err := l.next.RoundTrip(r)
	pass(roundTrip / 2)
	return res, err
}
