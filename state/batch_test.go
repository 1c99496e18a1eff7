package state_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/wallets"
)

// till is a server that knows cards and a wallet, and acts once for a key.
type till struct {
	t       *testing.T
	s       *state.Store
	now     time.Duration
	balance map[api.CardID]api.USD
	wallet  api.USD
	acted   map[api.IdempotencyKey]api.USD
	keyOf   map[api.CardID]api.IdempotencyKey
	waiting []state.Op
	reads   []state.FetchSummary // of rows of a level
	sends   int
	most    int // rows under way at once
	dropped []state.PlanID
}

func newTill(t *testing.T, s *state.Store) *till {
	t.Helper()
	l := &till{
		t: t, s: s, now: 2 * time.Second, balance: make(map[api.CardID]api.USD), wallet: 1000 * dollar,
		acted: make(map[api.IdempotencyKey]api.USD), keyOf: make(map[api.CardID]api.IdempotencyKey),
	}
	for _, c := range s.Cards.All().All() {
		l.balance[c.ID] = c.Balance
	}
	return l
}

// start dispatches a plan and puts it on disk.
func (l *till) start(p *state.Plan) *state.Batch {
	l.t.Helper()
	effects := do(l.t, l.s, state.RunPlan{Plan: p})
	if keep := one[state.SavePlan](l.t, effects); keep.Plan != p {
		l.t.Fatalf("keeps %+v", keep)
	}
	none[state.Do](l.t, effects)
	l.send(apply(l.s, state.PlanSaved{Meta: meta(l.now), ID: p.ID}))
	b, ok := l.s.Bulk.Get(p.ID)
	if !ok {
		l.t.Fatal("no batch")
	}
	return b
}

func (l *till) send(effects []kernel.Effect) {
	l.t.Helper()
	for _, do := range all[state.Do](effects) {
		op := do.Op
		if key, ok := l.keyOf[op.Card]; ok && op.Card != "" && key != op.Key {
			l.t.Fatalf("%s is sent under %s after %s", op.Card, op.Key, key)
		}
		l.keyOf[op.Card] = op.Key
		l.waiting = append(l.waiting, op)
		l.sends++
	}
	for _, f := range all[state.FetchSummary](effects) {
		if f.Row != "" {
			l.reads = append(l.reads, f)
		}
	}
	l.most = max(l.most, l.s.Ops.PendingCount())
	for _, d := range all[state.DropPlan](effects) {
		l.dropped = append(l.dropped, d.ID)
	}
}

// take picks the request of a card that is under way.
func (l *till) take(id api.CardID) state.Op {
	l.t.Helper()
	i := slices.IndexFunc(l.waiting, func(op state.Op) bool { return op.Card == id })
	if i < 0 {
		l.t.Fatalf("nothing is under way for %s", id)
	}
	op := l.waiting[i]
	l.waiting = slices.Delete(l.waiting, i, i+1)
	return op
}

// act does what a request asks for, once.
func (l *till) act(op state.Op) state.OpDone {
	if _, done := l.acted[op.Key]; !done {
		l.acted[op.Key] = op.Amount
		switch op.Kind {
		case state.OpFund:
			l.balance[op.Card] += op.Amount
			l.wallet -= op.Amount
		case state.OpWithdraw:
			l.balance[op.Card] -= op.Amount
			l.wallet += op.Amount
		default:
		}
	}
	done := state.OpDone{Meta: meta(l.now), Op: op.ID, Card: op.Card, Status: api.CardActive}
	switch op.Kind {
	case state.OpFreeze:
		done.Status = api.CardFrozen
	case state.OpFund, state.OpWithdraw:
		done.Status, done.Moved = "", new(op.Amount)
		done.CardBalance, done.WalletBalance = new(l.balance[op.Card]), new(l.wallet)
	case state.OpIssue:
		done.Card = api.CardID("new_" + string(op.Key))
		done.Returned = &api.Card{ID: done.Card, Last4: "0000", Status: api.CardActive, Balance: op.Amount}
	default:
	}
	return done
}

