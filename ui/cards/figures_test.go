package cards_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/views"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// spending is an account of which one card spends 10 USD an hour, one 20 with all
// its holds declined, one was used long ago and one never, and one
// that is frozen neither.
func spending(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := panetest.New(t, changes...)
	frozen := panetest.Card("card_0005", "gg/b/frozen", 70*api.Dollar)
	frozen.Status = api.CardFrozen
	a.Cards = []api.CardItem{
		panetest.Card("card_0001", "fb/a/steady", 600*api.Dollar), panetest.Card("card_0002", "fb/a/fast", 100*api.Dollar),
		panetest.Card("card_0003", "gg/b/old", 80*api.Dollar), panetest.Card("card_0004", "gg/b/new", 90*api.Dollar), frozen,
	}
	for i := range a.Cards {
		a.Cards[i].CreatedAt = panetest.At(-100 * 24 * time.Hour)
	}
	a.Cards[3].CreatedAt = panetest.At(-5 * 24 * time.Hour)
	for i := range 24 {
		at := -time.Duration(i)*time.Hour - 30*time.Minute
		a.Txns = append(a.Txns,
			panetest.Settled(api.TransactionID(fmt.Sprintf("txn_s%02d", i)), "card_0001", "Meta", -10*api.Dollar, at),
			panetest.Settled(api.TransactionID(fmt.Sprintf("txn_f%02d", i)), "card_0002", "Meta", -20*api.Dollar, at))
		tried := panetest.Settled(api.TransactionID(fmt.Sprintf("txn_d%02d", i)), "card_0002", "Meta", -api.Dollar, at-time.Minute)
		tried.Type = api.TransactionDecline
		if i%3 == 0 {
			a.Txns = append(a.Txns, tried)
		}
	}
	a.Wait(2 * time.Second)
	old := panetest.Settled("txn_old", "card_0003", "Meta", -api.Dollar, -9*24*time.Hour)
	a.Store.Insight.Ledger().Add(panetest.At(time.Second), []api.Transaction{old})
	return a
}

// covered says that the ledger was read for so many days.
func covered(a *panetest.Account, days int) {
	a.Store.Insight.Ledger().Cover(panetest.At(-time.Duration(days)*24*time.Hour), panetest.At(2*time.Second))
}

// labels are the labels of the cards in the order of the list.
func labels(s *panetest.Screen) (out []string) {
	for line := range strings.SplitSeq(s.Text(), "\n") {
		for _, label := range []string{"fb/a/steady", "fb/a/fast", "gg/b/old", "gg/b/new", "gg/b/frozen"} {
			if strings.Contains(line, label) {
				out = append(out, strings.TrimPrefix(strings.TrimPrefix(label, "fb/a/"), "gg/b/"))
			}
		}
	}
	return out
}

func view(a *panetest.Account, v settings.View) {
	for _, name := range []string{"label", "24h", "left", "declines", "burn"} {
		v.Columns = append(v.Columns, settings.ShownColumn{Name: name})
	}
	a.Do(views.Set{List: settings.CardList, View: v})
}

// TestColumnsSayWhatTheLedgerKnows of a card, and nothing of one that it does not
// know.
func TestColumnsSayWhatTheLedgerKnows(t *testing.T) {
	t.Parallel()
	a := spending(t)
	view(a, settings.View{})
	s := open(t, a, 110, 14)
	panetest.See(t, s.Line("steady"), "█████▁", " 2.5 d", " 10.00")
	panetest.See(t, s.Line("fast"), " 5.0 h", " 100 % of ≥8", " 20.00")
	if line := s.Line("gg/b/new"); strings.Count(line, "–") != 3 || strings.Count(line, "?") != 1 {
		t.Errorf("of a card that was not used in the part of 7 days that was read: %s", line)
	}
	covered(a, 30)
	a.Wait(2 * time.Second)
	s.Look()
	if line := s.Line("gg/b/new"); strings.Count(line, "–") != 4 {
		t.Errorf("of a card that was never used: %s", line)
	}
	panetest.See(t, s.Line("fast"), " 100 % of 8")
	a = spending(t, panetest.Private)
	view(a, settings.View{})
	private := open(t, a, 110, 14).Text()
	for _, figure := range []string{"2.5 d", "5.0 h", " of ", "10.00", "20.00", "█"} {
		if strings.Contains(private, figure) {
			t.Errorf("a private screen shows %q:\n%s", figure, private)
		}
	}
}

