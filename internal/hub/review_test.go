package hub_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state/guard"
)

// waiting lists the requests for approvals that a person sees.
func (s *site) waiting(name string) (rows []map[string]any) {
	for _, row := range s.rows(name, "/hub/v1/approvals") {
		if row["state"] == "waiting" {
			rows = append(rows, row)
		}
	}
	return rows
}

// approval is the request of a lead who saw a row.
func approval(row map[string]any) (path, body string) {
	return "/hub/v1/approvals/" + fmt.Sprint(row["id"]), fmt.Sprintf(
		`{"approve":true,"amount":%v,"card_status":%q,"card_balance":%v,"card_balance_after":%v,"wallet_balance":%v,"wallet_balance_after":%v}`,
		row["amount"], row["card_status"], row["card_balance"], row["card_balance_after"], row["wallet_balance"], row["wallet_balance_after"])
}

func TestAnApprovalIsOfTheLabelOfNow(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":300}`), 403, "approval_required")
		path, body := approval(s.waiting("lea")[0])
		s.want(s.ask("root", "PATCH", "/v1/cards/"+card, `{"label":"gg/a"}`), 200, "")
		wait(time.Minute)
		if a, l := s.waiting("ann"), s.waiting("lea"); len(a)+len(l) > 0 {
			s.t.Errorf("shown: %v, %v", a, l)
		}
		s.want(s.ask("lea", "POST", path, body), 404, "not_found")
		s.want(s.ask("root", "POST", path, body), 403, "forbidden")
		if got := s.balance(card); got != 50 {
			s.t.Errorf("the card holds %v", got)
		}
	})
}

func TestAnApprovalThatCannotBeginWaitsOn(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		path := "/v1/cards/" + card + "/fund"
		s.want(s.ask("ann", "POST", path, `{"amount":300}`, "X-Idempotency-Key", "k"), 403, "approval_required")
		s.want(s.ask("ann", "POST", path, `{"amount":400}`, "X-Idempotency-Key", "k"), 400, "idempotency_key_reused")
		s.fault("POST /cards/{card_id}/fund", "cut_body", 2)
		s.want(s.ask("bob", "POST", path, `{"amount":5}`), 504, "")
		decide, body := approval(s.waiting("lea")[0])
		s.want(s.ask("lea", "POST", decide, body), 409, "figures_changed") // It acted: the card is read anew.
		decide, body = approval(s.waiting("lea")[0])
		s.want(s.ask("lea", "POST", decide, body), 409, "busy")
		if n := len(s.waiting("lea")); n != 1 {
			s.t.Fatalf("%d wait", n)
		}
		wait(time.Minute)
		s.want(s.ask("ann", "POST", path, `{"amount":1}`, "X-Idempotency-Key", "k"), 400, "idempotency_key_reused") // It waits.
		decide, body = approval(s.waiting("lea")[0])
		s.want(s.ask("lea", "POST", decide, body), 200, "")
		s.want(s.ask("ann", "POST", path, `{"amount":300}`, "X-Idempotency-Key", "k"), 200, "")
		if n := s.balance(card); n != 355 {
			s.t.Errorf("the card holds %v", n)
		}
	})
}

// TestAnApprovalOfWhatIsRefusedWaitsOn, also over a restart: nobody is told that it was
// approved while nothing moved.
func TestAnApprovalOfWhatIsRefusedWaitsOn(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		path := "/v1/cards/" + card + "/fund"
		s.guard = guard.Guard{MaxHour: 310 * api.Dollar}
		s.begin()
		s.want(s.ask("ann", "POST", path, `{"amount":300}`, "X-Idempotency-Key", "k"), 403, "approval_required")
		s.want(s.ask("bob", "POST", path, `{"amount":20}`), 200, "")
		for range 2 {
			decide, body := approval(s.waiting("lea")[0])
			s.want(s.ask("lea", "POST", decide, body), 403, "guardrail")
			if rows := s.rows("ann", "/hub/v1/approvals"); len(rows) != 1 || rows[0]["state"] != "waiting" {
				s.t.Fatalf("who asked sees %v", rows)
			}
			s.end()
			s.begin()
			s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		}
		wait(2 * time.Hour)
		decide, body := approval(s.waiting("lea")[0])
		s.want(s.ask("lea", "POST", decide, body), 200, "")
		if n := s.balance(card); n != 370 {
			s.t.Errorf("the card holds %v", n)
		}
	})
}

