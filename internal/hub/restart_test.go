package hub_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/history"
)

// TestARestartForgetsNoRequest stops a hub between a request, its approval and the
// operation: the next hub knows what waits and what became of it, and the money moves
// once.
func TestARestartForgetsNoRequest(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		path := "/v1/cards/" + card + "/fund"
		fund := func(status int, id string) {
			s.t.Helper()
			s.want(s.ask("ann", "POST", path, `{"amount":300}`, "X-Idempotency-Key", "k"), status, id)
		}
		again := func() {
			s.end()
			s.begin()
			s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		}
		s.begin()
		fund(403, "approval_required")
		s.want(s.ask("bob", "POST", "/v1/cards/"+card+"/freeze", ""), 200, "")
		first := s.waiting("lea")
		again()
		waits := s.waiting("lea")
		if len(waits) != 1 || waits[0]["id"] != first[0]["id"] || waits[0]["by"] != "ann" || waits[0]["amount"] != 300.0 || waits[0]["card_balance_after"] != 350.0 {
			s.t.Fatalf("after a restart %v", waits)
		}
		fund(403, "approval_required")
		if n := len(s.waiting("lea")); n != 1 {
			s.t.Errorf("%d wait: the key is not known any more", n)
		}
		decide, body := approval(waits[0])
		s.want(s.ask("lea", "POST", decide, body), 200, "")
		again()
		if rows := s.rows("ann", "/hub/v1/approvals"); len(rows) != 1 || rows[0]["state"] != "approved" || rows[0]["decided_by"] != "lea" || rows[0]["card_balance"] != nil {
			s.t.Errorf("who asked sees %v", rows)
		}
		s.want(s.ask("lea", "POST", decide, body), 404, "not_found")
		fund(504, "unknown_outcome") // Nothing is sent.
		if got := s.balance(card); got != 350 {
			s.t.Errorf("the card holds %v", got)
		}
		s.end()
		wait(25 * time.Hour)
		s.begin()
		if rows := s.rows("ann", "/hub/v1/approvals"); len(rows) != 0 {
			s.t.Errorf("a day later %v", rows)
		}
	})
}

// TestARequestIsKeptByteByByte: its body has signs that JSON may write otherwise.
func TestARequestIsKeptByteByByte(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount": 300,"note":"R&D <1>\u2028"}`), 403, "approval_required")
		s.end()
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		rows := s.waiting("lea")
		if len(rows) != 1 {
			s.t.Fatalf("after a restart %v", rows)
		}
		decide, body := approval(rows[0])
		s.want(s.ask("lea", "POST", decide, body), 200, "")
	})
}

// TestAnApprovalThatWasNotBegunWaitsAfterARestart: the hub was killed after the approval
// was stored and before the journal had the operation.
func TestAnApprovalThatWasNotBegunWaitsAfterARestart(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":300}`, "X-Idempotency-Key", "k"), 403, "approval_required")
		s.end()
		file := filepath.Join(s.dir, "hub", "approvals.json")
		data, err := os.ReadFile(file)
		must(s.t, err)
		approved := strings.Replace(string(data), `"State":"waiting","By":""`, `"State":"approved","By":"lea"`, 1)
		approved = strings.Replace(approved, `"Ended":"0001-01-01T00:00:00Z"`, `"Ended":"`+clock().UTC().Format(time.RFC3339)+`"`, 1)
		if approved == string(data) || strings.Contains(approved, "0001-01") {
			s.t.Fatalf("stored is %s", data)
		}
		must(s.t, os.WriteFile(file, []byte(approved), 0o600))
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		rows := s.waiting("lea")
		if len(rows) != 1 {
			s.t.Fatalf("waiting: %v", s.rows("lea", "/hub/v1/approvals"))
		}
		decide, body := approval(rows[0])
		s.want(s.ask("lea", "POST", decide, body), 200, "")
		if got := s.balance(card); got != 350 {
			s.t.Errorf("the card holds %v", got)
		}
	})
}

