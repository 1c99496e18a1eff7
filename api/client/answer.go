package client

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"

	"github.com/cardtop/cardtop/api"
)

// decodeAnswer decodes an answer, or returns the error that it is.
func (c *Client) decodeAnswer(r request, a answer, decode func([]byte) error) *api.Error {
	switch {
	case a.status >= 300 && a.status < 400:
		return c.answerError(r, a, api.ErrRedirect, "")
	case a.status >= 400:
		return c.documentedError(r, a)
	case r.empty && len(a.body) == 0:
		return nil
	case !a.json:
		return c.answerError(r, a, api.ErrNotJSON, c.excerpt(r, a))
	}
	err := decode(a.body)
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return c.answerError(r, a, api.ErrBrokenJSON, "")
	case errors.As(err, &shape):
		// Its own text can quote the value.
		return c.answerError(r, a, api.ErrWrongShape, "field "+shape.Field+" has another type")
	}
	return c.answerError(r, a, api.ErrWrongShape, err.Error())
}

// documentedError returns the error of a 4xx or 5xx, read from the documented body
// (contract, Errors; ASSUMED 24).
func (c *Client) documentedError(r request, a answer) *api.Error {
	var body struct {
		Error     *string  `json:"error"`
		Message   api.Text `json:"message"`
		RequestID api.Text `json:"request_id"`
	}
	switch {
	case !a.json:
		return c.answerError(r, a, api.ErrNotJSON, c.excerpt(r, a))
	case !json.Valid(a.body):
		return c.answerError(r, a, api.ErrBrokenJSON, "")
	}
	if json.Unmarshal(a.body, &body) != nil || body.Error == nil || *body.Error == "" {
		return c.answerError(r, a, api.ErrWrongShape, "the error body is not the documented one")
	}
	e := c.answerError(r, a, nil, string(body.Message))
	e.ID = string(identifier(*body.Error, c.key))
	if id := identifier(string(body.RequestID), c.key); id != "" {
		e.RequestID = id
	}
	// A documented 4xx is the only answer that says a write was not done,
	// whatever its identifier (ASSUMED 9).
	e.Unknown = r.isWrite() && a.status >= http.StatusInternalServerError
	return e
}

// answerError returns an error about an answer that arrived.
func (c *Client) answerError(r request, a answer, kind error, message string) *api.Error {
	return &api.Error{
		Status: a.status, RetryAfter: a.retryAfter, RequestID: a.requestID,
		Message: api.Clean(c.key.Redact(string(api.Clean(message)))),
		Method:  r.method, Route: r.route,
		Kind: kind, Unknown: r.isWrite(),
	}
}

// networkError returns an error about an answer that did not arrive or was cut off.
// sent reports whether the request may have left this machine.
func (c *Client) networkError(r request, err error, sent bool) *api.Error {
	e := &api.Error{Method: r.method, Route: r.route, Kind: api.ErrUnreachable, Unknown: sent && r.isWrite()}
	e.Cause = contextCause(err)
	switch {
	case errors.Is(err, context.Canceled):
		e.Kind = context.Canceled
	case isTimeout(err):
		e.Message = "timed out"
	default:
		e.Message = api.Clean(c.key.Redact(string(api.Clean(networkText(err)))))
	}
	return e
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// networkText returns the text of a network error, except where it could quote the
// address of a proxy with its password.
func networkText(err error) string {
	var op *net.OpError
	if text := err.Error(); errors.As(err, &op) || !strings.Contains(text, "proxy") {
		return text
	}
	return "the proxy cannot be used"
}

// excerpt returns the beginning of a body that is not the service's, by which a
// captive portal can be recognised. Of an answer that may hold secrets it returns the
// media type only.
func (c *Client) excerpt(r request, a answer) string {
	const scanned, shown = 4 << 10, 80
	if r.sensitive || len(a.body) == 0 {
		return a.media
	}
	text := string(api.Clean(string(a.body[:min(len(a.body), scanned)])))
	text = c.key.Redact(strings.Join(strings.Fields(text), " "))
	runes := []rune(text)
	return string(runes[:min(len(runes), shown)])
}

// identifier removes what cannot be part of a machine identifier, and returns at
// most 80 characters; "" when the text holds the key.
func identifier(s string, key api.APIKey) api.Text {
	const longest = 80
	if !key.IsZero() && strings.Contains(s, key.Expose()) {
		return ""
	}
	s = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || r == ':' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, s)
	return api.Text(s[:min(len(s), longest)])
}

// contextCause returns the context error in err, or nil.
func contextCause(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return context.DeadlineExceeded
	}
	return nil
}
