package client_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
)

// rawServer hands every connection to a function and closes it afterwards.
func rawServer(t *testing.T, serve func(net.Conn)) *client.Client {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serve(conn)
			_ = conn.Close()
		}
	}()
	c, err := client.New(client.Config{BaseURL: "http://" + l.Addr().String() + "/v1", Key: api.NewAPIKey(testKey)})
	must(t, err)
	return c
}

// TestAnswerCutAtEveryByte funds a card on a server that always acts, and
// loses its answer after every number of bytes: nothing but the whole answer
// may be taken for done, and no part of it for refused.
func TestAnswerCutAtEveryByte(t *testing.T) {
	for name, response := range map[string]string{
		"length":  fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(fundBody), fundBody),
		"close":   "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + fundBody,
		"chunked": fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(fundBody), fundBody),
	} {
		t.Run(name, func(t *testing.T) {
			cut := 0
			c := rawServer(t, func(conn net.Conn) {
				if req, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					_, _ = io.Copy(io.Discard, req.Body)
					_, _ = io.WriteString(conn, response[:cut])
				}
			})
			for ; cut <= len(response); cut++ {
				_, err := sends[api.FundResult](t.Context(), c, idemKey)(api.FundWrite("card_1", 5*api.Dollar))
				want := api.Unknown
				if cut == len(response) {
					want = api.Done
				}
				if got := api.Outcome(err); got != want {
					t.Fatalf("cut after %d of %d bytes: %s, %v", cut, len(response), got, err)
				}
				c.ResetConnections()
			}
		})
	}
}

// TestRequestCutAtEveryByte hangs up after every number of bytes read.
func TestRequestCutAtEveryByte(t *testing.T) {
	const long = 260 // about the length of the request
	for cut := range long {
		c := rawServer(t, func(conn net.Conn) {
			_, _ = io.CopyN(io.Discard, conn, int64(cut))
		})
		_, err := sends[api.FundResult](t.Context(), c, idemKey)(api.FundWrite("card_1", 5*api.Dollar))
		if got := api.Outcome(err); got != api.Unknown {
			t.Fatalf("cut after %d bytes: %s, %v", cut, got, err)
		}
	}
}
