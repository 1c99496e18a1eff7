package hub_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
)

// TestWhoAskedTookAndRefusedIsInTheAudit once each, with the card.
func TestWhoAskedTookAndRefusedIsInTheAudit(t *testing.T) {
	crew(t, func(s *site) {
		card := s.card("fb/a")
		code := fmt.Sprint(s.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":3,"otp":"482913"}`, card))["id"])
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		for range 2 {
			s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":300}`, "X-Idempotency-Key", "k"), 403, "approval_required")
			s.want(s.ask("bob", "POST", "/hub/v1/claims", fmt.Sprintf(`{"challenge_id":%q}`, code)), 200, "")
		}
		list, _ := s.ask("lea", "GET", "/hub/v1/approvals", "").body["data"].([]any)
		row, _ := list[0].(map[string]any)
		s.want(s.ask("lea", "POST", "/hub/v1/approvals/"+fmt.Sprint(row["id"]), `{"approve":false}`), 200, "")
		wait(time.Second)
		records, err := s.past.Load(10)
		must(s.t, err)
		var got []string
		for _, r := range records {
			if string(r.Card) != card || !strings.HasPrefix(r.Name, "fb/a ••") || r.Label != "fb/a" {
				s.t.Errorf("no card: %+v", r)
			}
			got = append(got, fmt.Sprintf("%s %s %s %v: %s", r.By.Name, r.Action, r.Outcome, r.Amount == 300*api.Dollar, r.Err))
		}
		want := []string{
			"lea refuse refused true: the fund that ann asked for", "bob claim done false: the code of " + code, "ann ask waits true: the fund that ann asked for",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			s.t.Errorf("records %q", got)
		}
		if report, err := s.past.Verify(); err != nil || report.Lines != 3 || strings.Contains(fmt.Sprint(records), "482913") {
			s.t.Errorf("%+v, %v, %v", report, err, records)
		}
	})
}
