package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// request is one request before it is sent.
type request struct {
	method    string
	route     string
	path      string // escaped, below the base path
	query     url.Values
	body      []byte
	key       api.IdempotencyKey // of a write; empty for a read
	sensitive bool               // the answer has secrets and is never quoted
	empty     bool               // an answer without a body is accepted
	hub       bool               // the path is below that of a hub and not of the API
	tells     bool               // it tells a team something and changes nothing
	unread    *[]api.Unread      // what of a list could not be read, once it is decoded; nil for no list
}

func (r request) isWrite() bool { return r.key != "" }

// answer is the response of the service.
type answer struct {
	status     int
	body       []byte
	date       time.Time
	retryAfter time.Duration
	requestID  api.Text
	media      string // media type, such as text/html
	json       bool
}

// do sends one request and passes the body of a good answer to decode. The body is
// wiped before do returns, so decode must copy.
func (c *Client) do(ctx context.Context, r request, decode func([]byte) error) error {
	return c.call(ctx, r, decode).Err
}

// call is do that returns the call as well.
func (c *Client) call(ctx context.Context, r request, decode func([]byte) error) api.Call {
	if why := c.disabled(r); why != nil {
		return api.Call{Method: r.method, Route: r.route, Err: &api.Error{Kind: why, Method: r.method, Route: r.route}}
	}
	start := c.now()
	a, err := c.exchange(ctx, r)
	if err == nil {
		err = c.decodeAnswer(r, a, decode)
	}
	c.wipe(a.body)
	call := api.Call{
		Method: r.method, Route: r.route, Status: a.status,
		Took: elapsed(start, c.now()), RequestID: a.requestID, Date: a.date,
	}
	if r.unread != nil {
		call.Unread = *r.unread
	}
	if err != nil {
		call.Err = err
		if err.RequestID != "" {
			call.RequestID = err.RequestID
		}
	}
	c.observe(call)
	return call
}

// disabled returns why the configuration forbids a request, or nil.
func (c *Client) disabled(r request) error {
	switch {
	case c.readOnly && r.method != http.MethodGet && !r.tells:
		return api.ErrReadOnly
	case c.noDetails && r.route == detailsRoute:
		return api.ErrNoDetails
	}
	return nil
}

// elapsed returns the time between two readings by whichever of the monotonic and the
// wall clock advanced more: the monotonic one stops while the machine sleeps.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}

// exchange makes one round trip within the time-out of the request.
func (c *Client) exchange(ctx context.Context, r request) (answer, *api.Error) {
	if err := ctx.Err(); err != nil {
		return answer{}, c.networkError(r, err, false)
	}
	timeout := c.read
	if r.isWrite() {
		timeout = c.write
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var sent sendTrace
	req, err := c.build(httptrace.WithClientTrace(limited, sent.clientTrace()), r)
	if err != nil {
		return answer{}, api.Invalid("the path of the request is not valid")
	}
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		c.dropConnections(ctx, err)
		return answer{}, c.networkError(r, err, sent.maybeSent(err))
	}
	defer func() { _ = resp.Body.Close() }() // The body has been read.
	a := c.readHeader(resp)
	a.body, err = c.readAll(resp.Body, resp.ContentLength)
	if errors.Is(err, errTooLarge) {
		return a, c.answerError(r, a, api.ErrTooLarge, "")
	}
	if err != nil {
		c.dropConnections(ctx, err)
		e := c.networkError(r, err, true)
		e.Status, e.RetryAfter = a.status, a.retryAfter
		return a, e
	}
	return a, nil
}

// dropConnections closes idle connections after a time-out that was not the caller's:
// the network that lost one has most likely lost them all.
func (c *Client) dropConnections(ctx context.Context, err error) {
	if ctx.Err() == nil && isTimeout(err) {
		c.ResetConnections()
	}
}

func (c *Client) build(ctx context.Context, r request) (*http.Request, error) {
	base := c.base.String()
	if r.hub {
		base = strings.TrimSuffix(base, "/v1") + "/hub/v1"
	}
	u, err := url.Parse(base + r.path)
	if err != nil {
		return nil, err
	}
	u.RawQuery = r.query.Encode()
	var body io.Reader
	if len(r.body) > 0 {
		body = bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, u.String(), body)
	if err != nil {
		return nil, err
	}
	// Without GetBody, net/http cannot send a body a second time.
	req.GetBody = nil
	req.Header.Set("Authorization", "Bearer "+c.key.Expose())
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.userAgent)
	if r.sensitive {
		// An inflater would keep copies of the answer.
		req.Header.Set("Accept-Encoding", "identity")
	}
	if len(r.body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.isWrite() {
		req.Header.Set(idempotencyHeader, string(r.key))
	}
	return req, nil
}

// maxBody is the longest answer that is read, in bytes.
const maxBody = 4 << 20

var errTooLarge = errors.New("read body: too large")

// readAll reads a body of at most maxBody bytes. Buffers that it outgrows are wiped,
// so that a secret is in one place only.
func (c *Client) readAll(from io.Reader, length int64) ([]byte, error) {
	if length > maxBody {
		return nil, errTooLarge
	}
	const first = 4 << 10
	buf := c.buffer(int(max(length+1, first)))
	for {
		n, err := from.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case len(buf) > maxBody:
			c.wipe(buf)
			return nil, errTooLarge
		case errors.Is(err, io.EOF):
			return buf, nil
		case err != nil:
			c.wipe(buf)
			return nil, err
		}
		if len(buf) == cap(buf) {
			grown := c.buffer(2 * cap(buf))[:len(buf)]
			copy(grown, buf)
			c.wipe(buf)
			buf = grown
		}
	}
}

// keptBody is the longest buffer of a body that is kept for the next one, in bytes: a page of a list takes less.
const keptBody = 128 << 10

// buffer returns an empty buffer with room for a body: one that was wiped, as long as the collector left it, or a new
// one.
func (c *Client) buffer(room int) []byte {
	if kept, ok := c.bodies.Get().(*[]byte); ok && cap(*kept) >= room {
		return (*kept)[:0]
	}
	return make([]byte, 0, room)
}

// wipe overwrites a body, of which nobody has a part any more.
func (c *Client) wipe(body []byte) {
	clear(body)
	if cap(body) > 0 && cap(body) <= keptBody {
		c.bodies.Put(&body)
	}
}

// longestMedia is the longest media type that is kept, in bytes.
const longestMedia = 80

func (c *Client) readHeader(resp *http.Response) answer {
	a := answer{status: resp.StatusCode, requestID: identifier(resp.Header.Get("X-Request-Id"), c.key)}
	now := c.now()
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		a.date, now = date.UTC(), date
	}
	a.retryAfter, _ = ParseRetryAfter(resp.Header.Get("Retry-After"), now)
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err == nil {
		a.media = media[:min(len(media), longestMedia)]
	}
	a.json = a.media == "application/json" || strings.HasSuffix(a.media, "+json")
	return a
}
