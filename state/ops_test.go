package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/wallets"
)

const (
	first  = api.CardID("card_0001")
	second = api.CardID("card_0002")
)

func sent(t *testing.T, s *state.Store, in kernel.Intent) state.Op {
	t.Helper()
	return one[state.Do](t, do(t, s, in)).Op
}

func fail(s *state.Store, d time.Duration, op state.Op, err error) []kernel.Effect {
	return apply(s, state.OpFailed{Meta: meta(d), Op: op.ID, Err: err})
}

// resent waits until an operation is sent again.
func resent(t *testing.T, s *state.Store, from, until time.Duration) (state.Op, time.Duration) {
	t.Helper()
	for d := from; d <= until; d += 100 * time.Millisecond {
		if got := all[state.Do](tick(s, d)); len(got) > 0 {
			return got[0].Op, d
		}
	}
	t.Fatalf("not sent again between %v and %v", from, until)
	return state.Op{}, 0
}

func TestAnOperationShowsUntilItIsDone(t *testing.T) {
	for _, tt := range []struct {
		in   kernel.Intent
		kind state.OpKind
		done state.OpDone
		want cardlist.Card
		says string
	}{
		{state.Freeze(first), state.OpFreeze, state.OpDone{Status: api.CardFrozen}, cardlist.Card{Status: api.CardFrozen, Balance: 100 * dollar}, "is frozen"},
		{state.Unfreeze(first), state.OpUnfreeze, state.OpDone{Status: api.CardActive, CardBalance: new(99 * dollar)}, cardlist.Card{Status: api.CardActive, Balance: 99 * dollar}, "is active again"},
		{state.Fund(first, 25*dollar), state.OpFund, state.OpDone{CardBalance: new(125 * dollar), WalletBalance: new(975 * dollar)}, cardlist.Card{Status: api.CardActive, Balance: 125 * dollar}, "funded fb ••0001 with $25.00, card $125.00, wallet $975.00"},
		{state.Withdraw(first, 25*dollar), state.OpWithdraw, state.OpDone{CardBalance: new(75 * dollar)}, cardlist.Card{Status: api.CardActive, Balance: 75 * dollar}, "withdrew $25.00 from fb ••0001, card $75.00"},
	} {
		t.Run(tt.says, func(t *testing.T) {
			s := settled(t)
			op := sent(t, s, tt.in)
			if op.Kind != tt.kind || op.Card != first || op.Key != "key-1" || op.Tries != 1 {
				t.Errorf("sent %+v", op)
			}
			if p, ok := s.Ops.Pending(first); !ok || p.Phase != state.Sending || s.Ops.PendingCount() != 1 {
				t.Errorf("pending %+v %v", p, ok)
			}
			if c := card(t, s, first); c.Status != api.CardActive || c.Balance != 100*dollar {
				t.Errorf("a figure was invented: %+v", c)
			}
			tt.done.Meta, tt.done.Op = meta(2*time.Second), op.ID
			apply(s, tt.done)
			c := card(t, s, first)
			if c.Status != tt.want.Status || c.Balance != tt.want.Balance {
				t.Errorf("card %+v", c)
			}
			if _, ok := s.Ops.Pending(first); ok {
				t.Error("still pending")
			}
			wantNotice(t, s, kernel.Good, tt.says)
			if topics, effects := s.Apply(tt.done); topics != 0 || len(effects) != 0 {
				t.Error("the same answer twice acts twice")
			}
		})
	}
}

func TestANoteOfTheJournalIsTold(t *testing.T) {
	s := settled(t)
	op := sent(t, s, state.Freeze(first))
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID, Status: api.CardFrozen, Note: "disk full"})
	wantNotice(t, s, kernel.Warn, "is frozen", "disk full")
}

