package sandbox

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/sim"
)

func TestChallenges(t *testing.T) {
	c := open(t, Config{Quiet: true, NoLimits: true, Cards: -1})
	a, b := c.newCard("100"), c.newCard("100")
	ask := func(fields string) string {
		t.Helper()
		return c.send("POST", "/sandbox/challenges", `{`+fields+`}`).want(201).text("id")
	}
	first := ask(`"card_id":"` + a + `","merchant":"Meta Platforms","amount":25.5,"otp":"012345"`)
	r := c.send("GET", "/3ds/"+first, "").want(200)
	for path, want := range map[string]string{
		"card_id": a, "merchant": "Meta Platforms", "amount": "25.5", "otp": "012345", "status": "pending",
		"created_at": "2026-03-14T15:09:26.000Z", "expires_at": "2026-03-14T15:14:26.000Z",
	} {
		if got := r.text(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	c.now.advance(time.Second)
	second := ask(`"card_id":"` + b + `"`)
	if code := c.send("GET", "/3ds/"+second, "").text("otp"); !regexp.MustCompile(`^\d{6}$`).MatchString(code) {
		t.Error("the code has no six digits")
	}
	listed := func(query, want string) {
		t.Helper()
		got := ""
		for _, item := range c.send("GET", "/3ds?"+query, "").want(200).list() {
			got += map[any]string{first: "1", second: "2"}[item["id"]]
			if item["otp"] == "" {
				t.Error("a listed challenge has no code")
			}
		}
		if got != want {
			t.Errorf("%s lists %s, want %s", query, got, want)
		}
	}
	listed("", "21")
	listed("card_id="+a, "1")
	listed("card_id=card_x", "")
	listed("status=pending", "21")
	c.now.advance(299*time.Second - time.Millisecond)
	listed("status=pending", "21")
	c.now.advance(time.Millisecond)
	listed("status=pending", "2")
	listed("status=expired", "1")
	if got := c.send("GET", "/3ds/"+first, "").text("status"); got != "expired" {
		t.Errorf("past its time a challenge is %s", got)
	}
	c.send("POST", "/sandbox/challenges/"+first+"/complete", "").want(400, "invalid_state")
	ended := c.send("POST", "/sandbox/challenges/"+second+"/complete", "").want(200)
	if ended.text("status") != "completed" || ended.text("transaction.type") != "authorization" {
		t.Errorf("completed: %s", ended.raw)
	}
	detail := c.send("GET", "/transactions/"+ended.text("transaction.id"), "").want(200)
	if detail.text("three_ds_status") != "authenticated" {
		t.Errorf("detail: %s", detail.raw)
	}
	c.send("POST", "/sandbox/challenges/"+second+"/expire", "").want(400, "invalid_state")
	listed("status=completed", "2")
	for _, query := range []string{"status=x", "status="} {
		c.send("GET", "/3ds?"+query, "").want(400, "invalid_request")
	}
	third := ask(`"card_id":"` + a + `"`)
	declined := c.send("POST", "/sandbox/challenges/"+third+"/expire", "").want(200)
	if declined.text("status") != "expired" || declined.text("transaction.type") != "decline" {
		t.Errorf("expired: %s", declined.raw)
	}
	detail = c.send("GET", "/transactions/"+declined.text("transaction.id"), "").want(200)
	if detail.text("three_ds_status") != "failed" || detail.text("decline_reason") != sim.DeclineChallenge {
		t.Errorf("detail: %s", detail.raw)
	}
	c.send("POST", "/cards/"+a+"/freeze", "").want(200)
	c.send("POST", "/sandbox/challenges", `{"card_id":"`+a+`"}`).want(400, "invalid_state")
	c.audit()
}

// TestUnansweredChallengeIsDeclined lets the clock pass instead of a caller.
func TestUnansweredChallengeIsDeclined(t *testing.T) {
	c := open(t, Config{Quiet: true, NoLimits: true, Cards: -1})
	card := c.newCard("100")
	c.send("POST", "/sandbox/challenges", `{}`).want(201)
	c.send("POST", "/sandbox/clock", `{"advance_seconds":300}`).want(200)
	list := c.send("GET", "/transactions?card_id="+card, "").list()
	if len(list) != 1 || list[0]["type"] != "decline" || list[0]["created_at"] != "2026-03-14T15:14:26.000Z" {
		t.Errorf("transactions %v", list)
	}
	c.audit()
}

func TestWallet(t *testing.T) {
	c := open(t, Config{Quiet: true, NoLimits: true, Cards: -1, Wallet: "1000"})
	check := func(want string) {
		t.Helper()
		r := c.send("GET", "/wallet/balance", "").want(200)
		got := fmt.Sprint(r.text("balance"), " ", r.text("pending_deposits"), " ", r.text("total_deposited"), " ",
			r.text("total_spent"), " ", r.text("cards_active"), " ", r.text("cards_total_balance"))
		if got != want || r.text("currency") != "USD" {
			t.Errorf("wallet %s, want %s", got, want)
		}
	}
	check("1000 0 1000 0 0 0")
	id := c.newCard("100")
	other := c.newCard("50")
	check("850 0 1000 0 2 150")
	c.spend(id, "settlement", "30").want(201)
	check("850 0 1000 30 2 120")
	c.send("POST", "/cards/"+other+"/freeze", "").want(200)
	check("850 0 1000 30 1 120")
	c.send("DELETE", "/cards/"+other, "").want(200)
	check("900 0 1000 30 1 70")
	c.spend(id, "refund", "10").want(201)
	check("900 0 1000 20 1 80")
	d := c.send("POST", "/sandbox/deposits", `{"currency":"eth","amount_usd":310}`).want(201)
	if d.text("amount_crypto") != "0.1" || d.text("credited_usd") != "306.9" || d.text("fee_usd") != "3.1" ||
		d.text("status") != "pending" || strings.Contains(string(d.raw), "confirmed_at") {
		t.Errorf("deposit %s", d.raw)
	}
	check("900 306.9 1000 20 1 80")
	d = c.send("POST", "/sandbox/deposits/"+d.text("id")+"/confirm", "").want(200)
	if d.text("status") != "confirmed" || d.text("confirmed_at") == "" || d.text("confirmations") != "12" {
		t.Errorf("deposit %s", d.raw)
	}
	check("1206.9 0 1306.9 20 1 80")
	c.send("POST", "/sandbox/deposits/"+d.text("id")+"/confirm", "").want(400, "invalid_state")
	c.send("POST", "/sandbox/deposits/"+d.text("id")+"/expire", "").want(400, "invalid_state")
	c.send("POST", "/sandbox/deposits/dep_x/expire", "").want(404, "not_found")
	e := c.send("POST", "/sandbox/deposits", `{"currency":"btc","amount_usd":100}`).want(201)
	c.send("POST", "/sandbox/deposits/"+e.text("id")+"/expire", "").want(200)
	c.send("POST", "/sandbox/deposits", `{"currency":"sol","amount_usd":100,"status":"confirmed"}`).want(201)
	check("1305.9 0 1405.9 20 1 80")
	for query, want := range map[string]int{"status=expired": 1, "status=pending": 0, "status=expired&currency=sol": 0} {
		if got := len(c.send("GET", "/wallet/deposits?"+query, "").want(200).list()); got != want {
			t.Errorf("%s lists %d deposits, want %d", query, got, want)
		}
	}
	for _, item := range c.send("GET", "/wallet/deposits?currency=sol&status=confirmed", "").want(200).list() {
		if item["currency"] != "sol" || item["status"] != "confirmed" {
			t.Errorf("the filter lets through %v", item)
		}
	}
	if got := c.send("GET", "/wallet/deposits", "").list()[0]["currency"]; got != "sol" {
		t.Errorf("the newest deposit is in %v", got)
	}
	for _, query := range []string{"status=x", "currency=BTC", "currency=doge"} {
		c.send("GET", "/wallet/deposits?"+query, "").want(400, "invalid_request")
	}
	c.audit()
}
