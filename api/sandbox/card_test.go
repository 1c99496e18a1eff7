package sandbox

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/sim"
)

func TestDetails(t *testing.T) {
	c := open(t, Config{Quiet: true, NoLimits: true, Wallet: "100"})
	card := c.send("POST", "/cards", `{"bin_id":"555555","amount":5}`).want(201)
	d := c.send("GET", "/cards/"+card.text("id")+"/details", "").want(200)
	pan := d.text("pan")
	switch {
	case !strings.HasPrefix(pan, "555555"), !strings.HasSuffix(pan, card.text("last4")), sim.LuhnDigit(pan[:15]) != int(pan[15]-'0'):
		t.Error("the number does not fit its card")
	case len(d.text("cvv")) != 3, d.text("exp_month") != "3", d.text("exp_year") != "2029", d.text("holder_name") == "":
		t.Error("the details are not complete")
	}
	for _, field := range []string{"line1", "city", "state", "zip", "country"} {
		if d.text("billing_address."+field) == "" {
			t.Errorf("no %s", field)
		}
	}
	again := c.send("GET", "/cards/"+card.text("id")+"/details", "").want(200)
	if string(again.raw) != string(d.raw) {
		t.Error("the details of a card change")
	}
}

func TestUpdateKeepsWhatItDoesNotName(t *testing.T) {
	c := quiet(t)
	id := c.send("POST", "/cards", `{"bin_id":"424242","amount":50,"label":"a","metadata":{"k":"1","l":"2"},
		"auto_freeze_at":5,"allowed_categories":["7311"],"spending_limit":700}`).want(201).text("id")
	path := "/cards/" + id
	for _, step := range []struct {
		body   string
		status int
		want   string // label, limit, categories, threshold, metadata
	}{
		{`{}`, 200, `a 700 [7311] 5 map[k:1 l:2]`},
		{`{"label":"b"}`, 200, `b 700 [7311] 5 map[k:1 l:2]`},
		{`{"metadata":{"m":"3","k":"9"}}`, 200, `b 700 [7311] 5 map[k:9 l:2 m:3]`},
		{`{"metadata":{"l":null}}`, 200, `b 700 [7311] 5 map[k:9 m:3]`},
		{`{"auto_freeze_at":0}`, 200, `b 700 [7311] <nil> map[k:9 m:3]`},
		{`{"allowed_categories":[]}`, 200, `b 700 [] <nil> map[k:9 m:3]`},
		{`{"spending_limit":50000}`, 200, `b 50000 [] <nil> map[k:9 m:3]`},
		{`{"spending_limit":50001}`, 400, `b 50000 [] <nil> map[k:9 m:3]`},
		{`{"label":"` + strings.Repeat("x", 65) + `","spending_limit":5}`, 400, `b 50000 [] <nil> map[k:9 m:3]`},
		{`{"metadata":{` + manyKeys(19) + `},"label":"c"}`, 400, `b 50000 [] <nil> map[k:9 m:3]`},
		{`{"balance":1,"status":"terminated","id":"x","created_at":5}`, 200, `b 50000 [] <nil> map[k:9 m:3]`},
		{`{"label":"","spending_limit":null}`, 200, ` 50000 [] <nil> map[k:9 m:3]`},
	} {
		c.send("PATCH", path, step.body).want(step.status)
		r := c.send("PATCH", path, `{}`).want(200)
		got := fmt.Sprintf("%v %v %v %v %v", r.at("label"), r.at("spending_limit"), r.at("allowed_categories"),
			r.at("auto_freeze_at"), r.at("metadata"))
		if got != step.want {
			t.Errorf("after %s: %s, want %s", step.body, got, step.want)
		}
	}
}