func TestAFailureThatTheJournalDoesNotTakeIsTold(t *testing.T) {
	for err, says := range map[error]string{refused(): "not done", cut(): "unconfirmed"} {
		s := settled(t)
		op := sent(t, s, state.Fund(first, 25*dollar))
		apply(s, state.OpFailed{Meta: meta(2 * time.Second), Op: op.ID, Err: err, Note: "disk full"})
		if n := s.Notice(); !strings.Contains(n.Text, says) || !strings.Contains(n.Text, "after a restart: disk full") {
			t.Errorf("notice %q", n.Text)
		}
	}
}

func TestAConfirmationThatDoesNotAddUpIsSaid(t *testing.T) {
	fund, withdraw := state.Fund(first, 25*dollar), state.Withdraw(first, 25*dollar)
	usd := func(n api.USD) *api.USD { return new(n * dollar) }
	for _, tt := range []struct {
		name  string
		in    kernel.Intent
		done  state.OpDone
		level kernel.Level
		says  []string
	}{
		{"a fund that adds up", fund, state.OpDone{Card: first, Moved: usd(25), Before: usd(100), CardBalance: usd(125)}, kernel.Good, []string{"funded fb ••0001 with $25.00, card $125.00"}},
		{"a withdrawal that adds up", withdraw, state.OpDone{Card: first, Moved: usd(25), Before: usd(100), CardBalance: usd(75)}, kernel.Good, []string{"withdrew $25.00"}},
		{"a withdrawal that tells little", withdraw, state.OpDone{CardBalance: usd(75)}, kernel.Good, []string{"withdrew $25.00"}},
		{"less was moved", fund, state.OpDone{Card: first, Moved: usd(20), Before: usd(100), CardBalance: usd(120)}, kernel.Warn, []string{"funded fb ••0001 with $20.00", "$25.00 was asked for", "moved $20.00"}},
		{"more was moved", withdraw, state.OpDone{Moved: usd(30), CardBalance: usd(70)}, kernel.Warn, []string{"withdrew $30.00", "$25.00 was asked for", "moved $30.00"}},
		{"a fund that does not add up", fund, state.OpDone{Card: first, Moved: usd(25), Before: usd(100), CardBalance: usd(120)}, kernel.Warn, []string{"$100.00 + $25.00 is $125.00", "says $120.00"}},
		{"a withdrawal that does not add up", withdraw, state.OpDone{Before: usd(100), CardBalance: usd(70)}, kernel.Warn, []string{"$100.00 - $25.00 is $75.00", "says $70.00"}},
		{"both that and a note", fund, state.OpDone{Moved: usd(20), CardBalance: usd(120), Note: "disk full"}, kernel.Warn, []string{"moved $20.00", "disk full"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settled(t)
			tt.done.Meta, tt.done.Op = meta(2*time.Second), sent(t, s, tt.in).ID
			apply(s, tt.done)
			wantNotice(t, s, tt.level, tt.says...)
			if c := card(t, s, first); c.Balance != *tt.done.CardBalance {
				t.Errorf("the server's balance is not shown: %s", c.Balance)
			}
		})
	}
}

func TestAnAnswerAboutAnotherCardIsNotTakenForThisOne(t *testing.T) {
	for _, tt := range []struct {
		in   kernel.Intent
		done state.OpDone
	}{
		{state.Fund(first, 25*dollar), state.OpDone{Moved: new(25 * dollar), CardBalance: new(75 * dollar), WalletBalance: new(9 * dollar)}},
		{state.Freeze(first), state.OpDone{Status: api.CardFrozen}},
	} {
		s := settled(t)
		tt.done.Meta, tt.done.Op, tt.done.Card = meta(2*time.Second), sent(t, s, tt.in).ID, second
		effects := apply(s, tt.done)
		wantNotice(t, s, kernel.Warn, "about another card")
		if c := card(t, s, first); c.Balance != 100*dollar || c.Status != api.CardActive {
			t.Errorf("card %+v", c)
		}
		if w, _ := s.Wallets.Balance(); w.Balance != 1000*dollar {
			t.Errorf("wallet %s", w.Balance)
		}
		if f := one[state.FetchSummary](t, effects); f.Card != first {
			t.Errorf("asks for %+v", f)
		}
	}
}

