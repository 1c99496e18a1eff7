package api

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// HubUnknownToken is the message of a hub's 401: the token is of nobody in the team. Its
// identifier is that of the contract.
const HubUnknownToken = "the hub does not know this token"

// Kinds of failure, for errors.Is. One error may be several of them: a write
// that a broken gateway answered is ErrServer and ErrUnknownOutcome.
var (
	// ErrUnauthorized: the key is missing or invalid (401).
	ErrUnauthorized = errors.New("api key missing or invalid")
	// ErrKeyInvalid is an ErrUnauthorized that the API has said itself, in the
	// documented form: a gateway's may pass.
	ErrKeyInvalid = errors.New("api key invalid")
	// ErrNotFound: there is no such object (404).
	ErrNotFound = errors.New("not found")
	// ErrRateLimited: too many requests (429); see Error.RetryAfter.
	ErrRateLimited = errors.New("rate limit exceeded")
	// ErrInsufficientFunds: the wallet balance is too low (400).
	ErrInsufficientFunds = errors.New("insufficient funds")
	// ErrInvalid: the request is not valid (any other 400), or was refused
	// here before it was sent (Error.Status 0).
	ErrInvalid = errors.New("invalid request")
	// ErrApprovalRequired: a hub has the write wait for a lead (403); nothing was done.
	ErrApprovalRequired = errors.New("approval required")
	// ErrWithheld: a hub gives nothing of a list to people of the user's role. Its list is
	// empty.
	ErrWithheld = errors.New("not for this role")
	// ErrOther: the answer is about another object than the one that was asked for.
	ErrOther = errors.New("the API answers about something else")
	// ErrReadOnly: the client was made to refuse writes; nothing was sent.
	ErrReadOnly = errors.New("read-only: writes are off")
	// ErrNoDetails: the client was made to ask for no card's details; nothing was
	// sent.
	ErrNoDetails = errors.New("card details are off")
	// ErrServer: the service failed (5xx).
	ErrServer = errors.New("server error")
	// ErrRedirect: the answer was a redirect, which is never followed.
	ErrRedirect = errors.New("the api answered with a redirect")
	// ErrNotJSON: the answer is not JSON; perhaps a captive portal.
	ErrNotJSON = errors.New("the answer is not json")
	// ErrBrokenJSON: the answer says it is JSON, and is cut off or broken.
	ErrBrokenJSON = errors.New("the answer is broken json")
	// ErrWrongShape: the answer is JSON, but not what the contract says.
	ErrWrongShape = errors.New("the answer has an unexpected shape")
	// ErrTooLarge: the answer is longer than 4 MiB.
	ErrTooLarge = errors.New("the answer is too large")
	// ErrUnreachable: no answer came (DNS, dial, TLS, time-out, cut).
	ErrUnreachable = errors.New("the api cannot be reached")
	// ErrUnknownOutcome: the write may or may not have acted.
	ErrUnknownOutcome = errors.New("unknown outcome")
)

// insufficientFunds is the one identifier that the contract names.
const insufficientFunds = "insufficient_funds"

// Error is every failure of this package. Its text holds no secret, no query
// and no address beyond the route template.
type Error struct {
	Status     int           // HTTP status; 0: no answer
	ID         string        // machine identifier of the error body
	Message    Text          // of the error body, or what was wrong
	RequestID  Text          // of the error body
	RetryAfter time.Duration // 0: not said; at most 15 minutes
	Method     string        // "" when nothing was to be sent
	Route      string        // template, such as /cards/{card_id}

	Kind    error // a sentinel or context.Canceled; nil for a documented error body
	Cause   error // a context error, or nil
	Unknown bool  // the write may have acted
}

// Error returns method, route, status and the message of the service.
func (e *Error) Error() string {
	var parts []string
	if e.Status != 0 {
		parts = append(parts, fmt.Sprint(e.Status))
	}
	if e.ID != "" {
		parts = append(parts, e.ID)
	}
	text := strings.Join(parts, " ")
	for _, more := range []string{kindText(e.Kind), string(e.Message)} {
		if more != "" {
			text = strings.TrimPrefix(text+": "+more, ": ")
		}
	}
	if e.RequestID != "" {
		text += " (" + string(e.RequestID) + ")"
	}
	if e.Method == "" {
		return text
	}
	return strings.ToLower(e.Method) + " " + e.Route + ": " + text
}

func kindText(kind error) string {
	if kind == nil {
		return ""
	}
	return kind.Error()
}

// Is reports whether the error is a sentinel of this package. Only an error body of
// the documented form says that an object does not exist: a gateway's page with the
// same status does not. A 401 is ErrUnauthorized whatever its body: no request with
// that key is accepted.
func (e *Error) Is(target error) bool {
	documented := func(status int) bool { return e.Kind == nil && e.Status == status }
	switch target {
	case ErrUnknownOutcome:
		return e.Unknown
	case ErrUnauthorized:
		return e.Status == 401
	case ErrKeyInvalid:
		return documented(401)
	case ErrNotFound:
		return documented(404)
	case ErrInsufficientFunds:
		return documented(400) && e.ID == insufficientFunds
	case ErrInvalid:
		return e.Kind == ErrInvalid ||
			documented(400) && e.ID != insufficientFunds
	case ErrApprovalRequired:
		return documented(403) && e.ID == HubApprovalRequired
	case ErrRateLimited:
		return e.Status == 429
	case ErrServer:
		return e.Status >= 500
	}
	return e.Kind != nil && target == e.Kind
}

// Unwrap returns context.Canceled or context.DeadlineExceeded when that ended the
// request.
func (e *Error) Unwrap() error { return e.Cause }

// Invalid returns the error of a request that is refused here, before it is sent.
func Invalid(format string, args ...any) *Error {
	return &Error{Kind: ErrInvalid, Message: Clean(fmt.Sprintf(format, args...))}
}

// Result is the result of a write.
type Result int

// The three results of a write.
const (
	// Done: the service answered with the expected object.
	Done Result = iota
	// Refused: it did not act, or was never asked.
	Refused
	// Unknown: it may have acted.
	Unknown
)

// String returns "done", "refused" or "unknown".
func (r Result) String() string {
	switch r {
	case Done:
		return "done"
	case Refused:
		return "refused"
	default:
		return "unknown"
	}
}

// Outcome returns the result of a write from its error. An error that is not of this
// package is Unknown.
func Outcome(err error) Result {
	if err == nil {
		return Done
	}
	var e *Error
	if !errors.As(err, &e) || e.Unknown {
		return Unknown
	}
	return Refused
}

// Bounds of the pause before another try.
const (
	BackoffBase         = 800 * time.Millisecond
	BackoffCap          = 30 * time.Second
	ChallengeBackoffCap = 10 * time.Second // a code must not wait for a pause
	RetryAfterCap       = 15 * time.Minute
)

// Backoff returns the pause after a number of failures in a row (1 and up), with full
// jitter: between 0 and base × 2^(failures-1), at most ceiling. random returns a value
// in [0, 1).
func Backoff(failures int, ceiling time.Duration, random func() float64) time.Duration {
	limit := BackoffBase
	for i := 1; i < failures && limit < ceiling; i++ {
		limit *= 2
	}
	return time.Duration(random() * float64(min(limit, ceiling)))
}
