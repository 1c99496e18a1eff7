package node_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state/guard"
)

// hubs runs a test with a world in virtual time.
func hubs(t *testing.T, use func(*world)) {
	t.Helper()
	t.Parallel()
	key, err := seal.NewKey()
	must(t, err)
	synctest.Test(t, func(t *testing.T) {
		w := open(t, key)
		use(w)
		w.close()
	})
}

func (w *world) want(r reply, status int, text string) {
	w.t.Helper()
	if r.status != status || !strings.Contains(r.text, text) {
		w.t.Errorf("answered %d %.300s, want %d %s", r.status, r.text, status, text)
	}
}

func TestOneReadsAndAllAnswer(t *testing.T) {
	hubs(t, func(w *world) {
		card := w.card("fb/a")
		a, b := w.join(), w.join()
		reads, _ := a.count()
		for _, path := range []string{"/v1/cards", "/v1/wallet/balance", "/v1/transactions?from=2000-01-02T00:00:00Z", "/v1/3ds?status=pending", "/v1/bins", "/v1/cards/" + card} {
			one, two := a.ask(http.MethodGet, path, "", ""), b.ask(http.MethodGet, path, "", "")
			if one.status != 200 || one.text != two.text {
				w.t.Errorf("%s: %d %.200s\nand the other %d %.200s", path, one.status, one.text, two.status, two.text)
			}
		}
		w.want(b.ask(http.MethodGet, "/v1/cards/card_none", "", ""), 404, "not_found")
		wait(time.Minute)
		if more, _ := a.count(); more == reads {
			w.t.Error("the leader does not poll")
		}
		if n, writes := b.count(); n+writes > 0 {
			w.t.Errorf("the other hub sent %d reads and %d writes to the service", n, writes)
		}
		// What changes at the service is on both.
		second := w.card("fb/b")
		wait(2 * time.Minute)
		w.want(b.ask(http.MethodGet, "/v1/cards", "", ""), 200, second)
		if age, err := strconv.Atoi(b.ask(http.MethodGet, "/v1/wallet/balance", "", "").age); err != nil || age > 30 {
			w.t.Errorf("it is %d s old, %v", age, err)
		}
	})
}

func TestWhatIsAskedOfOthersIsPassed(t *testing.T) {
	hubs(t, func(w *world) {
		card := w.card("fb/a")
		a, b := w.join(), w.join()
		path := "/v1/cards/" + card + "/fund"
		w.want(b.ask(http.MethodPost, path, `{"amount":5}`, "k1"), 200, `"new_balance":55`)
		w.want(b.ask(http.MethodPost, path, `{"amount":5}`, "k1"), 200, `"new_balance":55`)
		w.want(a.ask(http.MethodPost, path, `{"amount":5}`, "k1"), 200, `"new_balance":55`)
		w.want(b.ask(http.MethodPost, path, `{"amount":5}`, ""), 200, `"new_balance":60`)
		details := b.ask(http.MethodGet, "/v1/cards/"+card+"/details", "", "")
		pan, _ := details.body["pan"].(string)
		if details.status != 200 || len(pan) < 13 {
			w.t.Errorf("details: %d %.100s", details.status, details.text)
		}
		w.want(send(w.t, b.node, "sk_test_hub_none", http.MethodPost, path, `{"amount":5}`, ""), 401, "unauthorized")
		for _, data := range w.shared.Seen() {
			for _, secret := range []string{pan, token, upstreamKey} {
				if bytes.Contains(data, []byte(secret)) {
					w.t.Errorf("a secret is on the bus: %.60q", data)
				}
			}
		}
		if _, writes := b.count(); writes > 0 || w.balance(card) != 60 {
			w.t.Errorf("%d writes of the other hub, the card has %v", writes, w.balance(card))
		}
		records, err := a.past.Load(10)
		if err != nil || len(records) != 3 || records[0].By.Name != "ann" {
			w.t.Errorf("the audit has %+v, %v", records, err)
		}
	})
}