func TestFiguresComeFromTheServerOnly(t *testing.T) {
	s := settled(t)
	op := sent(t, s, state.Withdraw(first, 25*dollar))
	effects := apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID})
	if w, _ := s.Wallets.Balance(); w.Balance != 1000*dollar || card(t, s, first).Balance != 100*dollar {
		t.Error("a balance nobody told")
	}
	// What the answer lacks is asked for.
	if f := one[state.FetchSummary](t, effects); f.Card != first {
		t.Errorf("asks for %+v", f)
	}
	effects = tick(s, 2*time.Second)
	one[wallets.Fetch](t, effects)
	if hot, _ := pages(t, effects); !hot.Hot {
		t.Error("the hot page is not read again")
	}
}

func TestAWalletReadSentBeforeAnOperationSettledIsDropped(t *testing.T) {
	s := settled(t)
	d := 11 * time.Second
	wallet := one[wallets.Fetch](t, tick(s, d))
	op := sent(t, s, state.Fund(first, 25*dollar))
	apply(s, state.OpDone{Meta: meta(d), Op: op.ID, CardBalance: new(125 * dollar), WalletBalance: new(975 * dollar)})
	apply(s, answer(wallet, meta(d)))
	if w, _ := s.Wallets.Balance(); w.Balance != 975*dollar {
		t.Errorf("the old balance %s came back", w.Balance)
	}
	wallet = one[wallets.Fetch](t, tick(s, d))
	apply(s, wallets.Loaded{Fetch: wallet, Meta: meta(d), Wallet: api.Wallet{Balance: 960 * dollar}})
	if w, _ := s.Wallets.Balance(); w.Balance != 960*dollar {
		t.Errorf("what was asked for since is not taken: %s", w.Balance)
	}
}

func TestARefusedOperationIsRolledBackWithItsReason(t *testing.T) {
	for _, tt := range []struct {
		name string
		ev   state.OpFailed
		says string
	}{
		{"refused", state.OpFailed{Err: refused()}, "not now"},
		{"too little money", state.OpFailed{Err: &api.Error{Status: 400, ID: "insufficient_funds", Message: "wallet has 3"}}, "wallet is too low: wallet has 3"},
		{"bad key", state.OpFailed{Err: unauthorized()}, "refused the key"},
		{"rate limit", state.OpFailed{Err: limited(time.Second)}, "rate limit"},
		{"not sent", state.OpFailed{Err: cut(), NotSent: true}, "cut off"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settled(t)
			op := sent(t, s, state.Fund(first, dollar))
			tt.ev.Meta, tt.ev.Op = meta(2*time.Second), op.ID
			apply(s, tt.ev)
			if s.Ops.PendingCount() != 0 || card(t, s, first).Balance != 100*dollar {
				t.Error("not rolled back")
			}
			wantNotice(t, s, kernel.Bad, "fund of fb ••0001 not done", tt.says)
			if next := sent(t, s, state.Fund(first, dollar)); next.Key == op.Key {
				t.Error("another decision has the same key")
			}
		})
	}
}