// TestCardsAreSortedByFigures: the shortest time left is on top, and a card that
// spends faster from now on, or is filled up, moves.
func TestCardsAreSortedByFigures(t *testing.T) {
	t.Parallel()
	a := spending(t)
	view(a, settings.View{Sort: "left"})
	s := open(t, a, 110, 14)
	sorted := func(want ...string) {
		t.Helper()
		if got := labels(s); !slices.Equal(got[:len(want)], want) {
			t.Errorf("sorted %q, want %q", got, want)
		}
	}
	sorted("fast", "steady")
	a.Cards[1].Balance = 9000 * api.Dollar
	a.Wait(15 * time.Second)
	s.Sync(a.Store, kernel.TopicCards|kernel.TopicClock)
	sorted("steady", "fast")
	for i := range 20 {
		a.Txns = append(a.Txns, panetest.Settled(api.TransactionID(fmt.Sprintf("txn_n%02d", i)), "card_0004", "Meta", -25*api.Dollar, -time.Duration(i)*time.Hour))
	}
	a.Wait(10 * time.Second)
	s.Sync(a.Store, kernel.TopicSpend)
	sorted("new", "steady", "fast")
	view(a, settings.View{Sort: "burn", Desc: true})
	s.Look()
	sorted("new", "fast", "steady")
	for i := range 30 { // Of a card whose burn was known already.
		a.Txns = append(a.Txns, panetest.Settled(api.TransactionID(fmt.Sprintf("txn_m%02d", i)), "card_0001", "Meta", -400*api.Dollar, -time.Duration(i)*40*time.Minute))
	}
	a.Wait(10 * time.Second)
	s.Sync(a.Store, kernel.TopicSpend)
	sorted("steady", "new", "fast")
}

// TestAFilterByFiguresFollowsTheLedger: a card is found when it begins to spend.
func TestAFilterByFiguresFollowsTheLedger(t *testing.T) {
	t.Parallel()
	a := spending(t)
	s := open(t, a, 110, 14)
	typed(t, s, "burn>15")
	if got := labels(s); !slices.Equal(got, []string{"fast"}) {
		t.Errorf("found %q", got)
	}
	for i := range 20 {
		a.Txns = append(a.Txns, panetest.Settled(api.TransactionID(fmt.Sprintf("txn_n%02d", i)), "card_0004", "Meta", -50*api.Dollar, -time.Duration(i)*time.Hour))
	}
	a.Wait(10 * time.Second)
	s.Sync(a.Store, kernel.TopicSpend)
	if got := labels(s); !slices.Equal(got, []string{"fast", "new"}) {
		t.Errorf("found %q afterwards", got)
	}
}

func typed(t *testing.T, s *panetest.Screen, filter string) {
	t.Helper()
	s.Act(keymap.OpenFilter)
	typist, ok := s.Pane.(interface{ Type(key, text string) })
	if !ok {
		t.Fatal("nothing can be typed")
	}
	for _, r := range filter {
		typist.Type(string(r), string(r))
	}
	s.Act(keymap.Confirm)
}

