package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/txns"
)

// ownRows answers the inspector's request for a card's transactions.
func ownRows(t *testing.T, s *state.Store, d time.Duration, more bool, rows ...api.Transaction) {
	t.Helper()
	f := one[state.FetchCardTransactions](t, do(t, s, state.InspectCard{Card: first}))
	apply(s, state.CardTransactionsLoaded{FetchCardTransactions: f, Meta: meta(d), Items: rows, More: more})
}

func TestTheMonthCountsWhatSettledSinceItBegan(t *testing.T) {
	// The month is twelve hours old.
	rows := []api.Transaction{
		txn(1, 13*time.Hour, api.TransactionSettlement, -50*dollar), txn(2, 12*time.Hour, api.TransactionSettlement, -20*dollar),
		txn(3, 2*time.Hour, api.TransactionSettlement, -30*dollar), txn(4, time.Hour, api.TransactionRefund, 5*dollar),
		txn(5, time.Hour, api.TransactionAuthorization, 90*dollar), txn(6, time.Hour, api.TransactionDecline, 70*dollar),
	}
	for name, c := range map[string]struct {
		rows  []api.Transaction
		more  bool
		spent api.USD
		whole bool
	}{
		"all there are":             {rows, false, 45 * dollar, true},
		"back to before the month":  {rows, true, 45 * dollar, true},
		"not back to its beginning": {rows[1:], true, 45 * dollar, false},
		"none":                      {nil, false, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore()
			tick(s, 0)
			ownRows(t, s, time.Second, c.more, c.rows...)
			if spent, whole := s.MonthSpent(); spent != c.spent || whole != c.whole {
				t.Errorf("%s, whole %t", spent, whole)
			}
		})
	}
	s := newStore()
	tick(s, 0)
	do(t, s, state.InspectCard{Card: first})
	if _, whole := s.MonthSpent(); whole {
		t.Error("nothing was read, and it is all of the month")
	}
}

func TestTheFeedTellsOfTheMonthWhatTheCardsListDoesNot(t *testing.T) {
	s := settled(t) // The feed was read back to yesterday.
	ownRows(t, s, 2*time.Second, true, txn(2, time.Hour, api.TransactionSettlement, -2*dollar))
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false,
		txn(1, 3*time.Hour, api.TransactionSettlement, -dollar), txn(2, time.Hour, api.TransactionSettlement, -2*dollar), txn(3, time.Minute, api.TransactionSettlement, -4*dollar))
	if spent, whole := s.MonthSpent(); spent != 7*dollar || !whole {
		t.Errorf("%s, whole %t", spent, whole)
	}
	if m := s.Timeline(); len(m) != 3 || m[0].ID != "txn_00003" || m[2].ID != "txn_00001" {
		t.Errorf("moments %+v", m)
	}
	// Two days into the month the feed's day does not reach back so far.
	late := newStore()
	effects := tick(late, 48*time.Hour)
	for _, e := range append(effects, tick(late, 48*time.Hour+time.Second)...) {
		apply(late, answer(e, meta(48*time.Hour+time.Second)))
	}
	ownRows(t, late, 48*time.Hour+2*time.Second, true, txn(2, time.Hour, api.TransactionSettlement, -2*dollar))
	if _, whole := late.MonthSpent(); whole {
		t.Error("a day of the feed is taken for all of the month")
	}
}

// relisted answers the next poll of the hot page with the first card's state.
func relisted(t *testing.T, s *state.Store, d time.Duration, status api.CardStatus) {
	t.Helper()
	hot, _ := pages(t, tick(s, d))
	apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(d), TotalPages: 1, Items: []api.CardItem{item(first, status, 100*dollar)}})
}

func statuses(s *state.Store) string {
	var parts []string
	for _, m := range s.Timeline() {
		if c := m.Status; c != nil {
			parts = append(parts, string(c.From)+">"+string(c.To))
		}
	}
	return strings.Join(parts, " ")
}