func TestAnUnknownOutcomeIsAskedForAgainWithTheSameKey(t *testing.T) {
	for _, tt := range []struct {
		name   string
		finish func(s *state.Store, d time.Duration, op state.Op)
		level  kernel.Level
		says   string
	}{
		{"done", func(s *state.Store, d time.Duration, op state.Op) {
			apply(s, state.OpDone{Meta: meta(d), Op: op.ID, CardBalance: new(125 * dollar), WalletBalance: new(975 * dollar)})
		}, kernel.Good, "funded"},
		{"it waits for a lead", func(s *state.Store, d time.Duration, op state.Op) {
			fail(s, d, op, &api.Error{Status: 403, ID: api.HubApprovalRequired})
		}, kernel.Info, "waits"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settled(t)
			op := sent(t, s, state.Fund(first, 25*dollar))
			fail(s, 2*time.Second, op, cut())
			wantNotice(t, s, kernel.Warn, "unconfirmed", "same key")
			if p, _ := s.Ops.Pending(first); p.Phase != state.Unknown {
				t.Errorf("phase %d", p.Phase)
			}
			if got := all[state.Do](tick(s, 2*time.Second)); len(got) != 0 {
				t.Error("sent again without a pause")
			}
			again, d := resent(t, s, 2*time.Second, 3*time.Second)
			if again.Key != op.Key || again.Amount != op.Amount || again.Tries != 2 || again.ID != op.ID {
				t.Errorf("sent again as %+v", again)
			}
			if got := all[state.Do](tick(s, d+time.Second)); len(got) != 0 {
				t.Error("sent a third time before an answer")
			}
			tt.finish(s, d, again)
			if s.Ops.PendingCount() != 0 {
				t.Error("still pending")
			}
			wantNotice(t, s, tt.level, tt.says)
		})
	}
}

// TestARefusalOfALaterTryLeavesItUnconfirmed: the first may have acted, and be why the next is
// refused.
func TestARefusalOfALaterTryLeavesItUnconfirmed(t *testing.T) {
	for _, err := range []error{
		refused(), &api.Error{Status: 400, ID: "insufficient_funds"}, &api.Error{Status: 404, ID: "not_found"}, &api.Error{Status: 400, ID: "idempotency_key_reused"},
	} {
		for _, in := range []kernel.Intent{
			state.Fund(first, 25*dollar),
			state.Withdraw(first, 25*dollar),
			state.Freeze(first),
			state.Issue(api.CreateCardRequest{BIN: "bin_1", Amount: 25 * dollar}),
		} {
			s := settled(t)
			op := sent(t, s, in)
			fail(s, 2*time.Second, op, cut())
			again, d := resent(t, s, 2*time.Second, 3*time.Second)
			effects := fail(s, d, again, err)
			open, _ := s.Ops.Unsettled(op.Card)
			if open.Key != op.Key || open.Phase != state.Unsettled {
				t.Errorf("%T, %v: %+v", in, err, open)
			}
			if op.Card != "" && len(all[state.FetchSummary](effects)) == 0 {
				t.Errorf("%T, %v: the card is not read", in, err)
			}
			if _, refused := s.Ops.Refused(op.ID); refused {
				t.Errorf("%T, %v: it counts as refused", in, err)
			}
			wantNotice(t, s, kernel.Bad, "may have acted", "refused")
		}
	}
}

func TestOutcome(t *testing.T) {
	for _, tt := range []struct {
		tries int
		err   error
		want  api.Result
	}{
		{1, nil, api.Done},
		{1, refused(), api.Refused},
		{1, unauthorized(), api.Refused},
		{1, limited(0), api.Refused},
		{1, cut(), api.Unknown},
		{2, nil, api.Done},
		{2, refused(), api.Unknown},
		{2, unauthorized(), api.Unknown},
		{2, limited(0), api.Unknown},
		{2, &api.Error{}, api.Unknown},
		{2, cut(), api.Unknown},
		{2, &api.Error{Status: 400, ID: "insufficient_funds"}, api.Unknown},
		{2, &api.Error{Status: 400, ID: "idempotency_key_reused"}, api.Unknown},
		{2, &api.Error{Status: 404, ID: "not_found"}, api.Unknown},
		{2, &api.Error{Status: 403, ID: api.HubApprovalRequired}, api.Refused},
		{2, &api.Error{Status: 400, ID: api.HubApprovalRequired}, api.Unknown},
		{1, &api.Error{Status: 409, ID: "conflict"}, api.Refused},
		{2, &api.Error{Status: 403, ID: "forbidden"}, api.Unknown},
		{2, &api.Error{Status: 408, ID: "timeout"}, api.Unknown},
		{2, &api.Error{Status: 409, ID: "conflict"}, api.Unknown},
		{2, &api.Error{Status: 425, ID: "too_early"}, api.Unknown},
		{2, &api.Error{Status: 422, ID: "odd"}, api.Unknown},
	} {
		if got := (state.Op{Tries: tt.tries}).Outcome(tt.err); got != tt.want {
			t.Errorf("try %d, %v: %v, want %v", tt.tries, tt.err, got, tt.want)
		}
	}
	// What is not there any more may be gone because the first try acted.
	for _, kind := range []state.OpKind{state.OpTerminate, state.OpUnsubscribe} {
		for _, err := range []error{refused(), &api.Error{Status: 404, ID: "not_found"}} {
			if got := (state.Op{Kind: kind, Tries: 2}).Outcome(err); got != api.Unknown {
				t.Errorf("%s, try 2, %v: %v", kind, err, got)
			}
			if got := (state.Op{Kind: kind, Tries: 1}).Outcome(err); got != api.Refused {
				t.Errorf("%s, try 1, %v: %v", kind, err, got)
			}
		}
	}
}

