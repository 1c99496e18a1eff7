package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
)

// fate is what the fuzzer's bytes decide: what happens next.
type fate struct{ data []byte }

func (f *fate) next(n int) int {
	if len(f.data) == 0 {
		return 0
	}
	b := f.data[0]
	f.data = f.data[1:]
	return int(b) % n
}

// bank is the server's truth in a fuzzed run. Balances carry a stamp in their
// cents, so that a figure nobody told is recognised.
type bank struct {
	status  map[api.CardID]api.CardStatus
	balance map[api.CardID]api.USD
	wallet  api.USD
	told    map[api.USD]bool
	acted   map[api.IdempotencyKey]bool
	changes int
}

func (b *bank) money(base api.USD) api.USD {
	b.changes++
	amount := base + api.USD(b.changes)*api.Cent
	b.told[amount] = true
	return amount
}

// asked is a request and what the server answers when it handles it at once.
type asked struct {
	effect kernel.Effect
	event  kernel.Event
}

type run struct {
	t       *testing.T
	s       *state.Store
	bank    bank
	waiting []asked
	past    []kernel.Event
	lanes   map[string]int
	lastSeq poll.Seq
	ops     map[state.OpID]bool // sent and not yet answered for certain
	settled map[api.CardID]settledAt
	step    int
	now     time.Duration
}

// settledAt is what an operation told of a card, and when.
type settledAt struct {
	step   int
	status api.CardStatus
}

func FuzzApply(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add([]byte{3, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 3, 1, 1, 0, 1, 2, 9, 9, 9})
	f.Add([]byte("a freeze, a late poll, a lost answer, the same again and then a tick"))
	for seed := range byte(40) {
		data := make([]byte, 300)
		x := uint32(seed)*2654435761 + 1
		for i := range data {
			x = x*1664525 + 1013904223
			data[i] = byte(x >> 24)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &run{
			t: t, s: newStore(), lanes: make(map[string]int), ops: make(map[state.OpID]bool),
			settled: make(map[api.CardID]settledAt),
			bank: bank{
				status:  map[api.CardID]api.CardStatus{first: api.CardActive, second: api.CardFrozen},
				balance: make(map[api.CardID]api.USD), told: make(map[api.USD]bool), acted: make(map[api.IdempotencyKey]bool),
			},
		}
		r.bank.balance[first], r.bank.balance[second], r.bank.wallet = r.bank.money(100*dollar), r.bank.money(50*dollar), r.bank.money(1000*dollar)
		fate := &fate{data}
		for len(fate.data) > 0 {
			r.step++
			r.turn(fate)
			r.check()
		}
	})
}

// turn lets one thing happen.
func (r *run) turn(f *fate) {
	switch f.next(8) {
	case 0, 1:
		r.now += time.Duration(f.next(40)) * 250 * time.Millisecond
		_, effects := r.s.Tick(at(r.now))
		r.send(effects, f)
		if len(effects) == 0 && !r.s.NextWake().IsZero() && !r.s.NextWake().After(at(r.now)) {
			r.t.Fatal("the clock spins")
		}
	case 2:
		r.intend(f)
	case 3:
		// Duplicated and late: an answer that came before. Only reads are, each
		// write is answered once.
		if len(r.past) > 0 {
			r.send(apply(r.s, r.past[f.next(len(r.past))]), f)
		}
	default:
		r.answer(f)
	}
}

func (r *run) intend(f *fate) {
	id := []api.CardID{first, second}[f.next(2)]
	var in kernel.Intent
	switch f.next(8) {
	case 0:
		in = state.Freeze(id)
	case 1:
		in = state.Unfreeze(id)
	case 2:
		in = state.Fund(id, 10*dollar)
	case 3:
		in = state.Withdraw(id, 5*dollar)
	case 4:
		in = state.InspectCard{Card: id}
	case 5:
		in = secrets.RevealCard{Card: id}
	case 6:
		in = secrets.CopyNext{Card: id}
	default:
		op, _ := r.s.Ops.Unsettled(id)
		in = state.Resolve{Op: op.ID, Happened: f.next(2) == 0}
	}
	_, effects, err := r.s.Dispatch(in)
	if err == nil {
		r.send(effects, f)
	}
}

// send takes requests to the server, which handles them at once or at the
// time they are answered.
func (r *run) send(effects []kernel.Effect, f *fate) {
	for _, e := range effects {
		r.sequence(e)
		switch e := e.(type) {
		case state.Do:
			r.ops[e.Op.ID] = true
			r.waiting = append(r.waiting, asked{e, r.handle(e, f)})
		case state.Forget:
			delete(r.ops, e.Op.ID)
		case secrets.HoldDetails, secrets.WipeDetails, secrets.CopyDetail, secrets.CopyOTP:
		default:
			if name, ok := kernel.LaneName(e); ok {
				if r.lanes[name]++; r.lanes[name] > 1 {
					r.t.Fatalf("%s: two requests at once", name)
				}
			}
			r.waiting = append(r.waiting, asked{e, r.handle(e, f)})
		}
	}
}

// sequence checks that requests are numbered upwards.
func (r *run) sequence(e kernel.Effect) {
	seq := poll.Seq(0)
	switch e := e.(type) {
	case state.FetchCards:
		seq = e.Seq
	case codes.Fetch:
		seq = e.Seq
	case txns.Fetch:
		seq = e.Seq
	case wallets.Fetch:
		seq = e.Seq
	case state.FetchSummary:
		seq = e.Seq
	default:
		return
	}
	if seq <= r.lastSeq {
		r.t.Fatalf("%T: sequence %d after %d", e, seq, r.lastSeq)
	}
	r.lastSeq = seq
}

