package state_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alerts"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/kernel"
	sums "github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/txns"
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
		case txns.Fetch:
			s.Apply(txns.Loaded{Fetch: e, Meta: meta(0), Items: []api.Transaction{
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
	got := s.Insight.DeclinesByBIN(sums.Last24h)
	if d := got["bin_1"]; d != (bins.Declines{Declined: 1, Asked: 3, Cards: 1}) {
		t.Errorf("bin_1: %+v", d)
	}
	if rate, ok := got["bin_1"].Rate(); !ok || rate < 33.3 || rate > 33.4 {
		t.Errorf("rate %v, %v", rate, ok)
	}
	if d := got["bin_2"]; d != (bins.Declines{Cards: 1}) {
		t.Errorf("bin_2: %+v", d)
	}
	if _, ok := got["bin_2"].Rate(); ok {
		t.Error("a rate of nothing")
	}
}

// refusedRow is a decline of the first card, with 3 USD on it.
func refusedRow(n int, d time.Duration, amount api.USD) api.Transaction {
	row := txn(n, -d, api.TransactionDecline, amount)
	row.Merchant.Name, row.BalanceAfter = "Meta", new(3*dollar)
	return row
}

// told is why a transaction was declined, and how sure that is.
func told(s *state.Store, id api.TransactionID) string {
	a, ok := s.Insight.Decline(id)
	if !ok {
		return "not held"
	}
	return a.String() + ", " + a.Confidence.String() + ": " + a.Evidence
}

func TestADeclineIsExplainedByWhatWasKnownThen(t *testing.T) {
	s := settled(t)
	row := refusedRow(1, 5*time.Second, 25*dollar)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, row, txn(1001, -5*time.Second, api.TransactionSettlement, -dollar))
	if got := told(s, row.ID); got != "likely balance too low, likely: balance $3.00, asked $25.00" {
		t.Errorf("told %q", got)
	}
	if a, _ := s.Insight.Decline(row.ID); a.Shortfall != 22*dollar || a.Line(nil) != "likely balance too low · $22 short" {
		t.Errorf("short of %v: %q", a.Shortfall, a.Line(nil))
	}
	causes := func() [decline.Causes]int {
		n, _ := s.Insight.Ledger().Declines(sums.OfCard(first), sums.Last7d)
		return n
	}
	if n := causes(); n[decline.Balance] != 1 {
		t.Errorf("the ledger has %v", n)
	}
	if got := told(s, "txn_01001"); got != "not held" {
		t.Errorf("a settlement was declined: %q", got)
	}
	f := look(t, s, row.ID)
	detail := api.TransactionDetail{Transaction: row, Extra: []api.Field{{Name: "reason", Value: "Monthly limit exceeded"}}}
	if topics, _ := s.Apply(txns.OneLoaded{FetchOne: f, Meta: meta(6 * time.Second), Detail: detail}); topics&kernel.TopicFeed == 0 {
		t.Error("another cause changes no list")
	}
	if got := told(s, row.ID); got != `monthly limit, stated by the API: the API says "Monthly limit exceeded"` {
		t.Errorf("told %q", got)
	}
	if n := causes(); n[decline.Balance] != 0 || n[decline.MonthlyLimit] != 1 {
		t.Errorf("the ledger has %v", n)
	}
}

func TestADeclineOfAFrozenCardIsExplainedByItsStatusBeforeAndAfter(t *testing.T) {
	s := settled(t)
	effects := tick(s, 11*time.Second)
	hot, _ := pages(t, effects)
	apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(11 * time.Second), TotalPages: 1, Items: []api.CardItem{item(first, api.CardFrozen, 100*dollar)}})
	row := refusedRow(1, 12*time.Second, 2*dollar)
	feedPage(s, one[txns.Fetch](t, effects), 12*time.Second, false, row)
	if got := told(s, row.ID); got != "likely card frozen, likely: the card was frozen before" {
		t.Errorf("told %q", got)
	}
	relisted(t, s, 22*time.Second, api.CardFrozen)
	if got := told(s, row.ID); got != "likely card frozen, likely: the card was frozen before and after" {
		t.Errorf("told %q", got)
	}
	// It is unfrozen later: what was so stays.
	relisted(t, s, 33*time.Second, api.CardActive)
	if got := told(s, row.ID); got != "likely card frozen, likely: the card was frozen before and after" {
		t.Errorf("told %q", got)
	}
}

