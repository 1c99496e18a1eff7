package hub_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/history"
)

// rows lists what a path has for a person.
func (s *site) rows(name, path string) (rows []map[string]any) {
	s.t.Helper()
	list, _ := s.ask(name, "GET", path, "").body["data"].([]any)
	for _, row := range list {
		rows = append(rows, row.(map[string]any)) //nolint:forcetypeassert // a test that breaks is one that fails
	}
	return rows
}

// outcome is what a person is told of a fund by its key.
func (s *site) outcome(name, key, card string) (is, message string) {
	s.t.Helper()
	r := s.ask(name, "GET", "/hub/v1/outcome?key="+key+"&method=POST&path=/cards/"+card+"/fund", "")
	s.want(r, 200, "")
	return fmt.Sprint(r.body["state"]), fmt.Sprint(r.body["message"])
}

// TestALeadSettlesWhatIsNotAnswered: an operation that nobody can tell the outcome of
// keeps its card until a lead says what became of it.
func TestALeadSettlesWhatIsNotAnswered(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fault, says, suggests string
		holds                 float64
	}{
		{"cut_body", "done", "done", 55},
		{"connection_reset", "not-done", "not-done", 50},
	} {
		t.Run(tt.says, func(t *testing.T) {
			crew(t, func(s *site) {
				card := s.card("fb/a")
				s.begin()
				s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
				path, ops := "/v1/cards/"+card+"/fund", "/hub/v1/operations"
				s.fault("POST /cards/{card_id}/fund", tt.fault, 1)
				asked := len(s.rows("lea", ops))
				s.want(s.ask("ann", "POST", path, `{"amount":5}`, "X-Idempotency-Key", "k"), 504, "unknown_outcome")
				s.fault("POST /cards/{card_id}/fund", "connection_reset", 1000)
				row := s.rows("lea", ops)[asked]
				settle := ops + "/" + fmt.Sprint(row["id"])
				for _, key := range []string{"k", "never"} {
					for name, want := range map[string]string{"ann": map[string]string{"k": "open", "never": "none"}[key], "lea": "none"} {
						if is, _ := s.outcome(name, key, card); is != want {
							s.t.Errorf("%s is told of %s: %s, want %s", name, key, is, want)
						}
					}
				}
				if row["by"] != "ann" || row["operation"] != "fund" || row["amount"] != 5.0 || row["state"] != "asking" {
					s.t.Errorf("shows %v", row)
				}
				s.want(s.ask("lea", "POST", settle, `{"settle":"not-done"}`), 409, "still_asked")
				wait(3 * time.Minute)
				for _, bad := range []string{`{}`, `{"settle":"perhaps"}`} {
					s.want(s.ask("lea", "POST", settle, bad), 400, "")
				}
				s.want(s.ask("bob", "POST", settle, `{"settle":"done"}`), 403, "forbidden")
				s.want(s.ask("bob", "POST", path, `{"amount":5}`), 409, "busy")
				read := s.asked("GET /v1/cards/" + card)
				r := s.ask("lea", "POST", settle, `{"settle":"read"}`)
				if n := s.asked("GET /v1/cards/"+card) - read; n < 1 || n > 2 { // The hub may read it by itself at that moment, too.
					s.t.Errorf("the card was read %d times", n)
				}
				if r.body["state"] != "unsettled" || r.body["card_balance"] != tt.holds || r.body["suggests"] != tt.suggests {
					s.t.Errorf("reads %s", r.text)
				}
				s.want(s.ask("lea", "POST", settle, fmt.Sprintf(`{"settle":%q}`, tt.says)), 200, "")
				s.want(s.ask("lea", "POST", settle, `{"settle":"done"}`), 404, "")
				if is, message := s.outcome("ann", "k", card); is != tt.says || message != "lea settled it as "+tt.says {
					s.t.Errorf("settled, ann is told %s: %s", is, message)
				}
				if left := s.rows("lea", ops); len(left) != 0 {
					s.t.Errorf("left: %v", left)
				}
				r = s.ask("ann", "POST", path, `{"amount":5}`, "X-Idempotency-Key", "k")
				if s.want(r, 504, "settled_"+strings.ReplaceAll(tt.says, "-", "_")); !strings.Contains(r.text, "lea settled it as "+tt.says) {
					s.t.Error(r.text)
				}
				s.upstream("DELETE", "/sandbox/faults", "")
				s.want(s.ask("bob", "POST", path, `{"amount":7}`), 200, "")
				if got := s.balance(card); got != tt.holds+7 {
					s.t.Errorf("the card holds %v", got)
				}
				s.settledBy("lea", tt.says)
				// The next hub knows the word of before, and sends nothing.
				s.end()
				s.begin()
				s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
				if is, message := s.outcome("ann", "k", card); is != tt.says || message != "it was settled as "+tt.says {
					s.t.Errorf("after a restart ann is told %s: %s", is, message)
				}
				r = s.ask("ann", "POST", path, `{"amount":5}`, "X-Idempotency-Key", "k")
				if s.want(r, 504, "settled_"+strings.ReplaceAll(tt.says, "-", "_")); !strings.Contains(r.text, "it was settled as "+tt.says) {
					s.t.Error(r.text)
				}
				if got := s.balance(card); got != tt.holds+7 {
					s.t.Errorf("after a restart the card holds %v", got)
				}
			})
		})
	}
}