func TestATerminationAskedForAgainIsJudgedByTheCard(t *testing.T) {
	s := settled(t)
	op := sent(t, s, state.Terminate(first))
	fail(s, 2*time.Second, op, cut())
	op, d := resent(t, s, 2*time.Second, 4*time.Second)
	look := one[state.FetchSummary](t, fail(s, d, op, &api.Error{Status: 400, ID: "invalid_state", Message: "it is terminated"}))
	if now, ok := s.Ops.ByID(op.ID); !ok || now.Phase != state.Unsettled {
		t.Fatalf("%+v, %v", now, ok)
	}
	effects := apply(s, state.SummaryLoaded{FetchSummary: look, Meta: meta(d + time.Second), Summary: api.CardSummary{ID: first, Status: api.CardTerminated}})
	if f := one[state.Forget](t, effects); f.Status != state.OpStatusResolvedDone || s.Ops.PendingCount() != 0 {
		t.Errorf("%+v", f)
	}
}

// unsettled brings an operation to the end of its tries.
func unsettled(t *testing.T, s *state.Store, in kernel.Intent) (state.Op, time.Duration, []kernel.Effect) {
	t.Helper()
	op, d := sent(t, s, in), 2*time.Second
	for try := 1; ; try++ {
		effects := fail(s, d, op, cut())
		if p, _ := s.Ops.Pending(op.Card); p.Phase == state.Unsettled {
			if try != 5 {
				t.Errorf("unsettled after %d tries", try)
			}
			return op, d, effects
		}
		op, d = resent(t, s, d, d+40*time.Second)
	}
}

func TestAnOutcomeNobodyTellsIsForAPersonToJudge(t *testing.T) {
	s := settled(t)
	op, d, effects := unsettled(t, s, state.Fund(first, 25*dollar))
	wantNotice(t, s, kernel.Bad, "could not be confirmed")
	evidence := one[state.FetchSummary](t, effects)
	if evidence.Card != first {
		t.Errorf("evidence %+v", evidence)
	}
	apply(s, state.SummaryLoaded{FetchSummary: evidence, Meta: meta(d), Summary: api.CardSummary{Status: api.CardActive, Balance: 125 * dollar}})
	if _, ok := s.Ops.Pending(first); !ok {
		t.Error("money was judged by a balance")
	}
	if got := all[state.Do](tick(s, d+time.Hour)); len(got) != 0 {
		t.Error("sent again after it was given up")
	}
	if v := s.Check(state.Fund(first, dollar)); v.Reason == "" {
		t.Error("another one may be started")
	}
	forget := one[state.Forget](t, do(t, s, state.Resolve{Op: op.ID}))
	if forget.Op.Key != op.Key || forget.Status != state.OpStatusResolvedNotDone || s.Ops.PendingCount() != 0 {
		t.Errorf("judged %+v", forget)
	}
	wantNotice(t, s, kernel.Info, "was not done")
	apply(s, state.OpForgotten{Meta: meta(d)})
	wantNotice(t, s, kernel.Info, "noted")
	apply(s, state.OpForgotten{Meta: meta(d), Err: cut()})
	wantNotice(t, s, kernel.Warn, "shown again after a restart")
}

