package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/hub/cluster/bustest"
	"github.com/cardtop/cardtop/sim/judge"
)

const (
	key = "sk_test_simulation_0001"
	// booksKey reads the books: what is read by it uses up nothing of the other.
	booksKey = "sk_test_simulation_0002"
	// theirKey reaches another account of the same provider.
	theirKey = "sk_test_simulation_0003"
	// nextKey reaches the same account as key: people change to it.
	nextKey = "sk_test_simulation_0004"
)

// ruleDay is the cap of the rule that tops cards up, cents.
const ruleDay = 60_00

// now is the virtual time of the bubble that it is read in.
func now() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

// world is an account at a provider, and the people who use it.
type world struct {
	t           *testing.T
	seed        uint64
	rand        *rand.Rand // Of what the world is; each part of what happens has another.
	provider    *sandbox.Server
	liar        *liar
	liars       []*liar // This one, and those on the ways of members to a hub.
	clients     []*http.Transport
	secrets     []string // That are to be nowhere.
	dir         string
	expiredCard string // Empty for none.
	maxDay      int64  // Cents; 0 for no cap.
	// maxOperation is the cap of one operation, cents; 0 for none.
	maxOperation int64
	// low is the wallet that programs alert below, cents.
	low       int64
	elsewhere *elsewhere
	// theirs are the cards of another account of the provider, and stranger where that is.
	theirs   map[string]judge.Card
	stranger *sandbox.Server
	// past reports whether cards were used for 30 days before.
	past bool

	// checkout holds one token, of who waits for a code: the newest is theirs. Who waits for a mutex stops the time.
	checkout chan struct{}

	writing sync.Mutex

	day     int      // Of the week, from 0 on.
	without []string // The parts that are left out.

	mu       sync.Mutex
	requests int
	minutes  map[int64]int // Those of each minute.
	parts    []string      // All that there were, and those that were left out.
	run      judge.Run
	bus      *bustest.Hubs  // Of several hubs; nil of one.
	used     map[int64]bool // Amounts that were asked for, cents: each tells what it was asked by.
	machines []*machine
}

// draw returns the randomness of a part of a seed. That of another is the same without it.
func draw(seed uint64, part string) *rand.Rand {
	sum := uint64(14695981039346656037)
	for _, b := range []byte(part) {
		sum = (sum ^ uint64(b)) * 1099511628211
	}
	return rand.New(rand.NewPCG(seed, sum)) //nolint:gosec // a seed has to draw the same again
}

// takes notes a part of what happens, and reports whether it does: a seed that fails is shortened by leaving out others.
func (w *world) takes(part string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.parts, part) {
		w.parts = append(w.parts, part)
	}
	return !slices.Contains(w.without, part)
}