// TestTheStatusOfAnEarlierRunProvesNothing has a card frozen somewhere after it was declined: nobody knows whether the
// status on disk was read before that.
func TestTheStatusOfAnEarlierRunProvesNothing(t *testing.T) {
	packed := cardlist.ListOf(cardlist.Card{ID: first, Label: "fb", BIN: "420000", Network: "visa", Status: api.CardFrozen, Balance: 100 * dollar})
	s, effects := recalled(t, state.Snapshot{At: at(0), CardsAt: at(0), Total: 1, Cards: packed})
	row := txn(1, 5*time.Minute, api.TransactionDecline, -dollar)
	feed := one[txns.Fetch](t, effects)
	apply(s, txns.Loaded{Fetch: feed, Meta: meta(time.Minute), Items: []api.Transaction{row}})
	for _, f := range all[state.FetchCards](effects) {
		apply(s, state.CardsLoaded{FetchCards: f, Meta: meta(time.Minute), Total: 1, TotalPages: 1, Items: []api.CardItem{item(first, api.CardFrozen, 100*dollar)}})
	}
	if got := told(s, row.ID); strings.Contains(got, "before") {
		t.Error(got)
	}
}

// TestTheOrderOfTheFirstAnswersChangesNoCause: the list of cards comes before the first page of transactions, or after it.
func TestTheOrderOfTheFirstAnswersChangesNoCause(t *testing.T) {
	for _, cardsFirst := range []bool{true, false} {
		s := newStore()
		var cards []kernel.Event
		row := refusedRow(1, -20*time.Hour, 25*dollar)
		row.BalanceAfter = new(api.USD(0))
		for _, e := range append(tick(s, 0), tick(s, time.Second)...) {
			switch f := e.(type) {
			case state.FetchCards:
				ev := state.CardsLoaded{FetchCards: f, Meta: meta(time.Second), TotalPages: 1, Total: 1, Items: []api.CardItem{item(first, api.CardTerminated, 0)}}
				if cards = append(cards, ev); cardsFirst {
					apply(s, ev)
				}
			case txns.Fetch:
				feedPage(s, f, time.Second, false, row)
			default:
				apply(s, answer(e, meta(time.Second)))
			}
		}
		for _, ev := range cards {
			if !cardsFirst {
				apply(s, ev)
			}
		}
		tick(s, 2*time.Second)
		if got := told(s, row.ID); got != "likely card terminated, likely: the card is terminated, and was empty" {
			t.Errorf("cards first %t: told %q", cardsFirst, got)
		}
	}
}

func TestAStormOfRetriesAlertsOnceAndIsReadOnce(t *testing.T) {
	s := settled(t, alerting)
	read := 0
	retry := func(n int, d time.Duration) {
		feedPage(s, pollFeed(t, s, d), d, false, refusedRow(n, d, 25*dollar))
		effects := tick(s, d+time.Second)
		read += len(reads(effects))
		for _, f := range reads(effects) {
			if !f.Ahead || f.Cost().Priority != budget.Low {
				t.Errorf("reads %+v", f)
			}
		}
	}
	all := 0
	for n := range 6 {
		retry(n+1, time.Duration(5+4*n)*time.Second)
		all += strings.Count(shownWallet(s), "alert: ")
		if n == 3 {
			do(t, s, alerts.Acknowledge{ID: s.Alerts.All()[0].ID})
		}
	}
	if all != 1 || matter(s) != "" {
		t.Errorf("%d alerts, then %q", all, matter(s))
	}
	// The first two were no storm yet.
	if read != 2 {
		t.Errorf("%d were read", read)
	}
	if storm := s.Insight.Storm("txn_00001"); storm == nil || len(storm.Tries) != 6 {
		t.Errorf("storm %+v", storm)
	}
	retry(9, 15*time.Minute)
	if got := matter(s); got != "declined: card_0001 $25.00 at Meta: likely balance too low · $22 short\n" {
		t.Errorf("later: %q", got)
	}
}

