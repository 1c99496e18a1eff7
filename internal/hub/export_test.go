package hub

import "time"

// Refusal is the answer to a read that failed.
func Refusal(err error) (status int, after time.Duration) {
	e := readRefusal(err)
	return e.status, e.retryAfter
}