func TestAStateThatWasChangedElsewhereIsNoted(t *testing.T) {
	s := settled(t)
	do(t, s, state.InspectCard{Card: first})
	if got := statuses(s); got != "" {
		t.Errorf("the first answer changed %s", got)
	}
	relisted(t, s, 11*time.Second, api.CardFrozen)
	relisted(t, s, 22*time.Second, api.CardFrozen)
	summary := one[state.FetchSummary](t, do(t, s, state.InspectCard{Card: first}))
	apply(s, state.SummaryLoaded{FetchSummary: summary, Meta: meta(23 * time.Second), Summary: api.CardSummary{Status: api.CardActive, Balance: 100 * dollar}})
	if got := statuses(s); got != "frozen>active active>frozen" {
		t.Errorf("noted %q", got)
	}
}

func TestWhatIsDoneFromHereIsNoChangeFromElsewhere(t *testing.T) {
	s := settled(t)
	do(t, s, state.InspectCard{Card: first})
	op := one[state.Do](t, do(t, s, state.Freeze(first))).Op
	// The list may tell before the answer does.
	relisted(t, s, 11*time.Second, api.CardFrozen)
	apply(s, state.OpDone{Meta: meta(12 * time.Second), Op: op.ID, Status: api.CardFrozen})
	relisted(t, s, 23*time.Second, api.CardFrozen)
	if got := statuses(s); got != "" {
		t.Errorf("noted %q", got)
	}
}

func TestAChangeSinceTheLastRunIsToldAsSuch(t *testing.T) {
	s := newStore()
	s.Recall(state.Snapshot{At: at(-time.Hour), CardsAt: at(-time.Hour), Cards: cardlist.ListOf(cardlist.Card{ID: first, Status: api.CardActive})})
	hot, _ := pages(t, tick(s, 0))
	apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(time.Second), TotalPages: 1, Items: []api.CardItem{item(first, api.CardFrozen, 0)}})
	do(t, s, state.InspectCard{Card: first})
	m := s.Timeline()
	if len(m) != 1 || m[0].Status == nil || !m[0].Status.Away {
		t.Errorf("moments %+v", m)
	}
}

func TestMomentsAreOfTheCardAndEachHasAName(t *testing.T) {
	s := settled(t)
	one[state.FetchHistory](t, do(t, s, state.LoadHistory{}))
	mine, other := record("a", state.OpFund, state.OpStatusDone, time.Minute), record("b", state.OpFund, state.OpStatusDone, time.Second)
	mine.Card, other.Card = first, "card_0002"
	again := mine
	again.Outcome, again.At = state.OpStatusUnknown, at(-2*time.Minute)
	apply(s, state.HistoryLoaded{Meta: meta(2 * time.Second), Records: []state.Record{other, mine, again}})
	ownRows(t, s, 3*time.Second, false, txn(1, 90*time.Second, api.TransactionSettlement, -dollar))
	var got []string
	names := make(map[string]bool)
	for _, m := range s.Timeline() {
		names[m.ID] = true
		switch {
		case m.Record != nil:
			got = append(got, m.Record.Outcome)
		case m.Transaction != nil:
			got = append(got, "settled")
		}
	}
	if want := "done settled unknown"; strings.Join(got, " ") != want || len(names) != 3 {
		t.Errorf("%v, %d names", got, len(names))
	}
	rows := s.TimelineRows(s.Timeline())
	if got := line(t, rows, 0); got != "2026-03-01T11:59:00Z,operation,fund,,10.00,,done," {
		t.Errorf("row %s", got)
	}
	if got := line(t, rows, 1); got != "2026-03-01T11:58:30Z,transaction,settlement,,-1.00,1.00,,txn_00001" {
		t.Errorf("row %s", got)
	}
	if v := s.Check(txns.Inspect{Among: []api.TransactionID{"txn_00001"}}); v.Reason == "" {
		t.Error("what is no transaction is opened")
	}
	if v := s.Check(txns.Inspect{}); v.Reason != "" {
		t.Errorf("closing is refused: %s", v.Reason)
	}
}
