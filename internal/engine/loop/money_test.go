package loop_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/apitest"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// TestMoneyMovesOnceWhereverTheLineIsCut has every kind of write done again
// and again, while its connection is cut after ever more bytes of request and
// answer, or the server is in trouble, or the program ends in the middle. What
// a person is shown at last is held against what the server did.
//
// MONEY_INTENTS=1000 go test -run MoneyMovesOnce ./internal/engine/loop cuts at every
// byte and does at least so many; without it some positions are sampled.
func TestMoneyMovesOnceWhereverTheLineIsCut(t *testing.T) { //nolint:tparallel // the group is waited for
	t.Parallel()
	p := &proof{}
	workers, least := 1, 60
	if text := os.Getenv("MONEY_INTENTS"); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		workers, least, p.every = 3, n, true
	}
	t.Run("all", func(t *testing.T) {
		for i := range workers {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				synctest.Test(t, func(t *testing.T) {
					withTeller(t, dir, func(b *teller) { p.run(b, i, workers, least/workers) })
				})
			})
		}
	})
	t.Logf("%d of %d intents have the outcome that was shown: %d done, %d refused, %d judged by what was read", p.right, p.intents, p.done, p.refused, p.judged)
	t.Logf("%d exchanges cut at %d positions, %d in trouble, %d restarts: %d double, %d lost, %d shown wrongly",
		p.cuts, len(p.positions), p.troubles, p.restarts, p.double, p.lost, p.wrong)
	for kind, whole := range p.longest {
		for at := 0; p.every && at < whole; at++ {
			if !p.positions[position{state.OpKind(kind), at}] {
				t.Errorf("no %s was cut after %d of %d bytes", state.OpKind(kind), at, whole)
			}
		}
	}
	if p.right != p.intents || p.double+p.lost+p.wrong > 0 || p.intents < least {
		t.Errorf("%d of %d", p.right, p.intents)
	}
}

// proof counts what came of the intents.
type proof struct {
	every bool

	mu                                    sync.Mutex
	intents, right, double, lost, wrong   int
	done, refused, judged, cuts, troubles int
	restarts                              int
	positions                             map[position]bool
	longest                               [8]int // bytes of an exchange, by kind
}

// position is where an exchange of a kind is cut.
type position struct {
	kind  state.OpKind
	after int
}

// spare is how many bytes longer an exchange may be than the longest seen:
// amounts differ in digits.
const spare = 4

// run goes through the life of a card for each position, every so many from
// one on.
func (p *proof) run(b *teller, first, step, least int) {
	l := &life{p: p, b: b, rng: rand.New(rand.NewPCG(5, uint64(first)))}
	l.round(-1) // Whole, to learn how long the exchanges are.
	far := 0
	for _, n := range l.length {
		far = max(far, n+spare)
	}
	stride := step
	if !p.every {
		stride = max(1, far*7/least)
	}
	for at := first * stride / step; at <= far || l.intents < least; at += stride {
		l.round(at)
	}
	// What trouble, a refusal or the end of a card kept from being cut comes
	// again.
	for pass := 0; p.every && pass < 9; pass++ {
		for at := first; at <= far; at += step {
			if p.missed(&l.length, at) {
				l.round(at)
			}
		}
	}
	p.measure(&l.length)
	report := b.ask(http.MethodGet, "/sandbox/report", nil)
	if twice, _ := report["duplicated_effects"].(map[string]any); len(twice) > 0 {
		b.t.Errorf("the server did %v twice", twice)
	}
}

// missed tells that an exchange of some kind was not cut at a position yet.
func (p *proof) missed(length *[8]int, at int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for kind := state.OpFreeze; kind <= state.OpTerminate; kind++ {
		if at < length[kind]+spare && !p.positions[position{kind, at}] {
			return true
		}
	}
	return false
}

func (p *proof) measure(length *[8]int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for kind, n := range length {
		p.longest[kind] = max(p.longest[kind], n)
	}
}

// life is what happens to one card after another.
type life struct {
	p       *proof
	b       *teller
	rng     *rand.Rand
	length  [8]int // bytes of a whole exchange, by kind
	at      int
	cards   int
	intents int
}

