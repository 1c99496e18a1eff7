package state_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// teller is a server in any mood, and what was seen of the program.
type teller struct {
	t       *rapid.T
	s       *state.Store
	p       *state.Plan
	now     time.Duration
	waiting []state.Op
	moved   map[api.IdempotencyKey]api.USD // what acted
	cardOf  map[api.IdempotencyKey]api.CardID
	keyOf   map[api.CardID]api.IdempotencyKey
	dropped int
	// doubted are rows that were left open before a crash: they are asked for again after it, beside the
	// others.
	doubted int
}

// TestWhateverHappensEveryRowActsOnceAtMost lets answers come, be lost, be
// refused and be late in any order, with pauses, stops and a crash between
// them.
func TestWhateverHappensEveryRowActsOnceAtMost(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(rt, "cards")
		s, p := funding(t, n)
		p.StopOnError = rapid.Bool().Draw(rt, "stop")
		l := &teller{
			t: rt, s: s, p: p, now: 2 * time.Second, moved: make(map[api.IdempotencyKey]api.USD),
			cardOf: make(map[api.IdempotencyKey]api.CardID), keyOf: make(map[api.CardID]api.IdempotencyKey),
		}
		_, effects, err := s.Dispatch(state.RunPlan{Plan: p})
		if err != nil {
			rt.Fatal(err)
		}
		l.send(effects)
		l.send(apply(s, state.PlanSaved{Meta: meta(l.now), ID: p.ID}))
		for range rapid.IntRange(0, 80).Draw(rt, "turns") {
			l.turn()
			l.check()
		}
		if rapid.Bool().Draw(rt, "crash") {
			l.crash()
		}
		l.quiet()
	})
}

func (l *teller) send(effects []kernel.Effect) {
	for _, do := range all[state.Do](effects) {
		op := do.Op
		if id, ok := l.cardOf[op.Key]; ok && id != op.Card {
			l.t.Fatalf("%s is the key of %s and of %s", op.Key, id, op.Card)
		}
		if key, ok := l.keyOf[op.Card]; ok && key != op.Key {
			l.t.Fatalf("%s is sent under %s and under %s", op.Card, key, op.Key)
		}
		if slices.ContainsFunc(l.waiting, func(o state.Op) bool { return o.Key == op.Key }) {
			l.t.Fatalf("%s is under way twice", op.Card)
		}
		l.cardOf[op.Key], l.keyOf[op.Card] = op.Card, op.Key
		l.waiting = append(l.waiting, op)
	}
	l.dropped += len(all[state.DropPlan](effects))
}

func (l *teller) turn() {
	switch rapid.IntRange(0, 9).Draw(l.t, "turn") {
	case 0, 1:
		l.now += time.Duration(rapid.IntRange(0, 20_000).Draw(l.t, "ms")) * time.Millisecond
		l.send(tick(l.s, l.now))
	case 2:
		in := rapid.SampledFrom([]kernel.Intent{
			state.PauseBatch{ID: l.p.ID}, state.ResumeBatch{ID: l.p.ID}, state.ResumeBatch{ID: l.p.ID}, state.StopBatch{ID: l.p.ID},
		}).Draw(l.t, "want")
		if _, effects, err := l.s.Dispatch(in); err == nil {
			l.send(effects)
		}
	default:
		l.answer(rapid.IntRange(0, 8).Draw(l.t, "how"))
	}
}

func (l *teller) answer(how int) {
	if len(l.waiting) == 0 {
		return
	}
	i := rapid.IntRange(0, len(l.waiting)-1).Draw(l.t, "which")
	op := l.waiting[i]
	l.waiting = slices.Delete(l.waiting, i, i+1)
	l.now += 10 * time.Millisecond
	fails := func(err error) { l.send(apply(l.s, state.OpFailed{Meta: meta(l.now), Op: op.ID, Err: err})) }
	_, acted := l.moved[op.Key]
	switch {
	case how == 0 && (!acted || op.Tries > 1):
		fails(refused())
	case how == 1 && (!acted || op.Tries > 1):
		fails(limited(time.Second))
	case how == 2 && (!acted || op.Tries > 1):
		fails(&api.Error{Status: 400, ID: "insufficient_funds"})
	case how == 3 && op.Tries == 1:
		l.send(apply(l.s, state.Deferred{Meta: meta(l.now), Effect: state.Do{Op: op}, Wait: time.Second}))
	case how == 4: // It acts and the answer is lost.
		l.moved[op.Key] = op.Amount
		fails(cut())
	case how == 5:
		fails(cut())
	case how == 6 && op.Tries == 1:
		l.send(apply(l.s, state.OpFailed{Meta: meta(l.now), Op: op.ID, Err: errors.New("disk full"), NotSent: true}))
	default:
		l.moved[op.Key] = op.Amount
		l.send(apply(l.s, state.OpDone{Meta: meta(l.now), Op: op.ID, Card: op.Card, Moved: new(op.Amount)}))
	}
}

