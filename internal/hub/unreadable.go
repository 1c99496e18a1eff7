package hub

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api"
)

// documented is a listener whose connections have errors in the documented form also where
// a request cannot be read: net/http answers those by itself, as plain text.
type documented struct{ net.Listener }

// Accept implements [net.Listener].
func (l documented) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &documentedConn{conn}, nil
}

type documentedConn struct{ net.Conn }

// plainError is what stands between the status line and the text of an answer of net/http
// by itself, which it writes at once. No answer of a hub is plain text.
const plainError = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// Write implements [net.Conn].
func (c *documentedConn) Write(b []byte) (int, error) {
	rest, answers := bytes.CutPrefix(b, []byte("HTTP/1.1 "))
	end := bytes.IndexByte(rest, '\r')
	if !answers || end < 0 || !bytes.HasPrefix(rest[end:], []byte(plainError)) {
		return c.Conn.Write(b)
	}
	status := rest[:end]
	if _, err := c.Conn.Write(unreadable(string(status))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Read implements [net.Conn]. Who speaks HTTP in the clear to TLS is told so.
func (c *documentedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	var header tls.RecordHeaderError
	if errors.As(err, &header) && header.Conn != nil && isHTTP(header.RecordHeader) {
		_, _ = header.Conn.Write(unreadable("400 this address speaks TLS: use https")) // Who asked may have gone.
	}
	return n, err
}

// isHTTP reports whether the first bytes of a connection are those of a request.
func isHTTP(b [5]byte) bool {
	switch string(b[:]) {
	case "GET /", "HEAD ", "POST ", "PUT /", "PATCH", "DELET", "OPTIO":
		return true
	}
	return false
}

// CloseWrite ends what is sent: net/http waits after it, so that the other end reads why.
func (c *documentedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// unreadable is the answer to a request that cannot be read, with a status and its text.
func unreadable(status string) []byte {
	number, text, _ := strings.Cut(status, " ")
	code, err := strconv.Atoi(number)
	if err != nil {
		code = http.StatusBadRequest
	}
	id := "invalid_request"
	switch code {
	case http.StatusRequestHeaderFieldsTooLarge:
		id = "header_too_large"
	case http.StatusNotImplemented:
		id, text = "not_implemented", "unsupported transfer encoding"
	case http.StatusHTTPVersionNotSupported:
		id = "version_not_supported"
	}
	request := newRequestID()
	body, _ := encode(errorBody{id, "the request cannot be read: " + string(api.Clean(text)), code, request}) // Strings and a number.
	var out bytes.Buffer
	fmt.Fprintf(&out, "HTTP/1.1 %d %s\r\n", code, http.StatusText(code))
	h := http.Header{"Content-Length": {strconv.Itoa(len(body))}, "Connection": {"close"}}
	setHeader(h, request)
	_ = h.Write(&out) // It is memory.
	out.WriteString("\r\n")
	out.Write(body)
	return out.Bytes()
}
