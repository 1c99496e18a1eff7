// Package wire is the HTTP side of the sandbox that knows no cards: it reads
// request bodies and queries, writes JSON and the documented error body, limits,
// counts and breaks requests, and carries them within a process.
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Error is a refusal: status, identifier and message of the documented error
// body.
type Error struct {
	Status     int
	ID         string
	Message    string
	RetryAfter time.Duration // rate limits only; whole seconds are sent
}

func (f *Error) Error() string { return f.ID + ": " + f.Message }

// Invalid is the error of every validation (ASSUMED 6). The message names the
// field.
func Invalid(format string, args ...any) *Error {
	return &Error{Status: http.StatusBadRequest, ID: "invalid_request", Message: fmt.Sprintf(format, args...)}
}

// WrongState is the error of an operation that the state of an object does not
// allow (ASSUMED 9).
func WrongState(format string, args ...any) *Error {
	return &Error{Status: http.StatusBadRequest, ID: "invalid_state", Message: fmt.Sprintf(format, args...)}
}

// NotFound is the error of an unknown identifier or path.
func NotFound(what string) *Error {
	return &Error{Status: http.StatusNotFound, ID: "not_found", Message: what + " not found"}
}

// InsufficientFunds is the error of a wallet balance that is too low.
func InsufficientFunds(message string) *Error {
	return &Error{Status: http.StatusBadRequest, ID: "insufficient_funds", Message: message}
}

// Unauthorized is the error of a missing or unknown API key.
func Unauthorized() *Error {
	return &Error{Status: http.StatusUnauthorized, ID: "unauthorized", Message: "API key missing or invalid"}
}

// ErrorBody is the documented body of every 4xx and 5xx.
type ErrorBody struct {
	Error     string `json:"error"`
	Message   string `json:"message"`
	Code      int    `json:"code"`
	RequestID string `json:"request_id"`
}

// Encode returns the JSON of an answer, without HTML escapes.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// List is a list without pagination.
type List[T any] struct {
	Data []T `json:"data"`
}
