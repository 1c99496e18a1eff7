package sandbox

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// TestDeclinesHaveTrueCauses lets a merchant ask for what the card's rules
// refuse, and for the most that they allow.
func TestDeclinesHaveTrueCauses(t *testing.T) {
	c := open(t, Config{Quiet: true, NoLimits: true, Wallet: "1000000"})
	fund := func(id string, times int) {
		for range times {
			c.send("POST", "/cards/"+id+"/fund", `{"amount":5000}`).want(200)
		}
	}
	card := func(fields string) string {
		return c.send("POST", "/cards", `{"bin_id":"424242","amount":100`+fields+`}`).want(201).text("id")
	}
	for _, r := range []struct {
		name, cause string
		attempt     func() reply
	}{
		{"all of the balance", "", func() reply { return c.spend(card(""), "settlement", "100") }},
		{"more than the balance", sim.DeclineInsufficient, func() reply { return c.spend(card(""), "settlement", "100.01") }},
		{"more than is left beside a hold", sim.DeclineInsufficient, func() reply {
			id := card("")
			c.spend(id, "authorization", "60").want(201)
			return c.spend(id, "authorization", "40.01")
		}},
		{"what is left beside a hold", "", func() reply {
			id := card("")
			c.spend(id, "authorization", "60").want(201)
			return c.spend(id, "authorization", "40")
		}},
		{"frozen", sim.DeclineFrozen, func() reply {
			id := card("")
			c.send("POST", "/cards/"+id+"/freeze", "").want(200)
			return c.spend(id, "authorization", "1")
		}},
		{"terminated", sim.DeclineTerminated, func() reply {
			id := card("")
			c.send("DELETE", "/cards/"+id, "").want(200)
			return c.spend(id, "authorization", "1")
		}},
		{"category by name", "", func() reply {
			return c.spend(card(`,"allowed_categories":["travel"]`), "settlement", "1", `"category":"travel","mcc":"7011"`)
		}},
		{"category by code", "", func() reply {
			return c.spend(card(`,"allowed_categories":["7011"]`), "settlement", "1", `"category":"travel","mcc":"7011"`)
		}},
		{"other category", sim.DeclineCategory, func() reply {
			return c.spend(card(`,"allowed_categories":["7311"]`), "settlement", "1", `"category":"travel","mcc":"7011"`)
		}},
		{"the BIN's largest", "", func() reply { id := card(""); fund(id, 1); return c.spend(id, "settlement", "5000") }},
		{"more than the BIN allows", sim.DeclineBINMaximum, func() reply { id := card(""); fund(id, 2); return c.spend(id, "settlement", "5000.01") }},
		{"up to the monthly limit", "", func() reply { return c.spend(card(`,"spending_limit":40`), "settlement", "40") }},
		{"over the monthly limit", sim.DeclineLimit, func() reply { return c.spend(card(`,"spending_limit":40`), "settlement", "40.01") }},
		{"over the limit with a hold", sim.DeclineLimit, func() reply {
			id := card(`,"spending_limit":40`)
			c.spend(id, "authorization", "30", `"merchant":"Held"`).want(201)
			return c.spend(id, "settlement", "10.01", `"merchant":"Other"`)
		}},
		{"over the limit after a refund", "", func() reply {
			id := card(`,"spending_limit":40`)
			c.spend(id, "settlement", "40").want(201)
			c.spend(id, "refund", "15").want(201)
			return c.spend(id, "settlement", "15")
		}},
		{"a new month", "", func() reply {
			id := card(`,"spending_limit":40`)
			c.spend(id, "settlement", "40").want(201)
			c.now.advance(31 * 24 * time.Hour)
			return c.spend(id, "settlement", "40")
		}},
		{"expired card", sim.DeclineExpired, func() reply {
			id := card("")
			c.now.advance(4 * 365 * 24 * time.Hour)
			return c.spend(id, "settlement", "1")
		}},
	} {
		t.Run(r.name, func(t *testing.T) {
			got := r.attempt().want(201)
			if got.text("decline_reason") != r.cause || (got.text("type") == "decline") != (r.cause != "") {
				t.Fatalf("got %s, want cause %q", got.raw, r.cause)
			}
			detail := c.send("GET", "/transactions/"+got.text("id"), "").want(200)
			if detail.text("decline_reason") != r.cause {
				t.Errorf("detail says %q", detail.text("decline_reason"))
			}
		})
	}
	c.audit()
}

