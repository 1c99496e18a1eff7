package state_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
)

// kept is a snapshot of an account with two cards, a wallet and two
// transactions, taken at at(5s).
func kept(t *testing.T) state.Snapshot {
	t.Helper()
	s := settled(t)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false,
		txn(1, 2*time.Hour, api.TransactionSettlement, -7*dollar), txn(2, time.Hour, api.TransactionSettlement, -5*dollar))
	return s.Snapshot()
}

// recalled is a store that knows nothing but a snapshot, a minute later.
func recalled(t *testing.T, snap state.Snapshot, change ...func(*settings.Config)) (s *state.Store, effects []kernel.Effect) {
	t.Helper()
	s = newStore(change...)
	s.Recall(snap)
	return s, tick(s, time.Minute)
}

func TestARunBeginsWithWhatTheLastOneKnew(t *testing.T) {
	snap := kept(t)
	s, _ := recalled(t, snap)
	if c := card(t, s, first); !c.Cached || c.Label != "fb" || c.Balance != 100*dollar || c.Spent24h != 12*dollar || !c.LastUsed.Equal(at(-time.Hour)) {
		t.Errorf("card %+v", c)
	}
	if total, complete := s.Cards.Total(); total != 2 || complete || s.Cards.All().Len() != 2 {
		t.Errorf("total %d %v", total, complete)
	}
	if w, ok := s.Wallets.Balance(); !ok || w.Balance != 1000*dollar {
		t.Errorf("wallet %+v %v", w, ok)
	}
	if sum, complete := s.Insight.Spent24h(); sum != 12*dollar || complete || len(s.Txns.All()) != 2 {
		t.Errorf("spent %s, complete %v", sum, complete)
	}
	for lane, age := range map[poll.Lane]time.Duration{
		poll.Hot: 59 * time.Second, poll.Sweep: 59 * time.Second, poll.Wallet: 59 * time.Second,
		poll.Deposits: 59 * time.Second, poll.Feed: 55 * time.Second,
	} {
		if src := s.Poll.Source(lane); !src.Cached || src.Age(at(time.Minute)) != age {
			t.Errorf("lane %d: %+v is %v old", lane, src, src.Age(at(time.Minute)))
		}
	}
	for _, lane := range []poll.Lane{poll.Codes, poll.History} {
		if src := s.Poll.Source(lane); src.Cached || !src.OKAt.IsZero() {
			t.Errorf("lane %d: %+v", lane, src)
		}
	}
	if again := s.Snapshot(); !again.CardsAt.Equal(snap.CardsAt) || !again.WalletAt.Equal(snap.WalletAt) || !again.SeenTo.Equal(snap.SeenTo) || len(again.Transactions) != 2 {
		t.Errorf("what was never read became younger: %+v", again)
	}
}

