// Package errtext is the wording of errors and waits: what happened and what to
// do, on one line. No error is worded where it occurs.
package errtext

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// ReadOnly is why nothing is written.
func ReadOnly(w *lang.Words) string { return w.T("read-only: writes are off") }

// NoReveal is why no secret of a card is read.
func NoReveal(w *lang.Words) string {
	return w.T("reveal is off: no number, CVV or address is shown or copied")
}

// The statuses with which a hub refuses what it explains in its message.
const (
	forbidden = 403
	conflict  = 409
)

// ErrLimitUsed is why the request budget did not allow a request.
var ErrLimitUsed = errors.New(lang.N("the request limit is used up"))

// LimitError is ErrLimitUsed with the time until the budget allows it.
type LimitError struct{ Wait time.Duration }

func (e *LimitError) Error() string { return LimitText(nil, e.Wait) }

// Unwrap returns ErrLimitUsed.
func (*LimitError) Unwrap() error { return ErrLimitUsed }

// LimitUsed is ErrLimitUsed with the time until the budget allows it.
func LimitUsed(wait time.Duration) error { return &LimitError{wait} }

// LimitText says that the request budget did not allow a request, and until when.
func LimitText(w *lang.Words, wait time.Duration) string {
	return w.Tf("the request limit is used up: try again in %s", w.Seconds(wait))
}

// UnreadError is that a write was not sent because what it rests on could not be read before. It is not the API's answer to
// the write, and so wraps none.
type UnreadError struct{ Err error }

func (e *UnreadError) Error() string { return "nothing was sent: " + e.Err.Error() }

// Explain returns the text of an error.
func Explain(w *lang.Words, err error) string {
	var unread *UnreadError
	if errors.As(err, &unread) {
		return w.Tf("nothing was sent, the card cannot be read: %s", Explain(w, unread.Err))
	}
	var e *api.Error
	var used *LimitError
	message := ""
	if errors.As(err, &e) && e.Message != "" {
		message = string(e.Message)
	}
	switch {
	case errors.Is(err, api.ErrUnauthorized):
		return unauthorized(w, message)
	case errors.Is(err, api.ErrReadOnly):
		return ReadOnly(w)
	case errors.Is(err, api.ErrNoDetails):
		return NoReveal(w)
	case errors.Is(err, api.ErrRateLimited):
		return w.T("the API's rate limit is reached")
	case errors.Is(err, api.ErrInsufficientFunds):
		return with(w.T("the wallet is too low"), message)
	case errors.Is(err, api.ErrNotFound):
		return with(w.T("the API does not know it"), message)
	case errors.Is(err, api.ErrInvalid), explained(e):
		return refused(w, e, message)
	case errors.Is(err, api.ErrRedirect):
		return w.T("the API answered with a redirect, which is never followed: check the base URL")
	case errors.Is(err, api.ErrServer):
		return with(serverError(w, e), message)
	case errors.Is(err, api.ErrNotJSON):
		return with(w.T("the answer is not JSON, a captive portal or proxy perhaps"), message)
	case errors.Is(err, api.ErrBrokenJSON):
		return w.T("the answer says it is JSON, and is cut off or broken")
	case errors.Is(err, api.ErrWrongShape):
		return with(w.T("the answer is not what the API is known to give, of another version perhaps"), message)
	case errors.Is(err, api.ErrTooLarge):
		return w.T("the answer is too large to be read, a proxy's perhaps")
	case errors.Is(err, api.ErrUnreachable):
		return w.T("the API does not answer") + cause(w, message)
	case errors.As(err, &used):
		return strings.Replace(err.Error(), used.Error(), LimitText(w, used.Wait), 1)
	default:
		return w.T(err.Error())
	}
}

// unauthorized says who does not know the key.
func unauthorized(w *lang.Words, message string) string {
	if message == api.HubUnknownToken {
		return w.T("the hub does not know this token: it was removed or replaced, ask who runs the hub")
	}
	return w.T("the API refused the key: replace it, cardtop doctor says where it is from")
}

// refused says why a request was not done. One that waits for a lead is not refused yet.
func refused(w *lang.Words, e *api.Error, message string) string {
	if e != nil && e.ID == api.HubApprovalRequired {
		return message
	}
	return with(w.T("the API refused it"), message)
}

// explained reports whether a hub says in its message why it refuses.
func explained(e *api.Error) bool {
	return e != nil && e.Message != "" && (e.Status == forbidden || e.Status == conflict)
}

// serverError names a failure of the server by its status.
func serverError(w *lang.Words, e *api.Error) string {
	if e == nil {
		return w.T("the API failed")
	}
	return w.Tf("the API failed (%d)", e.Status)
}

// cause is the last part of a network error, after the host: what comes before
// are the layers it came through.
func cause(w *lang.Words, message string) string {
	message, _, _ = strings.Cut(message, " (possibly because of ")
	host := ""
	for _, step := range [...]string{"dial tcp ", "lookup "} {
		if _, rest, ok := strings.Cut(message, step); ok {
			host, _, _ = strings.Cut(rest, " ")
			host = strings.TrimSuffix(host, ":") + ": "
		}
	}
	if at := strings.LastIndex(message, ": "); at >= 0 {
		message = message[at+2:]
	}
	switch message {
	case "":
		return ""
	case "context deadline exceeded", "i/o timeout":
		message = w.T("timed out")
	case "connection refused":
		message = w.T("connection refused")
	case "connection reset by peer":
		message = w.T("connection reset by peer")
	case "no such host":
		message = w.T("no such host")
	case "network is unreachable":
		message = w.T("network is unreachable")
	}
	return " (" + host + message + ")"
}

// with adds what the server said.
func with(text, message string) string {
	if message == "" {
		return text
	}
	return text + ": " + message
}

// RetryAfter is how long the server asked to wait; 0 when it did not.
func RetryAfter(err error) time.Duration {
	var e *api.Error
	if errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}

// Plural returns a count with its English noun.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Clock returns a local time of day, with the date when that is not today.
func Clock(w *lang.Words, t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.YearDay() != now.YearDay() || t.Year() != now.Year() {
		return w.Time(t, "Jan 2 15:04")
	}
	return t.Format(time.TimeOnly)
}

// unreadNamed is how many items that could not be read are named.
const unreadNamed = 3

// Unread says which items of lists could not be read; empty for none.
func Unread(w *lang.Words, items []api.Unread) string {
	var names []string
	for _, u := range items {
		switch {
		case u.ID != "":
			names = append(names, string(u.ID))
		case u.Page > 0:
			names = append(names, w.Tf("%s, page %d, item %d", u.Route, u.Page, u.Row))
		case u.Row == 0:
			names = append(names, u.Route)
		default:
			names = append(names, w.Tf("%s, item %d", u.Route, u.Row))
		}
	}
	switch n := len(names) - unreadNamed; {
	case len(names) == 0:
		return ""
	case n > 0:
		names = append(names[:unreadNamed], w.Tf("%d more", n))
	}
	return w.Tn(len(items), "%d item in the API's answer cannot be read and is left out", "%d items in the API's answer cannot be read and are left out") + ": " + strings.Join(names, "; ")
}
