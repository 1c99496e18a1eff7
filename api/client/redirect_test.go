package client_test

import (
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
)

// elsewhere is a server that nobody is to reach.
type elsewhere struct{ requests, keys atomic.Int32 }

func (e *elsewhere) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.requests.Add(1)
	if r.Header.Get("Authorization") != "" {
		e.keys.Add(1)
	}
	answer(200, "application/json", cardBody)(w, r)
}

// TestNoRedirectIsFollowed has the service redirect every method with every
// status to five places: nobody there gets a request, and what happened is
// said.
func TestNoRedirectIsFollowed(t *testing.T) {
	other := new(elsewhere)
	plain, secure := httptest.NewServer(other), httptest.NewUnstartedServer(other)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	targets := map[string]string{
		"another path": "/elsewhere/v1/cards", "another port": secure.URL + "/v1/cards", "plain http": plain.URL + "/v1/cards",
		"another host":     "https://localhost:" + secure.URL[strings.LastIndex(secure.URL, ":")+1:] + "/v1/cards",
		"without a scheme": strings.TrimPrefix(secure.URL, "https:") + "/v1/cards",
	}
	good, all := 0, 0
	for place, target := range targets {
		for _, status := range []int{301, 302, 303, 307, 308} {
			var asked atomic.Int32
			c := newClient(t, func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				if strings.HasPrefix(r.URL.Path, "/elsewhere") {
					other.ServeHTTP(w, r)
					return
				}
				http.Redirect(w, r, target, status)
			})
			ok := true
			for i, e := range endpoints() {
				err := e.call(t.Context(), c)
				if !errors.Is(err, api.ErrRedirect) || !strings.Contains(err.Error(), "answered with a redirect") || int(asked.Load()) != i+1 {
					t.Errorf("%d to %s: %s: %v, %d requests", status, place, e.name, err, asked.Load())
					ok = false
				}
				noLeak(t, err)
			}
			all++
			if ok && other.requests.Load() == 0 {
				good++
			}
		}
	}
	t.Logf("%-60s %d of %d", "redirects: the second server sees nothing", good, all)
	if n, keys := other.requests.Load(), other.keys.Load(); n != 0 {
		t.Errorf("%d requests went elsewhere, %d with the key", n, keys)
	}
}

// TestABadAddressGetsNoPacket gives addresses at which somebody listens: not
// even a connection is made.
func TestABadAddressGetsNoPacket(t *testing.T) {
	var connections atomic.Int32
	server := httptest.NewUnstartedServer(answer(200, "application/json", cardBody))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	at := strings.TrimPrefix(server.URL, "http://")
	port := at[strings.LastIndex(at, ":")+1:]
	bad := []string{
		"http://user:pw@" + at + "/v1", "http://user@" + at + "/v1", "http://" + at, "http://" + at + "/", "http://" + at + "/v2",
		"http://" + at + "/v1/cards", "http://" + at + "/v1?x=1", "http://" + at + "/v1#x", "http://" + at + "/a/../v1", "http://" + at + "/%76%31/..",
		"ftp://" + at + "/v1", "//" + at + "/v1", at + "/v1", "http://0.0.0.0:" + port + "/v1", "http://2130706433:" + port + "/v1",
		"http://[::]:" + port + "/v1", "http://example.com@" + at + "/v1",
	}
	refused := 0
	for _, url := range bad {
		c, err := client.New(client.Config{BaseURL: url, Key: api.NewAPIKey(testKey)})
		if err == nil {
			t.Errorf("%s was taken", url)
			_, _ = c.WalletBalance(t.Context()) // It shows in the connections.
			continue
		}
		refused++
	}
	t.Logf("%-60s %d of %d", "bad addresses: refused before any packet", refused, len(bad))
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
}
