package kernel

import (
	"errors"

	"github.com/cardtop/cardtop/api"
)

// RefusesRequest reports whether the API refused the request itself: asked
// again, it would be refused again.
func RefusesRequest(err error) bool {
	return errors.Is(err, api.ErrInvalid) || errors.Is(err, api.ErrInsufficientFunds) || errors.Is(err, api.ErrNotFound)
}

// RefusesRead reports whether the API refuses to tell something, and would again: it is not there, or not for this key.
func RefusesRead(err error) bool {
	const forbidden = 403
	var e *api.Error
	return RefusesRequest(err) || errors.As(err, &e) && e.Status == forbidden
}