func TestEachAnswerOfThisRunCountsForMore(t *testing.T) {
	s, effects := recalled(t, kept(t))
	hot, sweep := pages(t, effects)
	renamed := item(first, api.CardActive, 90*dollar)
	renamed.Label = "renamed"
	topics, _ := s.Apply(state.CardsLoaded{FetchCards: hot, Meta: meta(time.Minute), Total: 2, TotalPages: 1, Items: []api.CardItem{renamed}})
	if c := card(t, s, first); c.Cached || c.Label != "renamed" || c.Balance != 90*dollar || c.Spent24h != 12*dollar || topics&kernel.TopicCards == 0 {
		t.Errorf("card %+v, topics %b", c, topics)
	}
	if c := card(t, s, second); !c.Cached || s.Poll.Source(poll.Hot).Cached || !s.Poll.Source(poll.Sweep).Cached {
		t.Errorf("the other card %+v", c)
	}
	// The same again, word for word: the mark alone changes.
	topics, _ = s.Apply(state.CardsLoaded{FetchCards: sweep, Meta: meta(time.Minute), Total: 2, TotalPages: 1, Items: []api.CardItem{renamed, item(second, api.CardFrozen, 50*dollar)}})
	if c := card(t, s, second); c.Cached || topics&kernel.TopicCards == 0 || s.Poll.Source(poll.Sweep).Cached {
		t.Errorf("the other card %+v, topics %b", c, topics)
	}
	apply(s, wallets.Loaded{Fetch: one[wallets.Fetch](t, effects), Meta: meta(time.Minute), Wallet: api.Wallet{Balance: 5 * dollar}})
	if w, _ := s.Wallets.Balance(); w.Balance != 5*dollar || s.Poll.Source(poll.Wallet).Cached {
		t.Errorf("wallet %+v", w)
	}
	apply(s, answer(one[wallets.FetchDeposits](t, effects), meta(time.Minute)))
	if s.Poll.Source(poll.Deposits).Cached {
		t.Error("deposits are cached still")
	}
	feedPage(s, one[txns.Fetch](t, effects), time.Minute, false, txn(2, time.Hour, api.TransactionSettlement, -5*dollar), txn(3, 0, api.TransactionSettlement, -dollar))
	if s.Poll.Source(poll.Feed).Cached || len(s.Txns.All()) != 3 || card(t, s, first).Spent24h != 13*dollar {
		t.Errorf("feed %+v", s.Txns.All())
	}
	if c := card(t, s, first); !c.LastUsed.Equal(at(0)) {
		t.Errorf("used %v", c.LastUsed)
	}
}

func TestTheFirstSweepDropsWhatItDoesNotFind(t *testing.T) {
	a, b := item(first, api.CardActive, 0), item(second, api.CardActive, 0)
	fresh := item("card_0003", api.CardActive, 0)
	for _, tt := range []struct {
		name  string
		hot   []api.CardItem
		page  state.CardsLoaded
		want  []api.CardID
		total int
	}{
		{"one is gone", nil, state.CardsLoaded{TotalPages: 1, Total: 1, Items: []api.CardItem{b}}, []api.CardID{second}, 1},
		{"one is gone, one is new", nil, state.CardsLoaded{TotalPages: 1, Total: 2, Items: []api.CardItem{b, fresh}}, []api.CardID{second, "card_0003"}, 2},
		{"all are gone", nil, state.CardsLoaded{}, nil, 0},
		{"another account's are there", nil, state.CardsLoaded{TotalPages: 1, Total: 1, Items: []api.CardItem{fresh}}, []api.CardID{"card_0003"}, 1},
		{"the hot page has it", []api.CardItem{a}, state.CardsLoaded{TotalPages: 1, Total: 1, Items: []api.CardItem{b}}, []api.CardID{first, second}, 2},
		{"fewer than there are", nil, state.CardsLoaded{TotalPages: 1, Total: 2, Items: []api.CardItem{b}}, []api.CardID{first, second}, 2},
		{"nothing says how many there are", nil, state.CardsLoaded{TotalPages: 1, Items: []api.CardItem{b}, Uncounted: true}, []api.CardID{first, second}, 2},
		{"an empty page before the last", nil, state.CardsLoaded{TotalPages: 3}, []api.CardID{first, second}, 2},
		{"all are there", nil, state.CardsLoaded{TotalPages: 1, Total: 2, Items: []api.CardItem{a, b}}, []api.CardID{first, second}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, effects := recalled(t, kept(t))
			hot, sweep := pages(t, effects)
			apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(time.Minute), Items: tt.hot})
			tt.page.FetchCards, tt.page.Meta = sweep, meta(time.Minute)
			apply(s, tt.page)
			var got []api.CardID
			for _, c := range s.Cards.All().All() {
				got = append(got, c.ID)
				if card(t, s, c.ID).ID != c.ID {
					t.Errorf("%s is found as another", c.ID)
				}
			}
			for _, id := range []api.CardID{first, second} {
				if _, ok := s.Cards.Get(id); ok != slices.Contains(tt.want, id) {
					t.Errorf("%s is found: %v", id, ok)
				}
			}
			if total, complete := s.Cards.Total(); !slices.Equal(got, tt.want) || total != tt.total || !complete {
				t.Errorf("%v, total %d", got, total)
			}
		})
	}
}