// TestAnApprovalThatIsRefusedLateIsUnconfirmed: the first try has no answer, so that the
// refusal of a later one does not say that it may be approved again.
func TestAnApprovalThatIsRefusedLateIsUnconfirmed(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		path := "/v1/cards/" + card + "/fund"
		s.begin()
		s.want(s.ask("ann", "POST", path, `{"amount":300}`, "X-Idempotency-Key", "k"), 403, "approval_required")
		s.fault("POST /cards/{card_id}/fund", "connection_reset", 3)
		decide, body := approval(s.waiting("lea")[0])
		s.want(s.ask("lea", "POST", decide, body), 504, "unknown_outcome")
		s.upstream("POST", "/v1/cards/"+card+"/freeze", "")
		s.upstream("DELETE", "/v1/cards/"+card, "")
		wait(5 * time.Minute)
		if rows := s.rows("ann", "/hub/v1/approvals"); len(rows) != 1 || rows[0]["state"] != "approved" {
			s.t.Fatalf("who asked sees %v", rows)
		}
		if n := len(s.waiting("lea")); n != 0 {
			s.t.Errorf("%d wait for a lead", n)
		}
		if rows := s.rows("lea", "/hub/v1/operations"); len(rows) != 1 || s.asked("POST "+path) < 4 {
			s.t.Errorf("unconfirmed are %v after %d requests", rows, s.asked("POST "+path))
		}
	})
}

// TestWhoAsksAgainWhileItIsApprovedSwallowsNothing: the lead's approval is sent, and nothing
// else waits.
func TestWhoAsksAgainWhileItIsApprovedSwallowsNothing(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		path := "/v1/cards/" + card + "/fund"
		s.begin()
		for round := range 40 {
			ask := func() reply {
				return s.ask("ann", "POST", path, `{"amount":201}`, "X-Idempotency-Key", fmt.Sprint(round))
			}
			s.want(ask(), 403, "approval_required")
			decide, body := approval(s.waiting("lea")[0])
			again := make(chan reply)
			go func() { again <- ask() }()
			s.want(s.ask("lea", "POST", decide, body), 200, "")
			if r := <-again; r.status != 200 && r.body["error"] != "approval_required" {
				s.t.Errorf("round %d: who asked is answered %d %s", round, r.status, r.text)
			}
			s.want(ask(), 200, "")
			if rows := s.waiting("lea"); len(rows) != 0 {
				s.t.Fatalf("round %d: %v", round, rows)
			}
		}
		if n := s.balance(card); n != 50+40*201 {
			s.t.Errorf("the card holds %v", n)
		}
	})
}

func TestDetailsOfACardThatWasRelabelledAreNotRead(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		s.upstream(http.MethodPatch, "/v1/cards/"+card, `{"label":"gg/a"}`)
		s.want(s.ask("ann", "GET", "/v1/cards/"+card+"/details", ""), 404, "not_found")
		if records, err := s.past.Load(10); err != nil || len(records) != 0 || s.asked("GET /v1/cards/"+card+"/details") != 0 {
			s.t.Errorf("records %v, %v", records, err)
		}
	})
}