// check holds what is true after every turn.
func (l *teller) check() {
	if n := l.s.Ops.PendingCount(); n > 8+l.doubted+l.batch().Count(state.RowUnsettled) {
		l.t.Fatalf("%d rows under way", n)
	}
	var done api.USD
	for i, r := range l.batch().Rows {
		moved, acted := l.moved[l.p.Rows[i].Key]
		switch {
		case r.State == state.RowDone && !acted:
			l.t.Fatalf("row %d is done and did not act", i)
		case (r.State == state.RowRefused || r.State == state.RowNotSent) && acted:
			l.t.Fatalf("row %d acted and is called %d", i, r.State)
		case r.State == state.RowDone:
			done += moved
		}
	}
	if b := l.batch(); b.Moved != done {
		l.t.Fatalf("%s moved by the rows, %s by the sum", done, b.Moved)
	}
}

func (l *teller) batch() *state.Batch {
	b, ok := l.s.Bulk.Get(l.p.ID)
	if !ok {
		l.t.Fatal("the batch is gone")
	}
	return b
}

// crash starts anew with what the journal and the plan on disk tell, and goes
// on.
func (l *teller) crash() {
	fates := make(map[api.IdempotencyKey]state.OpStatus)
	var left []state.Op
	for i, r := range l.batch().Rows {
		key := l.p.Rows[i].Key
		switch r.State {
		case state.RowDone:
			fates[key] = state.OpStatusDone
		case state.RowRefused:
			fates[key] = state.OpStatusRefused
		case state.RowSending, state.RowUnconfirmed, state.RowUnsettled:
			fates[key] = state.OpStatusBegun
			d := state.Fund(l.p.Rows[i].Card, l.p.Rows[i].Amount)
			w, err := api.FundWrite(d.Card, d.Amount)
			if err != nil {
				l.t.Fatal(err)
			}
			left = append(left, state.Op{Kind: state.OpFund, Card: d.Card, Amount: d.Amount, Key: key, At: at(l.now), Tries: 1, Write: &w})
		default:
		}
	}
	if l.batch().Phase == state.BatchOver || l.batch().Phase == state.BatchStopping {
		return
	}
	items := l.s.Cards.All()
	l.doubted = l.batch().Count(state.RowUnsettled)
	l.s, l.waiting = newStore(), nil
	for _, e := range append(tick(l.s, 0), tick(l.s, time.Second)...) {
		ev := answer(e, meta(time.Second))
		if f, ok := e.(state.FetchCards); ok {
			var rows []api.CardItem
			for _, c := range items.All() {
				rows = append(rows, api.CardItem{ID: c.ID, Last4: c.Last4, Label: c.Label, Status: c.Status, Balance: c.Balance})
			}
			ev = state.CardsLoaded{FetchCards: f, Meta: meta(time.Second), TotalPages: 1, Total: len(rows), Items: rows}
		}
		apply(l.s, ev)
	}
	found := state.PlansFound{Meta: meta(l.now), Left: []state.LeftPlan{{Plan: l.p, Statuses: fates}}}
	if rapid.Bool().Draw(l.t, "plan first") {
		l.send(apply(l.s, found))
		l.s.Resume(left, at(l.now))
	} else {
		l.s.Resume(left, at(l.now))
		l.send(apply(l.s, found))
	}
	if len(l.s.Bulk.All()) == 0 {
		l.s = nil // Nothing was left of it.
		return
	}
	l.send(tick(l.s, l.now))
	l.check()
	if _, effects, err := l.s.Dispatch(state.ResumeBatch{ID: l.p.ID}); err == nil {
		l.send(effects)
	}
}

// quiet lets the server answer well until all is over.
func (l *teller) quiet() {
	for i := 0; l.s != nil && l.batch().Phase != state.BatchOver; i++ {
		if i > 2000 {
			l.t.Fatalf("it does not end: phase %d, %s", l.batch().Phase, shown(l.batch()))
		}
		for len(l.waiting) > 0 {
			l.answer(7)
		}
		if _, effects, err := l.s.Dispatch(state.ResumeBatch{ID: l.p.ID}); err == nil {
			l.send(effects)
		}
		l.now += time.Second
		l.send(tick(l.s, l.now))
		l.check()
	}
	if l.s == nil {
		return
	}
	b := l.batch()
	if n := b.Count(state.RowWaiting) + b.Count(state.RowSending); n != 0 || l.dropped != 1 {
		l.t.Fatalf("%s after its end, dropped %d times", shown(b), l.dropped)
	}
}
