package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

func TestDeclinesAreCountedByBIN(t *testing.T) {
	s := newStore()
	_, effects := s.Tick(at(0))
	row := func(id api.TransactionID, card api.CardID, kind api.TransactionType, age time.Duration) api.Transaction {
		return api.Transaction{ID: id, CardID: card, Type: kind, CreatedAt: at(-age)}
	}
	for _, e := range effects {
		switch e := e.(type) {
		case state.FetchCards:
			s.Apply(state.CardsLoaded{FetchCards: e, Meta: meta(0), TotalPages: 1, Total: 3, Items: []api.CardItem{
				{ID: "card_1", BIN: "bin_1", Status: api.CardActive},
				{ID: "card_2", BIN: "bin_1", Status: api.CardTerminated},
				{ID: "card_3", BIN: "bin_2", Status: api.CardFrozen},
			}})
		case state.FetchTransactions:
			s.Apply(state.TransactionsLoaded{FetchTransactions: e, Meta: meta(0), Items: []api.Transaction{
				row("txn_1", "card_1", api.TransactionDecline, time.Hour),
				row("txn_2", "card_2", api.TransactionAuthorization, time.Hour),
				row("txn_3", "card_1", api.TransactionAuthorization, time.Minute),
				row("txn_4", "card_1", api.TransactionSettlement, time.Minute),
				row("txn_5", "card_1", api.TransactionDecline, 25*time.Hour),
				row("txn_6", "card_9", api.TransactionDecline, time.Minute),
			}})
		default:
		}
	}
	got := s.Txns.DeclinesByBIN()
	if d := got["bin_1"]; d != (state.Declines{Declined: 1, Asked: 3, Cards: 1}) {
		t.Errorf("bin_1: %+v", d)
	}
	if rate, ok := got["bin_1"].Rate(); !ok || rate < 33.3 || rate > 33.4 {
		t.Errorf("rate %v, %v", rate, ok)
	}
	if d := got["bin_2"]; d != (state.Declines{Cards: 1}) {
		t.Errorf("bin_2: %+v", d)
	}
	if _, ok := got["bin_2"].Rate(); ok {
		t.Error("a rate of nothing")
	}
}