// TestCardsAreFilteredByFigures that are known: nothing is found by a guess.
func TestCardsAreFilteredByFigures(t *testing.T) {
	t.Parallel()
	a := spending(t)
	s := open(t, a, 110, 14)
	found := func(filter string, want ...string) {
		t.Helper()
		typed(t, s, filter)
		if got := labels(s); !slices.Equal(got, want) {
			t.Errorf("%s finds %q, want %q", filter, got, want)
		}
		s.Act(keymap.Back)
	}
	found("left<2d", "fast")
	found("left>2d", "steady")
	found("left<30d", "fast", "steady")
	found("!left<30d", "frozen", "new", "old")
	found("burn>15", "fast")
	found("burn<15", "steady")
	found("decl7>20")
	found("idle>7d")
	found("idle>2h", "new", "old") // Of the day that was read.
	covered(a, 6)
	a.Wait(2 * time.Second)
	s.Look()
	found("idle>4d", "new", "old")
	found("idle<6d", "fast", "steady", "new")
	found("idle>7d")
	covered(a, 30)
	a.Wait(2 * time.Second)
	s.Look()
	found("decl7>20", "fast")
	found("decl7<20")
	found("idle>7d", "old")
	found("idle<7d", "fast", "steady", "new")
	found("idle>9d idle<10d", "old")
}

// TestGroupsHaveTheFiguresOfTheirCards in all, and are sorted by them.
func TestGroupsHaveTheFiguresOfTheirCards(t *testing.T) {
	t.Parallel()
	a := spending(t)
	view(a, settings.View{Group: "campaign", Sort: "burn", Desc: true})
	s := open(t, a, 110, 14)
	panetest.See(t, s.Line("fb/a  2"), " 23 h", " 30.00")
	if heads := s.Text(); strings.Index(heads, "fb/a  2") > strings.Index(heads, "gg/b  3") {
		t.Errorf("the campaign that spends more is below:\n%s", heads)
	}
	view(a, settings.View{Group: "campaign", Sort: "burn"})
	s.Look()
	if heads := s.Text(); strings.Index(heads, "fb/a  2") < strings.Index(heads, "gg/b  3") {
		t.Errorf("the other way round it is above:\n%s", heads)
	}
}

// TestAnExportByFiguresSaysSinceWhen they were read, and one without them does not.
func TestAnExportByFiguresSaysSinceWhen(t *testing.T) {
	t.Parallel()
	lacks := func(s *panetest.Screen) string {
		t.Helper()
		for _, in := range s.Act(keymap.Export) {
			if e, ok := in.(pane.ExportRows); ok {
				return e.Rows.Lacks.Name
			}
		}
		t.Fatal("nothing is exported")
		return ""
	}
	a := spending(t)
	covered(a, 3)
	for filter, want := range map[string]string{"": "", "fb": "", "decl7>20": "figures-since-2026-02-26", "left<2d": "figures-since-2026-02-26", "idle>1d": "figures-since-2026-02-26"} {
		s := open(t, a, 110, 14)
		if typed(t, s, filter); lacks(s) != want {
			t.Errorf("%q lacks %q, want %q", filter, lacks(s), want)
		}
	}
	covered(a, 8)
	for filter, want := range map[string]string{"decl7>20": "", "idle>1d": "figures-since-2026-02-21"} {
		s := open(t, a, 110, 14)
		if typed(t, s, filter); lacks(s) != want {
			t.Errorf("%q lacks %q of 8 days, want %q", filter, lacks(s), want)
		}
	}
}

// TestNoLimitIsToldFromOneThatWasNotRead by the marks of what a card does not have and what was not read yet.
func TestNoLimitIsToldFromOneThatWasNotRead(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Txns = []api.Transaction{panetest.Settled("txn_1", "card_0001", "Meta", -40*api.Dollar, -time.Hour)}
	view(a, settings.View{Columns: []settings.ShownColumn{{Name: "label"}, {Name: "limit"}}})
	a.Wait(2 * time.Second)
	a.Err = errors.New("cut")
	a.Do(state.WatchLimits{Shown: true})
	a.Wait(5 * time.Second)
	s := open(t, a, 60, 14)
	limit := func() string { return strings.Fields(s.Line("aaa/low"))[1] }
	if got := limit(); got != "?" {
		t.Errorf("before it was read: %q", got)
	}
	a.Err = nil
	a.Wait(time.Minute) // The answers say that it has none.
	s.Sync(a.Store, kernel.TopicCards)
	if got := limit(); got != "–" {
		t.Errorf("once it was: %q", got)
	}
}