// TestNothingIsSentAgainOnceItsKeyMayBeForgotten lets the machine sleep, or a
// tick come late, before an operation of unknown outcome is sent again.
func TestNothingIsSentAgainOnceItsKeyMayBeForgotten(t *testing.T) {
	for name, tt := range map[string]struct {
		wake time.Time
		sent bool
	}{
		"awake":                       {clocks(t, 30*time.Second, 30*time.Second), true},
		"just in time":                {clocks(t, time.Second, 2*time.Minute-time.Second), true},
		"two minutes asleep":          {clocks(t, time.Second, 2*time.Minute+time.Second), false},
		"three days asleep":           {clocks(t, time.Second, 72*time.Hour), false},
		"the wall clock was set back": {clocks(t, 3*time.Minute, time.Second), false},
		"no steady clock":             {at(time.Hour), false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore()
			begin := clocks(t, 0, 0)
			_, effects := s.Tick(begin)
			hot, _ := pages(t, effects)
			m := kernel.Meta{Sent: begin, At: begin}
			apply(s, answer(one[wallets.Fetch](t, effects), m))
			apply(s, state.CardsLoaded{FetchCards: hot, Meta: m, Items: []api.CardItem{item(first, api.CardActive, 100*dollar)}})
			op := sent(t, s, state.Fund(first, 25*dollar))
			apply(s, state.OpFailed{Meta: m, Op: op.ID, Err: cut()})
			topics, effects := s.Tick(tt.wake)
			if tt.sent {
				one[state.Do](t, effects)
				return
			}
			none[state.Do](t, effects)
			if p, _ := s.Ops.Pending(first); p.Phase != state.Unsettled || topics&kernel.TopicOps == 0 {
				t.Errorf("phase %d, topics %b", p.Phase, topics)
			}
			if f := one[state.FetchSummary](t, effects); f.Card != first {
				t.Errorf("evidence %+v", f)
			}
			wantNotice(t, s, kernel.Bad, "could not be confirmed")
			_, effects = s.Tick(tt.wake.Add(time.Hour))
			none[state.Do](t, effects)
		})
	}
}

func TestAWaitEndsWithTheTries(t *testing.T) {
	s := settled(t)
	op := sent(t, s, state.Fund(first, 25*dollar))
	fail(s, 2*time.Second, op, cut())
	again, d := resent(t, s, 2*time.Second, 30*time.Second)
	apply(s, state.Deferred{Meta: meta(d), Effect: state.Do{Op: again}, Wait: time.Hour})
	none[state.Do](t, tick(s, 121*time.Second-time.Millisecond))
	if wake := s.NextWake(); !wake.Equal(at(121 * time.Second)) {
		t.Errorf("wakes at %v", wake)
	}
	if p, _ := s.Ops.Pending(first); p.Phase != state.Unknown {
		t.Errorf("phase %d before the end", p.Phase)
	}
	none[state.Do](t, tick(s, 121*time.Second))
	if p, _ := s.Ops.Pending(first); p.Phase != state.Unsettled {
		t.Errorf("phase %d at the end", p.Phase)
	}
}

func TestAnswersThatComeAfterGivingUpStillSettle(t *testing.T) {
	s := settled(t)
	op, d, _ := unsettled(t, s, state.Fund(first, 25*dollar))
	apply(s, state.OpDone{Meta: meta(d), Op: op.ID, CardBalance: new(125 * dollar), WalletBalance: new(975 * dollar)})
	if s.Ops.PendingCount() != 0 || card(t, s, first).Balance != 125*dollar {
		t.Error("not settled")
	}
}

