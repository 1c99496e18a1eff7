package sandbox

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// at is the merchant of the tests of holds.
const at = `"merchant":"Acme"`

// held returns what is reserved on a card.
func (c *client) held(id string) unit.Cents {
	c.t.Helper()
	k, err := c.server.findCard(id)
	must(c.t, err)
	return k.Held
}

// wantCard fails unless a card has a balance and a sum held.
func (c *client) wantCard(id string, balance, held unit.Cents) {
	c.t.Helper()
	if got := c.send("GET", "/cards/"+id, "").money("balance"); got != balance || c.held(id) != held {
		c.t.Errorf("balance %s, held %s, want %s and %s", got, c.held(id), balance, held)
	}
	c.audit()
}

// steps returns the statuses of a transaction's timeline.
func (c *client) steps(r reply) string {
	c.t.Helper()
	list, _ := c.send("GET", "/transactions/"+r.text("id"), "").want(200).at("timeline").([]any)
	var names []string
	for _, one := range list {
		step, _ := one.(map[string]any)
		names = append(names, fmt.Sprint(step["status"]))
	}
	return strings.Join(names, " ")
}

func (r reply) is(kind, amount string) reply {
	r.t.Helper()
	if r.want(201).text("type") != kind || r.text("amount") != amount {
		r.t.Errorf("got %s, want a %s of %s", r.raw, kind, amount)
	}
	return r
}

func TestSettlementInParts(t *testing.T) {
	c := quiet(t)
	id := c.newCard("100")
	auth := c.spend(id, "authorization", "80", at).is("authorization", "80")
	c.spend(id, "settlement", "30", at, `"part":true`).is("settlement", "-30")
	c.wantCard(id, 7000, 5000)
	// The rest is still reserved: of the balance only 20 are free.
	if r := c.spend(id, "settlement", "20.01", `"merchant":"Other"`).is("decline", "20.01"); r.text("decline_reason") != sim.DeclineInsufficient {
		t.Errorf("got %s", r.raw)
	}
	// A part may not use what it leaves held.
	c.spend(id, "settlement", "70.01", at, `"part":true`).is("decline", "70.01")
	c.spend(id, "settlement", "20", at, `"part":true`).is("settlement", "-20")
	c.wantCard(id, 5000, 3000)
	last := c.spend(id, "settlement", "30", at).is("settlement", "-30")
	c.wantCard(id, 2000, 0)
	if got := c.steps(auth); got != "authorized settled settled settled" || c.steps(last) != got {
		t.Errorf("timeline %s", got)
	}
	c.spend(id, "settlement", "1", at, `"part":true`).want(400, "invalid_state")
	// A part of all of it leaves nothing.
	c.spend(id, "authorization", "10", at).want(201)
	c.spend(id, "settlement", "10", at, `"part":true`).is("settlement", "-10")
	c.wantCard(id, 1000, 0)
	// The rest ends with the age of its authorization.
	c.spend(id, "authorization", "10", at).want(201)
	c.spend(id, "settlement", "4", at, `"part":true`).is("settlement", "-4")
	c.send("POST", "/sandbox/clock", `{"advance_seconds":604801}`).want(200)
	c.wantCard(id, 600, 0)
}

// TestAPartLeavesMoneyForTheRest declines a part when the balance does not cover the rest.
func TestAPartLeavesMoneyForTheRest(t *testing.T) {
	c := quiet(t)
	id := c.newCard("100")
	c.spend(id, "authorization", "80", at).want(201)
	c.send("POST", "/cards/"+id+"/withdraw", `{"amount":50}`).want(200)
	c.spend(id, "settlement", "20", at, `"part":true`).is("decline", "20")
	c.spend(id, "settlement", "20", at).is("settlement", "-20")
	c.wantCard(id, 3000, 0)
}

// TestPartOfAHoldThatSettlesByItself checks that traffic does not settle what a trigger
// has settled or taken back.
func TestPartOfAHoldThatSettlesByItself(t *testing.T) {
	c := quiet(t)
	id := c.newCard("100")
	c.schedule(c.spend(id, "authorization", "30", at).want(201), 3000)
	c.spend(id, "settlement", "10", at, `"part":true`).is("settlement", "-10")
	c.spend(id, "reversal", "5", at).is("authorization", "-5")
	c.send("POST", "/sandbox/clock", `{"advance_seconds":60}`).want(200)
	c.wantCard(id, 7500, 0)
}

