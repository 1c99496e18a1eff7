package hub_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// TestTheListHasWhenCardsExpire as each card by itself has it, once that was read.
func TestTheListHasWhenCardsExpire(t *testing.T) {
	crew(t, func(s *site) {
		bins, _ := s.upstream(http.MethodGet, "/v1/bins", "")["data"].([]any)
		bin, _ := bins[0].(map[string]any)
		for range 3 {
			s.upstream(http.MethodPost, "/v1/cards", fmt.Sprintf(`{"bin_id":%q,"amount":50,"label":"fb/n"}`, bin["id"]))
		}
		s.begin()
		wait(10 * time.Minute)
		rows, _ := s.ask("lea", "GET", "/v1/cards", "").body["data"].([]any)
		if len(rows) != 3 {
			s.t.Fatalf("%d cards", len(rows))
		}
		for _, row := range rows {
			card, _ := row.(map[string]any)
			one := s.ask("lea", "GET", fmt.Sprintf("/v1/cards/%v", card["id"]), "").body
			if card["expires_at"] == nil || card["expires_at"] != one["expires_at"] {
				s.t.Errorf("expires %v in the list, %v by itself", card["expires_at"], one["expires_at"])
			}
		}
	})
}
