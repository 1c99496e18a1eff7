package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/alerts"
	"github.com/cardtop/cardtop/ui/bins"
	"github.com/cardtop/cardtop/ui/codetimes"
	"github.com/cardtop/cardtop/ui/deposits"
	"github.com/cardtop/cardtop/ui/history"
	"github.com/cardtop/cardtop/ui/inspect"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/requests"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/transaction"
	"github.com/cardtop/cardtop/ui/webhooks"
)

// mainView is what the main slot can show over the list of cards.
type mainView struct {
	pane pane.Pane
	// tab is its word where panes are tabs.
	tab string
	// open is the key that opens it; none for the card, which lists open.
	open keymap.Action
	// closes is what closes one that is open for as long as the store looks at
	// something; nil for the others.
	closes state.Intent
	// load is what it asks for when it opens; nil for nothing.
	load state.Intent
}

// screenTable lists the screens. The first two show one card and one
// transaction: each is open for as long as the store looks at one.
func screenTable(t *theme.Theme, keys *keymap.Map) []mainView {
	return []mainView{
		{pane: inspect.New(t), tab: "Card", closes: state.InspectCard{}},
		{pane: transaction.New(t), tab: "Transaction", closes: state.InspectTransaction{}},
		{pane: history.New(t), tab: "History", open: keymap.OpenHistory, load: state.LoadHistory{}},
		{pane: deposits.New(t, keys), tab: "Deposits", open: keymap.OpenDeposits, load: state.LoadAddresses{}},
		{pane: bins.New(t, keys), tab: "BINs", open: keymap.OpenBINs, load: state.LoadBINs{}},
		{pane: webhooks.New(t, keys), tab: "Webhooks", open: keymap.OpenWebhooks, load: state.LoadWebhooks{}},
		{pane: requests.New(t), tab: "Requests", open: keymap.OpenRequests},
		{pane: alerts.New(t), tab: "Alerts", open: keymap.OpenAlerts},
		{pane: codetimes.New(t), tab: "Code times", open: keymap.OpenCodeTimes},
	}
}

// The places in the table of what is opened by looking at it.
const (
	screenCard = iota
	screenTransaction
)

// screens are those of the main slot and which of them are open, the last on
// top.
type screens struct {
	all   []mainView
	stack []int
	// from is the slot that had the focus when a screen was opened, by the
	// screens' places: closing it gives the focus back.
	from map[int]int
}

// top gives the screen that is shown; false for the list of cards.
func (s *screens) top() (mainView, bool) {
	if len(s.stack) == 0 {
		return mainView{}, false
	}
	return s.all[s.stack[len(s.stack)-1]], true
}

// raise puts a screen on top that was opened from a slot, drop takes it away.
func (s *screens) raise(i, from int) {
	if s.from == nil {
		s.from = make(map[int]int)
	}
	if n := len(s.stack); n > 0 && s.stack[n-1] == i {
		if from != slotMain { // Within the screen it is still the one of before.
			s.from[i] = from
		}
		return
	}
	s.drop(i)
	s.stack = append(s.stack, i)
	s.from[i] = from
}

func (s *screens) drop(i int) {
	s.stack = slices.DeleteFunc(s.stack, func(open int) bool { return open == i })
}

// opened finds the screen that an action opens.
func (s *screens) opened(act keymap.Action) (int, bool) {
	i := slices.IndexFunc(s.all, func(sc mainView) bool { return sc.open == act && act != "" })
	return i, i >= 0
}

// show opens a screen in the main slot.
func (a *App) show(i int) tea.Cmd {
	a.screens.raise(i, a.focus)
	sc := a.screens.all[i]
	cmds := []tea.Cmd{a.focusOn(slotMain), a.dispatch(state.HideSecrets{})}
	if sc.load != nil {
		cmds = append(cmds, a.dispatch(sc.load))
	}
	sc.pane.Sync(a.store, state.TopicAll)
	a.relayout()
	return tea.Batch(cmds...)
}

// dismisses tells whether esc has nothing else to do than to put a notice away
// that stays.
func (a *App) dismisses() bool {
	if _, all := a.store.Lasting(); all == 0 || len(a.screens.stack) > 0 && a.focus == slotMain {
		return false
	}
	b, ok := a.pane(a.focus).(interface{ Backs() bool })
	return !ok || !b.Backs()
}

// leave closes the screen that is shown when esc has nothing else to do in
// it; false when there is none.
func (a *App) leave() (cmd tea.Cmd, done bool) {
	sc, ok := a.screens.top()
	if !ok || a.focus != slotMain {
		return nil, false
	}
	if sc.closes != nil {
		return a.dispatch(sc.closes), true
	}
	if b, ok := sc.pane.(pane.Backer); ok && b.Back() {
		return nil, true
	}
	back := a.close(a.screens.stack[len(a.screens.stack)-1])
	return tea.Batch(a.dispatch(state.HideSecrets{}), back), true
}

// close takes a screen away and gives the focus back to where it was opened.
func (a *App) close(i int) tea.Cmd {
	shown := slices.Contains(a.screens.stack, i)
	a.screens.drop(i)
	a.relayout()
	if shown && a.focus == slotMain {
		return a.focusOn(a.screens.from[i])
	}
	return nil
}

// goTo goes to a slot; from a screen in the main one to the cards under it.
func (a *App) goTo(slot int) tea.Cmd {
	if slot == slotMain && a.focus == slotMain && len(a.screens.stack) > 0 {
		return a.toCards()
	}
	return a.focusOn(slot)
}

// toCards closes all screens: who asks for the cards from one over them sees
// the cards.
func (a *App) toCards() tea.Cmd {
	cmds := []tea.Cmd{a.dispatch(state.HideSecrets{})}
	open := a.screens.stack
	a.screens.stack = nil
	for _, i := range open {
		if closes := a.screens.all[i].closes; closes != nil {
			cmds = append(cmds, a.dispatch(closes))
		}
	}
	a.relayout()
	return tea.Batch(cmds...)
}

// followLook shows the card that is looked at, with what the history knows of
// it, or the transaction, or what was there before.
func (a *App) followLook(in state.Intent) tea.Cmd {
	if in, ok := in.(state.InspectCard); ok {
		back := a.follow(screenCard, in.Card != "")
		if in.Card != "" && !a.store.History.Past().Known {
			return a.dispatch(state.LoadHistory{})
		}
		return back
	}
	if in, ok := in.(state.InspectTransaction); ok {
		return a.follow(screenTransaction, in.Transaction != "")
	}
	return nil
}

// follow brings a screen on top, or takes it away.
func (a *App) follow(view int, open bool) tea.Cmd {
	if !open {
		return a.close(view)
	}
	a.screens.raise(view, a.focus)
	a.relayout()
	return nil
}

// noNext is what is said at the ends of the list.
const noNext = "the list, as it is filtered, has no other card that way"

// stepCard goes to the card above or below the one that is looked at in the
// list, whose cursor goes with it.
func (a *App) stepCard(by int) tea.Cmd {
	next, ok := a.cards.Next(a.store.Info.Inspected().Card, by)
	if !ok {
		a.sync(a.store.Notices.Add(state.Info, noNext))
		return nil
	}
	a.cards.Show(next)
	return a.dispatch(state.InspectCard{Card: next, Passing: true})
}

// looks tells whether an intent opens a screen by looking at something.
func looks(in state.Intent) bool {
	switch in := in.(type) {
	case state.InspectCard:
		return in.Card != ""
	case state.InspectTransaction:
		return in.Transaction != ""
	default:
		return false
	}
}