func TestAnyLaterReadOfTheCardJudgesAFreeze(t *testing.T) {
	read := func(f state.FetchCards, d time.Duration) state.CardsLoaded {
		return state.CardsLoaded{FetchCards: f, Meta: meta(d), TotalPages: 1, Items: []api.CardItem{item(first, api.CardFrozen, 100*dollar)}}
	}
	t.Run("a page of the list", func(t *testing.T) {
		s := settled(t)
		op, d := sent(t, s, state.Freeze(first)), 12*time.Second
		early, _ := pages(t, tick(s, d))
		for range 5 {
			fail(s, d, op, cut())
			if p, _ := s.Ops.Pending(first); p.Phase == state.Unsettled {
				break
			}
			op, d = resent(t, s, d, d+40*time.Second)
		}
		// It was asked for before: it may not show the freeze yet.
		none[state.Forget](t, apply(s, read(early, d)))
		if p, _ := s.Ops.Pending(first); p.Phase != state.Unsettled || card(t, s, first).Status != api.CardActive {
			t.Fatalf("judged by what was asked for before: %+v", p)
		}
		late, _ := pages(t, tick(s, d+11*time.Second))
		if got := one[state.Forget](t, apply(s, read(late, d+11*time.Second))); got.Op.Key != op.Key || s.Ops.PendingCount() != 0 {
			t.Errorf("not judged: %+v", got)
		}
		wantNotice(t, s, kernel.Good, "is frozen")
	})
	t.Run("after a restart", func(t *testing.T) {
		s := newStore()
		s.Resume([]state.Op{{Kind: state.OpFreeze, Card: first, Key: "old", At: at(-time.Hour), Tries: 1}}, at(0))
		hot, _ := pages(t, tick(s, 0))
		if got := one[state.Forget](t, apply(s, read(hot, 0))); got.Op.Key != "old" {
			t.Errorf("forgets %+v", got)
		}
	})
	t.Run("but not money", func(t *testing.T) {
		s := newStore()
		s.Resume([]state.Op{{Kind: state.OpFund, Card: first, Amount: dollar, Key: "old", At: at(-time.Hour), Tries: 1}}, at(0))
		hot, _ := pages(t, tick(s, 0))
		none[state.Forget](t, apply(s, read(hot, 0)))
	})
}

func TestAnOperationThatTheBudgetRefusesWasNotSent(t *testing.T) {
	s := settled(t)
	op := sent(t, s, state.Fund(first, 25*dollar))
	apply(s, state.Deferred{Meta: meta(2 * time.Second), Effect: state.Do{Op: op}, Wait: 90 * time.Second})
	if s.Ops.PendingCount() != 0 {
		t.Error("it is pending for ever")
	}
	wantNotice(t, s, kernel.Bad, "not sent", "90 s")

	op = sent(t, s, state.Fund(first, 25*dollar))
	fail(s, 2*time.Second, op, cut())
	again, d := resent(t, s, 2*time.Second, 30*time.Second)
	apply(s, state.Deferred{Meta: meta(d), Effect: state.Do{Op: again}, Wait: 90 * time.Second})
	if got := all[state.Do](tick(s, d+89*time.Second)); len(got) != 0 {
		t.Error("sent before the budget allows it")
	}
	if op, _ = resent(t, s, d+90*time.Second, d+91*time.Second); op.Tries != 2 {
		t.Errorf("try %d", op.Tries)
	}
	apply(s, state.Deferred{Meta: meta(d), Effect: state.Do{Op: state.Op{ID: 999}}})
}