func (l *till) done(id api.CardID) { l.t.Helper(); l.send(apply(l.s, l.act(l.take(id)))) }

func (l *till) fails(id api.CardID, err error) {
	l.t.Helper()
	l.send(apply(l.s, state.OpFailed{Meta: meta(l.now), Op: l.take(id).ID, Err: err}))
}

func (l *till) tick(d time.Duration) {
	l.now += d
	effects := tick(l.s, l.now)
	for _, e := range effects { // Reads are answered at once.
		if w, ok := e.(wallets.Fetch); ok {
			l.send(apply(l.s, wallets.Loaded{Fetch: w, Meta: meta(l.now), Wallet: api.Wallet{Balance: l.wallet}}))
		}
	}
	l.send(effects)
}

// read answers the oldest read of a row of a level.
func (l *till) read() {
	l.t.Helper()
	f := l.reads[0]
	l.reads = l.reads[1:]
	l.send(apply(l.s, state.SummaryLoaded{FetchSummary: f, Meta: meta(l.now), Summary: api.CardSummary{
		ID: f.Card, Label: "fb", Status: api.CardActive, Balance: l.balance[f.Card],
	}}))
}

// finish lets everything that is under way be done.
func (l *till) finish() {
	l.t.Helper()
	for range 10_000 {
		for len(l.reads) > 0 {
			l.read()
		}
		for len(l.waiting) > 0 {
			l.done(l.waiting[0].Card)
		}
		if len(l.s.Bulk.All()) > 0 && !l.s.Bulk.All()[len(l.s.Bulk.All())-1].Active() {
			return
		}
		l.tick(250 * time.Millisecond)
	}
	l.t.Fatal("it does not end")
}

// shown is what became of the rows, in a letter each.
func shown(b *state.Batch) string {
	var out strings.Builder
	for _, r := range b.Rows {
		out.WriteByte("-w>?DRU0LrS"[r.State])
	}
	return out.String()
}

func cardID(n int) api.CardID { return api.CardID(fmt.Sprintf("card_%04d", n)) }

// funding is a plan of 10 USD for each of n cards.
func funding(t *testing.T, n int, change ...func(*settings.Config)) (*state.Store, *state.Plan) {
	t.Helper()
	items := cardsOf(slices.Repeat([]api.USD{20}, n)...)
	s := with(t, items, change...)
	return s, s.Plan(state.Writes{Kind: state.BulkFund, Cards: cardIDs(items), Amount: 10 * dollar})
}

func TestABatchSendsEightAtATimeInOrder(t *testing.T) {
	s, p := funding(t, 20)
	l := newTill(t, s)
	b := l.start(p)
	if got := shown(b); got != ">>>>>>>>wwwwwwwwwwww" || l.sends != 8 {
		t.Fatalf("%s, %d requests", got, l.sends)
	}
	l.done(cardID(3))
	if got := shown(b); got != ">>D>>>>>>wwwwwwwwwww" {
		t.Errorf("%s", got)
	}
	effects := tick(s, l.now+time.Millisecond)
	none[wallets.Fetch](t, effects)
	none[state.FetchCards](t, effects)
	l.finish()
	if got := shown(b); got != strings.Repeat("D", 20) || l.sends != 20 || l.most != 8 {
		t.Errorf("%s, %d requests, %d at once", got, l.sends, l.most)
	}
	if b.Phase != state.BatchOver || b.Moved != 200*dollar || l.wallet != 800*dollar || len(l.dropped) != 1 || l.dropped[0] != p.ID {
		t.Errorf("%+v, wallet %s, dropped %v", b.Phase, l.wallet, l.dropped)
	}
	wantNotice(t, s, kernel.Good, "bulk fund: 20 of 20 done")
	if w, _ := s.Wallets.Balance(); w.Balance != 800*dollar {
		t.Errorf("the store says %s", w.Balance)
	}
	if c := card(t, s, cardID(20)); c.Balance != 30*dollar {
		t.Errorf("%+v", c)
	}
	if _, _, err := s.Dispatch(state.RunPlan{Plan: p}); err == nil {
		t.Error("a plan is carried out twice")
	}
	one[wallets.Fetch](t, tick(s, l.now+time.Millisecond))
}

