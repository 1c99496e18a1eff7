package api

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
)

// judge makes of an answer either a decoded object or an error.
func (c *Client) judge(r request, a answer, decode func([]byte) error) *Error {
	switch {
	case a.status >= 300 && a.status < 400:
		return c.fail(r, a, ErrRedirect, "")
	case a.status >= 400:
		return c.refusal(r, a)
	case r.empty && len(a.body) == 0:
		return nil
	case !a.json:
		return c.fail(r, a, ErrNotJSON, c.excerpt(r, a))
	}
	err := decode(a.body)
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return c.fail(r, a, ErrBrokenJSON, "")
	case errors.As(err, &shape):
		// Its own text can quote the value.
		return c.fail(r, a, ErrWrongShape, "field "+shape.Field+" has another type")
	}
	return c.fail(r, a, ErrWrongShape, err.Error())
}

// refusal reads the documented error body (contract, Errors; ASSUMED 24 says
// that every 4xx and 5xx has it).
func (c *Client) refusal(r request, a answer) *Error {
	var body struct {
		Error     *string `json:"error"`
		Message   Text    `json:"message"`
		RequestID Text    `json:"request_id"`
	}
	switch {
	case !a.json:
		return c.fail(r, a, ErrNotJSON, c.excerpt(r, a))
	case !json.Valid(a.body):
		return c.fail(r, a, ErrBrokenJSON, "")
	}
	if json.Unmarshal(a.body, &body) != nil || body.Error == nil || *body.Error == "" {
		return c.fail(r, a, ErrWrongShape, "the error body is not the documented one")
	}
	e := c.fail(r, a, nil, string(body.Message))
	e.ID = string(identifier(*body.Error, c.key))
	if id := identifier(string(body.RequestID), c.key); id != "" {
		e.RequestID = id
	}
	// A documented 4xx is the only answer that says a write was not done,
	// whatever its identifier (ASSUMED 9).
	e.unknown = r.isWrite() && a.status >= http.StatusInternalServerError
	return e
}

// fail is an error about an answer that came.
func (c *Client) fail(r request, a answer, kind error, message string) *Error {
	return &Error{
		Status: a.status, RetryAfter: a.retryAfter, RequestID: a.requestID,
		Message: Clean(c.key.hide(string(Clean(message)))),
		Method:  r.method, Route: r.route,
		kind: kind, unknown: r.isWrite(),
	}
}

// lost is an error about an answer that did not come whole.
func (c *Client) lost(r request, err error, sent bool) *Error {
	e := &Error{Method: r.method, Route: r.route, kind: ErrUnreachable, unknown: sent && r.isWrite()}
	e.cause = contextCause(err)
	switch {
	case errors.Is(err, context.Canceled):
		e.kind = context.Canceled
	case isTimeout(err):
		e.Message = "timed out"
	default:
		e.Message = Clean(c.key.hide(string(Clean(networkText(err)))))
	}
	return e
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// networkText keeps the text of a network error, except where it could quote
// the address of a proxy with its password.
func networkText(err error) string {
	var op *net.OpError
	if text := err.Error(); errors.As(err, &op) || !strings.Contains(text, "proxy") {
		return text
	}
	return "the proxy cannot be used"
}

// excerpt is the beginning of a body that is not ours, to recognise a captive
// portal by. Where the answer may hold secrets it is only what the body is said
// to be.
func (c *Client) excerpt(r request, a answer) string {
	const scanned, shown = 4 << 10, 80
	if r.sensitive || len(a.body) == 0 {
		return a.media
	}
	text := string(Clean(string(a.body[:min(len(a.body), scanned)])))
	text = c.key.hide(strings.Join(strings.Fields(text), " "))
	runes := []rune(text)
	return string(runes[:min(len(runes), shown)])
}

// identifier keeps the characters of machine identifiers, at most 80 of them.
func identifier(s string, key APIKey) Text {
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
	return Text(s[:min(len(s), longest)])
}
