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

// TestTheNextLeaderSettlesWhateverTheClocksSay: what was left without an answer is sent again
// under its key although the hub that began it had another time, and tells its end.
func TestTheNextLeaderSettlesWhateverTheClocksSay(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{-20 * time.Minute, 0, 20 * time.Minute} {
		t.Run(by.String(), func(t *testing.T) {
			hubs(t, func(w *world) {
				w.skew = func(hub int) time.Duration { return time.Duration(hub) * by }
				card := w.card("fb/a")
				a, b := w.join(), w.join()
				path := "/v1/cards/" + card + "/fund"
				before := w.balance(card)
				held := a.holdNext()
				go func() { b.ask(http.MethodPost, path, `{"amount":5}`, "k1") }()
				wait(time.Second)
				a.stop()
				<-held
				wait(20 * time.Second)
				w.want(b.ask(http.MethodPost, path, `{"amount":5}`, "k1"), 200, "")
				if after := w.balance(card); after != before+5 {
					w.t.Errorf("the card held %v, and %v after the takeover", before, after)
				}
			})
		})
	}
}