func TestAPlanThatIsNotOnDiskIsNotBegun(t *testing.T) {
	s, p := funding(t, 3)
	do(t, s, state.RunPlan{Plan: p})
	if effects := tick(s, time.Minute); len(all[state.Do](effects)) != 0 {
		t.Error("rows are sent before the plan is kept")
	}
	if v := s.Check(state.StopBatch{ID: p.ID}); v.Reason == "" {
		t.Error("it can be stopped while it is written")
	}
	effects := apply(s, state.PlanSaved{Meta: meta(time.Minute), ID: p.ID, Err: errors.New("disk full")})
	none[state.Do](t, effects)
	b, _ := s.Bulk.Get(p.ID)
	if shown(b) != "000" || b.Phase != state.BatchOver {
		t.Errorf("%s %d", shown(b), b.Phase)
	}
	wantNotice(t, s, kernel.Bad, "0 of 3 done, 3 not sent", "nothing was sent: disk full")
}

func TestTheFirstErrorStopsAMoneyPlan(t *testing.T) {
	s, p := funding(t, 12)
	l := newTill(t, s)
	b := l.start(p)
	l.fails(cardID(2), refused())
	if got := shown(b); got != ">R>>>>>>0000" || b.Phase != state.BatchStopping {
		t.Fatalf("%s %d", got, b.Phase)
	}
	l.finish()
	if got := shown(b); got != "DRDDDDDD0000" || len(l.dropped) != 1 {
		t.Errorf("%s", got)
	}
	wantNotice(t, s, kernel.Bad, "7 of 12 done, 1 refused, 4 not sent", "stopped at fb/2 ••0002", "not now")
}

// TestARowThatWaitsForALeadIsNotPlannedAgain: both could be approved.
func TestARowThatWaitsForALeadIsNotPlannedAgain(t *testing.T) {
	s, p := funding(t, 12)
	p.StopOnError = false
	l := newTill(t, s)
	b := l.start(p)
	l.fails(cardID(2), &api.Error{Status: 403, ID: api.HubApprovalRequired, Message: "apr_1 waits"})
	l.finish()
	if shown(b) != "DRDDDDDDDDDD" || b.Undone() != 0 {
		t.Errorf("%s, %d are offered once more", shown(b), b.Undone())
	}
}

func TestAPlanMayGoOnAfterAnError(t *testing.T) {
	s, p := funding(t, 12)
	p.StopOnError = false
	l := newTill(t, s)
	b := l.start(p)
	l.fails(cardID(2), refused())
	l.finish()
	if got := shown(b); got != "DRDDDDDDDDDD" {
		t.Fatal(got)
	}
	// Only what was refused is planned again, with a key of its own.
	again := s.PlanAgain(p.ID)
	if len(again.Rows) != 1 || again.Rows[0].Card != cardID(2) || again.Rows[0].Key == p.Rows[1].Key || again.Rows[0].Key == "" ||
		again.ID == p.ID || again.Rows[0].Amount != 10*dollar || again.StopOnError || again.Blocked != "" {
		t.Errorf("%+v", again)
	}
	late := s.PlanAgain(p.ID)
	delete(l.keyOf, cardID(2))
	if b = l.start(again); shown(b) != ">" {
		t.Error(shown(b))
	}
	l.finish()
	if l.wallet != 880*dollar {
		t.Errorf("wallet %s", l.wallet)
	}
	// What was done again is not the first batch's to offer any more.
	if first, _ := s.Bulk.Get(p.ID); first.Undone() != 0 || !first.Rows[1].Again || !strings.HasPrefix(first.Rows[1].Text, "planned again") {
		t.Errorf("%d rows are offered once more: %+v", first.Undone(), first.Rows[1])
	}
	if once := s.PlanAgain(p.ID); once.Blocked != "nothing was refused" {
		t.Errorf("%+v", once)
	}
	if v := s.Check(state.RunPlan{Plan: late}); v.Reason != "these rows are planned again already" {
		t.Errorf("a plan of the same rows: %q", v.Reason)
	}
	if again = s.PlanAgain(again.ID); again.Blocked != "nothing was refused" {
		t.Errorf("%q", again.Blocked)
	}
}

