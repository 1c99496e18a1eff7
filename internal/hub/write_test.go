package hub_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
)

// crew is a hub with two buyers, a lead and an admin.
func crew(t *testing.T, use func(*site)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(
			t, sandbox.Config{Seed: 7, Cards: -1, NoLimits: true, Quiet: true, Wallet: "50000"}, admin(),
			team.Person{Name: "ann", Role: team.Buyer, Labels: []string{"fb/*"}, Cap: 200 * api.Dollar},
			team.Person{Name: "bob", Role: team.Buyer, Labels: []string{"fb/*", "gg/*"}},
			team.Person{Name: "eve", Role: team.Viewer, Labels: []string{"*"}},
			team.Person{Name: "lea", Role: team.Lead, Labels: []string{"fb/*"}},
		)
		use(s)
		s.end()
	})
}

// card issues a card past the hub.
func (s *site) card(label string) string {
	bins, _ := s.upstream(http.MethodGet, "/v1/bins", "")["data"].([]any)
	bin, _ := bins[0].(map[string]any)
	return fmt.Sprint(s.upstream(http.MethodPost, "/v1/cards", fmt.Sprintf(`{"bin_id":%q,"amount":50,"label":%q}`, bin["id"], label))["id"])
}

func (s *site) balance(card string) float64 {
	f, _ := s.upstream(http.MethodGet, "/v1/cards/"+card, "")["balance"].(float64)
	return f
}

func (s *site) fault(route, kind string, times int) {
	s.upstream(http.MethodPost, "/sandbox/faults", fmt.Sprintf(`{"route":%q,"kind":%q,"times":%d}`, route, kind, times))
}

func (s *site) want(r reply, status int, id string) {
	s.t.Helper()
	if r.status != status || id != "" && r.body["error"] != id {
		s.t.Errorf("answered %d %.300s, want %d %s", r.status, r.text, status, id)
	}
}

func wait(d time.Duration) { time.Sleep(d) } //nolint:forbidigo // virtual time in a bubble

func TestWhoMayDoWhat(t *testing.T) {
	crew(t, func(s *site) {
		fb, gg := s.card("fb/a"), s.card("gg/b")
		s.begin()
		fund := func(card string) string { return "/v1/cards/" + card + "/fund" }
		for _, tt := range []struct {
			who, method, path, body string
			status                  int
		}{
			{"eve", "GET", "/v1/cards/" + gg, "", 200},
			{"eve", "GET", "/v1/cards/" + gg + "/details", "", 403},
			{"eve", "POST", fund(fb), `{"amount":1}`, 403},
			{"ann", "GET", "/v1/cards/" + gg, "", 404},
			{"ann", "POST", fund(gg), `{"amount":1}`, 404},
			{"ann", "POST", fund(fb), `{"amount":1}`, 200},
			{"ann", "GET", "/v1/cards/" + fb + "/details", "", 200},
			{"ann", "POST", "/v1/cards/" + fb + "/freeze", "", 200},
			{"ann", "POST", "/v1/cards/" + fb + "/unfreeze", "", 200},
			{"ann", "POST", "/v1/cards/" + fb + "/withdraw", `{"amount":1}`, 403},
			{"ann", "DELETE", "/v1/cards/" + fb, "", 403},
			{"bob", "POST", fund(gg), `{"amount":1}`, 200},
			{"lea", "POST", "/v1/cards/" + fb + "/withdraw", `{"amount":1}`, 200},
			{"lea", "PATCH", "/v1/cards/" + fb, `{"label":"gg/moved"}`, 403},
			{"lea", "PATCH", "/v1/cards/" + fb, `{"label":null}`, 403},
			{"lea", "PATCH", "/v1/cards/" + fb, `{"label":"fb/moved"}`, 200},
			{"lea", "POST", "/v1/cards", `{"bin_id":"1","amount":5,"label":"gg/x"}`, 403},
			{"lea", "POST", "/v1/webhooks", `{"url":"https://a.b","events":["*"]}`, 403},
			{"root", "DELETE", "/v1/cards/" + gg, "", 200},
			{"nobody", "GET", "/v1/cards", "", 401},
			// A body that two readers may read in two ways.
			{"ann", "POST", fund(fb), `{"amount":1,"amount":5000}`, 400},
			{"ann", "POST", fund(fb), `{"amount":1,"Amount":5000}`, 400},
			{"ann", "POST", fund(fb), `{"amount":"5000"}`, 400},
		} {
			s.want(s.ask(tt.who, tt.method, tt.path, tt.body), tt.status, "")
		}
	})
}

