package hub_test

import (
	"context"
	"fmt"
	mrand "math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/hub/team"
)

// scoped are people of each role who see the same few cards.
func scoped() []team.Person {
	var all []team.Person
	for _, r := range team.Roles() {
		all = append(all, team.Person{Name: r.String(), Role: r, Labels: []string{"fb/*", "own"}, Cap: 40 * api.Dollar})
	}
	boss := team.Person{Name: "boss", Role: team.Admin, Labels: []string{"*"}, Cap: 40 * api.Dollar}
	return append(all, admin(), boss)
}

// known is what the account has, and which of it is out of the scope.
type known struct {
	ids    map[string][]string // by kind: cards, txns, codes, labels
	hidden []string
	fresh  []string // cards that money can be moved from
}

func (k *known) add(kind, id string, hidden bool) {
	k.ids[kind] = append(k.ids[kind], id)
	if hidden {
		k.hidden = append(k.hidden, id)
	}
}

// survey lists the account past the hub.
func survey(s *site) *known {
	k := &known{ids: make(map[string][]string)}
	hidden := make(map[string]bool)
	rows := func(path string) (all []map[string]any) {
		for page := 1; ; page++ {
			data, _ := s.upstream(http.MethodGet, fmt.Sprintf("%sper_page=100&page=%d", path, page), "")["data"].([]any)
			for _, row := range data {
				all = append(all, row.(map[string]any)) //nolint:forcetypeassert // a test that breaks is one that fails
			}
			if len(data) < 100 {
				return all
			}
		}
	}
	for _, c := range rows("/v1/cards?") {
		id, label := fmt.Sprint(c["id"]), fmt.Sprint(c["label"])
		hidden[id] = !strings.HasPrefix(label, "fb/") && label != "own"
		k.add("cards", id, hidden[id])
		if balance, _ := c["balance"].(float64); balance > 1 && c["status"] == "active" {
			k.fresh = append(k.fresh, id)
		}
		k.add("labels", label, hidden[id] && len(label) > 3)
	}
	for _, t := range rows("/v1/transactions?") {
		k.add("txns", fmt.Sprint(t["id"]), hidden[fmt.Sprint(t["card_id"])])
	}
	list, _ := s.upstream(http.MethodGet, "/v1/3ds", "")["data"].([]any)
	for _, row := range list {
		c := row.(map[string]any) //nolint:forcetypeassert // a test that breaks is one that fails
		k.add("codes", fmt.Sprint(c["id"]), hidden[fmt.Sprint(c["card_id"])])
	}
	return k
}

// tape is the reading end of a stream.
type tape struct {
	mu     sync.Mutex
	text   strings.Builder
	header http.Header
	block  chan struct{} // writes wait for it; nil for none
}

func newTape() *tape { return &tape{header: http.Header{}} }