// TestAnApprovalOfWhatWasDoneSendsNothing: the file of the approvals is of before the
// operation, as one that was put back from a copy.
func TestAnApprovalOfWhatWasDoneSendsNothing(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		path := "/v1/cards/" + card + "/fund"
		s.begin()
		s.want(s.ask("ann", "POST", path, `{"amount":300}`, "X-Idempotency-Key", "k"), 403, "approval_required")
		file := filepath.Join(s.dir, "hub", "approvals.json")
		before, err := os.ReadFile(file)
		must(s.t, err)
		decide, body := approval(s.waiting("lea")[0])
		s.want(s.ask("lea", "POST", decide, body), 200, "")
		s.end()
		must(s.t, os.WriteFile(file, before, 0o600))
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		decide, body = approval(s.waiting("lea")[0])
		s.want(s.ask("lea", "POST", decide, body), 504, "unknown_outcome")
		if n := s.asked("POST " + path); n != 1 || s.balance(card) != 350 {
			s.t.Errorf("it was sent %d times, the card holds %v", n, s.balance(card))
		}
		if n := len(s.waiting("lea")); n != 0 {
			s.t.Errorf("%d wait", n)
		}
	})
}

func TestARefusalIsToldAndInTheAudit(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":300}`), 403, "approval_required")
		decide, _ := approval(s.waiting("lea")[0])
		s.want(s.ask("bob", "POST", decide, `{"approve":false}`), 403, "forbidden")
		s.want(s.ask("lea", "POST", decide, `{"approve":false}`), 200, "")
		if data, err := os.ReadFile(filepath.Join(s.dir, "hub", "approvals.json")); err != nil || strings.Contains(string(data), `{"amount":300}`) {
			s.t.Errorf("what is over keeps its body: %s, %v", data, err)
		}
		s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":300,"note":"`+strings.Repeat("x", 4096)+`"}`), 413, "body_too_large")
		s.end()
		s.begin()
		s.want(s.ask("lea", "GET", "/v1/cards", ""), 200, "")
		s.want(s.ask("lea", "POST", decide, `{"approve":false}`), 404, "not_found")
		if rows := s.rows("ann", "/hub/v1/approvals"); len(rows) != 1 || rows[0]["state"] != "refused" || rows[0]["decided_by"] != "lea" {
			s.t.Errorf("who asked sees %v", rows)
		}
		if rows := s.rows("bob", "/hub/v1/approvals"); len(rows) != 0 {
			s.t.Errorf("another buyer sees %v", rows)
		}
		records, err := s.past.Load(history.Everything)
		if err != nil || len(records) != 2 || records[0].Action != "refuse" || records[0].By.Name != "lea" || records[0].Amount != 300*api.Dollar {
			s.t.Errorf("records %+v, %v", records, err)
		}
		if n := s.asked("POST /v1/cards/" + card + "/fund"); n != 0 {
			s.t.Errorf("sent %d times", n)
		}
	})
}

func TestARestartForgetsNoClaim(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		id := s.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":3,"otp":"482913"}`, card))["id"]
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		s.want(s.ask("bob", "POST", "/hub/v1/claims", fmt.Sprintf(`{"challenge_id":%q}`, id)), 200, "")
		s.end()
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		if rows := s.rows("ann", "/hub/v1/claims"); len(rows) != 1 || rows[0]["by"] != "bob" {
			s.t.Errorf("claims %v", rows)
		}
		data, err := os.ReadFile(filepath.Join(s.dir, "hub", "claims.json"))
		if err != nil || strings.Contains(string(data), "482913") {
			s.t.Errorf("stored is %s, %v", data, err)
		}
	})
}

func TestWhoIsThere(t *testing.T) {
	crew(t, func(s *site) {
		s.begin()
		_, over, leave := s.stream("bob")
		wait(time.Minute)
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		wait(time.Minute)
		rows := s.rows("eve", "/hub/v1/people")
		var names []string
		for _, row := range rows {
			names = append(names, fmt.Sprint(row["name"], " ", row["role"], " ", row["here"], " ", row["last_seen"] != nil))
		}
		if got, want := strings.Join(names, ", "), "bob buyer 1 true, eve viewer 0 true, ann buyer 0 true, lea lead 0 false, root admin 0 false"; got != want {
			s.t.Errorf("there are %s, want %s", got, want)
		}
		if text := s.ask("eve", "GET", "/hub/v1/people", "").text; strings.Contains(text, "fb/") || strings.Contains(text, "token") {
			s.t.Errorf("tells %s", text)
		}
		leave()
		<-over
		if rows := s.rows("eve", "/hub/v1/people"); rows[0]["here"] != 0.0 {
			s.t.Errorf("after they left %v", rows)
		}
	})
}
