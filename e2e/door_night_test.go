//go:build night

package e2e

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// strangerKey is the key of another account than that of binaryKey, rotatedKey the one that
// binaryKey is replaced by.
const (
	strangerKey = "sk_test_STRANGER0123456789"
	rotatedKey  = "sk_test_ROTATED0123456789"
)

// door is one address of several accounts: the key says which of them a request is about.
type door struct {
	address string

	mu      sync.Mutex
	current string
	rooms   map[string]*room
}

// room is an account behind a door.
type room struct {
	proxy  *httputil.ReverseProxy
	writes int
}

// openDoor serves sandboxes, whose own key is binaryKey, by the keys that reach them.
func openDoor(t *testing.T, sandboxes map[string]string) *door {
	t.Helper()
	d := &door{current: binaryKey, rooms: make(map[string]*room)}
	for key, address := range sandboxes {
		inner, err := url.Parse(strings.TrimSuffix(address, "/v1"))
		if err != nil {
			t.Fatal(err)
		}
		proxy := httputil.NewSingleHostReverseProxy(inner)
		proxy.ErrorLog = log.New(io.Discard, "", 0) // What is cut is cut on purpose.
		d.rooms[key] = &room{proxy: proxy}
	}
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	d.address = server.URL + "/v1"
	return d
}

// ServeHTTP passes a request on to the account of its key.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	in := d.rooms[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	if in != nil && r.Method != http.MethodGet {
		in.writes++
	}
	d.mu.Unlock()
	if in == nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"error":"invalid_api_key","message":"the key is not valid","code":401,"request_id":"req_door"}`))
		return
	}
	r.Header.Set("Authorization", "Bearer "+binaryKey)
	in.proxy.ServeHTTP(w, r)
}

// rotate replaces the key of the first account: the old one is refused from now on.
func (d *door) rotate() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rooms[rotatedKey] = d.rooms[d.current]
	delete(d.rooms, d.current)
	d.current = rotatedKey
}

// key is that of the first account.
func (d *door) key() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current
}

// writesOf is how many writes reached the account of a key.
func (d *door) writesOf(key string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rooms[key].writes
}