func TestARowThatMayHaveActedIsNeverPlannedAgain(t *testing.T) {
	s, p := funding(t, 2)
	l := newTill(t, s)
	b := l.start(p)
	l.act(l.waiting[0]) // It acts, and every answer is lost.
	for b.Rows[0].State != state.RowUnsettled {
		if slices.ContainsFunc(l.waiting, func(op state.Op) bool { return op.Card == cardID(1) }) {
			l.fails(cardID(1), cut())
		}
		l.tick(time.Second)
		if l.now > 5*time.Minute {
			t.Fatal(shown(b))
		}
	}
	l.finish()
	if got := shown(b); got != "UD" {
		t.Errorf("%s", got)
	}
	wantNotice(t, s, kernel.Bad, "1 of 2 done, 1 unconfirmed", "stopped at fb/1 ••0001: it could not be confirmed")
	if again := s.PlanAgain(p.ID); again.Blocked != "nothing was refused" {
		t.Errorf("%+v", again)
	}
	if _, pending := s.Ops.Pending(cardID(1)); !pending {
		t.Error("it is not left to a person")
	}
}

func TestTheBudgetPutsRowsBack(t *testing.T) {
	s, p := funding(t, 10)
	l := newTill(t, s)
	b := l.start(p)
	for range 8 {
		op := l.waiting[0]
		l.waiting = l.waiting[1:]
		l.send(apply(s, state.Deferred{Meta: meta(l.now), Effect: state.Do{Op: op}, Wait: 40 * time.Second}))
	}
	if got := shown(b); got != "wwwwwwwwww" || b.Phase != state.BatchRunning || s.Ops.PendingCount() != 0 {
		t.Fatalf("%s", got)
	}
	if wake := s.NextWake(); wake.After(b.Until) || !b.Until.Equal(at(l.now+40*time.Second)) {
		t.Errorf("wakes %v, goes on %v", wake, b.Until)
	}
	l.tick(39 * time.Second)
	if l.sends != 8 {
		t.Error("rows are sent before their time")
	}
	l.tick(time.Second)
	if got := shown(b); got != ">>>>>>>>ww" {
		t.Error(got)
	}
	l.finish()
	if l.wallet != 900*dollar {
		t.Errorf("wallet %s", l.wallet)
	}
}

func TestTroubleOfTheWayIsWaitedOutAndThenAskedAbout(t *testing.T) {
	gone := &api.Error{} // It never left: no network.
	for _, tt := range []struct {
		name string
		err  error
	}{{"rate limit", limited(7 * time.Second)}, {"no network", fmt.Errorf("%w: %w", api.ErrUnreachable, gone)}} {
		t.Run(tt.name, func(t *testing.T) {
			s, p := funding(t, 3)
			l := newTill(t, s)
			b := l.start(p)
			for _, id := range []int{1, 2, 3} {
				l.fails(cardID(id), tt.err)
			}
			if got := shown(b); got != "www" || b.Phase != state.BatchRunning || !b.Until.After(at(l.now)) {
				t.Fatalf("%s %d %v", got, b.Phase, b.Until)
			}
			for b.Phase == state.BatchRunning && l.now < 10*time.Minute {
				l.tick(time.Second)
				for len(l.waiting) > 0 {
					l.fails(l.waiting[0].Card, tt.err)
				}
			}
			if b.Phase != state.BatchPaused || l.sends != 18 {
				t.Errorf("phase %d after %d requests", b.Phase, l.sends)
			}
			wantNotice(t, s, kernel.Bad, "bulk fund paused: ")
			l.send(do(t, s, state.ResumeBatch{ID: p.ID}))
			l.finish()
			if got := shown(b); got != "DDD" || l.wallet != 970*dollar {
				t.Errorf("%s %s", got, l.wallet)
			}
		})
	}
}

