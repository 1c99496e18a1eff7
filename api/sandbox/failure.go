package sandbox

import (
	"fmt"
	"net/http"
	"time"
)

// failure is a refusal that the caller is told about: the documented error
// body's identifier, message and status.
type failure struct {
	status     int
	id         string
	message    string
	retryAfter time.Duration // rate limits only; whole seconds are sent
}

func (f *failure) Error() string { return f.id + ": " + f.message }

// invalid is the failure of every validation (ASSUMED 6). The message names
// the field.
func invalid(format string, args ...any) *failure {
	return &failure{status: http.StatusBadRequest, id: "invalid_request", message: fmt.Sprintf(format, args...)}
}

// wrongState refuses what the object's state does not allow (ASSUMED 9).
func wrongState(format string, args ...any) *failure {
	return &failure{status: http.StatusBadRequest, id: "invalid_state", message: fmt.Sprintf(format, args...)}
}

func notFound(what string) *failure {
	return &failure{status: http.StatusNotFound, id: "not_found", message: what + " not found"}
}

func insufficientFunds(message string) *failure {
	return &failure{status: http.StatusBadRequest, id: "insufficient_funds", message: message}
}

func unauthorized() *failure {
	return &failure{status: http.StatusUnauthorized, id: "unauthorized", message: "API key missing or invalid"}
}

// errorBody is the documented body of every 4xx and 5xx.
type errorBody struct {
	Error     string `json:"error"`
	Message   string `json:"message"`
	Code      int    `json:"code"`
	RequestID string `json:"request_id"`
}