// TestAnotherSettlesWhatALeaderBegan stops a leader whose write acted and was not
// answered. The next one sends it again under its key, and answers who asks.
func TestAnotherSettlesWhatALeaderBegan(t *testing.T) {
	hubs(t, func(w *world) {
		card := w.card("fb/a")
		a, b := w.join(), w.join()
		path := "/v1/cards/" + card + "/fund"
		hold := make(chan struct{})
		a.mu.Lock()
		a.hold = hold
		a.mu.Unlock()
		first := make(chan reply, 1)
		go func() { first <- b.ask(http.MethodPost, path, `{"amount":5}`, "k1") }()
		<-hold
		a.mu.Lock()
		a.cut = true
		a.mu.Unlock()
		w.want(<-first, 504, "unknown_outcome") // The one that led says so when its lease ends.
		wait(10 * time.Second)
		w.want(b.ask(http.MethodPost, path, `{"amount":5}`, "k1"), 200, `"new_balance":55`)
		if _, writes := b.count(); writes != 1 || w.balance(card) != 55 {
			w.t.Errorf("the next leader wrote %d times, the card has %v", writes, w.balance(card))
		}
		w.want(b.ask(http.MethodPost, path, `{"amount":6}`, "k2"), 200, `"new_balance":61`)
		a.mu.Lock()
		a.hold, a.cut = nil, false
		a.mu.Unlock()
		wait(10 * time.Second)
		w.want(a.ask(http.MethodPost, path, `{"amount":7}`, "k3"), 200, `"new_balance":68`)
		if _, writes := a.count(); writes != 1 {
			w.t.Errorf("the old leader wrote %d times", writes)
		}
	})
}

func TestReadersSayHowOldItIs(t *testing.T) {
	hubs(t, func(w *world) {
		w.card("fb/a")
		a, b := w.join(), w.join()
		b.mu.Lock()
		b.follows = true
		b.mu.Unlock()
		a.stop()
		wait(2 * time.Minute)
		r := b.ask(http.MethodGet, "/v1/wallet/balance", "", "")
		if age, err := strconv.Atoi(r.age); r.status != 200 || err != nil || age < 120 || age > 150 {
			w.t.Errorf("%d, it says %q s, %v", r.status, r.age, err)
		}
		list := func() int {
			age, err := strconv.Atoi(b.ask(http.MethodGet, "/v1/cards", "", "").age)
			if err != nil {
				w.t.Error(err)
			}
			return age
		}
		if first, again := list(), list(); first < 120 || again != first {
			w.t.Errorf("the list is %d s old, and what is kept of it %d", first, again)
		}
		w.want(b.ask(http.MethodPost, "/v1/cards/card_1/freeze", "", "k"), 409, "not_sent")
		w.want(b.ask(http.MethodGet, "/v1/cards/card_1/details", "", ""), 503, "no hub leads")
	})
}

// TestGuardrailsCountWhatTheLeaderBeforeDid has two leaders fund one after the other.
func TestGuardrailsCountWhatTheLeaderBeforeDid(t *testing.T) {
	hubs(t, func(w *world) {
		w.guard = guard.Guard{}
		w.guard.MaxDay = 100 * api.Dollar
		card := w.card("fb/a")
		a, b := w.join(), w.join()
		path := "/v1/cards/" + card + "/fund"
		w.want(a.ask(http.MethodPost, path, `{"amount":70}`, "k1"), 200, "")
		a.stop()
		wait(10 * time.Second)
		w.want(b.ask(http.MethodPost, path, `{"amount":40}`, "k2"), 403, "guardrail")
		w.want(b.ask(http.MethodPost, path, `{"amount":30}`, "k3"), 200, "")
	})
}