func TestSignsAndBalances(t *testing.T) {
	c := quiet(t)
	id := c.newCard("100")
	for _, step := range []struct {
		kind, amount         string
		want, balance, spent unit.Cents
	}{
		{"authorization", "30", 3000, 10000, 0},
		{"settlement", "30", -3000, 7000, 3000},
		{"refund", "12.5", 1250, 8250, 1750},
		{"authorization", "900", 90000, 8250, 1750},
		{"settlement", "82.5", -8250, 0, 10000},
	} {
		r := c.spend(id, step.kind, step.amount).want(201)
		if r.money("amount") != step.want || r.money("balance_after") != step.balance {
			t.Errorf("%s of %s: %s", step.kind, step.amount, r.raw)
		}
		k := c.send("GET", "/cards/"+id, "")
		if k.money("balance") != step.balance || k.money("total_spent") != step.spent {
			t.Errorf("card after %s: %s", step.kind, k.raw)
		}
	}
	c.now.advance(time.Hour)
	c.spend(id, "refund", "1").want(201) // Not a use of the card.
	k := c.send("GET", "/cards/"+id, "")
	if k.text("transaction_count") != "6" || k.text("last_used_at") != "2026-03-14T15:09:26.000Z" {
		t.Errorf("card: %s", k.raw)
	}
	if total := c.send("GET", "/transactions?card_id="+id, "").text("pagination.total"); total != "6" {
		t.Errorf("%s transactions listed", total)
	}
	c.spend(id, "refund", "100.01").want(400, "invalid_request")
	c.send("POST", "/cards/"+id+"/freeze", "").want(200)
	c.spend(id, "refund", "1").want(400, "invalid_state")
	c.spend(id, "decline", "1").want(201)
	c.send("POST", "/cards/"+id+"/unfreeze", "").want(200)
	c.send("POST", "/cards/"+id+"/fund", `{"amount":100}`).want(200)
	c.spend(id, "decline", "1").want(400, "invalid_request")
	c.spend(id, "decline", "1", `"decline_reason":"card_frozen"`).want(201)
	c.audit()
}

func TestSettlementTakesThePlaceOfItsHold(t *testing.T) {
	c := quiet(t)
	id := c.newCard("100")
	auth := c.spend(id, "authorization", "80", `"merchant":"Meta Platforms"`).want(201)
	c.now.advance(time.Minute)
	// Less the hold there would only be 20 left.
	settled := c.spend(id, "settlement", "85", `"merchant":"Meta Platforms"`).want(201)
	if settled.text("type") != "settlement" {
		t.Fatalf("got %s", settled.raw)
	}
	for _, r := range []reply{auth, settled} {
		d := c.send("GET", "/transactions/"+r.text("id"), "").want(200)
		want := "[map[at:2026-03-14T15:09:26.000Z status:authorized] map[at:2026-03-14T15:10:26.000Z status:settled]]"
		if got := fmt.Sprint(d.at("timeline")); got != want {
			t.Errorf("timeline %s", got)
		}
		if d.text("three_ds_status") != "not_required" || d.text("mcc") == "" || d.text("merchant.name") != "Meta Platforms" {
			t.Errorf("detail %s", d.raw)
		}
	}
	// A hold that nobody settles is released after a week.
	c.spend(id, "authorization", "15").want(201)
	c.spend(id, "authorization", "15").want(201)
	if last := c.spend(id, "authorization", "0.01").want(201); last.text("decline_reason") != sim.DeclineInsufficient {
		t.Errorf("got %s", last.raw)
	}
	c.send("POST", "/sandbox/clock", `{"advance_seconds":604801}`).want(200)
	if last := c.spend(id, "authorization", "15").want(201); last.text("type") != "authorization" {
		t.Errorf("got %s", last.raw)
	}
	c.audit()
}

