package api

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
)

// request is one request before it is sent.
type request struct {
	method    string
	route     string
	path      string // escaped, below the base path
	query     url.Values
	body      []byte
	key       IdempotencyKey // a write has one, a read has none
	sensitive bool           // the answer holds secrets: it is never quoted
	empty     bool           // an answer without a body will do
}

func (r request) isWrite() bool { return r.key != "" }

// answer is what came back.
type answer struct {
	status     int
	body       []byte
	date       time.Time
	retryAfter time.Duration
	requestID  Text
	media      string // what the body is said to be, such as text/html
	json       bool
}

// do sends one request and hands the body of a good answer to decode. The
// body is wiped before do returns: decode must copy what it keeps.
func (c *Client) do(ctx context.Context, r request, decode func([]byte) error) error {
	return c.call(ctx, r, decode).Err
}

// call is do that tells of the request as well.
func (c *Client) call(ctx context.Context, r request, decode func([]byte) error) Call {
	if why := c.off(r); why != nil {
		return Call{Method: r.method, Route: r.route, Err: &Error{kind: why, Method: r.method, Route: r.route}}
	}
	start := c.now()
	a, err := c.exchange(ctx, r)
	if err == nil {
		err = c.judge(r, a, decode)
	}
	clear(a.body)
	call := Call{
		Method: r.method, Route: r.route, Status: a.status,
		Took: elapsed(start, c.now()), RequestID: a.requestID, Date: a.date,
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

// off tells why the client was made not to send a request; nil when it was not.
func (c *Client) off(r request) error {
	switch {
	case c.readOnly && r.method != http.MethodGet:
		return ErrReadOnly
	case c.noDetails && r.route == detailsRoute:
		return ErrNoDetails
	}
	return nil
}

// elapsed is how long after a moment another is, by the clock that ran further:
// the steady one stands still while the machine sleeps, and an answer that is
// read after a sleep was not given a moment ago.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}

// exchange makes one round trip within the time-out of the request.
func (c *Client) exchange(ctx context.Context, r request) (answer, *Error) {
	if err := ctx.Err(); err != nil {
		return answer{}, c.lost(r, err, false)
	}
	timeout := c.read
	if r.isWrite() {
		timeout = c.write
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var sent sending
	req, err := c.build(httptrace.WithClientTrace(limited, sent.trace()), r)
	if err != nil {
		return answer{}, invalid("the path of the request is not valid")
	}
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		c.dropDead(ctx, err)
		return answer{}, c.lost(r, err, sent.possible(err))
	}
	defer func() { _ = resp.Body.Close() }() // Nothing is left to lose here.
	a := c.header(resp)
	a.body, err = readAll(resp.Body, resp.ContentLength)
	if errors.Is(err, errTooLarge) {
		return a, c.fail(r, a, ErrTooLarge, "")
	}
	if err != nil {
		c.dropDead(ctx, err)
		e := c.lost(r, err, true)
		e.Status, e.RetryAfter = a.status, a.retryAfter
		return a, e
	}
	return a, nil
}

// dropDead gives up the idle connections after a time-out that was not the
// caller's: the network that lost one has most likely lost them all.
func (c *Client) dropDead(ctx context.Context, err error) {
	if ctx.Err() == nil && isTimeout(err) {
		c.ResetConnections()
	}
}

func (c *Client) build(ctx context.Context, r request) (*http.Request, error) {
	u, err := url.Parse(c.base.String() + r.path)
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

// maxBody is the longest answer that is read.
const maxBody = 4 << 20

var errTooLarge = errors.New("read body: too large")

// readAll reads a body of at most maxBody bytes. Buffers that it outgrows are
// wiped, so that a secret is in one place only.
func readAll(from io.Reader, length int64) ([]byte, error) {
	if length > maxBody {
		return nil, errTooLarge
	}
	const first = 4 << 10
	buf := make([]byte, 0, max(length+1, first))
	for {
		n, err := from.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case len(buf) > maxBody:
			clear(buf)
			return nil, errTooLarge
		case errors.Is(err, io.EOF):
			return buf, nil
		case err != nil:
			clear(buf)
			return nil, err
		}
		if len(buf) == cap(buf) {
			grown := make([]byte, len(buf), 2*cap(buf))
			copy(grown, buf)
			clear(buf)
			buf = grown
		}
	}
}

// longestMedia is how much is kept of what a body is said to be.
const longestMedia = 80

func (c *Client) header(resp *http.Response) answer {
	a := answer{status: resp.StatusCode, requestID: identifier(resp.Header.Get("X-Request-Id"), c.key)}
	now := c.now()
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		a.date, now = date.UTC(), date
	}
	a.retryAfter, _ = RetryAfter(resp.Header.Get("Retry-After"), now)
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err == nil {
		a.media = media[:min(len(media), longestMedia)]
	}
	a.json = a.media == "application/json" || strings.HasSuffix(a.media, "+json")
	return a
}

// segment escapes an identifier for a path. It refuses what would change the
// path: an empty text and the dot segments.
func segment[T ~string](what string, id T) (string, error) {
	if s := string(id); s != "" && s != "." && s != ".." {
		return url.PathEscape(s), nil
	}
	return "", invalid("%s id is missing", what)
}