func TestWhatAwaitsEveryRowStopsWhateverTheOption(t *testing.T) {
	for name, ev := range map[string]state.OpFailed{
		"bad key":       {Err: unauthorized()},
		"no money left": {Err: &api.Error{Status: 400, ID: "insufficient_funds"}},
		"disk full":     {Err: errors.New("disk full"), NotSent: true},
	} {
		t.Run(name, func(t *testing.T) {
			s, p := funding(t, 12)
			p.StopOnError = false
			l := newTill(t, s)
			b := l.start(p)
			ev.Meta, ev.Op = meta(l.now), l.take(cardID(1)).ID
			l.send(apply(s, ev))
			l.finish()
			if got := shown(b); got != "RDDDDDDD0000" {
				t.Error(got)
			}
		})
	}
}

func TestAPauseSendsNothingAndAStopNeverAgain(t *testing.T) {
	s, p := funding(t, 12)
	l := newTill(t, s)
	b := l.start(p)
	do(t, s, state.PauseBatch{ID: p.ID})
	for len(l.waiting) > 0 {
		l.done(l.waiting[0].Card)
	}
	l.tick(time.Minute)
	if got := shown(b); got != "DDDDDDDDwwww" || b.Phase != state.BatchPaused {
		t.Fatalf("%s %d", got, b.Phase)
	}
	if settled, total, waiting := s.Bulk.Running(); settled != 8 || total != 12 || waiting != 1 {
		t.Errorf("%d of %d, %d wait", settled, total, waiting)
	}
	l.send(do(t, s, state.ResumeBatch{ID: p.ID}))
	if got := shown(b); got != "DDDDDDDD>>>>" {
		t.Fatal(got)
	}
	l.done(cardID(9))
	l.send(do(t, s, state.StopBatch{ID: p.ID}))
	if got := shown(b); got != "DDDDDDDDD>>>" || b.Phase != state.BatchStopping {
		t.Errorf("%s %d", got, b.Phase)
	}
	l.finish()
	if got := shown(b); got != strings.Repeat("D", 12) || b.Phase != state.BatchOver {
		t.Error(got)
	}
	for _, in := range []kernel.Intent{state.StopBatch{ID: p.ID}, state.PauseBatch{ID: p.ID}, state.ResumeBatch{ID: p.ID}} {
		if s.Check(in).Reason == "" {
			t.Errorf("%T of what is over", in)
		}
	}
}

// TestAStoppedPlanSendsNothingAgain that the budget or the provider's limit gave back.
func TestAStoppedPlanSendsNothingAgain(t *testing.T) {
	s, p := funding(t, 3)
	l := newTill(t, s)
	b := l.start(p)
	do(t, s, state.StopBatch{ID: p.ID})
	l.send(apply(s, state.Deferred{Meta: meta(l.now), Effect: state.Do{Op: l.take(cardID(1))}, Wait: time.Second}))
	l.fails(cardID(2), limited(time.Second))
	l.done(cardID(3))
	l.tick(time.Minute)
	if got := shown(b); got != "0RD" || b.Phase != state.BatchOver || l.sends != 3 {
		t.Errorf("%s, phase %d, %d requests", got, b.Phase, l.sends)
	}
}