// makeWorld opens a provider for a seed.
func makeWorld(ctx context.Context, t *testing.T, seed uint64, without []string) *world {
	t.Helper()
	w := &world{t: t, seed: seed, rand: draw(seed, "world"), without: without, dir: t.TempDir(), used: make(map[int64]bool), minutes: make(map[int64]int), checkout: make(chan struct{}, 1), run: judge.Run{
		Acted: make(map[string]time.Time), Capped: make(map[string]bool), Others: make(map[string]bool), Misread: make(map[string]bool), RuleDay: ruleDay, Scope: scope,
	}}
	cards := 3 + w.rand.IntN(12)
	if w.rand.IntN(8) == 0 {
		cards = 100 + w.rand.IntN(120) // More than a page.
	}
	var err error
	cfg := sandbox.Config{Seed: seed, APIKeys: []string{key, booksKey, nextKey}, Quiet: true, Cards: cards, Transactions: -1, Wallet: fmt.Sprint(200 + w.rand.IntN(3000))}
	courier := w.courier()
	cfg.AllowHTTPWebhooks, cfg.WebhookClient = true, &http.Client{Timeout: deliveryWithin, Transport: courier}
	if w.past = draw(seed, "past").IntN(8) == 0; w.past {
		cfg.History, cfg.Transactions = sandbox.DefaultHistory, 3000
	}
	if w.provider, err = sandbox.Open(ctx, cfg); err != nil {
		t.Fatal(err)
	}
	w.stranger, err = sandbox.Open(ctx, sandbox.Config{Seed: seed + 1<<32, APIKeys: []string{theirKey}, Quiet: true, Cards: 3, Transactions: -1})
	if err != nil {
		t.Fatal(err)
	}
	w.liar = w.makeLiar(w.watched(), "liar")
	w.liars, w.secrets = []*liar{w.liar, courier}, []string{key, booksKey, theirKey, nextKey}
	if w.rand.IntN(2) == 0 {
		w.maxDay = int64(60+w.rand.IntN(440)) * 100
	}
	if draw(seed, "max operation").IntN(4) == 0 {
		w.maxOperation = 22_00
	}
	w.run.Before, w.run.MaxDay, w.theirs = w.books(), w.maxDay, w.cards(w.stranger, theirKey)
	w.elsewhere = w.openElsewhere(draw(seed, "elsewhere"))
	w.run.Before = w.books()
	w.low = w.run.Before.Wallet - 60_00
	w.run.Low = w.low
	return w
}

// watched is the way to the provider on which what it does is noted.
func (w *world) watched() http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		asked := bodyOf(r)
		if r.Header.Get("Authorization") == "Bearer "+theirKey {
			return w.strange(r, asked)
		}
		if r.Method == http.MethodPost {
			w.writing.Lock() // What is noted of writes is in their order.
			defer w.writing.Unlock()
		}
		resp, err := w.provider.Transport().RoundTrip(r)
		if err == nil {
			resp, err = w.elsewhere.answers(r, resp)
		}
		var wallet int64
		wrote := r.Method == http.MethodPost && err == nil && resp.StatusCode < 300
		if wrote {
			wallet = w.wallet()
		}
		act := actOf(r, asked)
		if wrote && act.Card != "" {
			act.Left, act.Frozen = w.left(act.Card)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.requests++
		w.minutes[now().Unix()/60]++
		if wrote {
			w.run.Wallets = append(w.run.Wallets, judge.Balance{At: now(), Cents: wallet})
		}
		if k := r.Header.Get("X-Idempotency-Key"); k != "" && err == nil && resp.StatusCode < 300 {
			if _, again := w.run.Acted[k]; !again {
				w.run.Acted[k], act.Key = now(), k
				w.run.Acts = append(w.run.Acts, act)
			}
		}
		return resp, err
	})
}

// ofHour is how many requests the provider answered in the last hour.
func (w *world) ofHour() (sum int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for minute := now().Unix() / 60; ; minute-- {
		if sum += w.minutes[minute]; minute <= now().Add(-time.Hour).Unix()/60 {
			return sum
		}
	}
}

// strange is the way to the other account, on which what it does is noted.
func (w *world) strange(r *http.Request, asked []byte) (*http.Response, error) {
	resp, err := w.stranger.Transport().RoundTrip(r)
	if r.Method != http.MethodGet && err == nil && resp.StatusCode < 300 {
		act := actOf(r, asked)
		act.Key = r.Header.Get("X-Idempotency-Key")
		w.add(func(run *judge.Run) {
			if !slices.ContainsFunc(run.Theirs, func(a judge.Act) bool { return a.Key == act.Key && act.Key != "" }) {
				run.Theirs = append(run.Theirs, act)
			}
		})
	}
	if w.pooled() || err != nil || r.URL.Path != "/v1/wallet/deposit-address" {
		return resp, err
	}
	return rewritten(resp, func(o map[string]any) { // The sandbox has the same for everybody.
		if all, ok := o["addresses"].(map[string]any); ok {
			for coin, address := range all {
				all[coin] = fmt.Sprint(address, "x")
			}
		}
	})
}

