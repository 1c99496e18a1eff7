package hub_test

import (
	"crypto/tls"
	"encoding/json"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/hub/identity"
)

// TestWhatIsNoRequestIsAnsweredAsDocumented: scripts read the errors of a hub as JSON.
func TestWhatIsNoRequestIsAnsweredAsDocumented(t *testing.T) {
	crew(t, func(s *site) {
		s.begin()
		cert, err := identity.Own(s.t.TempDir(), clock())
		must(s.t, err)
		for _, c := range []struct {
			request string
			server  *tls.Certificate
			client  bool
			status  int
			id      string
		}{
			{"GET /v1/cards HTTP/1.1\r\n\r\n", nil, false, 400, "invalid_request"},
			{"GET /v1/%zz HTTP/1.1\r\nHost: hub\r\n\r\n", nil, false, 400, "invalid_request"},
			{"GET /v1/cards HTTP/9.1\r\nHost: hub\r\n\r\n", nil, false, 505, "version_not_supported"},
			{"rubbish\r\n\r\n", nil, false, 400, "invalid_request"},
			{"GET /v1/cards HTTP/1.1\r\nHost: hub\r\nX-Long: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", nil, false, 431, "header_too_large"},
			{"POST /v1/cards HTTP/1.1\r\nHost: hub\r\nTransfer-Encoding: gzip\r\n\r\n", nil, false, 501, "not_implemented"},
			{"OPTIONS * HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n", nil, false, 401, "unauthorized"},
			{"rubbish\r\n\r\n", &cert, true, 400, "invalid_request"},
			{"GET /v1/cards HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n", &cert, true, 401, "unauthorized"},
			{"GET /v1/cards HTTP/1.1\r\nHost: hub\r\n\r\n", &cert, false, 400, "invalid_request"},
		} {
			dial, stop := s.serveOver(c.server)
			conn, err := dial.DialContext(s.t.Context(), "tcp", "hub")
			must(s.t, err)
			if c.client {
				conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
			}
			s.wantDocumented(conn, c.request, c.status, c.id)
			stop()
		}
	})
}

func (s *site) wantDocumented(conn net.Conn, request string, status int, id string) {
	s.t.Helper()
	go func() { _, _ = io.WriteString(conn, request) }() // It may be refused before it is read.
	answer, _ := io.ReadAll(conn)                        // What was answered counts.
	head, body, _ := strings.Cut(string(answer), "\r\n\r\n")
	var told struct {
		Error, Message string
		Code           int
		RequestID      string `json:"request_id"`
	}
	err := json.Unmarshal([]byte(body), &told)
	if err != nil || told.Error != id || told.Code != status || told.Message == "" || !strings.HasPrefix(told.RequestID, "req_") ||
		!strings.Contains(head, "Content-Type: application/json") || !strings.Contains(head, "X-Request-Id: "+told.RequestID) {
		s.t.Errorf("%.40q is answered with %.400q, %v", request, answer, err)
	}
	_ = conn.Close()
}
