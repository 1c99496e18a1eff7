//go:build long

package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/internal/storage/plans"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
)

const key = "sk_test_0123456789abcdef"

// setting is an environment variable as a number, or what it is without.
func setting(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return otherwise
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// clock is the time of a simulation.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// fund is what the server moved to a card.
type fund struct {
	at     time.Time
	card   string
	amount api.USD
}

// bank is a sandbox that writes down what it moves, and kills who asks: every so many
// writes the one that sends it is over, before the server has it or after.
type bank struct {
	*clock
	world *sandbox.Server
	funds []fund
	seen  map[string]bool // idempotency keys that acted

	writes, killEvery int
	kills             int
}

// killed ends the program that sent a request.
type killed struct{}

func (b *bank) RoundTrip(r *http.Request) (*http.Response, error) {
	write := r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/fund")
	if !write {
		return b.world.Transport().RoundTrip(r)
	}
	b.writes++
	die := b.killEvery > 0 && b.writes%b.killEvery == 0
	if die && b.writes/b.killEvery%2 == 0 {
		b.kills++
		panic(killed{})
	}
	id := r.Header.Get("X-Idempotency-Key")
	res, err := b.world.Transport().RoundTrip(r)
	if err != nil {
		return res, err
	}
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	_ = res.Body.Close() // It is in memory.
	res.Body = io.NopCloser(bytes.NewReader(data))
	var answer struct {
		ID     string  `json:"id"`
		Funded api.USD `json:"funded_amount"`
	}
	if res.StatusCode == http.StatusOK && !b.seen[id] {
		if err := json.Unmarshal(data, &answer); err != nil {
			return nil, err
		}
		b.seen[id] = true
		b.funds = append(b.funds, fund{b.read(), answer.ID, answer.Funded})
	}
	if die {
		b.kills++
		panic(killed{})
	}
	return res, nil
}

// spend has a card pay; false when it does not hold enough.
func (b *bank) spend(t *testing.T, card string, amount api.USD) bool {
	t.Helper()
	status, _ := b.ask(t, http.MethodPost, "/sandbox/transactions", fmt.Sprintf(`{"card_id":%q,"type":"settlement","amount":%s}`, card, amount))
	return status == http.StatusCreated
}

func (b *bank) ask(t *testing.T, method, path, body string) (status int, data []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, "http://localhost"+path, strings.NewReader(body))
	must(t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	res, err := b.world.Transport().RoundTrip(req)
	must(t, err)
	data, err = io.ReadAll(res.Body)
	must(t, err)
	_ = res.Body.Close() // It is in memory.
	return res.StatusCode, data
}

// program is a cardtop of a profile: a store and an engine on its files.
type program struct {
	bank    *bank
	store   *state.Store
	engine  *engine.Engine
	journal *journal.Journal
	plans   *plans.Plans
	dead    bool
}

func start(t *testing.T, b *bank, dir string, rules []rule.Rule, seed uint64) *program {
	t.Helper()
	p := &program{bank: b}
	var err error
	p.journal, err = journal.Open(dir, b.read)
	must(t, err)
	p.plans, err = plans.Open(dir)
	must(t, err)
	past, err := history.Open(history.Config{Dir: dir, Now: b.read})
	must(t, err)
	client, err := client.New(client.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey(key), Transport: b, Now: b.read})
	must(t, err)
	p.engine = engine.New(engine.Config{Client: client, Journal: p.journal, History: past, Plans: p.plans, Rules: rules, Now: b.read})
	rnd := rand.New(rand.NewPCG(seed, 1))
	reload := settings.Defaults()
	reload.Rules, reload.SpendHourly = rules, 0
	p.store = state.New(settings.Config{
		Reloadable: reload, NewKey: api.NewIdempotencyKey, Rand: rnd.Float64, FindFundings: true, FindPlans: true,
		Only: []poll.Lane{poll.Wallet, poll.Hot, poll.Sweep},
	})
	p.store.Resume(p.journal.Pending(), b.read())
	return p
}

