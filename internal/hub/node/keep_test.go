package node_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"
)

// TestARequestForALeadSurvivesATakeover has a lead approve at one hub what a buyer asked
// for at another that has died: it is funded once. The request that was approved before
// does not wait again.
func TestARequestForALeadSurvivesATakeover(t *testing.T) {
	hubs(t, func(w *world) {
		t := w.t
		card := w.card("fb/a")
		a, b, c := w.join(), w.join(), w.join()
		w.withBuyers()
		path := "/v1/cards/" + card + "/fund"
		w.want(send(t, b.node, token+"bob", http.MethodPost, path, `{"amount":150}`, "k1"), 403, "approval_required")
		w.want(send(t, b.node, token+"bob", http.MethodPost, path, `{"amount":160}`, "k2"), 403, "approval_required")
		wait(time.Second)
		asked := func(m *member, want int) (waiting []map[string]any) {
			t.Helper()
			rows, _ := m.ask(http.MethodGet, "/hub/v1/approvals", "", "").body["data"].([]any)
			for _, row := range rows {
				if r, _ := row.(map[string]any); r["state"] == "waiting" {
					waiting = append(waiting, r)
				}
			}
			if len(waiting) != want {
				t.Fatalf("%d requests wait, not %d: %v", len(waiting), want, rows)
			}
			return waiting
		}
		approve := func(m *member, is map[string]any) {
			t.Helper()
			is["approve"] = true // The figures are those that were read.
			body, err := json.Marshal(is)
			must(t, err)
			w.want(m.ask(http.MethodPost, fmt.Sprint("/hub/v1/approvals/", is["id"]), string(body), ""), 200, "")
		}
		first := asked(a, 2)[0]
		approve(a, first)
		wait(5 * time.Second)
		a.stop()
		wait(15 * time.Second)
		second := asked(c, 1)[0]
		if second["id"] == first["id"] {
			t.Fatal("what was approved waits again")
		}
		told := c.streamOf(token + "bob")
		wait(time.Second)
		approve(c, second)
		wait(15 * time.Second)
		asked(b, 0)
		if got := told(); got == "" {
			t.Error("nobody is told")
		}
		r := b.ask(http.MethodGet, "/v1/cards/"+card, "", "")
		if balance := r.body["balance"]; balance != 360.0 {
			t.Errorf("the card holds %v", balance)
		}
	})
}