// settledBy looks for who settled an operation, in the audit.
func (s *site) settledBy(name, as string) {
	s.t.Helper()
	records, err := s.past.Load(history.Everything)
	must(s.t, err)
	said := 0
	for _, r := range records {
		if r.Action == "settle" && r.By.Name == name && r.By.Role == "lead" && r.Amount == 5*api.Dollar && r.Outcome == "judged-"+as {
			said++
		}
	}
	if said != 1 || len(s.journal.Pending()) != 0 {
		s.t.Errorf("records %+v, left %v", records, s.journal.Pending())
	}
}

// TestAnOutcomeIsToldByItsKey of what the service answered too, and nothing is sent for it.
func TestAnOutcomeIsToldByItsKey(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		path := "/v1/cards/" + card + "/fund"
		s.want(s.ask("ann", "POST", path, `{"amount":5}`, "X-Idempotency-Key", "done"), 200, "")
		s.want(s.ask("ann", "POST", path, `{"amount":99999}`, "X-Idempotency-Key", "refused"), 403, "approval_required")
		s.want(s.ask("lea", "POST", path, `{"amount":99999}`, "X-Idempotency-Key", "refused"), 400, "")
		before := s.balance(card)
		for range 2 {
			for _, c := range []struct{ name, key, is, message string }{
				{"ann", "done", "done", "the service did it"},
				{"ann", "refused", "none", ""},
				{"lea", "done", "none", ""},
				{"lea", "refused", "not-done", "the service refused it"},
			} {
				if is, message := s.outcome(c.name, c.key, card); is != c.is || message != c.message {
					s.t.Errorf("%s is told of %s: %s %s", c.name, c.key, is, message)
				}
			}
			if got := s.balance(card); got != before {
				s.t.Errorf("the card holds %v, before %v", got, before)
			}
			s.end()
			s.begin()
		}
		s.want(s.ask("eve", "GET", "/hub/v1/outcome?key=done", ""), 403, "forbidden")
	})
}

// TestAFreezeThatWasReadSinceIsTold to whoever asks for it again, as it is at the outcome.
func TestAFreezeThatWasReadSinceIsTold(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		path := "/v1/cards/" + card + "/freeze"
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		s.fault("POST /cards/{card_id}/freeze", "commit_then_timeout", 1000)
		s.want(s.ask("ann", "POST", path, "", "X-Idempotency-Key", "k"), 504, "unknown_outcome")
		wait(15 * time.Minute)
		if rows := s.rows("lea", "/hub/v1/operations"); len(rows) != 0 {
			s.t.Fatalf("open: %v", rows)
		}
		s.want(s.ask("ann", "POST", path, "", "X-Idempotency-Key", "k"), 504, api.HubSettledDone)
	})
}

func TestOperationsOfHiddenCardsAreNotThere(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("gg/a")
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		s.fault("POST /cards/{card_id}/fund", "connection_reset", 1000)
		s.want(s.ask("bob", "POST", "/v1/cards/"+card+"/fund", `{"amount":5}`), 504, "unknown_outcome")
		wait(3 * time.Minute)
		if rows := s.rows("lea", "/hub/v1/operations"); len(rows) != 0 {
			s.t.Errorf("shown: %v", rows)
		}
		all := s.rows("root", "/hub/v1/operations")
		if len(all) != 1 || all[0]["state"] != "unsettled" {
			s.t.Fatalf("an admin sees %v", all)
		}
		path := "/hub/v1/operations/" + fmt.Sprint(all[0]["id"])
		s.want(s.ask("lea", "POST", path, `{"settle":"done"}`), 404, "not_found")
		s.want(s.ask("root", "POST", path, `{"settle":"not-done"}`), 200, "")
	})
}

// TestAHubThatStopsTellsTheTruth stops a hub at each moment of a write: who asked is told
// what became of it, and never that nothing was sent when it was.
func TestAHubThatStopsTellsTheTruth(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		told := map[int]int{}
		for round := range 40 {
			before := s.balance(card)
			s.begin()
			s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
			s.upstream("POST", "/sandbox/faults", `{"route":"POST /cards/{card_id}/fund","kind":"latency","times":1,"latency_ms":20}`)
			done := make(chan reply)
			go func() {
				done <- s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":5}`, "X-Idempotency-Key", fmt.Sprint(round))
			}()
			wait(time.Duration(round) * time.Millisecond)
			s.end()
			r := <-done
			told[r.status]++
			s.upstream("DELETE", "/sandbox/faults", "")
			s.begin()
			s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
			wait(time.Minute)
			moved := s.balance(card) - before
			if r.status == 200 && moved != 5 || r.status != 200 && r.status != 504 && moved != 0 {
				s.t.Errorf("round %d: answered %d %s, $%v moved", round, r.status, r.text, moved)
			}
			s.end()
		}
		s.t.Logf("answers by status %v", told)
		if told[200] == 0 || told[504] > 0 {
			s.t.Error("it did not wait for what was being sent")
		}
	})
}