// run carries out effects and what follows from them; a kill ends the program.
func (p *program) run(effects []kernel.Effect) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(killed); !ok {
				panic(r)
			}
			p.end()
		}
	}()
	for len(effects) > 0 {
		ev := p.engine.Run(context.Background(), effects[0])
		effects = effects[1:]
		_, more := p.store.Apply(ev)
		effects = append(effects, more...)
	}
}

// end lets go of the files, as the system does when a program is over.
func (p *program) end() {
	p.dead = true
	_ = p.journal.Close()
	_ = p.plans.Close()
	_ = p.engine.Close()
}

func (p *program) tick() {
	if p.dead {
		return
	}
	_, effects := p.store.Tick(p.bank.read())
	p.run(effects)
}

func (p *program) do(in kernel.Intent) error {
	if p.dead {
		return nil
	}
	_, effects, err := p.store.Dispatch(in)
	if err == nil {
		p.run(effects)
	}
	return err
}

// arm has a rule act, if no other program does.
func (p *program) arm(name string) {
	if r, ok := p.store.Rules.Get(name); ok && r.Mode == rule.Off && p.store.History.Past().Known {
		_ = p.do(state.SetRuleMode{Name: name, Mode: rule.Act, Typed: name}) // Another program may have it.
	}
}

func open(t *testing.T, cards int, wallet string) (*bank, []string) {
	t.Helper()
	b := &bank{clock: &clock{now: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)}, seen: make(map[string]bool)}
	world, err := sandbox.Open(t.Context(), sandbox.Config{
		Seed: 5, APIKeys: []string{key}, Cards: -1, Transactions: -1, Wallet: wallet, Quiet: true, NoLimits: true, Now: b.read,
	})
	must(t, err)
	t.Cleanup(func() { must(t, world.Close()) })
	b.world = world
	var ids []string
	for i := range cards {
		status, data := b.ask(t, http.MethodPost, "/v1/cards", fmt.Sprintf(`{"bin_id":"424242","amount":50,"label":"fb/%03d"}`, i))
		var c struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(data, &c); err != nil || status != http.StatusCreated {
			t.Fatalf("%d %s", status, data)
		}
		ids = append(ids, c.ID)
	}
	return b, ids
}

func topup() rule.Rule {
	return rule.Rule{Name: "topup", When: "status=active bal<20", Action: rule.FundTo, Amount: 50 * api.Dollar, MaxDay: 9_000_000 * api.Dollar, Cooldown: time.Minute}
}

// TestNoCardRunsDry spends from cards for some time, each in steps that are smaller than
// the rule's threshold: each payment finds its money while the wallet has some.
func TestNoCardRunsDry(t *testing.T) {
	cards, hours := setting("RULES_CARDS", 40), setting("RULES_HOURS", 2)
	b, ids := open(t, cards, "9000000")
	p := start(t, b, t.TempDir(), []rule.Rule{topup()}, 1)
	defer p.end()
	rnd := rand.New(rand.NewPCG(3, 3))
	begin, paid, asked := b.read(), 0, 0
	every := time.Hour / time.Duration(cards)
	next := begin.Add(time.Minute)
	for b.read().Before(begin.Add(time.Duration(hours) * time.Hour)) {
		for !next.After(b.read()) {
			asked++
			if b.spend(t, ids[asked%cards], api.USD(200+rnd.IntN(1700))*api.Cent) {
				paid++
			}
			next = next.Add(every)
		}
		p.tick()
		p.arm("topup")
		b.set(b.read().Add(4 * time.Second))
	}
	t.Logf("%d cards for %d hours: %d of %d payments found their money, the rule funded %d times", cards, hours, paid, asked, len(b.funds))
	if paid != asked || len(b.funds) == 0 {
		t.Fail()
	}
}