func manyKeys(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"n%d":"v"`, i)
	}
	return strings.Join(list, ",")
}

// TestStateMachine tries every operation in every state (ASSUMED 9).
func TestStateMachine(t *testing.T) {
	t.Parallel()
	c := open(t, Config{Quiet: true, NoLimits: true, Wallet: "100000"})
	operations := []struct{ name, method, path, body string }{
		{"freeze", "POST", "/freeze", ""},
		{"unfreeze", "POST", "/unfreeze", ""},
		{"fund", "POST", "/fund", `{"amount":10}`},
		{"withdraw", "POST", "/withdraw", `{"amount":10}`},
		{"update", "PATCH", "", `{"label":"x"}`},
		{"terminate", "DELETE", "", ""},
		{"read", "GET", "", ""},
		{"details", "GET", "/details", ""},
	}
	after := map[string]string{
		"active freeze": "frozen", "active unfreeze": "active", "active fund": "active", "active withdraw": "active",
		"active update": "active", "active terminate": "terminated", "active read": "active",
		"frozen freeze": "frozen", "frozen unfreeze": "active", "frozen fund": "frozen", "frozen withdraw": "frozen",
		"frozen update": "frozen", "frozen terminate": "terminated", "frozen read": "frozen", "terminated read": "terminated",
		"active details": "active", "frozen details": "frozen", "terminated details": "terminated",
	}
	for _, state := range []string{"active", "frozen", "terminated"} {
		for _, op := range operations {
			path := "/cards/" + c.newCard("100")
			switch state {
			case "frozen":
				c.send("POST", path+"/freeze", "").want(200)
			case "terminated":
				c.send("DELETE", path, "").want(200)
			}
			name := state + " " + op.name
			r := c.send(op.method, path+op.path, op.body)
			want, possible := after[name]
			if !possible {
				r.want(400, "invalid_state")
				want = "terminated"
			} else {
				r.want(200)
			}
			if got := c.send("GET", path, "").text("status"); got != want {
				t.Errorf("%s gives %s, want %s", name, got, want)
			}
		}
	}
	c.audit()
}

func TestTerminationReturnsTheBalance(t *testing.T) {
	c := quiet(t)
	wallet := c.send("GET", "/wallet/balance", "").money("balance")
	id := c.newCard("80.55")
	c.spend(id, "settlement", "30.05").want(201)
	r := c.send("DELETE", "/cards/"+id, "").want(200)
	if r.money("refunded_amount") != 5050 || r.text("terminated_at") == "" {
		t.Errorf("terminated: %s", r.raw)
	}
	if got := c.send("GET", "/wallet/balance", "").money("balance"); got != wallet-3005 {
		t.Errorf("wallet %s, want %s", got, wallet-3005)
	}
	if got := c.send("GET", "/cards/"+id, "").money("balance"); got != 0 {
		t.Errorf("balance %s after the end", got)
	}
	c.audit()
}

func TestFundingAndWithdrawal(t *testing.T) {
	c := open(t, Config{Quiet: true, NoLimits: true, Wallet: "1000.10", Cards: -1})
	path := "/cards/" + c.newCard("100")
	r := c.send("POST", path+"/fund", `{"amount":900.1}`).want(200)
	if r.money("previous_balance") != 10000 || r.money("funded_amount") != 90010 || r.money("new_balance") != 100010 || r.money("wallet_balance") != 0 {
		t.Errorf("funded: %s", r.raw)
	}
	c.send("POST", path+"/fund", `{"amount":1}`).want(400, "insufficient_funds")
	c.send("POST", "/cards", `{"bin_id":"424242","amount":1}`).want(400, "insufficient_funds")
	for _, amount := range []string{"0.99", "5000.01", "0", "-1", `"1"`, "null", "1.005", "5000.001"} {
		c.send("POST", path+"/fund", `{"amount":`+amount+`}`).want(400, "invalid_request")
	}
	for _, amount := range []string{"0", "-1", `"1"`, "null", "0.001", "1000.11", "1e300"} {
		c.send("POST", path+"/withdraw", `{"amount":`+amount+`}`).want(400, "invalid_request")
	}
	r = c.send("POST", path+"/withdraw", `{"amount":0.01}`).want(200)
	if r.money("previous_balance") != 100010 || r.money("withdrawn_amount") != 1 || r.money("new_balance") != 100009 || r.money("wallet_balance") != 1 {
		t.Errorf("withdrawn: %s", r.raw)
	}
	c.send("POST", path+"/withdraw", `{"amount":0.98}`).want(200)
	c.send("POST", path+"/fund", `{"amount":1}`).want(400, "insufficient_funds") // By one cent.
	c.send("POST", path+"/withdraw", `{"amount":0.01}`).want(200)
	c.send("POST", path+"/fund", `{"amount":1}`).want(200)
	c.send("POST", path+"/withdraw", `{"amount":1000.10}`).want(200)
	c.audit()
}

func TestAutomaticFreeze(t *testing.T) {
	c := quiet(t)
	id := c.send("POST", "/cards", `{"bin_id":"424242","amount":100,"auto_freeze_at":20}`).want(201).text("id")
	status := func(want string) {
		t.Helper()
		if got := c.send("GET", "/cards/"+id, "").text("status"); got != want {
			t.Fatalf("the card is %s, want %s", got, want)
		}
	}
	c.spend(id, "settlement", "80").want(201)
	status("active") // Equal is not below.
	c.spend(id, "settlement", "0.01").want(201)
	status("frozen")
	if got := c.spend(id, "settlement", "1").want(201); got.text("decline_reason") != sim.DeclineFrozen {
		t.Errorf("a frozen card spends: %s", got.raw)
	}
	c.send("POST", "/cards/"+id+"/unfreeze", "").want(200)
	status("active") // Below its threshold, it waits for the next fall.
	c.send("POST", "/cards/"+id+"/fund", `{"amount":1}`).want(200)
	status("active")
	c.send("POST", "/cards/"+id+"/withdraw", `{"amount":1}`).want(200)
	status("frozen")
	c.send("PATCH", "/cards/"+id, `{"auto_freeze_at":0}`).want(200)
	c.send("POST", "/cards/"+id+"/unfreeze", "").want(200)
	c.send("POST", "/cards/"+id+"/withdraw", `{"amount":10}`).want(200)
	status("active")
	c.audit()
}

func TestListOfCards(t *testing.T) {
	t.Parallel()
	c := open(t, Config{Quiet: true, NoLimits: true, Cards: -1, Wallet: "100000"})
	labels := []string{"fb/Spring/01", "fb/spring/02", "gg/100%_a", "ÄÖ/x", "tt/test", ""}
	ids := map[string]string{}
	for i, label := range labels {
		c.now.advance(time.Second)
		r := c.send("POST", "/cards", fmt.Sprintf(`{"bin_id":"%s","amount":%d,"label":"%s"}`,
			sim.BINs()[i%2].ID, 10*(i%3+1), label)).want(201)
		ids[r.text("id")] = fmt.Sprint(i)
	}
	index := func(n string) string {
		for id, i := range ids {
			if i == n {
				return id
			}
		}
		return ""
	}
	c.now.advance(time.Second)
	c.spend(index("1"), "settlement", "1").want(201)
	c.now.advance(time.Second)
	c.spend(index("4"), "authorization", "1").want(201)
	c.send("POST", "/cards/"+index("2")+"/freeze", "").want(200)
	c.send("DELETE", "/cards/"+index("0"), "").want(200)

	for _, r := range []struct{ query, want string }{
		{"", "543210"},
		{"order=asc", "012345"},
		{"status=frozen", "2"},
		{"status=terminated", "0"},
		{"status=active&order=asc", "1345"},
		{"bin_id=424242", "420"},
		{"bin_id=nothing", ""},
		{"label=spring", "10"},
		{"label=SPRING", "10"},
		{"label=%25", "2"},
		{"label=_", "2"},
		{"label=äö", "3"},
		{"label=zz", ""},
		{"label=&bin_id=", "543210"},
		{"sort=balance&order=asc", "031425"},
		{"sort=balance", "524130"},
		{"sort=last_used", "415320"},
		{"sort=last_used&order=asc", "023514"},
		{"sort=last_used&status=active", "4153"},
		{"sort=balance&bin_id=555555", "513"},
		{"per_page=4", "5432"},
		{"per_page=4&page=2", "10"},
		{"per_page=4&page=3", ""},
		{"per_page=100&page=2000000", ""},
		{"surprise=1", "543210"},
	} {
		got := ""
		list := c.send("GET", "/cards?"+r.query, "").want(200)
		for _, id := range list.ids() {
			got += ids[id]
		}
		if got != r.want {
			t.Errorf("%s gives %s, want %s", r.query, got, r.want)
		}
		if values, err := url.ParseQuery(r.query); err != nil || values.Get("per_page") == "" && list.text("pagination.total") != fmt.Sprint(len(r.want)) {
			t.Errorf("%s counts %s", r.query, list.text("pagination.total"))
		}
	}
	r := c.send("GET", "/cards?per_page=4", "").want(200)
	if r.text("pagination.total_pages") != "2" || r.text("pagination.page") != "1" || r.text("pagination.per_page") != "4" {
		t.Errorf("pagination %v", r.at("pagination"))
	}
	if r := c.send("GET", "/cards?label=zz", ""); r.text("pagination.total_pages") != "0" {
		t.Errorf("pages of nothing: %v", r.at("pagination"))
	}
	for _, query := range []string{
		"status=x", "sort=x", "order=x", "page=0", "page=-1", "page=x", "page=1.5", "per_page=0", "per_page=101",
		"per_page=x", "page=", "status=", "sort=", "page=99999999999999999999", "status=Active",
	} {
		c.send("GET", "/cards?"+query, "").want(400, "invalid_request")
	}
}