func TestListOfTransactions(t *testing.T) {
	t.Parallel()
	c := open(t, Config{Quiet: true, NoLimits: true, Cards: -1, Wallet: "100000"})
	a, b := c.newCard("1000"), c.newCard("1000")
	ids := map[string]string{}
	for i, r := range []struct{ card, kind, amount, merchant string }{
		{a, "settlement", "10", "Meta Platforms"},  // 0  15:09:27
		{b, "settlement", "20", "Google Ads"},      // 1  15:09:28
		{a, "refund", "5", "Meta Platforms"},       // 2
		{a, "authorization", "7", "100%_Ads"},      // 3
		{b, "decline", "2000", "Google Ads"},       // 4
		{b, "settlement", "0.5", "Ünlü"},           // 5
		{b, "settlement", "19.99", "meta testing"}, // 6  15:09:33
	} {
		c.now.advance(time.Second)
		got := c.spend(r.card, r.kind, r.amount, `"merchant":"`+r.merchant+`"`).want(201)
		ids[got.text("id")] = fmt.Sprint(i)
	}
	for _, r := range []struct{ query, want string }{
		{"", "6543210"},
		{"card_id=" + a, "320"},
		{"card_id=card_x", ""},
		{"card_id=" + a + "&type=refund", "2"},
		{"type=settlement", "6510"},
		{"type=decline", "4"},
		{"type=authorization", "3"},
		{"merchant=meta", "620"},
		{"merchant=META", "620"},
		{"merchant=%25", "3"},
		{"merchant=_", "3"},
		{"merchant=%C3%BCnl", "5"},
		{"merchant=nobody", ""},
		{"merchant=ads", "431"},
		{"merchant=ads&type=settlement", "1"},
		{"min_amount=0", "432"},
		{"max_amount=0", "6510"},
		{"min_amount=-10&max_amount=5", "520"},
		{"min_amount=-10.001&max_amount=-0.5", "50"},
		{"min_amount=-9.999&max_amount=-0.499", "5"},
		{"min_amount=1e3", "4"},
		{"min_amount=9999999999999.99", ""},
		{"max_amount=-20", "1"},
		{"from=2026-03-14T15:09:32Z", "65"},
		{"from=2026-03-14T15:09:31.999Z&to=2026-03-14T15:09:32.001Z", "5"},
		{"from=2026-03-14T15:09:32.0001Z", "6"},
		{"to=2026-03-14T15:09:28.9999Z", "10"},
		{"to=2026-03-14T15:09:28Z", "10"},
		{"from=2026-03-14T16:09:32%2B01:00", "65"},
		{"from=2026-03-14T16:09:32+01:00", "65"},
		{"from=2026-03-14T15:09:32", "65"},
		{"from=2026-03-14", "6543210"},
		{"to=2026-03-14", "6543210"},
		{"from=2026-03-15", ""},
		{"to=2026-03-13", ""},
		{"from=2026-03-14T15:09:30Z&to=2026-03-14T15:09:29Z", ""},
		{"from=2026-03-14T15:09:30Z&type=settlement&merchant=meta&max_amount=-1", "6"},
		{"per_page=3&page=1", "654"},
		{"per_page=3&page=2", "321"},
		{"per_page=3&page=3", "0"},
		{"per_page=3&page=4", ""},
		{"surprise=1", "6543210"},
	} {
		got := ""
		list := c.send("GET", "/transactions?"+r.query, "").want(200)
		for _, id := range list.ids() {
			got += ids[id]
		}
		if got != r.want {
			t.Errorf("%s gives %s, want %s", r.query, got, r.want)
		}
		if !strings.Contains(r.query, "per_page") && list.text("pagination.total") != fmt.Sprint(len(r.want)) {
			t.Errorf("%s counts %s", r.query, list.text("pagination.total"))
		}
	}
	if got := c.send("GET", "/transactions", "").text("pagination.per_page"); got != "50" {
		t.Errorf("per_page %s by default", got)
	}
	for _, query := range []string{
		"type=x", "from=yesterday", "to=2026-13-01", "min_amount=x", "max_amount=1,5", "page=0", "per_page=101",
		"per_page=0", "from=", "type=Decline", "min_amount=NaN",
	} {
		c.send("GET", "/transactions?"+query, "").want(400, "invalid_request")
	}
}

