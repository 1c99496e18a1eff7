package node_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/team"
)

// withBuyers adds two buyers with a cap of $100: bob, who sees fb, and eve, who sees gg.
func (w *world) withBuyers() {
	for _, m := range w.hubs {
		t := &team.Team{People: m.people.Team().People}
		for name, labels := range map[string]string{"bob": "fb/*", "eve": "gg/*"} {
			t.People = append(t.People, team.Person{
				Name: name, Role: team.Buyer, Labels: []string{labels}, Token: team.HashOf([]byte(token + name)), Cap: 100 * api.Dollar,
			})
		}
		m.people.Set(t)
		m.node.People()
	}
}

// TestRequestsAndLeasesAreToldOnEveryHub has viewers at a hub that does not lead: they are
// told of both at once, and nobody of what they may not see.
func TestRequestsAndLeasesAreToldOnEveryHub(t *testing.T) {
	hubs(t, func(w *world) {
		t := w.t
		card := w.card("fb/a")
		a, b := w.join(), w.join()
		w.withBuyers()
		tells := map[string]func() string{"ann": b.stream(), "bob": b.streamOf(token + "bob"), "eve": b.streamOf(token + "eve")}
		told := func(when string, want map[string]string, not map[string]string) {
			t.Helper()
			wait(time.Second)
			for name, told := range tells {
				got := told()
				for topic := range strings.FieldsSeq(want[name]) {
					if !strings.Contains(got, `"`+topic+`"`) {
						t.Errorf("%s: %s is not told of %s: %q", when, name, topic, got)
					}
				}
				for topic := range strings.FieldsSeq(not[name]) {
					if strings.Contains(got, `"`+topic+`"`) {
						t.Errorf("%s: %s is told of %s: %q", when, name, topic, got)
					}
				}
			}
		}
		told("at first", nil, map[string]string{"ann": "approvals leases operations"})
		path := "/v1/cards/" + card + "/fund"
		asked := send(t, b.node, token+"bob", http.MethodPost, path, `{"amount":150}`, "k1")
		w.want(asked, 403, "approval_required")
		told("a request", map[string]string{"ann": "approvals", "bob": "approvals"}, map[string]string{"eve": "approvals"})
		rows, _ := b.ask(http.MethodGet, "/hub/v1/approvals", "", "").body["data"].([]any)
		if len(rows) != 1 {
			t.Fatalf("%d requests", len(rows))
		}
		first, _ := rows[0].(map[string]any)
		w.want(a.ask(http.MethodPost, fmt.Sprint("/hub/v1/approvals/", first["id"]), `{"approve":false}`, ""), 200, "")
		told("a refusal", map[string]string{"ann": "approvals", "bob": "approvals"}, map[string]string{"eve": "approvals"})

		held := a.holdNext()
		go func() { send(t, b.node, token+"bob", http.MethodPost, path, `{"amount":5}`, "k2") }()
		<-held
		told("a funding", map[string]string{"ann": "leases operations", "bob": "leases"}, map[string]string{"bob": "operations", "eve": "leases operations"})
		wait(2 * time.Minute)
		told("its end", map[string]string{"ann": "leases operations", "bob": "leases"}, map[string]string{"eve": "leases operations"})
	})
}