func TestSumsAndCountsAreOfWhatIsSeen(t *testing.T) {
	crew(t, func(s *site) {
		a := s.card("fb/a")
		s.card("fb/b")
		s.card("gg/c")
		s.begin()
		w := s.ask("ann", "GET", "/v1/wallet/balance", "").body
		if w["cards_active"] != 2.0 || w["cards_total_balance"] != 100.0 || w["total_spent"] != nil || w["total_deposited"] != nil || w["balance"] == nil {
			t := w
			s.t.Errorf("wallet %v", t)
		}
		if all := s.ask("root", "GET", "/v1/wallet/balance", "").body; w["scoped"] != true || all["scoped"] != nil {
			s.t.Errorf("scoped is %v of who sees some cards, and %v of who sees all", w["scoped"], all["scoped"])
		}
		page, _ := s.ask("ann", "GET", "/v1/cards?per_page=1", "").body["pagination"].(map[string]any)
		if page["total"] != 2.0 || page["total_pages"] != 2.0 {
			s.t.Errorf("page %v", page)
		}
		s.upstream(http.MethodPost, "/sandbox/transactions", fmt.Sprintf(`{"card_id":%q,"type":"settlement","amount":3.25,"merchant":"Acme"}`, a))
		wait(time.Minute)
		for _, path := range []string{"/v1/transactions?from=" + clock().Add(-time.Hour).UTC().Format(time.RFC3339), "/v1/transactions?card_id=" + a} {
			r := s.ask("ann", "GET", path, "")
			if page, _ := r.body["pagination"].(map[string]any); page["total"] != 1.0 || r.header.Get("Age") == "" {
				s.t.Errorf("%s: %s %v", path, r.text, r.header)
			}
		}
	})
}

func TestAKeyActsOnceAndIsBoundToItsToken(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		path := "/v1/cards/" + card + "/fund"
		first := s.ask("ann", "POST", path, `{"amount":5}`, "X-Idempotency-Key", "k-1")
		again := s.ask("ann", "POST", path, `{ "amount": 5 }`, "X-Idempotency-Key", "k-1")
		if s.want(first, 200, ""); first.text != again.text || first.header.Get("X-Request-Id") != again.header.Get("X-Request-Id") {
			s.t.Errorf("answered %s, then %s", first.text, again.text)
		}
		s.want(s.ask("ann", "POST", path, `{"amount":6}`, "X-Idempotency-Key", "k-1"), 400, "idempotency_key_reused")
		s.want(s.ask("bob", "POST", path, `{"amount":7}`, "X-Idempotency-Key", "k-1"), 200, "")
		if got := s.balance(card); got != 62 {
			s.t.Errorf("the card holds %v", got)
		}
		if n := s.asked("POST /v1" + strings.TrimPrefix(path, "/v1")); n != 2 {
			s.t.Errorf("sent %d times", n)
		}
	})
}

