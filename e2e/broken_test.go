package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/secrets"
)

// broken is an answer that is not what the contract tells.
type broken struct {
	name, media, body string
	status            int
}

func brokens() []broken {
	const js = "application/json"
	ok := func(name, body string) broken { return broken{name, js, body, http.StatusOK} }
	return []broken{
		ok("nothing", ""), ok("blanks", " \n "), ok("null", "null"), ok("true", "true"), ok("a number", "4111222233334444"),
		ok("text", `"4111222233334444"`), ok("an array of numbers", "[1,2,3]"), ok("data that is null", `{"data":null,"balance":null}`),
		ok("data that is a number", `{"data":5,"balance":"x"}`), ok("data that is an object", `{"data":{},"balance":{}}`),
		ok("rows that are numbers", `{"data":[5],"balance":[]}`), ok("rows that are null", `{"data":[null],"balance":null}`),
		ok("rows without an id", `{"data":[{}],"balance":""}`), ok("an id that is a number", `{"data":[{"id":5}],"id":5,"balance":true}`),
		ok("a comma in an amount", `{"data":[{"id":"card_1","balance":"1,50","amount":"1,50"}],"balance":"1,50"}`),
		ok("a number without end", `{"data":[{"id":"card_1","balance":1e999,"amount":1e999}],"balance":1e999}`),
		ok("half", `{"data":[{"id":"card_1"`), ok("two objects", `{"data":[]}{"data":[]}`), ok("more behind it", `{"data":[]} x`),
		ok("a page", "<html>Sign in</html>"), ok("a mark before it", "\xef\xbb\xbf<{}"), ok("UTF-16", "{\x00\"\x00d\x00"), ok("zeros", strings.Repeat("\x00", 64)),
		ok("nested deep", strings.Repeat("[", 100_000)), ok("bytes that are no text", "{\"data\":[{\"id\":\"\xff\xfe\xfd"),
		{"a page of its own kind", "text/html", "<html>Sign in to the Wi-Fi</html>", http.StatusOK},
		{"plain text", "text/plain", "ok", http.StatusOK},
		{"no kind", "", `{"data":[]}`, http.StatusOK},
		{"an error that succeeds", js, `{"error":"server_error","message":"no"}`, http.StatusAccepted},
		{"a gateway", "text/html", "<html>502</html>", http.StatusBadGateway},
	}
}

// some leaves most out where no proof is asked for.
func some(all []broken) []broken {
	if thorough() {
		return all
	}
	return []broken{all[0], all[10], all[16], all[19], all[27]}
}

// TestBrokenAnswersChangeNothing gives every broken answer to everything that
// is read: what was known stays, and the program goes on.
func TestBrokenAnswersChangeNothing(t *testing.T) {
	t.Parallel()
	parts := map[string]func(state.Snapshot, *state.Store) any{
		"/v1/cards":           func(s state.Snapshot, _ *state.Store) any { return cardsOf(s) },
		"/v1/wallet/balance":  func(s state.Snapshot, _ *state.Store) any { return s.Wallet },
		"/v1/wallet/deposits": func(s state.Snapshot, _ *state.Store) any { return s.Deposits },
		"/v1/transactions":    func(s state.Snapshot, _ *state.Store) any { return newestOf(s) },
		"/v1/3ds":             func(_ state.Snapshot, s *state.Store) any { return codesOf(s) },
		"/details":            nil,
	}
	for path, part := range parts {
		t.Run(strings.TrimPrefix(path, "/v1"), func(t *testing.T) {
			t.Parallel()
			good := 0
			troubled(t, options{cards: 12}, func(d *driver, g *gate) {
				if part == nil {
					good = d.brokenDetails(g)
					return
				}
				for _, b := range some(brokens()) {
					d.reaches("fresh screen", time.Minute, fresh)
					d.wait(time.Second)
					before := d.part(part)
					from := clock()
					g.set(only(func(p string) bool { return p == path }, answers(b.status, b.media, b.body)))
					for len(d.asked(g, path, from)) == 0 {
						d.wait(100 * time.Millisecond)
					}
					d.wait(100 * time.Millisecond)
					if after := d.part(part); same(t, before, after) {
						good++
					} else {
						t.Errorf("%s: %v turned into %v", b.name, before, after)
					}
					d.see("1 Cards  12")
					g.set(nil)
				}
			})
			proved(t, "broken answers to "+path+": nothing changed", good, len(some(brokens())))
		})
	}
}

// brokenDetails asks for a number and gets something else.
func (d *driver) brokenDetails(g *gate) (good int) {
	d.t.Helper()
	d.pick()
	for _, b := range some(brokens()) {
		g.set(only(func(p string) bool { return strings.HasSuffix(p, "/details") }, answers(b.status, b.media, b.body)))
		d.press("r")
		d.wait(2500 * time.Millisecond)
		if d.revealed() == (secrets.Reveal{}) && strings.Contains(d.screen(), "cannot read the details of") {
			good++
		} else {
			d.t.Errorf("%s: %+v\n%s", b.name, d.revealed(), d.screen())
		}
	}
	return good
}

// cardsOf is what the server said of the cards; what was spent is counted
// from the transactions.
func cardsOf(s state.Snapshot) any {
	out := map[string]string{}
	for _, c := range s.Cards.All() {
		out[string(c.ID)] = fmt.Sprint(c.Label, c.Status, c.Balance)
	}
	return out
}

// newestOf is what no hour takes out of the day.
func newestOf(s state.Snapshot) any { return s.Transactions[max(0, len(s.Transactions)-20):] }

func codesOf(s *state.Store) any {
	out := []string{}
	for _, c := range s.Codes.All() {
		out = append(out, string(c.ID))
	}
	return out
}

func same(t *testing.T, a, b any) bool {
	t.Helper()
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	if errX != nil || errY != nil {
		t.Fatal(errX, errY)
	}
	return string(x) == string(y)
}
