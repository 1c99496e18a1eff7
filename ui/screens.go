package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/alerts"
	"github.com/cardtop/cardtop/ui/history"
	"github.com/cardtop/cardtop/ui/inspect"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// screen is what the main slot can show over the list of cards.
type screen struct {
	pane pane.Pane
	// tab is its word where panes are tabs.
	tab string
	// open is the key that opens it; none for the card, which lists open.
	open keymap.Action
	// load is what it asks for when it opens; nil for nothing.
	load state.Intent
}

// screenTable lists the screens. The first shows one card: it is open for as
// long as the store looks at one.
func screenTable(t *theme.Theme) []screen {
	return []screen{
		{pane: inspect.New(t), tab: "Card"},
		{pane: history.New(t), tab: "History", open: keymap.OpenHistory, load: state.LoadHistory{}},
		{pane: alerts.New(t), tab: "Alerts", open: keymap.OpenAlerts},
	}
}

// screenCard is the place of the card in the table.
const screenCard = 0

// screens are those of the main slot and which of them are open, the last on
// top.
type screens struct {
	all   []screen
	stack []int
}

// top gives the screen that is shown; false for the list of cards.
func (s *screens) top() (screen, bool) {
	if len(s.stack) == 0 {
		return screen{}, false
	}
	return s.all[s.stack[len(s.stack)-1]], true
}

// onCard tells whether the screen that is shown is the card.
func (s *screens) onCard() bool {
	return len(s.stack) > 0 && s.stack[len(s.stack)-1] == screenCard
}

// raise puts a screen on top, drop takes it away.
func (s *screens) raise(i int) {
	s.drop(i)
	s.stack = append(s.stack, i)
}

func (s *screens) drop(i int) {
	s.stack = slices.DeleteFunc(s.stack, func(open int) bool { return open == i })
}

// opened finds the screen that an action opens.
func (s *screens) opened(act keymap.Action) (int, bool) {
	i := slices.IndexFunc(s.all, func(sc screen) bool { return sc.open == act && act != "" })
	return i, i >= 0
}

// show opens a screen in the main slot.
func (a *App) show(i int) tea.Cmd {
	a.screens.raise(i)
	sc := a.screens.all[i]
	cmds := []tea.Cmd{a.focusOn(slotMain), a.dispatch(state.HideSecrets{})}
	if sc.load != nil {
		cmds = append(cmds, a.dispatch(sc.load))
	}
	sc.pane.Sync(a.store, state.TopicAll)
	a.relayout()
	return tea.Batch(cmds...)
}

// leave closes the screen that is shown when esc has nothing else to do in
// it; false when there is none, or when it is the card's own business.
func (a *App) leave() (cmd tea.Cmd, done bool) {
	sc, ok := a.screens.top()
	if !ok || a.focus != slotMain || a.screens.onCard() {
		return nil, false
	}
	if b, ok := sc.pane.(pane.Backer); ok && b.Back() {
		return nil, true
	}
	a.screens.drop(a.screens.stack[len(a.screens.stack)-1])
	a.relayout()
	return a.dispatch(state.HideSecrets{}), true
}

// followCard shows the card that is looked at, with what the history knows of
// it, or what was there before.
func (a *App) followCard(in state.InspectCard) tea.Cmd {
	if in.Card == "" {
		a.screens.drop(screenCard)
		a.relayout()
		return nil
	}
	a.screens.raise(screenCard)
	a.relayout()
	if a.store.Past().Known {
		return nil
	}
	return a.dispatch(state.LoadHistory{})
}
