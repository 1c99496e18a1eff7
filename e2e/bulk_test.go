package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// balances are what the server says of every card, in cents, by id.
func (d *driver) balances() map[string]int64 {
	d.t.Helper()
	out := make(map[string]int64)
	for page := 1; ; page++ {
		list := objects(d.t, d.api(http.MethodGet, fmt.Sprintf("/cards?per_page=100&page=%d", page), nil)["data"])
		for _, c := range list {
			out[text(d.t, c["id"])] = centsOf(d.t, c["balance"])
		}
		if len(list) < 100 {
			return out
		}
	}
}

func centsOf(t *testing.T, v any) int64 {
	t.Helper()
	f, ok := v.(float64)
	if !ok {
		t.Fatalf("%v is no amount", v)
	}
	return int64(f*100 + 0.5)
}

func (d *driver) walletCents() int64 {
	d.t.Helper()
	return centsOf(d.t, d.api(http.MethodGet, "/wallet/balance", nil)["balance"])
}

// changed counts the cards whose balance changed by so many cents, and fails
// for any other change.
func changed(t *testing.T, before, after map[string]int64, by int64) (n int) {
	t.Helper()
	for id, b := range after {
		switch b - before[id] {
		case 0:
		case by:
			n++
		default:
			t.Errorf("%s changed by %d cents", id, b-before[id])
		}
	}
	return n
}

// trouble makes the sandbox's trouble.
func (d *driver) trouble(route, kind string, times, latency int) {
	d.t.Helper()
	d.control(http.MethodPost, "/sandbox/faults", map[string]any{"route": route, "kind": kind, "times": times, "latency_ms": latency})
}

const (
	fundRoute  = "POST /cards/{card_id}/fund"
	issueRoute = "POST /cards"
)

// choose filters the list down to active cards and selects the first n.
func (d *driver) choose(n int) {
	d.t.Helper()
	d.press("1", "/")
	d.send("active")
	d.wait(200 * time.Millisecond)
	d.press("enter", "g", "v")
	d.send(strings.Repeat("j", n-1))
	d.wait(200 * time.Millisecond)
	d.press("v")
	d.see(fmt.Sprintf("%d selected", n))
}

// selectedID gives the id of a card of the filtered list, by its row.
func (d *driver) selectedID(row int) string {
	d.t.Helper()
	var rows []string
	for _, l := range strings.Split(d.screen(), "\n") {
		if strings.HasPrefix(l, "│") && strings.Contains(l, "•• ") || strings.Contains(l, "••••") {
			rows = append(rows, l)
		}
	}
	digits := ""
	if at := strings.Index(rows[row], "•••• "); at >= 0 {
		digits = rows[row][at+len("•••• "):][:4]
	}
	for _, c := range objects(d.t, d.api(http.MethodGet, "/cards?per_page=100&status=active", nil)["data"]) {
		if text(d.t, c["last4"]) == digits {
			return text(d.t, c["id"])
		}
	}
	d.t.Fatalf("no card in row %d: %s", row, rows[row])
	return ""
}

// lastCard gives the id of an active card that is last by its label.
func (d *driver) lastCard() string {
	d.t.Helper()
	list := objects(d.t, d.api(http.MethodGet, "/cards?per_page=100&status=active", nil)["data"])
	last := slices.MaxFunc(list, func(a, b map[string]any) int { return strings.Compare(text(d.t, a["label"]), text(d.t, b["label"])) })
	return text(d.t, last["id"])
}

// fundBeside funds a card as another client does: no trouble meets it.
func (d *driver) fundBeside(id string, amount int) {
	d.t.Helper()
	d.control(http.MethodDelete, "/sandbox/faults", nil)
	d.api(http.MethodPost, "/cards/"+id+"/fund", map[string]any{"amount": amount})
	d.trouble(fundRoute, "latency", 20, 1000)
}
