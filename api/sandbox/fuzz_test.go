package sandbox

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// refusedWell fails unless an error is a refusal that the caller can read.
func refusedWell(t *testing.T, err error) {
	t.Helper()
	known := (*wire.Error)(nil)
	if !errors.As(err, &known) || known.Status < 400 || known.Status > 499 || known.Message == "" || !utf8.ValidString(known.Message) {
		t.Errorf("refused with %v", err)
	}
}

func FuzzQuery(f *testing.F) {
	c := quiet(f)
	c.newCard("5")
	f.Fuzz(func(t *testing.T, raw string) {
		q, err := wire.ParseQuery(raw)
		if err != nil {
			refusedWell(t, err)
			return
		}
		p := q.Page(25)
		if q.Err == nil && (p.Number < 1 || p.Size < 1 || p.Size > 100 || p.Offset() < 0) {
			t.Errorf("accepted %+v", p)
		}
		for _, path := range []string{"/v1/cards", "/v1/transactions", "/v1/3ds", "/v1/wallet/deposits", "/v1/wallet/deposit-address"} {
			serveOne(t, c, &http.Request{Method: "GET", URL: &url.URL{Path: path, RawQuery: raw}})
		}
	})
}

// FuzzServer sends any request: none is answered with a 5xx, and every refusal
// has the error body.
func FuzzServer(f *testing.F) {
	c := quiet(f)
	id := c.newCard("5")
	f.Fuzz(func(t *testing.T, method, path, body, key string) {
		q, err := http.NewRequest(method, "http://localhost", strings.NewReader(body))
		if err != nil || strings.Contains(path, "/sandbox/faults") {
			t.Skip() // Faults answer with what this looks for.
		}
		q.URL.Path = strings.ReplaceAll(path, "{card}", id)
		q.Header.Set("X-Idempotency-Key", key)
		serveOne(t, c, q)
	})
}

func serveOne(t *testing.T, c *client, q *http.Request) {
	t.Helper()
	if q.Header == nil {
		q.Header = http.Header{}
	}
	q.Header.Set("Authorization", "Bearer "+testKey)
	q.RemoteAddr = wire.InProcessAddr
	w := httptest.NewRecorder()
	c.server.Handler().ServeHTTP(w, q.WithContext(t.Context()))
	if w.Code >= 500 {
		t.Fatalf("%s %s: %d %s", q.Method, q.URL, w.Code, w.Body)
	}
	if w.Code >= 400 && q.Method != http.MethodHead {
		checkErrorBody(t, reply{status: w.Code, header: w.Header(), raw: w.Body.Bytes()})
	}
}
