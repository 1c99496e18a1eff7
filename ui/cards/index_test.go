package cards

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/views"
	"github.com/cardtop/cardtop/ui/theme"
)

func start() time.Time { return time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC) }

// some makes cards as a large account has them.
func some(n int) []cardlist.Card {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]cardlist.Card, 0, n)
	for i := range n {
		c := cardlist.Card{
			ID: api.CardID(fmt.Sprintf("card_%06d", i)), Network: "Visa", Last4: api.Text(fmt.Sprintf("%04d", r.IntN(10000))),
			Label:  api.Text(fmt.Sprintf("FB/campaign-%02d/%04d", r.IntN(40), r.IntN(3000))),
			Status: api.CardActive, Balance: api.USD(r.IntN(50000)) * api.Cent, BIN: "411111",
		}
		if r.IntN(8) == 0 {
			c.Status = api.CardFrozen
		}
		if r.IntN(3) > 0 {
			c.LastUsed = start().Add(-time.Duration(r.IntN(1e6)) * time.Second)
		}
		out = append(out, c)
	}
	return out
}

// world is a store that cards can be read into.
type world struct {
	t     testing.TB
	store *state.Store
	pane  *Pane
	now   time.Time
	th    theme.Theme
}

func newWorld(tb testing.TB, n int) *world {
	tb.Helper()
	w := &world{t: tb, now: start()}
	w.store = state.New(settings.Config{
		Screen: &settings.Screen{},
		NewKey: func() api.IdempotencyKey { return "k" }, Rand: func() float64 { return 0.5 }, Only: []poll.Lane{poll.Hot},
	})
	w.store.Recall(state.Snapshot{At: w.now, Cards: cardlist.ListOf(some(n)...), CardsAt: w.now})
	w.th, _ = theme.New(theme.Plain, 0)
	w.pane = New(&w.th, keymap.New(keymap.Defaults()))
	w.pane.SetSize(100, 40)
	return w
}

// read answers the next poll of the hot page with some cards.
func (w *world) read(items []api.CardItem) kernel.Topic {
	w.t.Helper()
	for range 100 {
		w.now = w.now.Add(time.Second)
		_, effects := w.store.Tick(w.now)
		for _, e := range effects {
			if _, ok := e.(state.FetchCards); ok {
				return w.answered(e, items)
			}
		}
	}
	w.t.Fatal("the hot page was not asked for")
	return 0
}

// answered answers a request for cards.
func (w *world) answered(e kernel.Effect, items []api.CardItem) kernel.Topic {
	f, ok := e.(state.FetchCards)
	if !ok {
		return 0
	}
	topics, _ := w.store.Apply(state.CardsLoaded{FetchCards: f, Items: items, TotalPages: 1, Total: w.store.Cards.All().Len(), Meta: kernel.Meta{Sent: w.now, At: w.now}})
	return topics
}

func itemOf(c cardlist.Card) api.CardItem {
	return api.CardItem{ID: c.ID, BIN: c.BIN, Network: c.Network, Last4: c.Last4, Status: c.Status, Balance: c.Balance, Label: c.Label, CreatedAt: c.CreatedAt}
}

// naive lists the cards the slow way.
func (w *world) naive() []api.CardID {
	var rows []int32
	x := &w.pane.index
	fresh := index{store: w.store, by: x.by, desc: x.desc}
	for i, c := range w.store.Cards.All().All() {
		fresh.entries = append(fresh.entries, fresh.make(&c))
		fresh.names.set(i, c.Label, w.store.Cards.All().Len())
	}
	fresh.rank()
	fresh.asking()
	for i := range w.store.Cards.All().Len() {
		if x.query.Match(fresh.asked.about(int32(i))) {
			rows = append(rows, int32(i))
		}
	}
	slices.SortFunc(rows, fresh.compare)
	return w.ids(rows)
}

// drawn counts the lines that there should be: a head for each group and the
// cards of those that are open.
func (x *index) drawn() int {
	if x.group.of == nil {
		return len(x.order)
	}
	n := 0
	for _, g := range x.groups {
		n++
		if !x.folded[g.name] {
			n += g.cards
		}
	}
	return n
}

func (w *world) ids(rows []int32) []api.CardID {
	out := make([]api.CardID, 0, len(rows))
	for _, row := range rows {
		out = append(out, w.store.Cards.All().ID(int(row)))
	}
	return out
}

func (w *world) typed(text string) {
	w.pane.Act(keymap.OpenFilter)
	w.pane.filter.Set("")
	w.pane.applyFilter()
	for _, r := range text {
		w.pane.Type(string(r), string(r))
	}
	w.pane.Act(keymap.Confirm)
}