func TestACardThatChangedFailsWithItsReason(t *testing.T) {
	s, p := funding(t, 12)
	p.StopOnError = false
	l := newTill(t, s)
	one[state.Do](t, do(t, s, state.Freeze(cardID(10)))) // under way
	hot, _ := pages(t, tick(s, 11*time.Second))
	items := cardsOf(slices.Repeat([]api.USD{20}, 12)...)
	items[10].Status = api.CardTerminated
	apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(11 * time.Second), Items: items})
	l.now = 12 * time.Second
	b := l.start(p)
	for len(l.waiting) > 0 {
		l.done(l.waiting[0].Card)
	}
	if got := shown(b); got != "DDDDDDDDDRRD" {
		t.Fatal(got)
	}
	if a, c := b.Rows[9].Text, b.Rows[10].Text; !strings.Contains(a, "freeze is still under way") || !strings.Contains(c, "is terminated") {
		t.Errorf("%q, %q", a, c)
	}
}

func TestAWalletThatWasEmptiedStopsBeforeTheNextRow(t *testing.T) {
	s, p := funding(t, 12)
	p.StopOnError = false
	l := newTill(t, s)
	b := l.start(p)
	l.wallet = 15 * dollar // Somebody took the rest.
	l.done(cardID(1))
	if got := shown(b); got != "D>>>>>>>wwww" {
		t.Fatalf("%s: what is promised already is not counted", got)
	}
	for len(l.waiting) > 0 {
		op := l.waiting[0]
		if l.wallet < op.Amount {
			l.fails(op.Card, &api.Error{Status: 400, ID: "insufficient_funds"})
			continue
		}
		l.done(op.Card)
	}
	if got := shown(b); got != "DRRRRRRR0000" || b.Phase != state.BatchOver {
		t.Fatal(got)
	}
	wantNotice(t, s, kernel.Bad, "1 of 12 done, 7 refused, 4 not sent", "the wallet is too low")

	// Seen in time, no request is wasted.
	s, p = funding(t, 12)
	l = newTill(t, s)
	do(t, s, state.RunPlan{Plan: p})
	l.tick(10 * time.Second)
	l.wallet = 15 * dollar
	l.tick(10 * time.Second)
	l.send(apply(s, state.PlanSaved{Meta: meta(l.now), ID: p.ID}))
	for len(l.waiting) > 0 {
		l.done(l.waiting[0].Card)
	}
	b, _ = s.Bulk.Get(p.ID)
	if got := shown(b); got != "D00000000000" || b.Reason != "stopped before fb/2 ••0002: the wallet is $5.00 short" {
		t.Errorf("%s %q", got, b.Reason)
	}
}

func TestTwoCardsThatAreAlikeAreIssuedOneAfterTheOther(t *testing.T) {
	s := with(t, cardsOf(1))
	l := newTill(t, s)
	b := l.start(s.Plan(state.Writes{Kind: state.BulkIssue, Rows: issues("a", "a", "b")}))
	// The third waits behind the second: rows go in order.
	if got := shown(b); got != ">ww" {
		t.Fatal(got)
	}
	// Rows without a card are told apart by their keys.
	l.keyOf = make(map[api.CardID]api.IdempotencyKey)
	for range 3 {
		op := l.waiting[0]
		l.waiting = l.waiting[1:]
		l.send(apply(s, l.act(op)))
	}
	if got := shown(b); got != "DDD" || len(l.acted) != 3 || b.Moved != 15*dollar {
		t.Errorf("%s, %d acted, %s", got, len(l.acted), b.Moved)
	}
}

func TestABatchBlocksNothingElse(t *testing.T) {
	s, p := funding(t, 12)
	l := newTill(t, s)
	b := l.start(p)
	op := one[state.Do](t, do(t, s, state.Freeze(cardID(12)))).Op
	apply(s, state.OpDone{Meta: meta(l.now), Op: op.ID, Status: api.CardFrozen})
	other := l.start(s.Plan(state.Writes{Kind: state.BulkUnfreeze, Cards: []api.CardID{cardID(12)}}))
	if shown(other) != ">" || shown(b) != ">>>>>>>>wwww" {
		t.Errorf("%s %s", shown(other), shown(b))
	}
}