func TestResume(t *testing.T) {
	left := []state.Op{
		{Kind: state.OpFund, Card: first, Amount: 25 * dollar, Key: "recent", At: at(-time.Minute), Tries: 1},
		{Kind: state.OpFreeze, Card: second, Key: "old", At: at(-time.Hour), Tries: 1},
	}
	t.Run("one of the future has no age", func(t *testing.T) {
		s := newStore()
		s.Resume([]state.Op{{Kind: state.OpFund, Card: first, Amount: dollar, Key: "future", At: at(time.Hour), Tries: 1}}, at(0))
		if op, _ := s.Ops.Pending(first); op.Phase != state.Unsettled {
			t.Errorf("phase %d", op.Phase)
		}
	})
	t.Run("recent ones are asked for, old ones judged", func(t *testing.T) {
		s := newStore()
		s.Resume(left, at(0))
		if s.Ops.PendingCount() != 2 {
			t.Fatalf("%d pending", s.Ops.PendingCount())
		}
		if old, _ := s.Ops.Pending(second); old.Phase != state.Unsettled {
			t.Errorf("old: %+v", old)
		}
		op := one[state.Do](t, tick(s, 0)).Op
		if op.Key != "recent" || op.Tries != 2 || op.Amount != 25*dollar {
			t.Errorf("asked for %+v", op)
		}
		// The first answer may be lost with the run that asked.
		fail(s, 0, op, unauthorized())
		if _, ok := s.Ops.Pending(first); !ok {
			t.Error("settled by a refused key")
		}
		left, _ := s.Ops.Unsettled(second)
		do(t, s, state.Resolve{Op: left.ID})
	})
	t.Run("read-only sends nothing", func(t *testing.T) {
		s := newStore(readOnly)
		s.Resume(left, at(0))
		none[state.Do](t, tick(s, 0))
		none[state.Do](t, tick(s, time.Minute))
		if op, ok := s.Ops.Pending(first); !ok || op.Phase != state.Unsettled {
			t.Errorf("recent: %+v %v", op, ok)
		}
	})
}

// TestAnotherServersLimitIsObeyed by a write that may have acted: it is asked again when that says, which is before it is
// given up.
func TestAnotherServersLimitIsObeyed(t *testing.T) {
	s := settled(t)
	op := sent(t, s, state.Fund(first, 5*dollar))
	fail(s, 2*time.Second, op, &api.Error{Status: 429, RetryAfter: time.Minute, Kind: api.ErrNotJSON, Unknown: true})
	again, d := resent(t, s, 2*time.Second, 70*time.Second)
	if again.Key != op.Key || d < 62*time.Second {
		t.Errorf("sent as %s after %s, at %v", again.Key, op.Key, d)
	}
}

func TestAFreezeNobodyAnsweredIsJudgedByTheStatusReadSince(t *testing.T) {
	for _, status := range []api.CardStatus{api.CardActive, api.CardFrozen} {
		s := settled(t)
		op, d, effects := unsettled(t, s, state.Freeze(first))
		more := apply(s, state.SummaryLoaded{FetchSummary: one[state.FetchSummary](t, effects), Meta: meta(d), Summary: api.CardSummary{Status: status, Label: "fb"}})
		if s.Ops.PendingCount() != 0 {
			t.Fatalf("%s: not judged", status)
		}
		if one[state.Forget](t, more).Op.Key != op.Key {
			t.Error("the journal is not told")
		}
		level := kernel.Good
		if status == api.CardActive {
			level = kernel.Warn // It did not act.
		}
		wantNotice(t, s, level, "is "+string(status))
		if status == api.CardFrozen {
			wantUndo(t, s, state.Unfreeze(first))
		} else {
			wantNoUndo(t, s, "nothing to undo")
		}
	}
}

func TestARefusalBeforeTheKeyIsLookedAtDoesNotSettle(t *testing.T) {
	for name, ev := range map[string]state.OpFailed{
		"bad key":    {Err: unauthorized()},
		"rate limit": {Err: limited(0)},
		"not sent":   {Err: cut(), NotSent: true},
		"no network": {Err: &api.Error{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := settled(t)
			op := sent(t, s, state.Fund(first, 25*dollar))
			fail(s, 2*time.Second, op, cut())
			again, d := resent(t, s, 2*time.Second, 30*time.Second)
			ev.Meta, ev.Op = meta(d), again.ID
			apply(s, ev)
			if p, ok := s.Ops.Pending(first); !ok || p.Phase != state.Unknown {
				t.Fatalf("settled: %+v %v", p, ok)
			}
			resent(t, s, d, d+40*time.Second)
		})
	}
}