// schedule lets an authorization settle by itself, as simulated traffic does.
func (c *client) schedule(auth reply, amount unit.Cents) {
	c.t.Helper()
	seq, ok := c.server.world.Seq(txnPrefix, auth.text("id"))
	if !ok {
		c.t.Fatalf("no authorization: %s", auth.raw)
	}
	err := c.server.write(c.t.Context(), func(ch *change) error {
		ch.schedule(ch.now+10*unit.Second, jobSettle, seq, amount)
		return nil
	})
	must(c.t, err)
}

// TestLaterSettlements checks what becomes of an authorization whose card
// has changed when its settlement comes.
func TestLaterSettlements(t *testing.T) {
	for _, r := range []struct {
		name   string
		amount unit.Cents
		before func(c *client, path string)
		want   string // types and amounts, newest first
	}{
		{"same amount", 3000, nil, "[settlement -30 authorization 30]"},
		{"another amount", 3300, nil, "[settlement -33 authorization 30]"},
		{"more than the balance", 30000, nil, "[settlement -100 authorization 30]"},
		{
			"little left", 3000, func(c *client, path string) { c.send("POST", path+"/withdraw", `{"amount":90}`).want(200) },
			"[settlement -10 authorization 30]",
		},
		{
			"nothing left", 3000, func(c *client, path string) { c.send("POST", path+"/withdraw", `{"amount":100}`).want(200) },
			"[authorization 30]",
		},
		{
			"lower limit", 3000, func(c *client, path string) { c.send("PATCH", path, `{"spending_limit":20}`).want(200) },
			"[settlement -20 authorization 30]",
		},
		{"terminated", 3000, func(c *client, path string) { c.send("DELETE", path, "").want(200) }, "[authorization 30]"},
		{"frozen", 3000, func(c *client, path string) { c.send("POST", path+"/freeze", "").want(200) }, "[authorization 30]"},
		{"frozen for a while", 3000, func(c *client, path string) {
			c.send("POST", path+"/freeze", "").want(200)
			c.send("POST", "/sandbox/clock", `{"advance_seconds":60}`).want(200)
			c.send("POST", path+"/unfreeze", "").want(200)
		}, "[settlement -30 authorization 30]"},
	} {
		t.Run(r.name, func(t *testing.T) {
			c := quiet(t)
			id := c.newCard("100")
			c.schedule(c.spend(id, "authorization", "30").want(201), r.amount)
			if r.before != nil {
				r.before(c, "/cards/"+id)
			}
			c.send("POST", "/sandbox/clock", `{"advance_seconds":30}`).want(200)
			var got []any
			for _, item := range c.send("GET", "/transactions?card_id="+id, "").list() {
				got = append(got, item["type"], item["amount"])
			}
			if fmt.Sprint(got) != r.want {
				t.Errorf("%v, want %s", got, r.want)
			}
			c.audit()
			// After a week nothing is held any more, in whatever state.
			c.send("POST", "/sandbox/clock", `{"advance_seconds":700000}`).want(200)
			k, err := c.server.findCard(id)
			if err != nil || k.Held != 0 {
				t.Errorf("%v held: %v", k, err)
			}
			c.audit()
		})
	}
}