// TestGuardrailsCountWhatTheAnswerToTheLeaderBeforeSaid has the service move more than it
// was asked to.
func TestGuardrailsCountWhatTheAnswerToTheLeaderBeforeSaid(t *testing.T) { //nolint:tparallel // hubs makes each parallel
	for _, c := range []struct {
		answered string
		left     string // what may still be moved of 100
		over     string
	}{{`95`, `5`, `6`}, {`-60`, `30`, `31`}, {`0`, `30`, `31`}} {
		t.Run(c.answered, func(t *testing.T) {
			hubs(t, func(w *world) {
				w.guard = guard.Guard{}
				w.guard.MaxDay = 100 * api.Dollar
				card := w.card("fb/a")
				a, b := w.join(), w.join()
				path := "/v1/cards/" + card + "/fund"
				a.says.Store(`"funded_amount":` + c.answered)
				w.want(a.ask(http.MethodPost, path, `{"amount":70}`, "k1"), 200, "")
				a.stop()
				wait(10 * time.Second)
				w.want(b.ask(http.MethodPost, path, `{"amount":`+c.over+`}`, "k2"), 403, "guardrail")
				w.want(b.ask(http.MethodPost, path, `{"amount":`+c.left+`}`, "k3"), 200, "")
			})
		})
	}
}

// ending is the reading end of a stream.
type ending struct{ header http.Header }

func (e ending) Header() http.Header         { return e.header }
func (e ending) WriteHeader(int)             {}
func (e ending) Write(p []byte) (int, error) { return len(p), nil }
func (e ending) Flush()                      {}

// TestARemovedPersonsStreamsEndOnEveryHub removes a person from the team of each hub,
// the one that leads and those that read, while they have a stream open there.
func TestARemovedPersonsStreamsEndOnEveryHub(t *testing.T) {
	hubs(t, func(w *world) {
		over := make(chan time.Time, 3)
		for range 3 {
			m := w.join()
			go func() {
				r := httptest.NewRequestWithContext(w.t.Context(), http.MethodGet, "/hub/v1/stream", http.NoBody)
				r.Header.Set("Authorization", "Bearer "+token)
				m.node.ServeHTTP(ending{http.Header{}}, r)
				over <- now()
			}()
		}
		wait(10 * time.Second)
		if len(over) > 0 {
			w.t.Fatal("a stream ends by itself")
		}
		began := now()
		for _, m := range w.hubs {
			m.people.Set(&team.Team{})
			m.node.People()
		}
		for range 3 {
			if late := (<-over).Sub(began); late > time.Second {
				w.t.Errorf("a stream ends after %s", late)
			}
		}
		w.t.Log("hub: 3 of 3 streams of a removed token ended on three hubs within a second")
	})
}

// TestNoChangeWaitsForASnapshot has one take for ever.
func TestNoChangeWaitsForASnapshot(t *testing.T) {
	hubs(t, func(w *world) {
		card := w.card("fb/a")
		a, b := w.join(), w.join()
		a.mu.Lock()
		a.saves = make(chan struct{})
		saves := a.saves
		a.mu.Unlock()
		<-saves
		w.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":3,"otp":"482913"}`, card))
		wait(3 * time.Second)
		w.want(b.ask(http.MethodGet, "/v1/3ds?status=pending", "", ""), 200, "482913")
	})
}

// TestHubsWithNobodyThereServe after the time at which a screen locks itself.
func TestHubsWithNobodyThereServe(t *testing.T) {
	hubs(t, func(w *world) {
		card := w.card("fb/a")
		a, b := w.join(), w.join()
		path := "/v1/cards/" + card + "/fund"
		for range 2 {
			w.want(b.ask(http.MethodGet, "/v1/cards/"+card, "", ""), 200, "")
			w.want(a.ask(http.MethodPost, path, `{"amount":5}`, ""), 200, "")
			w.want(b.ask(http.MethodPost, path, `{"amount":5}`, ""), 200, "")
			wait(20 * time.Minute)
		}
		if got := w.balance(card); got != 70 {
			w.t.Errorf("the card has %v", got)
		}
	})
}