func TestGuardrailsCountTheWholeTeam(t *testing.T) {
	crew(t, func(s *site) {
		s.guard = guard.Guard{MaxHour: 100 * api.Dollar}
		card := s.card("fb/a")
		s.begin()
		path := "/v1/cards/" + card + "/fund"
		s.want(s.ask("ann", "POST", path, `{"amount":60}`, "X-Idempotency-Key", "k"), 200, "")
		// That the service refuses the key for another amount frees nothing.
		s.want(s.ask("ann", "POST", path, `{"amount":61}`, "X-Idempotency-Key", "k"), 400, "")
		r := s.ask("bob", "POST", path, `{"amount":60}`)
		if s.want(r, 403, "guardrail"); strings.Contains(fmt.Sprint(r.body["message"]), "60") {
			s.t.Errorf("tells what others moved: %s", r.text)
		}
		if r := s.ask("root", "POST", path, `{"amount":60}`); !strings.Contains(r.text, "$60.00 of $100.00 an hour used") {
			s.t.Error(r.text)
		}
		s.want(s.ask("bob", "POST", path, `{"amount":40}`), 200, "")
		if got := s.balance(card); got != 150 {
			s.t.Errorf("the card holds %v", got)
		}
	})
}

func TestMoneyOfACardMovesOneAtATime(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		s.upstream(http.MethodPost, "/sandbox/faults", `{"route":"POST /cards/{card_id}/fund","kind":"latency","times":1,"latency_ms":4000}`)
		done := make(chan reply)
		go func() { done <- s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":5}`) }()
		wait(time.Second)
		r := s.ask("bob", "POST", "/v1/cards/"+card+"/fund", `{"amount":5}`)
		if s.want(r, 409, "busy"); !strings.Contains(r.text, "by ann") {
			s.t.Error(r.text)
		}
		s.want(s.ask("bob", "POST", "/v1/cards/"+card+"/freeze", ""), 200, "")
		s.want(<-done, 200, "")
		wait(time.Second)
		s.want(s.ask("bob", "POST", "/v1/cards/"+card+"/fund", `{"amount":5}`), 200, "")
		if got := s.balance(card); got != 60 {
			s.t.Errorf("the card holds %v", got)
		}
	})
}

func TestALeadApprovesWhatIsAboveACap(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		path := "/v1/cards/" + card + "/fund"
		for range 2 {
			s.want(s.ask("ann", "POST", path, `{"amount":300}`, "X-Idempotency-Key", "k"), 403, "approval_required")
		}
		list, _ := s.ask("lea", "GET", "/hub/v1/approvals", "").body["data"].([]any)
		if len(list) != 1 {
			s.t.Fatalf("waiting: %v", list)
		}
		row, _ := list[0].(map[string]any)
		if row["by"] != "ann" || row["amount"] != 300.0 || row["card_balance"] != 50.0 || row["card_balance_after"] != 350.0 {
			s.t.Errorf("shows %v", row)
		}
		decide := "/hub/v1/approvals/" + fmt.Sprint(row["id"])
		seen := func() string {
			list, _ := s.ask("lea", "GET", "/hub/v1/approvals", "").body["data"].([]any)
			row, _ := list[0].(map[string]any)
			return fmt.Sprintf(`{"approve":true,"amount":300,"card_status":%q,"card_balance":%v,"card_balance_after":%v,"wallet_balance":%v,"wallet_balance_after":%v}`,
				row["card_status"], row["card_balance"], row["card_balance_after"], row["wallet_balance"], row["wallet_balance_after"])
		}
		old := seen()
		s.want(s.ask("ann", "POST", decide, old), 403, "")
		s.want(s.ask("bob", "POST", path, `{"amount":1}`), 200, "")
		s.want(s.ask("lea", "POST", decide, old), 409, "figures_changed")
		s.want(s.ask("bob", "POST", decide, seen()), 403, "forbidden")
		s.want(s.ask("lea", "POST", decide, seen()), 200, "")
		s.want(s.ask("lea", "POST", decide, old), 404, "")
		s.want(s.ask("ann", "POST", path, `{"amount":300}`, "X-Idempotency-Key", "k"), 200, "")
		if got := s.balance(card); got != 351 {
			s.t.Errorf("the card holds %v", got)
		}
		records, err := s.past.Load(10)
		must(s.t, err)
		found := false
		for _, r := range records {
			found = found || r.Amount == 300*api.Dollar && r.By == state.Actor{Name: "ann", Role: "buyer", From: "192.0.2.7", Approved: "lea"}
		}
		if !found {
			s.t.Errorf("records %+v", records)
		}
	})
}