func TestSettlementOfMoreThanItsHold(t *testing.T) {
	c := quiet(t)
	id := c.newCard("100")
	c.spend(id, "authorization", "50", at).want(201)
	c.spend(id, "settlement", "60", at).is("settlement", "-60") // With a tip.
	c.wantCard(id, 4000, 0)
	c.spend(id, "authorization", "10", `"merchant":"Other"`).want(201)
	c.spend(id, "authorization", "20", at).want(201)
	// What the other hold reserves is not for a tip; the declined settlement's hold stays.
	if r := c.spend(id, "settlement", "30.01", at).is("decline", "30.01"); r.text("decline_reason") != sim.DeclineInsufficient {
		t.Errorf("got %s", r.raw)
	}
	c.wantCard(id, 4000, 3000)
	c.spend(id, "settlement", "30", at).is("settlement", "-30")
	c.wantCard(id, 1000, 1000)
}

func TestLateSettlement(t *testing.T) {
	for _, r := range []struct {
		days  int
		held  unit.Cents
		steps string
	}{{6, 4000, "authorized settled"}, {8, 0, "settled"}} {
		c := quiet(t)
		id := c.newCard("100")
		c.spend(id, "authorization", "40", at).want(201)
		c.send("POST", "/sandbox/clock", fmt.Sprintf(`{"advance_seconds":%d}`, r.days*24*3600)).want(200)
		c.wantCard(id, 10000, r.held)
		settled := c.spend(id, "settlement", "40", at).is("settlement", "-40")
		if got := c.steps(settled); got != r.steps {
			t.Errorf("after %d days: %s", r.days, got)
		}
		c.wantCard(id, 6000, 0)
		// Time takes nothing from it again.
		c.send("POST", "/sandbox/clock", `{"advance_seconds":1000000}`).want(200)
		c.wantCard(id, 6000, 0)
	}
}

func TestReversal(t *testing.T) {
	c := quiet(t)
	id := c.newCard("100")
	c.spend(id, "reversal", "1", at).want(400, "invalid_state")
	auth := c.spend(id, "authorization", "80", at).want(201)
	used := c.send("GET", "/cards/"+id, "").text("last_used_at")
	c.now.advance(60_000_000_000)
	c.spend(id, "reversal", "80.01", at).want(400, "invalid_request")
	c.spend(id, "reversal", "0", at).want(400, "invalid_request")
	c.spend(id, "reversal", "1", `"merchant":"Other"`).want(400, "invalid_state")
	back := c.spend(id, "reversal", "30", at).is("authorization", "-30")
	if back.money("balance_after") != 10000 || c.steps(auth) != "authorized reversed" || c.steps(back) != "authorized reversed" {
		t.Errorf("got %s, timeline %s", back.raw, c.steps(auth))
	}
	c.wantCard(id, 10000, 5000)
	c.send("POST", "/cards/"+id+"/freeze", "").want(200)
	c.spend(id, "reversal", "50", at).want(400, "invalid_state")
	c.send("POST", "/cards/"+id+"/unfreeze", "").want(200)
	body := `{"card_id":"` + id + `","type":"reversal","amount":10,"merchant":"Acme"}`
	first := c.send("POST", "/sandbox/transactions", body, key("r")...).want(201)
	if again := c.send("POST", "/sandbox/transactions", body, key("r")...).want(201); string(again.raw) != string(first.raw) {
		t.Errorf("repeated: %s", again.raw)
	}
	c.wantCard(id, 10000, 4000)
	c.spend(id, "reversal", "40", at).is("authorization", "-40")
	c.wantCard(id, 10000, 0)
	c.spend(id, "authorization", "100", at).is("authorization", "100")
	if got := c.send("GET", "/cards/"+id, "").text("last_used_at"); got == used {
		t.Errorf("last used %s", got)
	}
	list := c.send("GET", "/transactions?type=authorization&max_amount=-1&card_id="+id, "").want(200)
	if n := len(list.list()); n != 3 {
		t.Errorf("%d reversals listed", n)
	}
	days := c.send("GET", "/sandbox/spend", "").want(200).list()
	if got := fmt.Sprint(days[0]["authorizations"]); got != "2" {
		t.Errorf("%s authorizations in the books, want 2", got)
	}
}