func TestWhatMayBeDoneWithACachedCard(t *testing.T) {
	liveCards := func(t *testing.T, s *state.Store, effects []kernel.Effect) {
		t.Helper()
		hot, _ := pages(t, effects)
		apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(time.Minute), Items: []api.CardItem{item(first, api.CardActive, 100*dollar), item(second, api.CardFrozen, 50*dollar)}})
	}
	liveWallet := func(t *testing.T, s *state.Store, effects []kernel.Effect) {
		t.Helper()
		apply(s, answer(one[wallets.Fetch](t, effects), meta(time.Minute)))
	}
	type step func(*testing.T, *state.Store, []kernel.Effect)
	for _, tt := range []struct {
		name   string
		live   []step
		in     kernel.Intent
		reason string
	}{
		{"freeze", nil, state.Freeze(first), ""},
		{"unfreeze", nil, state.Unfreeze(second), "is not read yet"},
		{"unfreeze a live card", []step{liveCards}, state.Unfreeze(second), ""},
		{"terminate", nil, state.Terminate(first), "is not read yet"},
		{"terminate a live card", []step{liveCards}, state.Terminate(first), ""},
		{"rename", nil, state.Update(first, api.UpdateCardRequest{Label: new("b")}), "is not read yet"},
		{"rename a live card", []step{liveCards}, state.Update(first, api.UpdateCardRequest{Label: new("b")}), ""},
		{"issue from a cached wallet", []step{liveCards}, state.Issue(api.CreateCardRequest{BIN: "b", Amount: dollar}), "the wallet is not read yet"},
		{"issue", []step{liveWallet}, state.Issue(api.CreateCardRequest{BIN: "b", Amount: dollar}), ""},
		{"read details", nil, secrets.RevealCard{Card: first}, ""},
		{"fund", nil, state.Fund(first, dollar), "fb ••0001 is not read yet"},
		{"fund, nothing typed", nil, state.Fund(first, 0), "fb ••0001 is not read yet"},
		{"fund from a cached wallet", []step{liveCards}, state.Fund(first, dollar), "the wallet is not read yet"},
		{"withdraw to a cached wallet", []step{liveCards}, state.Withdraw(first, dollar), "the wallet is not read yet"},
		{"fund a cached card", []step{liveWallet}, state.Fund(first, dollar), "fb ••0001 is not read yet"},
		{"withdraw from a cached card", []step{liveWallet}, state.Withdraw(first, dollar), "fb ••0001 is not read yet"},
		{"fund when both are live", []step{liveCards, liveWallet}, state.Fund(first, dollar), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, effects := recalled(t, kept(t))
			for _, live := range tt.live {
				live(t, s, effects)
			}
			v := s.Check(tt.in)
			if tt.reason == "" && v.Reason != "" || !strings.Contains(v.Reason, tt.reason) {
				t.Errorf("reason %q", v.Reason)
			}
			if _, ok := s.Preview(tt.in); ok && tt.reason != "" {
				t.Error("a preview by figures of the last run")
			}
			if _, effects, err := s.Dispatch(tt.in); (err != nil) != (tt.reason != "") || err != nil && len(effects) != 0 {
				t.Errorf("dispatch: %v %v", effects, err)
			}
		})
	}
}