func TestDetailsAreReadOnceTheyAreInTheAudit(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		r := s.ask("ann", "GET", "/v1/cards/"+card+"/details", "")
		pan := fmt.Sprint(r.body["pan"])
		if s.want(r, 200, ""); len(pan) != 16 {
			s.t.Error("no number")
		}
		records, err := s.past.Load(10)
		if err != nil || len(records) != 1 || records[0].Action != "details" || records[0].By.Name != "ann" || records[0].By.Role != "buyer" {
			s.t.Errorf("records %+v, %v", records, err)
		}
		if report, err := s.past.Verify(); err != nil || report.Lines != 1 {
			s.t.Errorf("%+v, %v", report, err)
		}
		if strings.Contains(fmt.Sprint(records), pan) {
			s.t.Error("the audit has the number")
		}
	})
}

func TestACodeIsTakenBySomebody(t *testing.T) {
	crew(t, func(s *site) {
		fb, gg := s.card("fb/a"), s.card("gg/a")
		var ids []string
		for _, card := range []string{fb, gg} {
			ids = append(ids, fmt.Sprint(s.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":3,"otp":"482913"}`, card))["id"]))
		}
		s.begin()
		claim := func(id string) string { return fmt.Sprintf(`{"challenge_id":%q}`, id) }
		tape, over, leave := s.stream("ann")
		wait(time.Second)
		s.want(s.ask("bob", "POST", "/hub/v1/claims", claim(ids[0])), 200, "")
		s.want(s.ask("bob", "POST", "/hub/v1/claims", claim(ids[1])), 200, "")
		s.want(s.ask("ann", "POST", "/hub/v1/claims", claim(ids[1])), 404, "")
		list, _ := s.ask("ann", "GET", "/hub/v1/claims", "").body["data"].([]any)
		if len(list) != 1 || !strings.Contains(fmt.Sprint(list), "bob") {
			s.t.Errorf("claims %v", list)
		}
		wait(time.Second)
		leave()
		<-over
		if text := tape.String(); strings.Count(text, "event: claim") != 1 || !strings.Contains(text, `"by":"bob"`) || strings.Contains(text, "482913") {
			s.t.Errorf("stream: %s", text)
		}
		if r := s.ask("ann", "GET", "/v1/3ds?status=pending", ""); strings.Count(r.text, "482913") != 1 {
			s.t.Error(r.text)
		}
		if r := s.ask("eve", "GET", "/v1/3ds?status=pending", ""); r.text != `{"data":[],"withheld":"this needs the role buyer"}` {
			s.t.Error(r.text)
		}
		wait(6 * time.Minute)
		if r := s.ask("ann", "GET", "/hub/v1/claims", ""); r.text != `{"data":[]}` {
			s.t.Error(r.text)
		}
	})
}

// TestAKeyOfBeforeARestartSendsNothing holds that what was done before is not done again
// when the service may have forgotten the key.
func TestAKeyOfBeforeARestartSendsNothing(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		path := "/v1/cards/" + card + "/fund"
		s.begin()
		s.want(s.ask("ann", "POST", path, `{"amount":5}`, "X-Idempotency-Key", "k"), 200, "")
		s.end()
		s.begin()
		for _, body := range []string{`{"amount":5}`, `{"amount":5}`, `{"amount":6}`} {
			if r := s.ask("ann", "POST", path, body, "X-Idempotency-Key", "k"); r.status == 200 {
				s.t.Errorf("%s: answered %d %s", body, r.status, r.text)
			}
		}
		if n, got := s.asked("POST "+path), s.balance(card); n != 1 || got != 55 {
			s.t.Errorf("sent %d times, the card holds %v", n, got)
		}
		s.want(s.ask("ann", "POST", path, `{"amount":5}`, "X-Idempotency-Key", "k2"), 200, "")
	})
}