func TestVerification(t *testing.T) {
	for _, amount := range []string{"0", "1"} {
		c := quiet(t)
		id := c.newCard("100")
		auth := c.spend(id, "authorization", amount, at).is("authorization", amount)
		c.spend(id, "settlement", "45.5", at).is("settlement", "-45.5")
		if got := c.steps(auth); got != "authorized settled" {
			t.Errorf("timeline %s", got)
		}
		c.wantCard(id, 5450, 0)
		c.spend(id, "authorization", amount, at).want(201)
		c.send("POST", "/sandbox/clock", `{"advance_seconds":604801}`).want(200)
		c.wantCard(id, 5450, 0)
		c.spend(id, "settlement", "0", at).want(400, "invalid_request")
		c.spend(id, "refund", "0", at).want(400, "invalid_request")
		c.spend(id, "decline", "0", at).want(400, "invalid_request")
		// A card that is not usable declines the test.
		c.send("POST", "/cards/"+id+"/freeze", "").want(200)
		c.spend(id, "authorization", amount, at).is("decline", amount)
	}
}

func TestOtherCurrencies(t *testing.T) {
	c := quiet(t)
	id := c.newCard("200")
	jpy := `"currency":"JPY"`
	auth := c.spend(id, "authorization", "15000", at, jpy).is("authorization", "15000")
	if auth.text("currency") != "JPY" || auth.money("balance_after") != 20000 {
		t.Errorf("got %s", auth.raw)
	}
	c.wantCard(id, 20000, 10050)
	settled := c.spend(id, "settlement", "15000", at, jpy).is("settlement", "-15000")
	if settled.text("currency") != "JPY" || settled.money("balance_after") != 9950 {
		t.Errorf("got %s", settled.raw)
	}
	c.wantCard(id, 9950, 0)
	c.spend(id, "refund", "1000", at, jpy).is("refund", "1000")
	c.wantCard(id, 10620, 0)
	c.spend(id, "settlement", "10", `"currency":"EUR"`).is("settlement", "-10")
	c.wantCard(id, 9540, 0)
	c.spend(id, "settlement", "10", `"currency":"GBP"`).is("settlement", "-10")
	c.wantCard(id, 8270, 0)
	c.spend(id, "settlement", "100.5", `"currency":"MXN"`).is("settlement", "-100.5")
	c.wantCard(id, 7717, 0)
	declined := c.spend(id, "settlement", "15000", at, jpy).is("decline", "15000")
	if declined.text("decline_reason") != sim.DeclineInsufficient || declined.text("currency") != "JPY" {
		t.Errorf("got %s", declined.raw)
	}
	detail := c.send("GET", "/transactions/"+settled.text("id"), "").want(200)
	listed := c.send("GET", "/transactions?card_id="+id, "").want(200).list()
	if detail.text("currency") != "JPY" || detail.text("amount") != "-15000" || fmt.Sprint(listed[6]["amount"], listed[6]["currency"]) != "15000JPY" {
		t.Errorf("detail %s, list %v", detail.raw, listed)
	}
	// The sandbox's own books are in USD.
	w := c.send("GET", "/wallet/balance", "").want(200)
	days := c.send("GET", "/sandbox/spend", "").want(200).list()
	if w.money("total_spent") != 12283 || fmt.Sprint(days[0]["spend"]) != "122.83" {
		t.Errorf("spent %s, books %v", w.text("total_spent"), days)
	}
	for _, more := range []string{`"currency":"XXX"`, `"currency":"usdt"`, `"currency":7`, `"amount":1.5,` + jpy} {
		c.spend(id, "settlement", "1", more).want(400, "invalid_request")
	}
	c.spend(id, "settlement", "1", `"currency":"USD"`).is("settlement", "-1")
}

// TestForeignHoldsLeaveNoCent takes a hold back in parts whose rounded prices do not add
// up to its own.
func TestForeignHoldsLeaveNoCent(t *testing.T) {
	c := quiet(t)
	id := c.newCard("200")
	jpy := `"currency":"JPY"`
	for _, parts := range []int{7, 14} {
		c.spend(id, "authorization", "140", at, jpy).want(201)
		for range parts {
			c.spend(id, "reversal", fmt.Sprint(140/parts), at, jpy).want(201)
		}
		c.wantCard(id, 20000, 0)
		c.spend(id, "reversal", "1", at, jpy).want(400, "invalid_state")
	}
	c.spend(id, "authorization", "140", at, jpy).want(201)
	if r := c.spend(id, "reversal", "141", at, jpy).want(400, "invalid_request"); !strings.Contains(r.text("message"), "140.00 JPY") {
		t.Errorf("got %s", r.raw)
	}
	c.spend(id, "settlement", "100", at, jpy, `"part":true`).is("settlement", "-100")
	c.spend(id, "reversal", "41", at, jpy).want(400, "invalid_request")
	c.spend(id, "reversal", "40", at, jpy).is("authorization", "-40")
	c.wantCard(id, 19933, 0)
}

