package state_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// levels is a plan that fills three cards of $20 up to $100.
func levels(t *testing.T) (*till, *state.Batch) {
	t.Helper()
	s, _ := funding(t, 3)
	l := newTill(t, s)
	return l, l.start(s.Plan(state.Writes{Kind: state.BulkFund, Cards: []api.CardID{cardID(1), cardID(2), cardID(3)}, Share: state.ShareLevel, Amount: 100 * dollar}))
}

func TestALevelIsReachedByWhatTheCardsHoldWhenTheirTurnComes(t *testing.T) {
	l, b := levels(t)
	if got := shown(b); got != "rrr" || len(l.waiting) != 0 {
		t.Fatalf("%s, %d requests under way before a card was read", got, len(l.waiting))
	}
	l.balance[cardID(1)], l.balance[cardID(2)], l.balance[cardID(3)] = 70*dollar, 10*dollar, 100*dollar
	l.finish()
	if got := fmt.Sprint(l.balance[cardID(1)], l.balance[cardID(2)], l.balance[cardID(3)]); got != "100.00 90.00 100.00" {
		t.Errorf("the cards hold %s: a row moves what is needed, and never more than was confirmed", got)
	}
	if got := shown(b); got != "DDS" || b.Rows[2].Text != "holds $100.00 already" || b.Moved != 110*dollar {
		t.Errorf("%s %q, %s moved", got, b.Rows[2].Text, b.Moved)
	}
	if got := b.Outcome(nil); got != "2 of 3 done, 1 skipped" {
		t.Error(got)
	}
}

func TestWithdrawingDownToALevelTakesWhatIsStillThere(t *testing.T) {
	s, _ := funding(t, 2)
	l := newTill(t, s)
	b := l.start(s.Plan(state.Writes{Kind: state.BulkWithdraw, Cards: []api.CardID{cardID(1), cardID(2)}, Share: state.ShareLevel, Amount: 5 * dollar}))
	l.balance[cardID(1)], l.balance[cardID(2)] = 12*dollar, 4*dollar
	l.finish()
	if l.balance[cardID(1)] != 5*dollar || l.balance[cardID(2)] != 4*dollar || shown(b) != "DS" {
		t.Errorf("%s and %s are left, %s", l.balance[cardID(1)], l.balance[cardID(2)], shown(b))
	}
}

func TestARowThatWasBeatenReadsItsCardAgain(t *testing.T) {
	l, b := levels(t)
	l.read()
	if op := l.take(cardID(1)); op.Amount != 80*dollar || !op.BalanceAt.Equal(at(l.now)) {
		t.Fatalf("sends %s that rests on a balance of %v", op.Amount, op.BalanceAt)
	} else {
		l.send(apply(l.s, state.OpFailed{Meta: meta(l.now), Op: op.ID, Err: fmt.Errorf("nothing was sent: %w", state.ErrMoved), NotSent: true}))
	}
	if got := shown(b); got != "wrr" || !b.Active() {
		t.Fatalf("%s", got)
	}
	l.balance[cardID(1)] = 100 * dollar // By the other program.
	l.tick(2 * time.Second)
	l.finish()
	if l.balance[cardID(1)] != 100*dollar || shown(b) != "SDD" {
		t.Errorf("the card holds %s, %s", l.balance[cardID(1)], shown(b))
	}
}

func TestACardThatCannotBeReadIsNotSent(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{{cut(), "wrr"}, {limited(time.Second), "wrr"}, {&api.Error{Status: 404, ID: "not_found"}, "R00"}} {
		l, b := levels(t)
		f := l.reads[0]
		l.send(apply(l.s, state.FetchFailed{Meta: meta(l.now), Effect: f, Err: c.err}))
		if got := shown(b); got != c.want || len(l.waiting) != 0 {
			t.Errorf("%v: %s, %d under way", c.err, got, len(l.waiting))
		}
	}
}

// TestARowWhoseCardGotAnUnknownStatusIsNotSent: the plan was made when it was active.
func TestARowWhoseCardGotAnUnknownStatusIsNotSent(t *testing.T) {
	l, b := levels(t)
	f := l.reads[0]
	l.send(apply(l.s, state.SummaryLoaded{FetchSummary: f, Meta: meta(l.now), Summary: api.CardSummary{ID: f.Card, Status: "suspended", Balance: 20 * dollar}}))
	if got := shown(b); got != "R00" || len(l.waiting) != 0 || b.Rows[0].Text != "unknown status “suspended”: not among many cards" {
		t.Errorf("%s %q, %d under way", got, b.Rows[0].Text, len(l.waiting))
	}
}

// TestALevelThatAnOldReadingPassedIsSaid: the answer shows that the card held more.
func TestALevelThatAnOldReadingPassedIsSaid(t *testing.T) {
	l, b := levels(t)
	l.read()
	op := l.take(cardID(1))
	ev := l.act(op)
	ev.Before, ev.CardBalance = new(100*dollar), new(180*dollar)
	l.send(apply(l.s, ev))
	if r := b.Rows[0]; !r.Odd || r.Text != "the card held $100.00 and not $20.00 as was read: it is above the level now" {
		t.Errorf("%+v", r)
	}
}

func TestARowThatIsReadWhenItsPlanIsPausedWaits(t *testing.T) {
	l, b := levels(t)
	l.send(do(t, l.s, state.PauseBatch{ID: b.Plan.ID}))
	for range 3 {
		l.read()
	}
	if got := shown(b); got != "www" || len(l.waiting) != 0 {
		t.Fatalf("%s, %d under way", got, len(l.waiting))
	}
	l.send(do(t, l.s, state.ResumeBatch{ID: b.Plan.ID}))
	l.finish()
	if shown(b) != "DDD" {
		t.Error(shown(b))
	}
	l, b = levels(t)
	l.send(do(t, l.s, state.StopBatch{ID: b.Plan.ID}))
	l.read()
	if got := shown(b); got != "000" || len(l.waiting) != 0 || b.Active() {
		t.Errorf("stopped: %s, %d under way", got, len(l.waiting))
	}
}

// TestARowThatIsBeatenAgainAndAgainIsRefused: another program's operation on the card may never
// have an answer.
func TestARowThatIsBeatenAgainAndAgainIsRefused(t *testing.T) {
	l, b := levels(t)
	beaten := 0
	for l.read(); shown(b)[0] != 'R' && beaten < 20; beaten++ {
		for len(l.waiting) > 0 {
			op := l.waiting[0]
			l.waiting = l.waiting[1:]
			l.send(apply(l.s, state.OpFailed{Meta: meta(l.now), Op: op.ID, Err: state.ErrMoved, NotSent: true}))
		}
		l.tick(5 * time.Second)
		for len(l.reads) > 0 {
			l.read()
		}
	}
	if beaten < 5 || beaten > 7 || b.Rows[0].Text != "another cardtop has an operation on this card without an answer" {
		t.Errorf("%s %q after %d times", shown(b), b.Rows[0].Text, beaten)
	}
	if b.Moved != 0 {
		t.Errorf("%s moved", b.Moved)
	}
}
