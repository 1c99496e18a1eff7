package node_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// TestTheNextLeaderTellsWhatALeadSettled: all of it goes through a hub that does not lead,
// and what a lead said holds when that one leads, for who asks and for who sends again.
func TestTheNextLeaderTellsWhatALeadSettled(t *testing.T) {
	t.Parallel()
	for word, acted := range map[string]bool{"done": true, "not-done": false} {
		t.Run(word, func(t *testing.T) {
			hubs(t, func(w *world) {
				t := w.t
				card := w.card("fb/a")
				a, b := w.join(), w.join()
				fault := map[bool]string{true: "cut_body", false: "connection_reset"}[acted]
				w.upstream(http.MethodPost, "/sandbox/faults", fmt.Sprintf(`{"route":"POST /cards/{card_id}/fund","kind":%q,"times":1000}`, fault))
				path := "/v1/cards/" + card + "/fund"
				outcome := func(when, want string) {
					t.Helper()
					r := b.ask(http.MethodGet, "/hub/v1/outcome?key=k1&method=POST&path=/cards/"+card+"/fund", "", "")
					if r.status != 200 || r.body["state"] != want {
						t.Errorf("%s: %d %s, want %s", when, r.status, r.text, want)
					}
				}
				w.want(b.ask(http.MethodPost, path, `{"amount":5}`, "k1"), 504, "unknown_outcome")
				wait(3 * time.Minute)
				outcome("before anyone settles it", "open")
				rows, _ := b.ask(http.MethodGet, "/hub/v1/operations", "", "").body["data"].([]any)
				if len(rows) != 1 {
					t.Fatalf("%d operations", len(rows))
				}
				row, _ := rows[0].(map[string]any)
				w.want(b.ask(http.MethodPost, fmt.Sprint("/hub/v1/operations/", row["id"]), fmt.Sprintf(`{"settle":%q}`, word), ""), 200, "")
				outcome("when it is settled", word)
				held := w.balance(card)
				w.upstream(http.MethodDelete, "/sandbox/faults", "")

				a.stop()
				wait(30 * time.Second)
				outcome("after the takeover", word)
				w.want(b.ask(http.MethodPost, path, `{"amount":5}`, "k1"), 504, "it was settled as "+word)
				outcome("after it was sent again", word)
				if _, writes := b.count(); writes > 0 || w.balance(card) != held {
					t.Errorf("the next leader wrote %d times, the card holds %v, before %v", writes, w.balance(card), held)
				}
			})
		})
	}
}
