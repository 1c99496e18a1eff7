//go:build long

package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// trouble is a way in which the service can fail, and what is seen of it.
type trouble struct {
	name string
	way  way    // nil: kind of the sandbox's own
	kind string //
	word string // of the header
	line string // at the foot of the screen
	// slow is how long a request of it takes; a code is asked for again after it.
	slow time.Duration
	// each lane finds out by itself that it is over: it is not the network.
	each bool
}

func troubles() []trouble {
	const second = 5 * time.Second // after which a request is given up
	return []trouble{
		{name: "refused", way: fails(errRefused), word: "✗ OFFLINE since", line: "the API does not answer (192.0.2.1:443: connection refused)"},
		{name: "reset", kind: "connection_reset", word: "✗ OFFLINE since", line: "the API does not answer (connection reset by peer)"},
		{name: "no such host", way: fails(errNoHost), word: "✗ OFFLINE since", line: "the API does not answer (api.example.com: no such host)"},
		{name: "not trusted", way: fails(errNoTrust), word: "✗ OFFLINE since", line: "the API does not answer (certificate signed by unknown authority)"},
		{name: "ten seconds late", way: late(10 * time.Second), word: "✗ OFFLINE since", line: "the API does not answer (timed out)", slow: second},
		{name: "dripping", way: dripping(500 * time.Millisecond), word: "✗ OFFLINE since", line: "the API does not answer (timed out)", slow: second},
		{name: "endless", way: dripping(0), word: "late ", line: "the answer is too large to be read, a proxy's perhaps", each: true},
		{name: "cut off", kind: "cut_body", word: "✗ OFFLINE since", line: "the API does not answer (unexpected EOF)"},
		{name: "half of the JSON", way: halved, word: "late ", line: "the answer says it is JSON, and is cut off or broken (", each: true},
		{name: "another shape", way: answers(200, "application/json", `{"data":5}`), word: "late ", line: "the answer is not what the API is known to give, of another version perhaps: field", each: true},
		{name: "500", kind: "server_error", word: "late ", line: "the API failed (500): internal error", each: true},
		{name: "a gateway's page", kind: "bad_gateway", word: "late ", line: "the API failed (502): text/html", each: true},
		{name: "a portal's page", way: answers(200, "text/html", "<html>Log in to the Wi-Fi</html>"), word: "late ", line: "the answer is not JSON, a captive portal or proxy perhaps: text/html", each: true},
		{name: "a portal's redirect", way: answers(302, "text/html", "", "Location", "http://portal.example/"), word: "late ", line: "a redirect, which is never followed: check the base URL", each: true},
		{name: "a refused key", way: refusal(401, "unauthorized", "invalid API key"), word: "✗ key refused", line: "the API refused the key: replace it, cardtop doctor says where it is from", each: true},
		{name: "a gateway's 401", way: answers(401, "text/html", "<html>Authorization required</html>"), word: "✗ key refused", line: "the API refused the key: replace it, cardtop doctor says where it is from", each: true},
		{name: "a 401 of another shape", way: answers(401, "application/json", `{"message":"no"}`), word: "✗ key refused", line: "the API refused the key: replace it, cardtop doctor says where it is from", each: true},
		{name: "429 that tells nothing", kind: "rate_limit_bare", word: "limited, ", line: "the API's rate limit is reached", each: true},
	}
}

func (x trouble) begin(d *driver, g *gate) {
	if x.way != nil {
		g.set(x.way)
		return
	}
	d.control(http.MethodPost, "/sandbox/faults", map[string]any{"kind": x.kind})
}

func (x trouble) end(d *driver, g *gate) {
	g.set(nil)
	d.control(http.MethodDelete, "/sandbox/faults", nil)
}

// TestEveryTroubleIsSeenAndOutlived plays the same story with each way to fail.
func TestEveryTroubleIsSeenAndOutlived(t *testing.T) {
	t.Parallel()
	for _, x := range troubles() {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			troubled(t, options{cards: 12}, func(d *driver, g *gate) {
				card := d.active()
				d.see("● live", "1 Cards  12")
				before := d.wallet()

				began := clock()
				x.begin(d, g)
				d.wait(6500 * time.Millisecond)
				d.see(x.word, x.line)
				d.seeNot("● live")
				d.charge(card, 0, 3)
				d.wearOn(32 * time.Second)
				d.reaches("STALE on every pane", 10*time.Second, func(s string) bool { return strings.Count(s, "STALE") == len(panesOf()) })
				d.feet("STALE")
				d.see(x.word, x.line, "1 Cards  12")
				if now := d.wallet(); now != before {
					t.Errorf("without an answer the wallet turned from %s into %s", before, now)
				}
				d.charge(card, 3, 6)
				word, _, _ := strings.Cut(x.word, ",")
				d.wearOn(30*time.Second, strings.TrimSuffix(word, " since"), "$12,480.22", "STALE")
				x.asksOn(d, g, began)

				d.recovers(g, card, func() { x.end(d, g) }, 5*time.Second+x.slow/10, x.slow == 0 && !x.each)
				limit := 5*time.Second + x.slow
				if x.each {
					limit = 31 * time.Second
				}
				d.reaches("fresh screen", limit, fresh)
				d.see("1 Cards  12", "3 Transactions  live")
				d.seeNot(x.line, "STALE")
				d.whole(6)
			})
		})
	}
}