func TestPagesOfTheServiceAreCountedByPerson(t *testing.T) {
	crew(t, func(s *site) {
		a, b := s.card("fb/a"), s.card("fb/b")
		s.limits = limit.Limits{Requests: 100, Details: 100, Pages: 1, Streams: 5}
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards/"+a, ""), 200, "")
		s.want(s.ask("ann", "GET", "/v1/cards/"+a, ""), 200, "") // It is remembered.
		if r := s.ask("ann", "GET", "/v1/cards/"+b, ""); r.status != 429 || r.header.Get("Retry-After") == "" {
			s.t.Errorf("answered %d %s", r.status, r.text)
		}
		s.want(s.ask("bob", "GET", "/v1/cards/"+b, ""), 200, "")
	})
}

// TestReadsOfPeopleRankBehindPolls has somebody read what the hub does not have until it
// is refused: half of the minute is left for what is polled for everybody.
func TestReadsOfPeopleRankBehindPolls(t *testing.T) {
	crew(t, func(s *site) {
		s.begin()
		s.want(s.ask("root", "GET", "/v1/cards", ""), 200, "")
		began := clock()
		last := reply{status: 404}
		for i := 0; last.status == 404 && i < budget.PerMinute; i++ {
			last = s.ask("root", "GET", fmt.Sprintf("/v1/cards/card_none_%d", i), "")
		}
		s.sent.Lock()
		sent := len(s.paths)
		s.sent.Unlock()
		if sent < budget.PerMinute/3 || sent > budget.PerMinute/2+10 {
			s.t.Errorf("%d were sent in %s, until one was answered %d %s", sent, clock().Sub(began), last.status, last.text)
		}
		polls := s.asked("GET /v1/3ds")
		wait(30 * time.Second)
		if n := s.asked("GET /v1/3ds") - polls; n < 25 {
			s.t.Errorf("codes were polled %d times in 30 s", n)
		}
	})
}

func TestWhoMayNotAskAnyMoreIsNotApproved(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":300}`), 403, "approval_required")
		path, body := approval(s.waiting("lea")[0])
		lower := &team.Team{People: slices.Clone(s.people.Team().People)}
		for i := range lower.People {
			if lower.People[i].Name == "ann" {
				lower.People[i].Role = team.Viewer
			}
		}
		s.people.Set(lower)
		s.hub.People()
		s.want(s.ask("lea", "POST", path, body), 403, "forbidden")
		if got := s.balance(card); got != 50 {
			s.t.Errorf("the card holds %v", got)
		}
	})
}

// TestAnApprovalIsOfTheCardOfNow: what changed past the hub since its list was read is
// looked at first.
func TestAnApprovalIsOfTheCardOfNow(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		path := "/v1/cards/" + card
		s.want(s.ask("ann", "POST", path+"/fund", `{"amount":300}`), 403, "approval_required")
		for _, change := range []func(){
			func() { s.upstream(http.MethodPost, path+"/fund", `{"amount":1}`) },
			func() { s.upstream(http.MethodPatch, path, `{"label":"fb/b"}`) },
			func() { s.upstream(http.MethodPost, path+"/freeze", "") },
		} {
			decide, body := approval(s.waiting("lea")[0])
			change()
			if s.want(s.ask("lea", "POST", decide, body), 409, "figures_changed"); s.t.Failed() {
				return
			}
		}
		decide, body := approval(s.waiting("lea")[0])
		s.fault("GET /cards/{card_id}", "server_error", 9)
		if r := s.ask("lea", "POST", decide, body); r.status < 500 {
			s.t.Errorf("a card that cannot be read: %d %s", r.status, r.text)
		}
		s.upstream(http.MethodDelete, "/sandbox/faults", "")
		s.upstream(http.MethodPost, path+"/unfreeze", "")
		s.want(s.ask("lea", "POST", decide, body), 409, "figures_changed")
		decide, body = approval(s.waiting("lea")[0])
		s.want(s.ask("lea", "POST", decide, body), 200, "")
		if n, got := s.asked("POST "+path+"/fund"), s.balance(card); n != 1 || got != 351 {
			s.t.Errorf("sent %d times, the card holds %v", n, got)
		}
	})
}