// TestATryOfAStormThatIsOtherIsNotExplainedByIt: the card has enough by then.
func TestATryOfAStormThatIsOtherIsNotExplainedByIt(t *testing.T) {
	s := settled(t)
	first, second, third := refusedRow(1, 0, 2*dollar), refusedRow(2, time.Second, 2*dollar), refusedRow(3, 2*time.Second, 2*dollar)
	first.BalanceAfter, second.BalanceAfter, third.BalanceAfter = new(1*dollar), nil, new(100*dollar)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, third, second, first)
	apply(s, txns.OneLoaded{FetchOne: txns.FetchOne{Transaction: "txn_00001"}, Meta: meta(6 * time.Second), Detail: api.TransactionDetail{
		Transaction: first, Extra: []api.Field{{Name: "reason", Value: "insufficient funds"}},
	}})
	tick(s, 7*time.Second)
	for id, want := range map[api.TransactionID]string{"txn_00002": "likely balance too low", "txn_00003": "cause not known"} {
		if got, _ := s.Insight.Decline(id); got.String() != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

// TestDeclinesAreGroupedByCause with what they came to, and what the API says of one retry is
// likely so of the others.
func TestDeclinesAreGroupedByCause(t *testing.T) {
	s := settled(t)
	var page []api.Transaction
	for i := range 4 { // Retries of one purchase, and nothing that is known explains them.
		row := refusedRow(10+i, time.Duration(i)*time.Second, 2*dollar)
		row.BalanceAfter = new(100 * dollar)
		page = append(page, row)
	}
	short := refusedRow(1, 5*time.Second, 25*dollar)
	short.Merchant.Name = "Acme"
	old := refusedRow(2, -25*time.Hour, 25*dollar)
	page = append(page, short, old)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, page...)
	said := func() (out []string) {
		groups := s.Insight.DeclinesByCause()
		for _, g := range groups {
			out = append(out, fmt.Sprintf("%s: %d of %d cards, %s, first %s", g.Words(nil), len(g.IDs), len(g.Cards), g.Sum, g.IDs[0]))
		}
		return out
	}
	if got, want := strings.Join(said(), "\n"), "likely balance too low: 1 of 1 cards, 25.00, first txn_00001\ncause not known: 4 of 1 cards, 8.00, first txn_00013"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	// The screen reads the newest of them in full: what it says is told of the others, until they are read.
	do(t, s, insight.ReadDeclines{On: true})
	read := reads(seconds(s, 6, 10))
	if len(read) < 2 || read[0].Transaction != "txn_00001" || read[1].Transaction != "txn_00013" {
		t.Fatalf("reads %v", read)
	}
	apply(s, txns.OneLoaded{FetchOne: read[1], Meta: meta(7 * time.Second), Detail: api.TransactionDetail{
		Transaction: page[3], Extra: []api.Field{{Name: "reason", Value: "Monthly limit exceeded"}},
	}})
	if got, want := strings.Join(said(), "\n"), "monthly limit, 3 of 4 likely: 4 of 1 cards, 8.00, first txn_00013\nlikely balance too low: 1 of 1 cards, 25.00, first txn_00001"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := told(s, "txn_00010"); got != `likely monthly limit, likely: as at another try: the API says "Monthly limit exceeded"` {
		t.Error(got)
	}
}

// TestACauseOfTheAmountIsNotOfAnotherAmount: that $900 were too much says nothing of $5.
func TestACauseOfTheAmountIsNotOfAnotherAmount(t *testing.T) {
	s := settled(t)
	page := make([]api.Transaction, 3)
	for i := range page {
		page[i] = refusedRow(10+i, time.Duration(i)*time.Second, 5*dollar)
		page[i].BalanceAfter = new(10 * dollar)
	}
	page[0].Amount = 900 * dollar
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, page...)
	f := look(t, s, page[0].ID)
	apply(s, txns.OneLoaded{FetchOne: f, Meta: meta(6 * time.Second), Detail: api.TransactionDetail{Transaction: page[0], Extra: []api.Field{{Name: "reason", Value: "insufficient funds"}}}})
	if a, _ := s.Insight.Decline(page[1].ID); a.Cause != decline.Unknown || a.Shortfall != 0 {
		t.Errorf("%+v", a)
	}
}

// offered answers the reading of the BINs, the card's of which allows 1,000 dollars.
func offered(t *testing.T, s *state.Store) {
	t.Helper()
	apply(s, bins.Loaded{Meta: meta(2 * time.Second), Items: []api.BIN{{ID: card(t, s, first).BIN, MaxTransaction: new(1000 * dollar)}}})
}

