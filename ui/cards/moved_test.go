package cards

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
)

// TestWhatMovedIsDrawnAsAnew goes about the list while cards and the time change: what is
// kept of a row while only the cursor moves never shows.
func TestWhatMovedIsDrawnAsAnew(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, 60)
		p, focused := w.pane, true
		p.SetSize(100, rapid.SampledFrom([]int{10, 20, 80}).Draw(rt, "height"))
		p.Sync(w.store, kernel.TopicAll)
		actions := []keymap.Action{
			keymap.Up, keymap.Down, keymap.PageDown, keymap.PageUp, keymap.First, keymap.Last, keymap.Choose, keymap.Range, keymap.ChooseAll,
			keymap.Back, keymap.Inspect, keymap.FoldAll,
		}
		steps := map[string]func(){
			"move":  func() { p.Act(rapid.SampledFrom(actions[:6]).Draw(rt, "move")) },
			"act":   func() { p.Act(rapid.SampledFrom(actions).Draw(rt, "act")) },
			"click": func() { p.Click(rapid.IntRange(0, 99).Draw(rt, "x"), rapid.IntRange(1, 12).Draw(rt, "y")) },
			"focus": func() { focused = !focused },
			"group": func() { p.groupBy(rapid.SampledFrom([]string{"", "label", "status"}).Draw(rt, "group")) },
			"sort": func() {
				p.order(rapid.SampledFrom([]string{labelColumn, balanceColumn, "last"}).Draw(rt, "column"), rapid.Bool().Draw(rt, "desc"))
			},
			"time": func() {
				w.now = w.now.Add(time.Duration(rapid.IntRange(1, 100).Draw(rt, "seconds")) * time.Second)
				changed, effects := w.store.Tick(w.now)
				for _, e := range effects {
					changed |= w.answered(e, nil)
				}
				p.Sync(w.store, changed|kernel.TopicClock)
			},
			"read": func() {
				card := itemOf(some(60)[rapid.IntRange(0, 59).Draw(rt, "card")])
				card.Balance = 12345
				p.Sync(w.store, w.read([]api.CardItem{card}))
			},
			"hide": func() {
				changed, _, err := w.store.Dispatch(kernel.TogglePrivacy{})
				if err != nil {
					rt.Fatal(err)
				}
				p.Sync(w.store, changed)
			},
		}
		names := []string{"move", "move", "move", "act", "act", "act", "click", "focus", "group", "sort", "time", "read", "hide"}
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			name := rapid.SampledFrom(names).Draw(rt, "step")
			steps[name]()
			if rapid.Bool().Draw(rt, "fast") {
				continue // What comes in a burst is drawn together.
			}
			got := slices.Clone(p.View(focused))
			p.redraw()
			if want := p.View(focused); !slices.Equal(got, want) {
				rt.Fatalf("after %s:\n%s\nwant:\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	})
}