// TestARemovedPersonsRequestsEnd also when the hub did not run meanwhile, and not because
// the team's file has a mistake.
func TestARemovedPersonsRequestsEnd(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		ask := func(key string) {
			s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":300}`, "X-Idempotency-Key", key), 403, "approval_required")
		}
		ask("1")
		all := s.people.Team()
		without := &team.Team{People: slices.DeleteFunc(slices.Clone(all.People), func(p team.Person) bool { return p.Name == "ann" })}
		s.people.Set(&team.Team{})
		s.hub.People()
		s.people.Set(all)
		if n := len(s.waiting("lea")); n != 1 {
			s.t.Errorf("after a file with a mistake %d wait", n)
		}
		tape, over, leave := s.stream("lea")
		wait(time.Second)
		before := strings.Count(tape.String(), "approvals")
		s.people.Set(without)
		s.hub.People()
		wait(time.Second)
		if n := strings.Count(tape.String(), "approvals") - before; n != 1 {
			s.t.Errorf("leads are told %d times", n)
		}
		leave()
		<-over
		if rows := s.rows("lea", "/hub/v1/approvals"); len(rows) != 1 || rows[0]["state"] != "refused" || rows[0]["decided_by"] != nil {
			s.t.Errorf("%v", rows)
		}
		if r := s.ask("ann", "GET", "/v1/cards", ""); r.status != 401 || r.body["error"] != "unauthorized" || r.body["message"] != api.HubUnknownToken {
			s.t.Error(r.text)
		}
		s.people.Set(all)
		ask("2")
		s.end()
		s.people.Set(without)
		s.begin()
		s.want(s.ask("lea", "GET", "/v1/cards", ""), 200, "")
		if n := len(s.waiting("lea")); n != 0 {
			s.t.Errorf("after a start %d wait", n)
		}
		records, err := s.past.Load(10)
		if err != nil || records[0].Action != "refuse" || records[0].Name == "" || records[0].Err != "the fund that ann asked for: the asker was removed" {
			s.t.Errorf("%+v, %v", records, err)
		}
	})
}

// TestAWriteIsOfTheLabelOfNow: another program gave the card another label since the list
// was read.
func TestAWriteIsOfTheLabelOfNow(t *testing.T) {
	crew(t, func(s *site) {
		cards := []string{s.card("fb/a"), s.card("fb/b"), s.card("fb/c")}
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		for i, verb := range []string{"POST %s/fund", "POST %s/freeze", "POST %s/withdraw"} {
			s.upstream(http.MethodPatch, "/v1/cards/"+cards[i], `{"label":"gg/a"}`)
			method, path, _ := strings.Cut(fmt.Sprintf(verb, "/v1/cards/"+cards[i]), " ")
			s.want(s.ask("lea", method, path, `{"amount":5}`), 404, "not_found")
			if got := s.upstream(http.MethodGet, "/v1/cards/"+cards[i], ""); got["balance"] != 50.0 || got["status"] != "active" {
				s.t.Errorf("%s acted: %v", path, got)
			}
			// What was read stays: the card is in no list of theirs.
			if r := s.ask("lea", "GET", "/v1/cards", ""); strings.Contains(r.text, cards[i]) {
				s.t.Errorf("listed: %s", r.text)
			}
			s.want(s.ask("root", method, path, `{"amount":5}`), 200, "")
		}
	})
}

// TestAnApprovalRestsOnTheStatusThatWasSeen: a card that was frozen since is looked at again.
func TestAnApprovalRestsOnTheStatusThatWasSeen(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":300}`), 403, "approval_required")
		path, seen := approval(s.waiting("lea")[0])
		s.want(s.ask("root", "POST", "/v1/cards/"+card+"/freeze", ""), 200, "")
		s.want(s.ask("lea", "POST", path, seen), 409, "figures_changed")
		path, now := approval(s.waiting("lea")[0])
		if !strings.Contains(now, `"card_status":"frozen"`) {
			t.Errorf("the lead sees %s", now)
		}
		s.want(s.ask("lea", "POST", path, now), 200, "")
	})
}