// TestBINsAreKnownAhead at the start, so that a payment above the maximum of its BIN is called so at once: more money on
// the card would not have paid it.
func TestBINsAreKnownAhead(t *testing.T) {
	s := newStore()
	if f := one[bins.Fetch](t, tick(s, 0)); !f.Ahead || f.Cost().Priority != budget.Low || f.Label(false) != "" {
		t.Errorf("%+v", f)
	}
	none[bins.Fetch](t, seconds(s, 1, 30))
	apply(s, state.FetchFailed{Meta: meta(30 * time.Second), Effect: bins.Fetch{Ahead: true}, Err: unreachable()})
	if _, _, err := s.BINs.All(); err != nil {
		t.Errorf("nobody asked: %v", err)
	}
	one[bins.Fetch](t, seconds(s, 31, 90)) // Once more.

	s = settled(t)
	offered(t, s)
	row := refusedRow(1, 5*time.Second, 5000*dollar)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, row)
	if a, _ := s.Insight.Decline(row.ID); a.String() != "likely over BIN max" || a.Advice(nil) != "charge at most $1,000.00, or use another BIN" {
		t.Errorf("%+v: %s", a, a.Advice(nil))
	}
}

func TestOldDeclinesAreExplainedByTheMaximumOfTheirBIN(t *testing.T) {
	s := settled(t)
	page := make([]api.Transaction, 150)
	for i := range page {
		page[i] = refusedRow(i, -time.Hour-time.Duration(i)*time.Minute, 5000*dollar)
	}
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, page...)
	if a, _ := s.Insight.Decline(page[149].ID); a.Fix != decline.Fund {
		t.Fatalf("%+v", a)
	}
	offered(t, s)
	for _, row := range page {
		if a, _ := s.Insight.Decline(row.ID); a.Cause != decline.BINMaximum || a.Shortfall != 0 {
			t.Fatalf("%s: %+v", row.ID, a)
		}
	}
}

// TestADeclineOfATerminatedCardIsNotCalledOneOfItsBalance, also one of long before this run: its balance went to the wallet.
func TestADeclineOfATerminatedCardIsNotCalledOneOfItsBalance(t *testing.T) {
	s := with(t, []api.CardItem{item(first, api.CardTerminated, 0)})
	row := refusedRow(1, -5*time.Hour, 25*dollar)
	row.BalanceAfter = new(api.USD(0))
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, row)
	if a, _ := s.Insight.Decline(row.ID); a.String() != "likely card terminated" || a.Fix != decline.IssueCard {
		t.Errorf("%+v", a)
	}
	// It paid later: then it was not terminated yet.
	paid := txn(2, 4*time.Hour, api.TransactionAuthorization, 5*dollar)
	feedPage(s, pollFeed(t, s, 10*time.Second), 10*time.Second, false, paid)
	do(t, s, insight.ReadDeclines{On: true})
	if a, _ := s.Insight.Decline(row.ID); a.String() != "likely balance too low" {
		t.Errorf("%+v", a)
	}
}

// TestADeclineBeforeTheCardWasTerminatedFromHere was of something else: the history says when it was.
func TestADeclineBeforeTheCardWasTerminatedFromHere(t *testing.T) {
	s := with(t, []api.CardItem{item(first, api.CardTerminated, 0)})
	row := refusedRow(1, -5*time.Hour, 25*dollar)
	row.BalanceAfter = new(api.USD(0))
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, row)
	do(t, s, state.LoadHistory{})
	ended := state.Record{At: at(-3 * time.Hour), Card: first, Action: "terminate", Outcome: state.OpStatusDone, Key: "key"}
	apply(s, state.HistoryLoaded{Meta: meta(6 * time.Second), Records: []state.Record{ended}}) // After the decline was explained.
	if a, _ := s.Insight.Decline(row.ID); a.String() != "likely balance too low" {
		t.Errorf("%+v", a)
	}
}