// wearOn lets time pass on the smallest screen, which costs a test the least,
// and looks at what is seen there.
func (d *driver) wearOn(span time.Duration, texts ...string) {
	d.t.Helper()
	d.resize(40, 12)
	d.wait(span)
	d.see(texts...)
	d.resize(160, 45)
}

// asksOn tells that nothing stopped asking, and that nothing asked too much.
func (x trouble) asksOn(d *driver, g *gate, began time.Time) {
	d.t.Helper()
	sent := g.since(began)
	span := clock().Sub(began)
	for path, every := range map[string]time.Duration{
		"/v1/3ds": 4*time.Second + x.slow, "/v1/wallet/balance": 30*time.Second + x.slow,
		"/v1/transactions": 30*time.Second + x.slow, "/v1/cards": 30*time.Second + x.slow,
	} {
		last := began
		for _, s := range append(sent, sentAt(path, clock())) {
			if s.path != path {
				continue
			}
			if pause := s.at.Sub(last); pause > every+time.Second {
				d.t.Errorf("%s was not asked for during %v", path, pause)
			}
			last = s.at
		}
	}
	if most := int(span/time.Second) + 30; len(sent) > most {
		d.t.Errorf("%d requests in %v of trouble", len(sent), span)
	}
}

func sentAt(path string, at time.Time) sent { return sent{path, at} }

// recovers ends a trouble at the worst moment, right after a code was asked
// for: a new code must be on the screen in time, and be asked for first.
func (d *driver) recovers(g *gate, card string, end func(), limit time.Duration, network bool) {
	d.t.Helper()
	d.challenge(card, "Just Before", "604913", 25)
	for from := clock().Add(time.Nanosecond); !slices.ContainsFunc(g.since(from), isCodes); {
		if clock().Sub(from) > time.Minute {
			d.t.Fatal("no code is asked for any more")
		}
		d.wait(10 * time.Millisecond)
	}
	end()
	back := clock().Add(time.Nanosecond)
	d.reaches("code that came meanwhile", limit, shows("604 913"))
	if network {
		d.codesFirst(g, back)
	}
}

// codesFirst looks that nothing was asked for before the codes. What is due at
// the same moment leaves in any order.
func (d *driver) codesFirst(g *gate, from time.Time) {
	d.t.Helper()
	first := g.since(from)
	if codes := slices.IndexFunc(first, isCodes); codes < 0 || !first[codes].at.Equal(first[0].at) {
		d.t.Errorf("the first requests were %v", first[:min(len(first), codes+5)])
	}
}

// active gives the id of a card that can be charged.
func (d *driver) active() string {
	d.t.Helper()
	return text(d.t, objects(d.t, d.api(http.MethodGet, "/cards?status=active", nil)["data"])[0]["id"])
}

// wallet is the balance in the header.
func (d *driver) wallet() string {
	d.t.Helper()
	_, after, _ := strings.Cut(d.line("wallet $"), "wallet ")
	sum, _, _ := strings.Cut(after, " ")
	return sum
}

// charge has merchants hold a dollar each on a card.
func (d *driver) charge(card string, from, to int) {
	d.t.Helper()
	for i := from; i < to; i++ {
		d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": card, "type": "authorization", "amount": 1, "merchant": fmt.Sprintf("Store No%d ", i)})
	}
}

// whole looks that every card and every charge is on the screen once. It is
// for accounts that the screen has room for.
func (d *driver) whole(charges int) {
	d.t.Helper()
	screen := d.screen()
	for i := range charges {
		if n := strings.Count(screen, fmt.Sprintf("Store No%d ", i)); n != 1 {
			d.t.Errorf("the charge of store %d is on the screen %d times", i, n)
		}
	}
	cards := objects(d.t, d.api(http.MethodGet, "/cards?per_page=100", nil)["data"])
	if n := strings.Count(screen, "•••• "); n != len(cards) {
		d.t.Errorf("%d of %d cards are on the screen", n, len(cards))
	}
	for _, c := range cards {
		if n := strings.Count(screen, "•••• "+text(d.t, c["last4"])); n != 1 {
			d.t.Errorf("card •••• %s is on the screen %d times", c["last4"], n)
		}
	}
}