// TestTheListIsAlwaysWhatItWouldBeAnew merges, sorts and filters at random, by
// expressions in pieces.
func TestTheListIsAlwaysWhatItWouldBeAnew(t *testing.T) {
	w := newWorld(t, 3*workAtOnce)
	w.pane.Sync(w.store, kernel.TopicAll)
	r := rand.New(rand.NewPCG(3, 4))
	filters := []string{"", "fb", "fb/campaign-1", "bal<100", "bal<100 status=frozen", "!status=active", "last<3d", "camp 12", "zzz", "bal<x", "/camp.*1/", "/camp.*1/ bal<300", "label~/n[0-9]/ last<3d", "!/camp/", "campaign=fb/campaign-03,tt/new", "campaign~/(3|w)$/"}
	worked := 0
	for step := range 400 {
		switch r.IntN(5) {
		case 4:
			w.pane.groupBy(groupings()[r.IntN(5)].name)
			if r.IntN(3) == 0 {
				w.pane.index.foldAll()
				w.pane.relist()
			}
		case 0:
			w.pane.order(w.pane.columns[r.IntN(len(w.pane.columns))].Name, r.IntN(2) == 0)
		case 1:
			w.typed(filters[r.IntN(len(filters))])
		default:
			var items []api.CardItem
			for range r.IntN(12) {
				item := itemOf(w.store.Cards.All().At(r.IntN(w.store.Cards.All().Len())))
				item.Balance = api.USD(r.IntN(50000)) * api.Cent
				if r.IntN(4) == 0 {
					item.Label = api.Text(fmt.Sprintf("TT/new/%d", r.IntN(100)))
				}
				if r.IntN(10) == 0 {
					item.ID = api.CardID(fmt.Sprintf("card_new_%d", step))
				}
				if r.IntN(3) == 0 {
					item.Status = api.CardFrozen
				}
				items = append(items, item)
			}
			w.pane.Sync(w.store, w.read(items))
		}
		for pieces := r.IntN(6); w.pane.Working() && pieces > 0; pieces-- {
			w.pane.Work(func() bool { return true })
			worked++
		}
		if n := len(w.pane.index.lines); n != w.pane.index.drawn() {
			t.Fatalf("step %d: %d lines", step, n)
		}
		if w.pane.Working() {
			continue
		}
		if got, want := w.ids(w.pane.index.order), w.naive(); !slices.Equal(got, want) {
			t.Fatalf("step %d, %q by %s %t: %d rows, %d wanted", step, w.pane.filter.Text(), w.pane.index.by.Name, w.pane.index.desc, len(got), len(want))
		}
		frozenNow := 0
		for _, c := range w.store.Cards.All().All() {
			if c.Status == api.CardFrozen {
				frozenNow++
			}
		}
		if w.pane.index.counts[frozen] != frozenNow {
			t.Fatalf("step %d: %d frozen, %d are", step, w.pane.index.counts[frozen], frozenNow)
		}
	}
	if worked < 50 {
		t.Errorf("only %d pieces of expressions were asked", worked)
	}
}

// TestAnExpressionIsAskedInPieces holds that a key is answered before all cards
// were asked, that the list says so, and that a newer key ends it.
func TestAnExpressionIsAskedInPieces(t *testing.T) {
	w := newWorld(t, 4*workAtOnce)
	w.pane.Sync(w.store, kernel.TopicAll)
	w.typed("/./")
	title := func() string { return w.pane.View(true)[0] }
	if !w.pane.Working() || !strings.Contains(title(), "0 of 1024 · searching") || !strings.Contains(strings.Join(w.pane.View(true), ""), " searching") {
		t.Errorf("before the first piece: %s", title())
	}
	w.pane.Work(func() bool { return true })
	if !strings.Contains(title(), "256 of 1024 · searching") {
		t.Errorf("after the first piece: %s", title())
	}
	w.pane.Act(keymap.OpenFilter)
	for _, r := range " bal>0" { // Narrower than what was asked of a part.
		w.pane.Type(string(r), string(r))
	}
	w.pane.Act(keymap.Confirm)
	w.pane.Work(func() bool { return false })
	if got, want := w.ids(w.pane.index.order), w.naive(); !slices.Equal(got, want) {
		t.Errorf("a narrower one: %d rows, %d wanted", len(got), len(want))
	}
	w.typed("camp")
	if w.pane.Working() || strings.Contains(title(), "searching") {
		t.Errorf("after a word: %s", title())
	}
	w.typed("/zzz/")
	w.pane.Work(func() bool { return false })
	if w.pane.Working() || !strings.Contains(strings.Join(w.pane.View(true), ""), "no card matches") {
		t.Errorf("after the last piece: %s", title())
	}
}

func TestATabShowsThatACardOfItHasAnAlert(t *testing.T) {
	w := newWorld(t, 50)
	w.store.Reload(settings.Reloadable{Alerts: alert.Rules{Cards: 100 * api.Dollar}})
	w.pane.Sync(w.store, kernel.TopicAll)
	tabs := []settings.Tab{{Name: "poor", Filter: "bal<100"}, {Name: "rich", Filter: "bal>100"}}
	if _, _, err := w.store.Dispatch(views.Set{List: settings.CardList, View: settings.View{Tabs: tabs}}); err != nil {
		t.Fatal(err)
	}
	w.pane.Sync(w.store, kernel.TopicAll)
	line := func() string { return w.pane.View(true)[1] }
	if strings.Contains(line(), "!") {
		t.Errorf("cards of an earlier run alert: %s", line())
	}
	var items []api.CardItem
	for _, c := range w.store.Cards.All().All() {
		items = append(items, itemOf(c))
	}
	w.pane.Sync(w.store, w.read(items))
	if got := line(); strings.Count(got, "!") != 2 || !strings.Contains(got, " all 50! ") || strings.Contains(got[strings.Index(got, "rich"):], "!") {
		t.Error(got)
	}
}