// pooled reports whether all accounts of the provider have the same addresses: nothing shows then whose a key is.
func (w *world) pooled() bool { return draw(w.seed, "pooled").IntN(4) == 0 }

// rotates gives people another key of the same account, somewhere before an hour.
func (w *world) rotates(until time.Time) {
	r := draw(w.seed, "rotates")
	pause(time.Duration(r.Int64N(int64(until.Sub(now())))))
	for _, m := range w.machines {
		m.mu.Lock()
		m.key = nextKey
		m.mu.Unlock()
		pause(time.Duration(r.Int64N(int64(5 * time.Minute))))
	}
}

// bodyOf is the body of a request.
func bodyOf(r *http.Request) []byte {
	if r.GetBody == nil {
		return nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return nil
	}
	return data
}

// actOf is what a request does.
func actOf(r *http.Request, body []byte) judge.Act {
	a := judge.Act{At: now()}
	var o struct{ Amount json.Number }
	if json.Unmarshal(body, &o) == nil && o.Amount != "" {
		a.Cents = cents(o.Amount)
	}
	a.Card, a.Verb, _ = strings.Cut(strings.TrimPrefix(r.URL.Path, "/v1/cards/"), "/")
	return a
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// add notes something.
func (w *world) add(note func(*judge.Run)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	note(&w.run)
}

// crashes notes what must never happen.
func (w *world) crashes(text string) {
	w.add(func(r *judge.Run) { r.Crashes = append(r.Crashes, text) })
}

// acted reports whether the provider has done something since. A hub's members do not know the keys that it knows.
func (w *world) acted(a judge.Act) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.run.Acts, func(b judge.Act) bool {
		return b.Verb == a.Verb && b.Card == a.Card && b.Cents == a.Cents && !b.At.Before(a.At)
	})
}

// wallet reads the wallet's balance, in cents.
func (w *world) wallet() int64 {
	var wallet struct{ Balance json.Number }
	w.read("/wallet/balance", &wallet)
	return cents(wallet.Balance)
}

// left reads what is on a card, in cents.
func (w *world) left(id string) (sum int64, frozen bool) {
	var card struct {
		Balance json.Number
		Status  string
	}
	w.read("/cards/"+id, &card)
	return cents(card.Balance), card.Status == "frozen"
}

// expired reports whether a card is not to be used any more.
func (w *world) expired(id string) bool {
	var card struct {
		ExpiresAt time.Time `json:"expires_at"`
	}
	w.read("/cards/"+id, &card)
	return !card.ExpiresAt.After(now())
}

// label is what a card is called now, moved whether it had another label before.
func (w *world) label(id string) (label string, moved bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	label = w.run.Before.Cards[id].Label
	for _, l := range w.run.Labels {
		if l.Card == id {
			label, moved = l.Label, true
		}
	}
	return label, moved
}

// alike is how many cards have a label now. Terminated ones are not meant by it.
func (w *world) alike(label string) (n int) {
	for id, c := range w.run.Before.Cards {
		if other, _ := w.label(id); other == label && c.Status != "terminated" {
			n++
		}
	}
	return n
}

// forbids reports whether the settings of all machines forbid an operation of so many cents.
func (w *world) forbids(verb string, cents int64) bool {
	return verb == "fund" && w.maxOperation > 0 && cents > w.maxOperation
}