func TestWhatTheListDoesNotKnowIsNotAskedForByWhoSeesSomeCards(t *testing.T) {
	crew(t, func(s *site) {
		s.card("fb/a")
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		later := s.card("gg/later")
		s.want(s.ask("ann", "GET", "/v1/cards/"+later, ""), 404, "not_found")
		s.want(s.ask("ann", "POST", "/v1/cards/"+later+"/fund", `{"amount":5}`), 404, "not_found")
		if n := s.asked("GET /v1/cards/" + later); n != 0 {
			s.t.Errorf("read %d times: the time that it takes tells that it is there", n)
		}
		s.want(s.ask("root", "GET", "/v1/cards/"+later, ""), 200, "")
	})
}

// rewrites changes what is read on its way to the hub.
type rewrites struct {
	http.RoundTripper
	from, to string
}

func (s rewrites) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := s.RoundTripper.RoundTrip(r)
	if err != nil || r.Method != http.MethodGet {
		return res, err
	}
	body, err := io.ReadAll(res.Body)
	body = bytes.ReplaceAll(body, []byte(s.from), []byte(s.to))
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	res.Header.Del("Content-Length")
	return res, err
}

// TestALabelThatIsNotSaidIsNotToldAsNone: guardrails of who reads the hub's list go by labels, too.
func TestALabelThatIsNotSaidIsNotToldAsNone(t *testing.T) {
	crew(t, func(s *site) {
		s.card("fb/a")
		s.between = rewrites{s.world.Transport(), `"label":"fb/a",`, ``}
		s.begin()
		got := s.ask("root", "GET", "/v1/cards", "")
		if s.want(got, 200, ""); strings.Contains(got.text, "label") || !strings.Contains(got.text, "card_") {
			s.t.Errorf("the list is %s", got.text)
		}
	})
}

// TestACardOfUnknownStatusIsFundedByALead: a buyer's waits for one, and a lead's own is sent.
func TestACardOfUnknownStatusIsFundedByALead(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.between = rewrites{s.world.Transport(), `"status":"active"`, `"status":"suspended"`}
		s.begin()
		fund := func(name string) reply {
			return s.ask(name, "POST", "/v1/cards/"+card+"/fund", `{"amount":5}`, "X-Idempotency-Key", name)
		}
		got := fund("bob")
		s.want(got, 403, "approval_required")
		if want := "fb/a"; !strings.Contains(got.text, "has the unknown status “suspended”: apr_") || !strings.Contains(got.text, want) || s.balance(card) != 50 {
			s.t.Errorf("says %s", got.text)
		}
		list, _ := s.ask("lea", "GET", "/hub/v1/approvals", "").body["data"].([]any)
		row, _ := list[0].(map[string]any)
		yes := fmt.Sprintf(`{"approve":true,"amount":5,"card_status":%q,"card_balance":50,"card_balance_after":55,"wallet_balance":%v,"wallet_balance_after":%v}`, row["card_status"], row["wallet_balance"], row["wallet_balance_after"])
		s.want(s.ask("lea", "POST", "/hub/v1/approvals/"+fmt.Sprint(row["id"]), yes), 200, "")
		s.want(fund("lea"), 200, "")
		if got := s.balance(card); got != 60 {
			s.t.Errorf("the card holds %v", got)
		}
	})
}

// late takes a while for what begins with a method and a path.
type late struct {
	http.RoundTripper
	request string
	by      time.Duration
}

func (l late) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasPrefix(r.Method+" "+r.URL.Path, l.request) {
		wait(l.by)
	}
	return l.RoundTripper.RoundTrip(r)
}