// renamed ends the label that a card gets later.
const renamed = "/x"

// round issues a card, does everything with it, and ends it.
func (l *life) round(at int) {
	b := l.b
	l.at = at
	l.cards++
	label := fmt.Sprintf("card/%06d", l.cards)
	wallet := b.wallet()
	amount := api.Dollar + api.USD(l.cards%400_000)*api.Cent
	cents := int64(amount / api.Cent)
	l.try(state.OpIssue, "", state.Issue(api.CreateCardRequest{BIN: "424242", Amount: amount, Label: label}), func() int {
		n := len(b.labelled(label))
		if moved := wallet - b.wallet(); moved != int64(n)*cents {
			b.t.Errorf("%d cards for %d cents", n, moved)
		}
		return n
	})
	made := b.labelled(label)
	if len(made) == 0 {
		return // The server was in trouble.
	}
	card := made[0]
	b.until("list the new card", 10*time.Minute, func() bool { _, ok := b.store.Cards.Get(card); return ok })
	name := label + renamed
	l.try(state.OpUpdate, card, state.Update(card, api.UpdateCardRequest{Label: &name}), func() int { return len(b.labelled(name)) })
	for _, step := range []struct {
		kind state.OpKind
		want string
	}{{state.OpFreeze, "frozen"}, {state.OpUnfreeze, "active"}} {
		var in kernel.Intent = state.Freeze(card)
		if step.kind == state.OpUnfreeze {
			in = state.Unfreeze(card)
		}
		if b.status(card) == step.want {
			continue // The server refused to freeze it.
		}
		l.try(step.kind, card, in, func() int {
			if b.status(card) == step.want {
				return 1
			}
			return 0
		})
	}
	l.transfer(state.OpFund, card, state.Fund(card, amount), cents)
	if l.cards%4 == 0 {
		// It is ended elsewhere, and the dashboard does not know it yet.
		b.ask(http.MethodDelete, "/v1/cards/"+string(card), nil)
		l.try(state.OpWithdraw, card, state.Withdraw(card, api.Dollar), func() int { return 0 })
		return
	}
	l.transfer(state.OpWithdraw, card, state.Withdraw(card, api.Dollar), -100)
	wallet = b.wallet()
	left := b.balance(card)
	l.try(state.OpTerminate, card, state.Terminate(card), func() int {
		if b.status(card) != "terminated" {
			return 0
		}
		return times(b.wallet()-wallet, left)
	})
}

// transfer moves cents to a card, or from it.
func (l *life) transfer(kind state.OpKind, card api.CardID, in kernel.Intent, cents int64) {
	b := l.b
	before, wallet := b.balance(card), b.wallet()
	l.try(kind, card, in, func() int {
		moved := b.balance(card) - before
		if b.wallet()-wallet != -moved {
			b.t.Errorf("%d cents went to the card and %d from the wallet", moved, wallet-b.wallet())
		}
		return times(moved, cents)
	})
}

// times tells how often an amount makes a sum; what is no multiple counts as
// too often.
func times(sum, amount int64) int {
	if amount == 0 || sum%amount != 0 {
		return 99
	}
	return int(sum / amount)
}

// try does one intent on a line that is cut, or on a server in trouble, and
// counts whether what is shown of it is what the server did.
func (l *life) try(kind state.OpKind, card api.CardID, in kernel.Intent, acted func() int) {
	b := l.b
	if c, ok := b.store.Cards.Get(card); card != "" && (!ok || b.store.Check(in).Reason != "") {
		// What the round before left is read first.
		b.until(fmt.Sprintf("allow %T on %v: %s", in, c.Status, b.store.Check(in).Reason), 10*time.Minute, func() bool { return b.store.Check(in).Reason == "" })
	}
	l.intents++
	l.disturb(kind)
	key := b.do(in)
	l.settle(card, key)
	b.wire.Cut(0, 0, apitest.BreakEnd)
	b.ask(http.MethodDelete, "/sandbox/faults", nil)
	if l.at < 0 {
		l.length[kind] = b.wire.Length()
	}
	l.p.count(b.t, kind, l.at, b.shown(key), acted())
	b.wait(3 * time.Second)
}