// challenge has a merchant ask for a code of a card. It reports whether the provider made it.
func (w *world) challenge(card, code string) bool {
	return w.causes("/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":1,"otp":%q}`, card, code))
}

// causes has something happen at the provider, and reports whether it did.
func (w *world) causes(path, body string) bool {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, "http://localhost"+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := w.provider.Transport().RoundTrip(r)
	if err != nil {
		w.t.Fatal(err)
	}
	_ = resp.Body.Close() // It is in memory.
	return resp.StatusCode < 300
}

// books reads what the provider has.
func (w *world) books() judge.Books {
	return judge.Books{Wallet: w.wallet(), Cards: w.cards(w.provider, booksKey)}
}

// cards reads the cards of an account.
func (w *world) cards(of *sandbox.Server, key string) map[string]judge.Card {
	all := make(map[string]judge.Card)
	for page := 1; ; page++ {
		var list struct {
			Data []struct {
				ID, Status, Label, Last4 string
				Balance                  json.Number
			}
		}
		w.ask(of, key, fmt.Sprintf("/cards?per_page=100&page=%d", page), &list)
		for _, c := range list.Data {
			all[c.ID] = judge.Card{Cents: cents(c.Balance), Status: c.Status, Label: c.Label, Last4: c.Last4}
		}
		if len(list.Data) < 100 {
			return all
		}
	}
}

func (w *world) read(path string, into any) { w.ask(w.provider, booksKey, path, into) }

// ask reads something of an account.
func (w *world) ask(of *sandbox.Server, key, path string, into any) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://localhost/v1"+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := of.Transport().RoundTrip(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // it is in memory
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		w.t.Fatal(path, err)
	}
}

// cents reads an amount of USD. Balances are far below what a float has exactly.
func cents(n json.Number) int64 {
	f, err := n.Float64()
	if err != nil {
		return math.MinInt64
	}
	return int64(math.Round(f * 100))
}

// team reports whether people share the account over hubs.
func (w *world) team() bool { return len(w.run.Hubs) > 0 }

// users are the machines that people sit at.
func (w *world) users() []*machine {
	return slices.DeleteFunc(slices.Clone(w.machines), func(m *machine) bool { return slices.Contains(w.run.Hubs, m.name) })
}

// met counts what came to harm, and in parentheses the requests that the provider answered, what happened and what is judged.
func (w *world) met() map[string]int {
	all := map[string]int{
		"(requests)": w.requests, "(charges)": len(w.run.Charges), "(reports)": len(w.run.Reports), "(lists)": len(w.run.Listed),
		"(looks at how long it lasts)": len(w.run.Lasts), "(looks at the wallet)": len(w.run.Seen), "(codes)": len(w.run.Codes),
		"(writes of another account)": len(w.run.Theirs), "(alerts)": w.alerts(), "(looks at cards)": len(w.run.Held), "(notices)": len(w.run.Notices), "(writes)": len(w.run.Acts), "(approvals)": len(w.run.Approved),
	}
	for _, p := range w.run.Pressed {
		all["(the key for "+p.Says+")"]++
	}
	for _, l := range w.liars {
		for name, n := range l.met {
			all[name] += n
		}
	}
	return all
}

// secret reports whether a secret is in a text.
func (w *world) secret(text []byte) bool {
	return slices.ContainsFunc(w.secrets, func(s string) bool { return bytes.Contains(text, []byte(s)) })
}

// alerts is how many alerts were printed.
func (w *world) alerts() (n int) {
	for _, p := range w.run.Alerts {
		n += len(p.Times)
	}
	return n
}

// setSick has all ways do harm to a part of the requests.
func (w *world) setSick(part float64) {
	w.add(func(r *judge.Run) { r.Health = append(r.Health, judge.Health{At: now(), Sick: part > 0}) })
	for _, l := range w.liars {
		l.setSick(part)
	}
}

// leaks are the files and outputs with the key in them.
func (w *world) leaks() (found []string) {
	for _, a := range w.run.Asked {
		if w.secret([]byte(a.Out + a.Errs)) {
			found = append(found, "the output of "+a.Line)
		}
	}
	err := filepath.WalkDir(w.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "cluster.key" { // It is the place of that key.
			return err
		}
		data, err := os.ReadFile(path) //nolint:gosec // of the test
		if err == nil && w.secret(data) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		w.t.Error(err)
	}
	if w.bus != nil && slices.ContainsFunc(w.bus.Seen(), w.secret) {
		found = append(found, "what hubs tell one another")
	}
	slices.Sort(found)
	return found
}
