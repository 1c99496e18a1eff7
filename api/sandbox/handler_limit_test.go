package sandbox

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// times sends a request n times and returns how many were not refused.
func (c *client) times(n int, method, path, body string) (granted int, last reply) {
	for range n {
		if last = c.send(method, path, body); last.status != 429 {
			granted++
		}
	}
	return granted, last
}

func TestRateLimits(t *testing.T) {
	t.Parallel()
	c := open(t, Config{Quiet: true, Cards: -1, Wallet: "100000", APIKeys: []string{testKey, "sk_test_second"}})
	c.send("GET", "/nothing", "").want(404) // What is not found counts too.
	granted, last := c.times(1003, "GET", "/bins", "")
	granted++
	if granted != 1000 {
		t.Errorf("%d requests in a minute", granted)
	}
	last.want(429, "rate_limited")
	if got := last.header.Get("Retry-After"); got != "60" {
		t.Errorf("Retry-After %q", got)
	}
	c.key = "sk_test_second"
	c.send("GET", "/bins", "").want(200) // Windows are per key.
	c.key = testKey
	c.now.advance(59*time.Second + 999*time.Millisecond)
	if last := c.send("GET", "/bins", "").want(429); last.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", last.header.Get("Retry-After"))
	}
	c.now.advance(time.Millisecond)
	c.send("GET", "/bins", "").want(200)
}

func TestCreationAndDetailLimits(t *testing.T) {
	c := open(t, Config{Quiet: true, Cards: -1, Wallet: "100000"})
	granted, last := c.times(55, "POST", "/cards", `{"bin_id":"424242","amount":1}`)
	if granted != 50 {
		t.Errorf("%d cards in a minute", granted)
	}
	last.want(429, "rate_limited")
	ids := c.send("GET", "/cards", "").ids()
	for i := range 31 {
		// All cards share the limit.
		r := c.send("GET", fmt.Sprintf("/cards/%s/details", ids[i%len(ids)]), "")
		if want := 200 + 229*(i/30); r.status != want {
			t.Errorf("details %d: %d", i+1, r.status)
		}
	}
	c.send("GET", "/cards", "").want(200)
	c.now.advance(time.Minute)
	c.send("POST", "/cards", `{"bin_id":"424242","amount":1}`).want(201)
}

func TestNoLimitsStillLimitsDetails(t *testing.T) {
	c := open(t, Config{Quiet: true, NoLimits: true, Cards: -1, Wallet: "100000"})
	for range wire.RequestsPerHour + 1 {
		if f := c.server.limits.Take("a", wire.CostCreation, unit.InstantOf(c.now.now())); f != nil {
			t.Fatal(f)
		}
	}
	if granted, _ := c.times(40, "GET", "/cards/"+c.newCard("1")+"/details", ""); granted != 30 {
		t.Errorf("%d details granted", granted)
	}
}