func TestDeclinesWithoutAReason(t *testing.T) {
	c := quiet(t)
	id := c.newCard("100")
	detail := func(r reply) reply { return c.send("GET", "/transactions/"+r.text("id"), "").want(200) }
	plain := detail(c.spend(id, "decline", "5", `"decline_reason":"none"`).is("decline", "5"))
	if plain.at("decline_reason") != nil || plain.at("failure") != nil {
		t.Errorf("got %s", plain.raw)
	}
	text := "Do not honor <05>"
	told := detail(c.spend(id, "decline", "5", `"decline_text":"`+text+`"`).is("decline", "5"))
	if told.at("decline_reason") != nil || told.text("failure.message") != text {
		t.Errorf("got %s", told.raw)
	}
	c.spend(id, "decline", "5", `"decline_reason":"none","decline_text":"x"`).want(201)
	for _, more := range []string{`"decline_reason":"card_frozen","decline_text":"x"`, `"decline_text":7`, `"decline_text":"` + strings.Repeat("x", 501) + `"`} {
		c.spend(id, "decline", "5", more).want(400, "invalid_request")
	}
	c.spend(id, "settlement", "5", `"decline_text":"x"`).want(400, "invalid_request")
	c.spend(id, "settlement", "5", `"decline_reason":"none"`).want(400, "invalid_request")
	for _, kind := range []string{"authorization", "refund", "decline", "reversal"} {
		c.spend(id, kind, "5", `"part":true`).want(400, "invalid_request")
	}
	c.spend(id, "settlement", "5", `"part":"yes"`).want(400, "invalid_request")
	c.wantCard(id, 10000, 0)
}

// unchecked sends a request whose answer need not fit the contract.
func (c *client) unchecked(path string) reply {
	c.t.Helper()
	q, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, "https://cards.test/v1"+path, nil)
	must(c.t, err)
	q.Header.Set("Authorization", "Bearer "+c.key)
	r, err := c.exchange(q)
	must(c.t, err)
	return r
}

func TestFaultsOfItems(t *testing.T) {
	c := open(t, Config{Quiet: true, NoLimits: true, AllowHTTPWebhooks: true})
	for range 2 {
		c.send("POST", "/webhooks", `{"url":"http://127.0.0.1:9/x","events":["*"]}`).want(201)
	}
	for path, field := range map[string]string{
		"/cards": "balance", "/transactions": "amount", "/wallet/deposits": "amount_usd", "/bins": "max_transaction",
		"/3ds": "amount", "/webhooks": "url",
	} {
		right := c.send("GET", path, "").want(200)
		items := right.list()
		route := `"route":"GET ` + path + `",`
		c.fault(route + `"kind":"repeated_item","times":1`)
		twice := c.unchecked(path).want(200)
		if got := twice.list(); len(got) != len(items)+1 || fmt.Sprint(got[0]) != fmt.Sprint(items[0]) || fmt.Sprint(got[1:]) != fmt.Sprint(items) {
			t.Errorf("%s repeated: %s", path, twice.raw)
		}
		c.fault(route + `"kind":"malformed_item","times":2`)
		nameless, mistyped := c.unchecked(path).want(200), c.unchecked(path).want(200)
		if got := nameless.list(); got[0]["id"] != nil || got[0][field] == nil || fmt.Sprint(got[1:]) != fmt.Sprint(items[1:]) {
			t.Errorf("%s without id: %s", path, nameless.raw)
		}
		if got := mistyped.list(); got[0]["id"] != items[0]["id"] || got[0][field] != false || fmt.Sprint(got[1:]) != fmt.Sprint(items[1:]) {
			t.Errorf("%s with another type: %s", path, mistyped.raw)
		}
		for _, r := range []reply{twice, nameless, mistyped} {
			if fmt.Sprint(r.at("pagination")) != fmt.Sprint(right.at("pagination")) {
				t.Errorf("%s: pagination %v", path, r.at("pagination"))
			}
		}
		if again := c.send("GET", path, "").want(200); string(again.raw) != string(right.raw) {
			t.Errorf("%s after the faults: %s", path, again.raw)
		}
	}
	// A fault of lists waits for one.
	c.fault(`"kind":"repeated_item","times":1`)
	c.send("GET", "/wallet/balance", "").want(200)
	if got := c.unchecked("/bins").ids(); got[0] != got[1] {
		t.Errorf("ids %v", got)
	}
	for _, route := range []string{"GET /wallet/balance", "POST /cards", "/cards/{card_id}"} {
		c.send("POST", "/sandbox/faults", `{"kind":"malformed_item","route":"`+route+`"}`).want(400, "invalid_request")
	}
	c.fault(`"kind":"malformed_item","route":"/cards"`)
}
