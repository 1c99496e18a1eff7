package state_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/txns"
)

// reads gives the requests for a transaction among effects.
func reads(effects []kernel.Effect) []txns.FetchOne {
	var out []txns.FetchOne
	for _, e := range effects {
		if f, ok := e.(txns.FetchOne); ok {
			out = append(out, f)
		}
	}
	return out
}

// look begins to look at a transaction and gives the request for it.
func look(t *testing.T, s *state.Store, id api.TransactionID, among ...api.TransactionID) txns.FetchOne {
	t.Helper()
	_, effects, err := s.Dispatch(txns.Inspect{Transaction: id, Among: among})
	if err != nil {
		t.Fatal(err)
	}
	all := reads(effects)
	if len(all) != 1 || all[0].Transaction != id {
		t.Fatalf("asked for %+v", effects)
	}
	return all[0]
}

func full(f txns.FetchOne, now time.Duration) txns.OneLoaded {
	return txns.OneLoaded{FetchOne: f, Meta: meta(now), Detail: api.TransactionDetail{
		Transaction: api.Transaction{ID: f.Transaction, CardID: "card_1", Amount: -5 * dollar}, DeclineReason: "insufficient_funds",
	}}
}

func TestATransactionIsReadInFull(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	f := look(t, s, "txn_1", "txn_1", "txn_2")
	if d := s.Txns.Detailed(); d.ID != "txn_1" || d.Detail != nil || d.Known || d.At != 1 || d.Of != 2 {
		t.Errorf("before the answer %+v", d)
	}
	if topics, _ := s.Apply(full(f, time.Second)); topics&kernel.TopicInspector == 0 {
		t.Error("nothing changed")
	}
	if d := s.Txns.Detailed(); d.Detail == nil || !d.Known || d.Row.Amount != -5*dollar || d.Detail.DeclineReason == "" {
		t.Errorf("after it %+v", d)
	}
	if _, _, err := s.Dispatch(txns.Inspect{}); err != nil || s.Txns.Detailed().ID != "" {
		t.Errorf("it is not closed: %v", err)
	}
	// What was read lately is not read again.
	_, effects, err := s.Dispatch(txns.Inspect{Transaction: "txn_1"})
	if err != nil || len(reads(effects)) != 0 || s.Txns.Detailed().Detail == nil {
		t.Errorf("read again: %+v, %v", effects, err)
	}
	s.Tick(at(2 * time.Minute))
	look(t, s, "txn_1")
}

func TestGoingThroughTransactionsReadsOnlyWhereOneStays(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	s.Apply(full(look(t, s, "txn_1", "txn_1", "txn_2", "txn_3"), 0))
	for range 2 {
		if _, effects, err := s.Dispatch(txns.Step{By: 1}); err != nil || len(reads(effects)) != 0 {
			t.Fatalf("%+v, %v", effects, err)
		}
	}
	if d := s.Txns.Detailed(); d.ID != "txn_3" || d.At != 3 {
		t.Errorf("looks at %+v", d)
	}
	if _, _, err := s.Dispatch(txns.Step{By: 1}); err == nil || s.Txns.Detailed().ID != "txn_3" {
		t.Error("it goes beyond the last, or says nothing")
	}
	if wake := s.NextWake(); wake.After(at(250 * time.Millisecond)) {
		t.Errorf("wakes at %v", wake)
	}
	_, effects := s.Tick(at(250 * time.Millisecond))
	all := reads(effects)
	if len(all) != 1 || all[0].Transaction != "txn_3" {
		t.Fatalf("reads %+v", all)
	}
	// The answer to one that is not looked at any more is kept, and shown there.
	if _, _, err := s.Dispatch(txns.Step{By: -1}); err != nil {
		t.Fatal(err)
	}
	s.Apply(full(all[0], time.Second))
	if d := s.Txns.Detailed(); d.ID != "txn_2" || d.Detail != nil {
		t.Errorf("a late answer is taken for another's: %+v", d)
	}
}

func TestAFailedReadIsTriedAgainUnlessItIsRefused(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	f := look(t, s, "txn_1")
	s.Apply(state.FetchFailed{Meta: meta(time.Second), Effect: f, Err: errors.New("lost")})
	if d := s.Txns.Detailed(); d.Err == nil {
		t.Error("nothing is said")
	}
	_, effects := s.Tick(at(7 * time.Second))
	again := reads(effects)
	if len(again) != 1 {
		t.Fatalf("asked again: %+v", again)
	}
	s.Apply(state.FetchFailed{Meta: meta(8 * time.Second), Effect: again[0], Err: api.ErrNotFound})
	if _, effects := s.Tick(at(time.Minute)); len(reads(effects)) != 0 {
		t.Error("what is refused is asked for again")
	}
	// An answer about another transaction is none.
	g := look(t, s, "txn_2")
	other := full(g, time.Minute)
	other.Detail.ID = "txn_9"
	s.Apply(other)
	if d := s.Txns.Detailed(); d.Err == nil || d.Detail != nil {
		t.Errorf("another's answer is taken: %+v", d)
	}
}