func TestAnOddConfirmationStopsAMoneyPlan(t *testing.T) {
	s, p := funding(t, 12)
	l := newTill(t, s)
	b := l.start(p)
	ev := l.act(l.take(cardID(1)))
	ev.Moved = new(9 * dollar)
	l.send(apply(s, ev))
	if !b.Rows[0].Odd || b.Rows[0].State != state.RowDone || b.Phase != state.BatchStopping || b.Moved != 10*dollar {
		t.Errorf("%+v %d", b.Rows[0], b.Phase)
	}
}

func TestAnInterruptedPlanWaitsForAPerson(t *testing.T) {
	s, p := funding(t, 6, func(c *settings.Config) { c.FindPlans = true })
	one[state.FindPlans](t, tick(s, 40*time.Second))
	fates := map[api.IdempotencyKey]state.OpStatus{
		p.Rows[0].Key: state.OpStatusDone, p.Rows[1].Key: state.OpStatusRefused, p.Rows[2].Key: state.OpStatusBegun, p.Rows[3].Key: state.OpStatusUnknown,
	}
	// The journal found one of the rows before.
	w, _ := api.FundWrite(cardID(3), 10*dollar)
	s.Resume([]state.Op{{Kind: state.OpFund, Card: cardID(3), Amount: 10 * dollar, Key: p.Rows[2].Key, At: at(39 * time.Second), Tries: 1, Write: &w}}, at(40*time.Second))
	found := state.PlansFound{Meta: meta(40 * time.Second), Left: []state.LeftPlan{{Plan: p, Statuses: fates}}}
	l := newTill(t, s)
	l.now = 40 * time.Second
	effects := apply(s, found)
	none[state.Do](t, effects)
	none[state.DropPlan](t, effects)
	wantNotice(t, s, kernel.Warn, "an interrupted bulk fund: 1 of 6 done, 1 refused, 2 unconfirmed, 2 not sent; R resumes")
	b, ok := s.Bulk.Interrupted()
	if !ok || shown(b) != "DR??ww" {
		t.Fatalf("%v %s", ok, shown(b))
	}
	// It is told again and again, and nothing is sent but what the journal asks.
	for range 20 {
		l.tick(10 * time.Second)
		apply(s, found)
		for _, op := range l.waiting {
			if op.Key != p.Rows[2].Key || op.Tries < 2 {
				t.Errorf("sent %+v", op)
			}
			l.fails(op.Card, cut())
		}
	}
	// Nobody answers the row that was under way, and it is left to a person.
	if got := shown(b); got != "DRU?ww" || b.Phase != state.BatchInterrupted {
		t.Errorf("%s, phase %d", got, b.Phase)
	}
	l.waiting, l.sends = nil, 0
	l.send(do(t, s, state.ResumeBatch{ID: p.ID}))
	if got := shown(b); got[4:] != ">>" || l.sends != 2 {
		t.Fatalf("%s, %d sent", got, l.sends)
	}
	if l.waiting[0].Key != p.Rows[4].Key || l.waiting[1].Key != p.Rows[5].Key {
		t.Error("rows go on with other keys")
	}
	l.done(cardID(5))
	l.done(cardID(6))
	if got := shown(b); got != "DRU?DD" || b.Phase != state.BatchOver {
		t.Errorf("%s, phase %d", got, b.Phase)
	}
}

// TestARowThatALimitHeldUpStaysQueued holds that a row that never acted is sent on resume,
// under its key.
func TestARowThatALimitHeldUpStaysQueued(t *testing.T) {
	s, p := funding(t, 3)
	fates := map[api.IdempotencyKey]state.OpStatus{p.Rows[0].Key: state.OpStatusDone, p.Rows[1].Key: state.OpStatusNotSent}
	apply(s, state.PlansFound{Meta: meta(2 * time.Second), Left: []state.LeftPlan{{Plan: p, Statuses: fates}}})
	l := newTill(t, s)
	l.send(do(t, s, state.ResumeBatch{ID: p.ID}))
	b, _ := s.Bulk.Get(p.ID)
	if got := shown(b); got != "D>>" || l.waiting[0].Key != p.Rows[1].Key {
		t.Fatalf("%s, %+v", got, l.waiting)
	}
	l.finish()
	if got := shown(b); got != "DDD" {
		t.Error(got)
	}
}