func TestAnOperationOfTheLastRunDoesNotMakeItsWalletLive(t *testing.T) {
	s := newStore()
	s.Recall(kept(t))
	s.Resume([]state.Op{{Kind: state.OpFund, Card: first, Amount: dollar, Key: "k", At: at(50 * time.Second)}}, at(time.Minute))
	effects := tick(s, time.Minute)
	wallet, op := one[wallets.Fetch](t, effects), one[state.Do](t, effects).Op
	apply(s, state.OpDone{Meta: meta(time.Minute), Op: op.ID, Card: first, WalletBalance: new(400 * dollar)})
	apply(s, answer(wallet, meta(time.Minute)))
	if w, _ := s.Wallets.Balance(); w.Balance != 400*dollar || !s.Poll.Source(poll.Wallet).Cached {
		t.Errorf("wallet %+v, source %+v", w, s.Poll.Source(poll.Wallet))
	}
	apply(s, answer(one[wallets.Fetch](t, tick(s, time.Minute)), meta(time.Minute)))
	if w, _ := s.Wallets.Balance(); w.Balance != 1000*dollar || s.Poll.Source(poll.Wallet).Cached {
		t.Errorf("wallet %+v, source %+v", w, s.Poll.Source(poll.Wallet))
	}
}

func TestTheLinkIsNotLiveByACache(t *testing.T) {
	s, effects := recalled(t, kept(t))
	want := func(link kernel.Link) {
		t.Helper()
		if h := s.Poll.Health(); h.Link != link {
			t.Errorf("health %+v, want %d", h, link)
		}
	}
	want(kernel.Connecting)
	hot, _ := pages(t, effects)
	for _, e := range []kernel.Effect{one[codes.Fetch](t, effects), hot, one[txns.Fetch](t, effects)} {
		apply(s, answer(e, meta(time.Minute)))
		want(kernel.Connecting)
	}
	wallet := one[wallets.Fetch](t, effects)
	apply(s, state.FetchFailed{Meta: meta(time.Minute), Effect: wallet, Err: unreachable()})
	want(kernel.Offline)
	if src := s.Poll.Source(poll.Wallet); !src.Cached || src.Err == nil {
		t.Errorf("source %+v", src)
	}
	apply(s, answer(one[wallets.Fetch](t, tick(s, 62*time.Second)), meta(62*time.Second)))
	want(kernel.Live)

	old, _ := recalled(t, kept(t))
	tick(old, 300*time.Hour)
	if h := old.Poll.Health(); h.Link != kernel.Connecting {
		t.Errorf("an old cache: %+v", h)
	}
}

func TestTheRestOfTheLastRunFollows(t *testing.T) {
	snap := state.Snapshot{At: at(0), CardsAt: at(0), Total: 3, Cards: cardlist.ListOf(cardlist.Card{ID: first, Label: "a"})}
	s := newStore()
	s.Recall(snap)
	if total, complete := s.Cards.Total(); total != 3 || complete || s.Cards.Len() != 1 {
		t.Errorf("%d of %d, complete %v", s.Cards.Len(), total, complete)
	}
	effects := tick(s, time.Minute)
	one[state.RecallCards](t, effects)
	hot, sweep := pages(t, effects)
	renamed := item(second, api.CardActive, 90*dollar)
	apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(time.Minute), Total: 3, TotalPages: 1, Items: []api.CardItem{renamed}})
	used := cardlist.Card{ID: second, Label: "old", LastUsed: at(-time.Hour)}
	topics, more := s.Apply(state.CardsRecalled{Meta: meta(time.Minute), Cards: cardlist.ListOf(used), More: true})
	if c := card(t, s, second); c.Cached || c.Label != renamed.Label || !c.LastUsed.Equal(at(-time.Hour)) || topics&kernel.TopicCards == 0 {
		t.Errorf("what this run read is not kept: %+v", c)
	}
	one[state.RecallCards](t, more)
	if more := apply(s, state.CardsRecalled{Meta: meta(time.Minute), Cards: cardlist.ListOf(cardlist.Card{ID: "card_3", LastUsed: at(-time.Hour), Balance: dollar})}); len(all[state.RecallCards](more)) != 0 {
		t.Errorf("after the last: %v", more)
	}
	if c := card(t, s, "card_3"); !c.Cached || !c.LastUsed.Equal(at(-time.Hour)) || c.Balance != dollar || s.Cards.Len() != 3 {
		t.Errorf("%+v of %d", c, s.Cards.Len())
	}
	apply(s, state.CardsRecalled{Meta: meta(time.Minute), Cards: cardlist.ListOf(cardlist.Card{ID: "card_4"})})
	apply(s, state.CardsLoaded{FetchCards: sweep, Meta: meta(time.Minute), Total: 1, TotalPages: 1, Items: []api.CardItem{renamed}})
	if s.Cards.Len() != 1 {
		t.Errorf("%d cards after a sweep that lists one", s.Cards.Len())
	}
}