// disturb cuts the next write at the round's position, or makes trouble.
func (l *life) disturb(kind state.OpKind) {
	p, often := l.p, 1
	switch {
	case l.at < 0:
		return
	case l.rng.IntN(40) == 0:
		often = 99
	case l.rng.IntN(8) == 0:
		often = 2 + l.rng.IntN(4)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.rng.IntN(8) == 0 {
		p.troubles++
		troubles := []string{"server_error", "bad_gateway", "rate_limit", "connection_reset", "cut_body", "commit_then_timeout", "latency"}
		l.b.ask(http.MethodPost, "/sandbox/faults", map[string]any{
			"route": route(kind), "kind": troubles[l.rng.IntN(len(troubles))], "times": often, "latency_ms": 12_000,
		})
		if !p.every {
			return
		}
	}
	at := l.at
	if whole := l.length[kind] + spare; at >= whole {
		at %= whole
	}
	p.cuts++
	if p.positions == nil {
		p.positions = make(map[position]bool)
	}
	p.positions[position{kind, at}] = true
	l.b.wire.Cut(at, often, apitest.Breakage((l.at+l.at/(l.length[kind]+spare))%int(apitest.Breakages)))
}

func route(kind state.OpKind) string {
	switch kind {
	case state.OpIssue:
		return "POST /cards"
	case state.OpUpdate:
		return "PATCH /cards/{card_id}"
	case state.OpTerminate:
		return "DELETE /cards/{card_id}"
	default:
		return "POST /cards/{card_id}/" + kind.Verb()
	}
}

// settle waits until an operation is over. A person judges by what is shown to
// them; now and then the program ends and starts again.
func (l *life) settle(card api.CardID, key api.IdempotencyKey) {
	b := l.b
	b.until("hear of it", time.Minute, func() bool {
		op, open := b.store.Ops.Unsettled(card)
		return b.store.Ops.PendingCount() == 0 || open && op.Key == key
	})
	if b.store.Ops.PendingCount() > 0 && l.rng.IntN(6) == 0 {
		l.p.add(&l.p.restarts)
		b.crash()
		b.begin()
	}
	b.until("settle", 5*time.Minute, func() bool {
		op, open := b.store.Ops.Unsettled(card)
		return b.store.Ops.PendingCount() == 0 || open && op.Phase == state.Unsettled
	})
	op, open := b.store.Ops.Unsettled(card)
	if !open {
		return
	}
	b.wait(20 * time.Second)
	e, open := b.store.Ops.Evidence(op.ID)
	if !open {
		return // What was read meanwhile told.
	}
	happened := e.Suggests == state.SuggestsDone
	if e.Suggests == state.SuggestsNothing {
		happened = l.look(&e)
	}
	b.do(state.Resolve{Op: op.ID, Happened: happened})
	b.wait(time.Second)
}

// look is what a person makes of evidence that suggests nothing by itself.
func (l *life) look(e *state.Evidence) bool {
	c, _ := l.b.store.Cards.Get(e.Op.Card)
	return e.Op.Kind == state.OpUpdate && strings.HasSuffix(string(c.Label), renamed)
}

func (p *proof) add(n *int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*n++
}

// count holds what was shown against how often the server acted.
func (p *proof) count(t *testing.T, kind state.OpKind, at int, shown state.OpStatus, acted int) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.intents++
	switch {
	case acted > 1:
		p.double++
	case !state.Settled(shown):
		p.lost++
	case shown == state.OpStatusDone && acted == 1:
		p.done++
		p.right++
		return
	case shown == state.OpStatusResolvedDone && acted == 1, shown == state.OpStatusResolvedNotDone && acted == 0:
		p.judged++
		p.right++
		return
	case shown == state.OpStatusRefused && acted == 0:
		p.refused++
		p.right++
		return
	default:
		p.wrong++
	}
	t.Errorf("%s cut at %d: shown as %q, the server acted %d times", kind, at, shown, acted)
}