func TestADeclineOfACardThatWasFrozenFromHereIsExplainedByThat(t *testing.T) {
	s := with(t, []api.CardItem{item(first, api.CardActive, 3*dollar)})
	record := func(action string, ago time.Duration) state.Record {
		return state.Record{At: at(-ago), Card: first, Action: action, Outcome: state.OpStatusDone, Key: api.IdempotencyKey(action)}
	}
	do(t, s, state.LoadHistory{})
	apply(s, state.HistoryLoaded{Meta: meta(2 * time.Second), Records: []state.Record{record("freeze", 5*time.Hour), record("unfreeze", 3*time.Hour)}})
	frozen, free := refusedRow(1, -4*time.Hour, 25*dollar), refusedRow(2, -2*time.Hour, 25*dollar)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, frozen, free)
	if got := told(s, frozen.ID); got != "likely card frozen, likely: the card was frozen before and after" {
		t.Errorf("while it was frozen: %s", got)
	}
	if got := told(s, free.ID); got != "likely balance too low, likely: balance $3.00, asked $25.00" {
		t.Errorf("after it: %s", got)
	}
}

// unexplained are n declines of as many hours that nothing known explains, the newest first.
func unexplained(n int) []api.Transaction {
	page := make([]api.Transaction, n)
	for i := range page {
		page[i] = refusedRow(10+i, -time.Duration(i+1)*10*time.Minute, 2*dollar)
		page[i].BalanceAfter = new(100 * dollar)
	}
	return page
}

func TestAllDeclinesThatAreCountedAreRead(t *testing.T) {
	s := settled(t)
	page := unexplained(60)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, page...)
	none[txns.FetchOne](t, seconds(s, 6, 20)) // Nobody looks.
	do(t, s, insight.ReadDeclines{On: true})
	unread := func() (n int) {
		for _, g := range s.Insight.DeclinesByCause() {
			n += g.Unread
		}
		return n
	}
	if n := unread(); n != len(page) {
		t.Errorf("%d are to be read", n)
	}
	now := 20 * time.Second
	var got []api.TransactionID
	for range 3 * len(page) {
		now += time.Second
		for _, f := range all[txns.FetchOne](tick(s, now)) {
			if !f.Ahead || f.Cost().Priority != budget.Low {
				t.Errorf("%+v", f)
			}
			got = append(got, f.Transaction)
			row := page[len(got)-1]
			detail := api.TransactionDetail{Transaction: row}
			if len(got) != 1 { // The API has no reason for one.
				detail.Extra = []api.Field{{Name: "reason", Value: "Monthly limit exceeded"}}
			}
			apply(s, txns.OneLoaded{FetchOne: f, Meta: meta(now), Detail: detail})
		}
	}
	if len(got) != len(page) || got[0] != page[0].ID || got[59] != page[59].ID {
		t.Errorf("%d were read: %v", len(got), got)
	}
	if g := s.Insight.DeclinesByCause(); unread() != 0 || len(g) != 2 || g[0].Answer.String() != "monthly limit" || len(g[0].IDs) != 59 || len(g[1].IDs) != 1 {
		t.Errorf("%+v", g)
	}
	if reason := s.Insight.DeclineReason(page[59].ID); reason != "Monthly limit exceeded" {
		t.Errorf("the reason is %q", reason)
	}
}

func TestNoDeclineIsReadAfterItsScreenWasClosed(t *testing.T) {
	s := settled(t)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, unexplained(5)...)
	do(t, s, insight.ReadDeclines{On: true})
	one[txns.FetchOne](t, tick(s, 6*time.Second))
	do(t, s, insight.ReadDeclines{})
	none[txns.FetchOne](t, seconds(s, 7, 200))
}

func TestADeclineThatCannotBeReadIsTriedAgain(t *testing.T) {
	s := settled(t)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, unexplained(1)...)
	do(t, s, insight.ReadDeclines{On: true})
	f := one[txns.FetchOne](t, tick(s, 6*time.Second))
	apply(s, state.FetchFailed{Meta: meta(6 * time.Second), Effect: f, Err: unreachable()})
	f = one[txns.FetchOne](t, seconds(s, 7, 80))
	apply(s, state.FetchFailed{Meta: meta(80 * time.Second), Effect: f, Err: refused()})
	none[txns.FetchOne](t, seconds(s, 81, 300))
	if g := s.Insight.DeclinesByCause(); g[0].Unread != 0 {
		t.Errorf("it is waited for: %+v", g)
	}
}