func rowsOf(t *cardlist.List) []cardlist.Card {
	out := make([]cardlist.Card, 0, t.Len())
	for _, c := range t.All() {
		out = append(out, c)
	}
	return out
}

func TestTheFirstReadingAfterARestartIsBounded(t *testing.T) {
	s := newStore()
	s.Recall(kept(t))
	const later = 40 * 24 * time.Hour
	f := one[txns.Fetch](t, tick(s, later))
	for n := 1; ; n++ {
		if !f.From.Equal(at(-time.Hour-15*time.Minute)) || f.Page != n {
			t.Fatalf("asks %+v", f)
		}
		effects := feedPage(s, f, later, true, txn(1000+n, -later+time.Duration(n)*time.Minute, api.TransactionSettlement, -dollar))
		if len(effects) == 0 {
			break
		}
		f = one[txns.Fetch](t, effects)
	}
	if f.Page != 200 || s.Poll.Source(poll.Feed).Cached {
		t.Errorf("%d pages", f.Page)
	}
	wantNotice(t, s, kernel.Warn, "the earliest of them are not in the list")
	// What comes late is looked for within a minute all the same.
	next := all[txns.Fetch](tick(s, later+time.Minute))[0]
	next = one[txns.Fetch](t, feedPage(s, next, later+time.Minute, true))
	feedPage(s, next, later+time.Minute, false)
	// Later ones are bounded too, and not for the last run's sake.
	f = all[txns.Fetch](tick(s, 2*later))[0]
	for effects := []kernel.Effect(nil); ; f = one[txns.Fetch](t, effects) {
		if effects = feedPage(s, f, 2*later, true, txn(5000+f.Page, -2*later+time.Duration(f.Page)*time.Minute, api.TransactionSettlement, -dollar)); len(effects) == 0 {
			break
		}
	}
	if n := s.Notice(); f.Page != 200 || n.Text != "" {
		t.Errorf("page %d, notice %+v", f.Page, n)
	}
}

func TestRecallIsForABeginning(t *testing.T) {
	s := newStore()
	tick(s, 0)
	s.Recall(kept(t))
	if s.Cards.All().Len() != 0 || s.Poll.Source(poll.Hot).Cached {
		t.Error("what is known was mixed with what was")
	}
	// What no run wrote does no harm either.
	s, _ = recalled(t, state.Snapshot{
		Cards:        cardlist.ListOf(cardlist.Card{ID: first, Label: "a"}, cardlist.Card{ID: first, Label: "b"}, cardlist.Card{ID: second, Spent24h: dollar}),
		Transactions: []api.Transaction{txn(2, 0, api.TransactionSettlement, -dollar), txn(1, time.Hour, api.TransactionSettlement, -dollar), txn(2, 0, api.TransactionSettlement, -dollar)},
		SeenTo:       at(0),
	})
	if rows := s.Txns.All(); s.Cards.All().Len() != 2 || card(t, s, second).Spent24h != 0 || len(rows) != 2 || rows[0].ID != txn(1, 0, "", 0).ID {
		t.Errorf("cards %+v, rows %+v", rowsOf(s.Cards.All()), rows)
	}
}
