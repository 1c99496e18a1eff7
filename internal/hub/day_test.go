package hub_test

import (
	"testing"
	"time"
)

// TestAHubWithNobodyThereServes after the time at which a screen locks itself.
func TestAHubWithNobodyThereServes(t *testing.T) { serveHours(t, 1) }

// serveHours reads, writes and approves at the start and in each hour after it.
func serveHours(t *testing.T, hours int) {
	t.Helper()
	crew(t, func(s *site) {
		card := s.card("fb/a")
		s.begin()
		for hour := range hours + 1 {
			s.want(s.ask("ann", "GET", "/v1/cards/"+card, ""), 200, "")
			s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":5}`), 200, "")
			s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/freeze", ""), 200, "")
			s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/unfreeze", ""), 200, "")
			s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":300}`), 403, "approval_required")
			path, body := approval(s.waiting("lea")[0])
			s.want(s.ask("lea", "POST", path, body), 200, "")
			if want := 50 + 305*float64(hour+1); s.balance(card) != want {
				s.t.Fatalf("after %d hours the card has %v, not %v", hour, s.balance(card), want)
			}
			if hour < hours {
				wait(time.Hour)
			}
		}
	})
}