// TestAReadAfterAWriteHasWhatItMoved although the answer of a create and of a delete does
// not say what is in the wallet.
func TestAReadAfterAWriteHasWhatItMoved(t *testing.T) {
	crew(t, func(s *site) {
		s.between = late{s.world.Transport(), "GET /v1/wallet", 700 * time.Millisecond}
		s.begin()
		bins, _ := s.upstream(http.MethodGet, "/v1/bins", "")["data"].([]any)
		bin, _ := bins[0].(map[string]any)
		wallet := func() float64 {
			r := s.ask("lea", "GET", "/v1/wallet/balance", "")
			s.want(r, 200, "")
			sum, _ := r.body["balance"].(float64)
			return sum
		}
		has := func(what string, want float64) {
			s.t.Helper()
			if got := wallet(); got != want {
				s.t.Errorf("after a %s the wallet is %v, not %v", what, got, want)
			}
		}
		before := wallet()
		for n := range 3 {
			wait(time.Duration(n) * 300 * time.Millisecond)
			r := s.ask("lea", "POST", "/v1/cards", fmt.Sprintf(`{"bin_id":%q,"amount":50,"label":"fb/n"}`, bin["id"]))
			s.want(r, 201, "")
			has("create", before-50)
			s.want(s.ask("lea", "POST", fmt.Sprintf("/v1/cards/%v/fund", r.body["id"]), `{"amount":10}`), 200, "")
			has("fund", before-60)
			s.want(s.ask("lea", "POST", fmt.Sprintf("/v1/cards/%v/withdraw", r.body["id"]), `{"amount":20}`), 200, "")
			has("withdraw", before-40)
			list := s.ask("lea", "GET", "/v1/cards?status=active", "")
			if rows, _ := list.body["data"].([]any); len(rows) != 1 || !strings.Contains(list.text, `"balance":40`) {
				s.t.Errorf("after a withdrawal the list is %s", list.text)
			}
			s.want(s.ask("lea", "DELETE", fmt.Sprintf("/v1/cards/%v", r.body["id"]), ""), 200, "")
			has("delete", before)
		}
	})
}

// TestAWalletThatCannotBeReadIsTheOldOne with its age, after a wait.
func TestAWalletThatCannotBeReadIsTheOldOne(t *testing.T) {
	crew(t, func(s *site) {
		s.begin()
		s.want(s.ask("lea", "GET", "/v1/wallet/balance", ""), 200, "")
		bins, _ := s.upstream(http.MethodGet, "/v1/bins", "")["data"].([]any)
		bin, _ := bins[0].(map[string]any)
		s.fault("GET /wallet/balance", "server_error", 20)
		s.want(s.ask("lea", "POST", "/v1/cards", fmt.Sprintf(`{"bin_id":%q,"amount":50,"label":"fb/n"}`, bin["id"])), 201, "")
		for range 2 {
			r := s.ask("lea", "GET", "/v1/wallet/balance", "")
			s.want(r, 200, "")
			if r.body["balance"] != 50000.0 || r.header.Get("Age") == "0" {
				s.t.Errorf("answered %s, Age %s", r.text, r.header.Get("Age"))
			}
		}
	})
}

// TestWhoWouldWaitTooLongIsToldWhenToAskAgain and not that the service does not answer: they are
// told at once when to ask again.
func TestWhoWouldWaitTooLongIsToldWhenToAskAgain(t *testing.T) {
	crew(t, func(s *site) {
		s.begin()
		s.want(s.ask("root", "GET", "/v1/wallet/balance", ""), 200, "")
		for n := range 1000 {
			began := clock()
			r := s.ask("root", "GET", fmt.Sprintf("/v1/transactions/txn_%d", n), "")
			if r.status == http.StatusNotFound {
				if n == 300 {
					wait(20 * time.Second) // What is allowed again is less than a minute away.
				}
				continue
			}
			s.want(r, 429, "rate_limited")
			if took := clock().Sub(began); r.header.Get("Retry-After") == "" || took > time.Second {
				s.t.Errorf("Retry-After is %q, after %s", r.header.Get("Retry-After"), took)
			}
			return
		}
		s.t.Error("the budget is not used up")
	})
}
