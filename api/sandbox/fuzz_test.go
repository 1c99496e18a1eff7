package sandbox

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
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

func FuzzNewCard(f *testing.F) {
	f.Fuzz(func(t *testing.T, body string) {
		n, err := parseNewCard([]byte(body))
		if err != nil {
			refusedWell(t, err)
			return
		}
		switch {
		case n.amount < leastFunding || n.amount > mostFunding, n.bin.ID == "", utf8.RuneCountInString(n.label) > maxLabel,
			n.limit < 0 || n.limit > n.bin.MaxMonthly, n.autoFreeze < 0, len(n.metadata) > maxMetadata, n.categories == nil,
			!utf8.ValidString(n.label):
			t.Errorf("accepted %+v", n)
		}
		if _, err := wire.Encode(n.metadata); err != nil {
			t.Error(err)
		}
	})
}

func FuzzCardUpdate(f *testing.F) {
	f.Fuzz(func(t *testing.T, body string) {
		form, err := wire.ParseForm([]byte(body))
		if err != nil {
			refusedWell(t, err)
			return
		}
		k := &sim.Card{BIN: "424242", Limit: 100, Label: "before", Categories: []string{"7311"}}
		applyUpdate(form, k)
		if form.Err != nil {
			refusedWell(t, form.Err)
			return
		}
		if utf8.RuneCountInString(k.Label) > maxLabel || k.Limit < 0 || k.Limit > sim.BINOf(k.BIN).MaxMonthly || k.AutoFreezeAt < 0 || len(k.Metadata) > maxMetadata {
			t.Errorf("accepted %+v", k)
		}
		if _, err := wire.Encode(k.Metadata); err != nil {
			t.Error(err)
		}
	})
}

func FuzzAmounts(f *testing.F) {
	f.Fuzz(func(t *testing.T, body string) {
		amount, err := parseFunding([]byte(body))
		if err != nil {
			refusedWell(t, err)
		} else if amount < leastFunding || amount > mostFunding {
			t.Errorf("funded %s", amount)
		}
		if amount, err = parseWithdrawal([]byte(body)); err != nil {
			refusedWell(t, err)
		} else if amount < 1 {
			t.Errorf("withdrew %s", amount)
		}
	})
}

func FuzzWebhook(f *testing.F) {
	f.Fuzz(func(t *testing.T, body string) {
		w, err := parseWebhook([]byte(body), true)
		if err != nil {
			refusedWell(t, err)
			return
		}
		u, err := url.Parse(w.URL)
		if err != nil || u.Scheme != "https" && !isLoopback(u.Hostname()) || len(w.Events) == 0 {
			t.Errorf("accepted %+v", w)
		}
		if _, err := http.NewRequest("POST", w.URL, nil); err != nil {
			t.Errorf("nothing can be sent to %q: %v", w.URL, err)
		}
	})
}

func FuzzTrigger(f *testing.F) {
	f.Fuzz(func(t *testing.T, body string) {
		if one, err := parseFault([]byte(body)); err != nil {
			refusedWell(t, err)
		} else if one.Probability <= 0 || one.Probability > 1 || one.Latency < 0 || one.Times < 0 {
			t.Errorf("accepted %+v", one)
		}
		form, err := wire.ParseForm([]byte(body))
		if err != nil {
			refusedWell(t, err)
			return
		}
		if asked := parseTrigger(form); form.Err != nil {
			refusedWell(t, form.Err)
		} else if asked.amount < 0 || asked.amount > unit.MostCents || asked.kind == 0 {
			t.Errorf("accepted %+v", asked)
		}
	})
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