func TestRowsThatAnotherSettlesAreHeardOfWhileAPlanGoesOn(t *testing.T) {
	s, p := funding(t, 12)
	fates := map[api.IdempotencyKey]state.OpStatus{p.Rows[0].Key: state.OpStatusBegun, p.Rows[1].Key: state.OpStatusBegun}
	found := state.PlansFound{Meta: meta(2 * time.Second), Left: []state.LeftPlan{{Plan: p, Statuses: fates}}}
	apply(s, found)
	l := newTill(t, s)
	l.send(do(t, s, state.ResumeBatch{ID: p.ID}))
	b, _ := s.Bulk.Get(p.ID)
	l.fails(cardID(3), cut()) // In doubt, and this run's own.
	if got := shown(b); got != "???>>>>>>>ww" {
		t.Fatal(got)
	}
	// The row under way here is this run's to settle, whatever is told of it.
	fates[p.Rows[0].Key], fates[p.Rows[1].Key], fates[p.Rows[2].Key] = state.OpStatusDone, state.OpStatusRefused, state.OpStatusDone
	apply(s, found)
	if got := shown(b); got != "DR?>>>>>>>ww" || b.Moved != 10*dollar {
		t.Errorf("%s, %s moved", got, b.Moved)
	}
	l.finish()
	if got := shown(b); got != "DRDDDDDDDDDD" || b.Moved != 110*dollar {
		t.Errorf("%s, %s moved", got, b.Moved)
	}
}

func TestAnInterruptedPlanOfWhichNothingIsLeftIsDropped(t *testing.T) {
	s, p := funding(t, 2)
	fates := map[api.IdempotencyKey]state.OpStatus{p.Rows[0].Key: state.OpStatusDone, p.Rows[1].Key: state.OpStatusUnknown}
	effects := apply(s, state.PlansFound{Meta: meta(3 * time.Second), Left: []state.LeftPlan{{Plan: p, Statuses: fates}}})
	if d := one[state.DropPlan](t, effects); d.ID != p.ID || len(s.Bulk.All()) != 0 {
		t.Errorf("%+v", d)
	}
	// And one that a person does not want any more.
	effects = apply(s, state.PlansFound{Meta: meta(3 * time.Second), Left: []state.LeftPlan{{Plan: p}}})
	none[state.DropPlan](t, effects)
	effects = do(t, s, state.StopBatch{ID: p.ID})
	none[state.Do](t, effects)
	one[state.DropPlan](t, effects)
}

func TestAnInterruptedPlanDoesNotGoOnBeforeTheCardsAreRead(t *testing.T) {
	_, p := funding(t, 2)
	s := newStore()
	apply(s, state.PlansFound{Meta: meta(time.Second), Left: []state.LeftPlan{{Plan: p}}})
	if v := s.Check(state.ResumeBatch{ID: p.ID}); !strings.Contains(v.Reason, "not read yet") {
		t.Errorf("%q", v.Reason)
	}
}

func TestHowLongABatchStillTakes(t *testing.T) {
	s, p := funding(t, 20)
	l := newTill(t, s)
	b := l.start(p)
	if got := s.Bulk.TimeLeft(b); got != 0 {
		t.Errorf("%v before anything is known", got)
	}
	for i := range 10 {
		l.now += time.Second
		l.done(cardID(i + 1))
	}
	if got := s.Bulk.TimeLeft(b); got != 10*time.Second {
		t.Errorf("%v after ten of twenty in ten seconds", got)
	}
	do(t, s, state.PauseBatch{ID: p.ID})
	if s.Bulk.TimeLeft(b) != 0 {
		t.Error("a pause has an end")
	}
}