func (t *tape) Header() http.Header { return t.header }
func (t *tape) WriteHeader(int)     {}
func (t *tape) Flush()              {}
func (t *tape) Write(p []byte) (int, error) {
	if t.block != nil {
		<-t.block
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

func (t *tape) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// stream opens a stream as a person; over is closed when the hub ends it.
func (s *site) stream(name string) (t *tape, over chan struct{}, leave func()) {
	t, over = newTape(), make(chan struct{})
	ctx, cancel := context.WithCancel(s.t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://hub/hub/v1/stream", http.NoBody)
	must(s.t, err)
	req.Header.Set("Authorization", "Bearer "+s.tokens[name])
	go func() {
		defer close(over)
		s.hub.ServeHTTP(t, req)
	}()
	return t, over, cancel
}

// pick returns a random one of a kind, or what is none.
func (k *known) pick(r *mrand.Rand, kind string) string {
	all := k.ids[kind]
	if len(all) == 0 || r.IntN(12) == 0 {
		return "nothing_like_it"
	}
	return all[r.IntN(len(all))]
}

// random makes a request that a curious person might send.
func (k *known) random(r *mrand.Rand) (method, path, body string) {
	card, label := k.pick(r, "cards"), k.pick(r, "labels")
	amount := fmt.Sprintf(`{"amount":%d}`, 1+r.IntN(60))
	switch r.IntN(26) {
	case 0, 1:
		return "GET", fmt.Sprintf("/v1/cards?page=%d&per_page=%d&sort=%s", 1+r.IntN(3), 1+r.IntN(100), []string{"balance", "created_at", "last_used"}[r.IntN(3)]), ""
	case 2, 3:
		return "GET", "/v1/cards?label=" + label[:min(len(label), 1+r.IntN(8))] + "&status=" + []string{"active", "frozen", "terminated"}[r.IntN(3)], ""
	case 4, 5:
		return "GET", "/v1/cards/" + card, ""
	case 6:
		return "GET", "/v1/cards/" + card + "/details", ""
	case 7:
		return "GET", "/v1/transactions?card_id=" + card, ""
	case 8:
		return "GET", fmt.Sprintf("/v1/transactions?page=%d&per_page=%d", 1+r.IntN(4), 1+r.IntN(100)), ""
	case 9:
		return "GET", "/v1/transactions?type=decline&from=" + clock().Add(-time.Duration(1+r.IntN(90))*time.Hour).UTC().Format(time.RFC3339), ""
	case 10, 11:
		return "GET", "/v1/transactions/" + k.pick(r, "txns"), ""
	case 12:
		return "GET", "/v1/3ds" + []string{"", "?status=pending", "?status=expired", "?card_id=" + card, "?status=pending&card_id=" + card}[r.IntN(5)], ""
	case 13:
		return "GET", "/v1/3ds/" + k.pick(r, "codes"), ""
	case 14:
		return "GET", "/v1/wallet/" + []string{"balance", "deposits", "deposit-address"}[r.IntN(3)], ""
	case 15:
		return "GET", []string{"/v1/bins", "/v1/webhooks", "/hub/v1/about", "/hub/v1/claims", "/hub/v1/approvals", "/hub/v1/operations", "/hub/v1/people", "/hub/v1/leases"}[r.IntN(8)], ""
	case 16:
		return "POST", "/v1/cards/" + card + "/" + []string{"freeze", "unfreeze"}[r.IntN(2)], ""
	case 17:
		return "POST", "/v1/cards/" + card + "/fund", amount
	case 18:
		return "POST", "/v1/cards/" + card + "/withdraw", amount
	case 19:
		return "PATCH", "/v1/cards/" + card, fmt.Sprintf(`{"label":%q}`, label)
	case 20:
		return "POST", "/v1/cards", fmt.Sprintf(`{"bin_id":"424242","amount":5,"label":%q}`, label)
	case 21:
		return "POST", "/hub/v1/claims", fmt.Sprintf(`{"challenge_id":%q}`, k.pick(r, "codes"))
	case 22:
		return "POST", "/hub/v1/approvals/" + k.pick(r, "approvals"), fmt.Sprintf(`{"approve":%v}`, r.IntN(2) == 0)
	case 23:
		return "POST", "/hub/v1/operations/" + k.pick(r, "operations"), fmt.Sprintf(`{"settle":%q}`, []string{"read", "done", "not-done"}[r.IntN(3)])
	case 24:
		return "POST", "/v1/cards/" + card + "/fund", `{"amount":45}`
	default:
		return []string{"DELETE", "GET", "PUT"}[r.IntN(3)], "/v1/cards/" + card + "/" + label, ""
	}
}

// requests is how many are sent as each role: bench/hub-scope.sh has 1,000.
func requests() int {
	n, err := strconv.Atoi(os.Getenv("PROOF_HUB"))
	if err != nil {
		return 200
	}
	return n
}

// trouble has requests wait for a lead and operations without an answer, of cards that
// are seen and of hidden ones.
func (k *known) trouble(s *site) {
	s.fault("POST /cards/{card_id}/withdraw", "connection_reset", 1000)
	for i, id := range k.fresh[:min(12, len(k.fresh))] {
		s.want(s.ask("root", "POST", "/v1/cards/"+id+"/withdraw", `{"amount":0.01}`), 504, "")
		s.want(s.ask("boss", "POST", "/v1/cards/"+id+"/fund", fmt.Sprintf(`{"amount":%d}`, 90+i)), 403, "approval_required")
	}
	wait(3 * time.Minute)
	s.upstream(http.MethodDelete, "/sandbox/faults", "")
	for kind, path := range map[string]string{"approvals": "/hub/v1/approvals", "operations": "/hub/v1/operations"} {
		for _, row := range s.rows("root", path) {
			hidden := slices.Contains(k.hidden, fmt.Sprint(row["card_id"]))
			k.add(kind, fmt.Sprint(row["id"]), hidden)
		}
	}
}

// TestWhatIsOutOfScopeIsInNoAnswer sends random requests as each role and searches what
// comes back for anything of cards that the person may not see.
func TestWhatIsOutOfScopeIsInNoAnswer(t *testing.T) {
	t.Parallel()
	for _, role := range team.Roles() {
		t.Run(role.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := open(t, sandbox.Config{Seed: 7, Cards: 40, NoLimits: true, Wallet: "50000", History: 3 * 24 * time.Hour}, scoped()...)
				bin := fmt.Sprint(s.upstream(http.MethodGet, "/v1/bins", "")["data"].([]any)[0].(map[string]any)["id"]) //nolint:forcetypeassert // a test that breaks is one that fails
				for i := range 12 {
					label := []string{"fb/spring", "own", "gg/hidden-brand", "FB/other-case", "x fb/y", "fbx/near"}[i%6]
					card := s.upstream(http.MethodPost, "/v1/cards", fmt.Sprintf(`{"bin_id":%q,"amount":50,"label":%q}`, bin, label))
					s.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":3,"otp":"48%04d"}`, card["id"], i))
					s.upstream(http.MethodPost, "/sandbox/transactions", fmt.Sprintf(`{"card_id":%q,"type":"settlement","amount":3.25,"merchant":"Acme"}`, card["id"]))
				}
				s.begin()
				tape, over, leave := s.stream(role.String())
				time.Sleep(3 * time.Second) //nolint:forbidigo // virtual time in a bubble
				k := survey(s)
				if len(k.hidden) < 40 {
					t.Fatalf("only %d things are hidden", len(k.hidden))
				}
				k.trouble(s)
				r := mrand.New(mrand.NewPCG(1, uint64(role)))
				answered, clean, n := map[int]int{}, 0, requests()
				for range n {
					method, path, body := k.random(r)
					got := s.ask(role.String(), method, strings.ReplaceAll(path, " ", "%20"), body)
					answered[got.status]++
					if !leaks(t, k, method+" "+path, fmt.Sprint(got.header)+got.text) {
						clean++
					}
				}
				for _, id := range survey(s).fresh { // What is seen and what is not.
					s.upstream(http.MethodPost, "/v1/cards/"+id+"/withdraw", `{"amount":0.01}`)
				}
				time.Sleep(10 * time.Minute) //nolint:forbidigo // virtual time in a bubble
				leave()
				<-over
				leaks(t, k, "stream", tape.String())
				leaks(t, k, "log", s.said.String())
				t.Logf("hub: %d of %d answers as %s have nothing of %d hidden things; by status %v; %d bytes of stream", clean, n, role, len(k.hidden), answered, len(tape.String()))
				if len(k.ids["approvals"]) == 0 || len(k.ids["operations"]) == 0 || answered[http.StatusOK] < n/5 || answered[http.StatusNotFound] < n/10 || !strings.Contains(tape.String(), "cards") {
					t.Error("too little was tried for the proof to mean anything")
				}
				s.end()
			})
		})
	}
}

// leaks reports what of the hidden is in a text.
func leaks(t *testing.T, k *known, where, text string) bool {
	t.Helper()
	for _, id := range k.hidden {
		if strings.Contains(text, id) {
			t.Errorf("%s: has %q: %.300s", where, id, text)
			return true
		}
	}
	return false
}
