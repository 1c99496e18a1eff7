package sandbox

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestControlIsForThisMachine(t *testing.T) {
	c := quiet(t)
	for _, r := range []struct {
		remote, host string
		status       int
	}{
		{"127.0.0.1:5", "127.0.0.1:8787", 200},
		{"127.0.0.1:5", "localhost", 200},
		{"[::1]:5", "[::1]:8787", 200},
		{"[::ffff:127.0.0.1]:5", "localhost:1", 200},
		{"10.0.0.1:5", "127.0.0.1", 403},
		{"[fe80::1]:5", "localhost", 403},
		{"127.0.0.1:5", "rebound.test:8787", 403},
		{"127.0.0.1:5", "127.0.0.1.rebound.test", 403},
		{"", "localhost", 403},
		{"in-process", "any.test", 200},
	} {
		q := httptest.NewRequest("GET", "/sandbox/report", nil)
		q.RemoteAddr, q.Host = r.remote, r.host
		w := httptest.NewRecorder()
		c.server.Handler().ServeHTTP(w, q)
		if w.Code != r.status {
			t.Errorf("from %s as %s: %d, want %d", r.remote, r.host, w.Code, r.status)
		}
	}
	page := httptest.NewRequest("POST", "/sandbox/challenges/3ds_x/expire", nil)
	page.RemoteAddr, page.Host = "127.0.0.1:5", "127.0.0.1"
	page.Header.Set("Origin", "https://page.test")
	answer := httptest.NewRecorder()
	c.server.Handler().ServeHTTP(answer, page)
	if answer.Code != http.StatusForbidden {
		t.Errorf("a web page reached the control: %d", answer.Code)
	}
	// Without its origin a page still cannot send JSON before asking.
	q := httptest.NewRequest("POST", "/sandbox/clock", strings.NewReader(`{"advance_seconds":5}`))
	q.RemoteAddr, q.Host = "127.0.0.1:5", "127.0.0.1"
	for _, kind := range []string{"", "text/plain"} {
		q.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		c.server.Handler().ServeHTTP(w, q)
		if w.Code != http.StatusBadRequest {
			t.Errorf("%q: %d", kind, w.Code)
		}
	}
	c.key = ""
	c.send("GET", "/sandbox/report", "").want(200)
	c.send("GET", "/sandbox/nothing", "").want(404, "not_found")
	c.send("GET", "/sandbox", "").want(404, "not_found")
	c.send("GET", "/sandbox/clock", "").want(405, "method_not_allowed")
}

func TestRefusedTriggers(t *testing.T) {
	c := quiet(t)
	id := c.newCard("50")
	card := `"card_id":"` + id + `",`
	for _, r := range []struct {
		path, body string
		status     int
	}{
		{"/transactions", `{}`, 400},
		{"/transactions", `{"card_id":"card_x","type":"settlement","amount":1}`, 404},
		{"/transactions", `{` + card + `"type":"gift","amount":1}`, 400},
		{"/transactions", `{` + card + `"type":"settlement"}`, 400},
		{"/transactions", `{` + card + `"type":"settlement","amount":0}`, 400},
		{"/transactions", `{` + card + `"type":"settlement","amount":-1}`, 400},
		{"/transactions", `{` + card + `"type":"settlement","amount":1.001}`, 400},
		{"/transactions", `{` + card + `"type":"settlement","amount":1,"merchant":7}`, 400},
		{"/transactions", `{` + card + `"type":"settlement","amount":1,"decline_reason":"card_frozen"}`, 400},
		{"/transactions", `{` + card + `"type":"decline","amount":1,"decline_reason":"mood"}`, 400},
		{"/challenges", `{"card_id":"card_x"}`, 404},
		{"/challenges", `{"card_id":7}`, 400},
		{"/challenges", `{` + card + `"amount":0}`, 400},
		{"/challenges", `{` + card + `"otp":"12345"}`, 400},
		{"/challenges", `{` + card + `"otp":"12345x"}`, 400},
		{"/challenges/3ds_x/complete", ``, 404},
		{"/challenges/3ds_x/expire", ``, 404},
		{"/deposits", `{"currency":"doge","amount_usd":5}`, 400},
		{"/deposits", `{"currency":"btc"}`, 400},
		{"/deposits", `{"currency":"btc","amount_usd":0}`, 400},
		{"/deposits", `{"currency":"btc","amount_usd":1e15}`, 400},
		{"/deposits", `{"currency":"btc","amount_usd":5,"status":"lost"}`, 400},
		{"/deposits/dep_x/confirm", ``, 404},
		{"/clock", `{}`, 400},
		{"/clock", `{"advance_seconds":0}`, 400},
		{"/clock", `{"advance_seconds":-5}`, 400},
		{"/clock", `{"advance_seconds":1.5}`, 400},
		{"/clock", `{"advance_seconds":1e12}`, 400},
	} {
		r2 := c.send("POST", "/sandbox"+r.path, r.body).want(r.status)
		if r2.text("message") == "" {
			t.Errorf("%s %s: no message", r.path, r.body)
		}
	}
	c.audit()
}

func TestClockGoesForward(t *testing.T) {
	t.Parallel()
	c := open(t, Config{NoLimits: true}) // With traffic scheduled, which comes due.
	before := c.send("GET", "/transactions", "").text("pagination.total")
	r := c.send("POST", "/sandbox/clock", `{"advance_seconds":3600}`).want(200)
	if r.text("now") != "2026-03-14T16:09:26.000Z" || r.text("ahead_seconds") != "3600" {
		t.Errorf("clock %s", r.raw)
	}
	if got := c.send("GET", "/bins", "").header.Get("Date"); got != "Sat, 14 Mar 2026 16:09:26 GMT" {
		t.Errorf("Date %q", got)
	}
	if after := c.send("GET", "/transactions", "").text("pagination.total"); after == before {
		t.Error("nothing came due in an hour")
	}
	if n := len(c.send("GET", "/3ds?status=pending", "").list()); n != 0 {
		t.Errorf("%d challenges are pending after an hour", n)
	}
	if n := len(c.send("GET", "/wallet/deposits?status=pending", "").list()); n != 0 {
		t.Errorf("%d deposits are pending after an hour", n)
	}
	if id := c.newCard("5"); c.send("GET", "/cards/"+id, "").text("created_at") != "2026-03-14T16:09:26.000Z" {
		t.Error("a new card is not of the present")
	}
	c.audit()
}

func TestReport(t *testing.T) {
	c := quiet(t)
	body := `{"bin_id":"424242","amount":5}`
	c.send("POST", "/cards", body, key("a")...).want(201)
	c.send("POST", "/cards", body, key("a")...).want(201)
	c.send("POST", "/cards", body, key("b")...).want(201)
	c.send("POST", "/cards", `{}`).want(400)
	c.now.advance(2 * time.Minute)
	c.times(7, "GET", "/cards/card_x", "")
	c.send("GET", "/nothing", "").want(404)
	c.key = "sk_test_wrong"
	c.send("GET", "/bins", "").want(401)
	r := c.send("GET", "/sandbox/report", "").want(200)
	for path, want := range map[string]string{
		"requests.POST /cards.201": "3", "requests.POST /cards.400": "1", "requests.GET /cards/{card_id}.404": "7",
		"requests.unknown.404": "1", "requests.unauthorized.401": "1", "total": "13", "most_in_a_minute": "9",
		"most_in_an_hour": "13", "replayed_answers": "1", "duplicated_effects.POST /cards": "1",
	} {
		if got := r.text(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}