// TestAnOldDeclineIsComparedWithTheLimitOfNow as a guess: limits are seldom changed, and what the month had used by then is known.
func TestAnOldDeclineIsComparedWithTheLimitOfNow(t *testing.T) {
	l := spends(12)
	over, under := refusedRow(9001, -3*time.Hour, 999*dollar), refusedRow(9002, -4*time.Hour, dollar)
	over.BalanceAfter, under.BalanceAfter = new(2000*dollar), new(2000*dollar)
	l.rows = append(l.rows, over, under)
	slices.SortFunc(l.rows, func(a, b api.Transaction) int { return b.CreatedAt.Compare(a.CreatedAt) })
	s := l.begun(t, limits)
	l.background(s, 2*time.Second, 2*time.Minute, 1000*dollar)
	do(t, s, insight.ReadDeclines{On: true})
	if got := told(s, over.ID); !strings.HasPrefix(got, "likely monthly limit, likely: $") {
		t.Errorf("over it: %s", got)
	}
	if got := told(s, under.ID); !strings.HasPrefix(got, "cause not known") || !strings.Contains(got, "monthly limit") {
		t.Errorf("under it: %s", got)
	}
}

// TestTheLimitBeforeAChangeFromHereExplainsWhatItDeclined, in a later run as well: what was raised since was lower then.
func TestTheLimitBeforeAChangeFromHereExplainsWhatItDeclined(t *testing.T) {
	l := spends(12)
	over := refusedRow(9001, -3*time.Hour, 999*dollar)
	over.BalanceAfter = new(2000 * dollar)
	l.rows = append(l.rows, over)
	slices.SortFunc(l.rows, func(a, b api.Transaction) int { return b.CreatedAt.Compare(a.CreatedAt) })
	for name, c := range map[string]struct {
		before *api.USD
		at     time.Duration
		tells  bool
	}{
		"known":            {new(1000 * dollar), -2 * time.Hour, true},
		"not known":        {nil, -2 * time.Hour, false},
		"at the same time": {new(1000 * dollar), -3*time.Hour + time.Second/2, false}, // Nobody knows which was first.
	} {
		before, s := c.before, l.begun(t, limits)
		raised := state.Record{At: at(c.at), Card: over.CardID, Action: "update", Outcome: state.OpStatusDone, Key: "key", LimitBefore: before}
		refused := raised
		refused.At, refused.Outcome, refused.Key, refused.LimitBefore = at(-150*time.Minute), state.OpStatusRefused, "other", new(5*dollar)
		do(t, s, state.LoadHistory{})
		apply(s, state.HistoryLoaded{Meta: meta(time.Second), Records: []state.Record{raised, refused}})
		l.background(s, 2*time.Second, 2*time.Minute, 9000*dollar)
		do(t, s, insight.ReadDeclines{On: true})
		if got := told(s, over.ID); strings.HasPrefix(got, "likely monthly limit, likely: $") != c.tells {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestADeclineThatIsLookedAtAsksForItsCardAndItsBIN(t *testing.T) {
	s := settled(t)
	row := refusedRow(1, 5*time.Second, 2*dollar)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, row, txn(1001, -5*time.Second, api.TransactionSettlement, -dollar))
	effects := do(t, s, txns.Inspect{Transaction: row.ID})
	one[bins.Fetch](t, effects)
	if f := one[state.FetchSummary](t, effects); f.Card != row.CardID || !f.Ahead {
		t.Errorf("asks for %+v", f)
	}
	effects = do(t, s, txns.Inspect{Transaction: "txn_01001"})
	none[bins.Fetch](t, effects)
	none[state.FetchSummary](t, effects)
}

// TestTheDeclinesOfACardThatIsLookedAtAreRead, of 7 days, which its screen counts by cause.
func TestTheDeclinesOfACardThatIsLookedAtAreRead(t *testing.T) {
	s := settled(t)
	page := unexplained(3)
	page[1].CreatedAt, page[2].CardID = at(-50*time.Hour), second
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, page...)
	do(t, s, state.InspectCard{Card: first})
	var got []api.TransactionID
	for i := range 20 {
		for _, f := range all[txns.FetchOne](tick(s, time.Duration(6+i)*time.Second)) {
			got = append(got, f.Transaction)
		}
	}
	if len(got) != 2 || got[0] != page[0].ID || got[1] != page[1].ID {
		t.Errorf("%v were read", got)
	}
}
