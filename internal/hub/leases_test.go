package hub_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestALeaseIsToldToThoseWhoSeeTheCard lists who moves the money of a card, and tells
// streams that the list changed.
func TestALeaseIsToldToThoseWhoSeeTheCard(t *testing.T) {
	crew(t, func(s *site) {
		fb, gg := s.card("fb/a"), s.card("gg/a")
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		tapes := make(map[string]*tape)
		for _, name := range []string{"ann", "bob", "lea"} {
			tape, over, leave := s.stream(name)
			tapes[name] = tape
			defer func() { leave(); <-over }()
		}
		wait(time.Second)
		calm := tapes["ann"].String()
		s.fault("POST /cards/{card_id}/fund", "cut_body", 1000)
		s.want(s.ask("root", "POST", "/v1/cards/"+gg+"/fund", `{"amount":20}`), 504, "")
		wait(time.Second)
		if got := s.rows("ann", "/hub/v1/leases"); len(got) != 0 {
			s.t.Errorf("ann sees the lease of a hidden card: %v", got)
		}
		if got := tapes["ann"].String()[len(calm):]; strings.Contains(got, "leases") {
			s.t.Errorf("the lease of a hidden card is an event: %q", got)
		}
		s.want(s.ask("bob", "POST", "/v1/cards/"+fb+"/fund", `{"amount":20}`), 504, "")
		wait(time.Second)
		rows := s.rows("ann", "/hub/v1/leases")
		if len(rows) != 1 || rows[0]["card_id"] != fb || rows[0]["by"] != "bob" || rows[0]["operation"] != "fund" || rows[0]["state"] != "asking" {
			s.t.Errorf("leases %v", rows)
		}
		if text := fmt.Sprint(rows); strings.Contains(text, "20") && strings.Contains(text, "amount") {
			s.t.Errorf("the amount is told: %s", text)
		}
		if got := tapes["ann"].String()[len(calm):]; !strings.Contains(got, "leases") || strings.Contains(got, "operations") {
			s.t.Errorf("stream of a buyer %q", got)
		}
		if got := tapes["lea"].String(); !strings.Contains(got, "operations") {
			s.t.Errorf("stream of a lead %q", got)
		}
		before := len(tapes["ann"].String())
		s.upstream(http.MethodDelete, "/sandbox/faults", "")
		wait(time.Minute)
		if got := s.rows("ann", "/hub/v1/leases"); len(got) != 0 {
			s.t.Errorf("the lease stays: %v", got)
		}
		if got := tapes["ann"].String()[before:]; !strings.Contains(got, "leases") {
			s.t.Errorf("the end of a lease is no event: %q", got)
		}
	})
}