// handle is the server: it acts once for each key and tells the truth of now.
func (r *run) handle(e kernel.Effect, f *fate) kernel.Event {
	b := &r.bank
	switch e := e.(type) {
	case state.FetchCards:
		var rows []api.CardItem
		for _, id := range []api.CardID{first, second} {
			rows = append(rows, item(id, b.status[id], b.balance[id]))
		}
		return state.CardsLoaded{FetchCards: e, Items: rows, TotalPages: 1 + f.next(2)}
	case wallets.Fetch:
		return wallets.Loaded{Fetch: e, Wallet: api.Wallet{Balance: b.wallet}}
	case state.FetchSummary:
		return state.SummaryLoaded{FetchSummary: e, Summary: api.CardSummary{Status: b.status[e.Card], Balance: b.balance[e.Card]}}
	case state.Do:
		return r.act(e.Op)
	default:
		return answer(e, kernel.Meta{})
	}
}

func (r *run) act(op state.Op) kernel.Event {
	b := &r.bank
	if !b.acted[op.Key] {
		b.acted[op.Key] = true
		switch op.Kind {
		case state.OpFreeze:
			b.status[op.Card] = api.CardFrozen
		case state.OpUnfreeze:
			b.status[op.Card] = api.CardActive
		default:
			b.balance[op.Card], b.wallet = b.money(100*dollar), b.money(1000*dollar)
		}
	}
	done := state.OpDone{Op: op.ID}
	switch op.Kind {
	case state.OpFreeze, state.OpUnfreeze:
		done.Status = b.status[op.Card]
	default:
		done.CardBalance, done.WalletBalance = new(b.balance[op.Card]), new(b.wallet)
	}
	return done
}

// answer lets one request that is under way come back, in any order, well or
// badly.
func (r *run) answer(f *fate) {
	if len(r.waiting) == 0 {
		return
	}
	i := f.next(len(r.waiting))
	a := r.waiting[i]
	r.waiting = append(r.waiting[:i], r.waiting[i+1:]...)
	r.now += time.Duration(f.next(10)) * 100 * time.Millisecond
	if name, ok := kernel.LaneName(a.effect); ok {
		r.lanes[name]--
	}
	m := meta(r.now)
	how := f.next(6)
	if do, ok := a.effect.(state.Do); ok {
		r.answerWrite(do, a.event, how, m, f)
		return
	}
	ev := stamped(a.event, m)
	switch how {
	case 0:
		ev = state.FetchFailed{Meta: m, Effect: a.effect, Err: unreachable()}
	case 1:
		ev = state.Deferred{Meta: m, Effect: a.effect, Wait: time.Second}
	default:
	}
	r.past = append(r.past, ev)
	r.send(apply(r.s, ev), f)
}

func (r *run) answerWrite(do state.Do, good kernel.Event, how int, m kernel.Meta, f *fate) {
	op := do.Op
	switch done, _ := good.(state.OpDone); {
	case how < 3:
		done.Meta = m
		delete(r.ops, op.ID)
		effects := apply(r.s, done)
		if done.Status != "" {
			r.settled[op.Card] = settledAt{r.step, done.Status}
		}
		r.step++
		r.send(effects, f)
	case how == 3 && op.Tries > 1:
		r.send(apply(r.s, state.OpFailed{Meta: m, Op: op.ID, Err: unauthorized()}), f)
	case how == 4 && op.Tries > 1:
		r.send(apply(r.s, state.Deferred{Meta: m, Effect: do, Wait: time.Second}), f)
	default:
		r.send(apply(r.s, state.OpFailed{Meta: m, Op: op.ID, Err: cut()}), f)
	}
}

func stamped(ev kernel.Event, m kernel.Meta) kernel.Event {
	switch ev := ev.(type) {
	case state.CardsLoaded:
		ev.Meta = m
		return ev
	case wallets.Loaded:
		ev.Meta = m
		return ev
	case state.SummaryLoaded:
		ev.Meta = m
		return ev
	case codes.Loaded:
		ev.Meta = m
		return ev
	case txns.Loaded:
		ev.Meta = m
		return ev
	case wallets.DepositsLoaded:
		ev.Meta = m
		return ev
	case state.CardTransactionsLoaded:
		ev.Meta = m
		return ev
	case secrets.DetailsLoaded:
		ev.Meta = m
		return ev
	default:
		return ev
	}
}

// check holds what must be true after every step.
func (r *run) check() {
	// No operation is lost: each is pending until it was answered or let go.
	if r.s.Ops.PendingCount() != len(r.ops) {
		r.t.Fatalf("step %d: %d operations are pending, %d are not settled", r.step, r.s.Ops.PendingCount(), len(r.ops))
	}
	// Money comes from the server only.
	if w, known := r.s.Wallets.Balance(); known && !r.bank.told[w.Balance] {
		r.t.Fatalf("step %d: nobody told a wallet of %s", r.step, w.Balance)
	}
	for _, c := range r.s.Cards.All().All() {
		if !r.bank.told[c.Balance] {
			r.t.Fatalf("step %d: nobody told a balance of %s", r.step, c.Balance)
		}
		// Nothing from before an operation settled comes back: the server's own
		// state only changes by operations, so what shows is the last that
		// settled unless another has acted since.
		last, ok := r.settled[c.ID]
		if _, busy := r.s.Ops.Pending(c.ID); ok && !busy && c.Status != last.status && c.Status != r.bank.status[c.ID] {
			r.t.Fatalf("step %d: %s shows %s after %s settled at %d", r.step, c.ID, c.Status, last.status, last.step)
		}
	}
}
