package cards

import (
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/theme"
)

// filling reads the cards for the first time, a page at a time; after each
// page look is called with its number.
func filling(t *testing.T, look func(page int, p *Pane)) {
	t.Helper()
	now := start()
	store := state.New(settings.Config{
		Screen: &settings.Screen{},
		NewKey: func() api.IdempotencyKey { return "k" }, Rand: func() float64 { return 0.5 }, Only: []poll.Lane{poll.Sweep},
	})
	th, err := theme.New(theme.Plain, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := New(&th, keymap.New(keymap.Defaults()))
	p.SetSize(100, 12)
	p.Sync(store, kernel.TopicAll)
	const pages, perPage = 5, 20
	all := some(pages * perPage)
	// Each page belongs above the one before.
	slices.SortFunc(all, func(a, b cardlist.Card) int { return int(a.Balance - b.Balance) })
	p.index.sortBy(p.choices()[slices.IndexFunc(p.choices(), func(c column) bool { return c.Name == "balance" })], true)
	_, effects := store.Tick(now)
	for page := 1; page <= pages; page++ {
		i := slices.IndexFunc(effects, func(e kernel.Effect) bool { _, ok := e.(state.FetchCards); return ok })
		if i < 0 {
			t.Fatalf("page %d is not asked for", page)
		}
		fetch, _ := effects[i].(state.FetchCards)
		items := make([]api.CardItem, 0, perPage)
		for _, c := range all[(page-1)*perPage : page*perPage] {
			items = append(items, itemOf(c))
		}
		var topics kernel.Topic
		now = now.Add(time.Second)
		topics, effects = store.Apply(state.CardsLoaded{
			FetchCards: fetch, Items: items, TotalPages: pages, Total: len(all), Meta: kernel.Meta{Sent: now, At: now},
		})
		p.Sync(store, topics)
		look(page, p)
	}
}

func (p *Pane) place() int {
	i, _ := p.table.Cursor()
	return i
}

func TestTheCursorStaysOnTopWhileTheListFills(t *testing.T) {
	filling(t, func(page int, p *Pane) {
		if p.place() != 0 || p.Card() != p.at(0) {
			t.Errorf("after page %d it is in row %d on %s, the first is %s", page, p.place(), p.Card(), p.at(0))
		}
		if p.placed != (page == 5) {
			t.Errorf("after page %d: bound %t", page, p.placed)
		}
	})
}

func TestAPersonsCursorStaysOnItsCardWhileTheListFills(t *testing.T) {
	for _, act := range []keymap.Action{keymap.Down, keymap.Freeze, keymap.Choose} {
		var card api.CardID
		filling(t, func(page int, p *Pane) {
			if page == 2 {
				p.Act(act)
				card = p.Card()
			}
			if page >= 2 && p.Card() != card {
				t.Errorf("%s, page %d: it went from %s to %s", act, page, card, p.Card())
			}
			if page == 5 && p.place() == 0 {
				t.Errorf("%s: nothing came in above it", act)
			}
		})
	}
}
