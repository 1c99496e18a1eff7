package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/state/webhooks"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/alerts"
	binsui "github.com/cardtop/cardtop/ui/bins"
	"github.com/cardtop/cardtop/ui/codetimes"
	"github.com/cardtop/cardtop/ui/declines"
	"github.com/cardtop/cardtop/ui/history"
	"github.com/cardtop/cardtop/ui/inspect"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/requests"
	"github.com/cardtop/cardtop/ui/rules"
	settingsui "github.com/cardtop/cardtop/ui/settings"
	"github.com/cardtop/cardtop/ui/spending"
	"github.com/cardtop/cardtop/ui/team"
	"github.com/cardtop/cardtop/ui/theme"
	txnsui "github.com/cardtop/cardtop/ui/txns"
	walletsui "github.com/cardtop/cardtop/ui/wallets"
	webhooksui "github.com/cardtop/cardtop/ui/webhooks"
)

// view is what the main slot can show over the list of cards.
type view struct {
	pane pane.Pane
	// tab is its title where panes are tabs.
	tab string
	// open is the key that opens it; none for the card, which lists open.
	open keymap.Action
	// closes is the intent that closes one which is open for as long as the store
	// inspects or reads something for it; nil for the others.
	closes kernel.Intent
	// load is the intent it opens with; nil for none.
	load kernel.Intent
}

// screenTable lists the screens. The first two show one card and one
// transaction: each is open for as long as the store inspects one.
func screenTable(t *theme.Theme, keys *keymap.Map, listed func() []Setting, all pane.Pane) []view {
	return []view{
		{pane: inspect.New(t, keys), tab: lang.N("Card"), closes: state.InspectCard{}},
		{pane: txnsui.NewDetail(t, keys), tab: lang.N("Transaction"), closes: txns.Inspect{}},
		{pane: history.New(t), tab: lang.N("History"), open: keymap.OpenHistory, load: state.LoadHistory{}},
		{pane: walletsui.NewDeposits(t, keys), tab: lang.N("Deposits"), open: keymap.OpenDeposits, load: wallets.LoadAddresses{}},
		{pane: binsui.New(t, keys), tab: lang.N("BINs"), open: keymap.OpenBINs, load: bins.Load{}},
		{pane: webhooksui.New(t, keys), tab: lang.N("Webhooks"), open: keymap.OpenWebhooks, load: webhooks.Load{}},
		{pane: requests.New(t), tab: lang.N("Requests"), open: keymap.OpenRequests},
		{pane: alerts.New(t, keys), tab: lang.N("Alerts"), open: keymap.OpenAlerts},
		{pane: declines.New(t, keys), tab: lang.N("Declines"), open: keymap.OpenDeclines, load: insight.ReadDeclines{On: true}, closes: insight.ReadDeclines{}},
		{pane: codetimes.New(t), tab: lang.N("Code times"), open: keymap.OpenCodeTimes},
		{pane: spending.New(t, keys), tab: lang.N("Spending"), open: keymap.OpenSpending},
		{pane: settingsui.New(t, listed), tab: lang.N("Settings"), open: keymap.OpenSettings},
		{pane: all, tab: lang.N("Accounts"), open: keymap.OpenAccounts},
		{pane: rules.New(t), tab: lang.N("Rules"), open: keymap.OpenRules, load: state.LookAtRules{}},
		{pane: team.New(t, keys), tab: lang.N("Team"), open: keymap.OpenTeam, load: state.WatchTeam{On: true}, closes: state.WatchTeam{}},
	}
}

// The places in the table of what is opened by inspecting it.
const (
	screenCard = iota
	screenTransaction
)

// screens are those of the main slot and which of them are open, the last on
// top.
type screens struct {
	all   []view
	stack []int
	// from is the slot that had the focus when a screen was opened, by the
	// screens' places: closing it returns the focus.
	from map[int]int
	// others are the accounts that are not on the screen.
	others *accounts.Overview
}

// top returns the screen that is shown; false for the list of cards.
func (s *screens) top() (view, bool) {
	if len(s.stack) == 0 {
		return view{}, false
	}
	return s.all[s.stack[len(s.stack)-1]], true
}

// any reports whether a screen is over the list of cards.
func (s *screens) any() bool { return len(s.stack) > 0 }

// sync has the open screens that read a changed part read the store again.
func (s *screens) sync(store *state.Store, changed kernel.Topic) {
	for _, i := range s.stack {
		p := s.all[i].pane
		if read := p.Reads() & changed; read != 0 {
			p.Sync(store, read)
		}
	}
}

// openedBy returns the action that opens the screen of a context; empty for
// none.
func (s *screens) openedBy(c keymap.Context) keymap.Action {
	for _, sc := range s.all {
		if sc.pane.Context() == c {
			return sc.open
		}
	}
	return ""
}

// raise puts a screen on top that was opened from a slot.
func (s *screens) raise(i, from int) {
	if s.from == nil {
		s.from = make(map[int]int)
	}
	if n := len(s.stack); n > 0 && s.stack[n-1] == i {
		if from != layout.Main { // Within the screen it is still the one of before.
			s.from[i] = from
		}
		return
	}
	s.drop(i)
	s.stack = append(s.stack, i)
	s.from[i] = from
}

// drop removes a screen.
func (s *screens) drop(i int) {
	s.stack = slices.DeleteFunc(s.stack, func(open int) bool { return open == i })
}

// opened finds the screen that an action opens.
func (s *screens) opened(act keymap.Action) (int, bool) {
	i := slices.IndexFunc(s.all, func(sc view) bool { return sc.open == act && act != "" })
	return i, i >= 0
}

// show opens a screen in the main slot.
func (a *App) show(i int) tea.Cmd {
	from, sc := a.focus, a.screens.all[i]
	if why := a.closed(i); why != "" {
		a.sync(a.store.Notices.Say(kernel.Warn, why))
		return nil
	}
	a.screens.raise(i, from)
	cmds := []tea.Cmd{a.focusOn(layout.Main), a.dispatch(secrets.Hide{})}
	if sc.load != nil {
		cmds = append(cmds, a.dispatch(sc.load))
	}
	if p, ok := sc.pane.(pane.Opener); ok {
		p.Opened()
	}
	sc.pane.Sync(a.store, kernel.TopicAll)
	if p, ok := sc.pane.(*spending.Pane); ok && from == layout.Summary {
		p.Follow(a.panes.spent)
	}
	a.relayout()
	return tea.Batch(cmds...)
}

// closed is why a screen cannot be opened: what it opens with is refused.
func (a *App) closed(i int) string {
	if load := a.screens.all[i].load; load != nil {
		return a.store.Ask(load).Reason
	}
	return ""
}

// leave closes the screen that is shown when esc has nothing else to do in
// it; false when there is none.
func (a *App) leave() (cmd tea.Cmd, done bool) {
	sc, ok := a.screens.top()
	if !ok || a.focus != layout.Main {
		return nil, false
	}
	if sc.closes != nil {
		return a.dispatch(sc.closes), true
	}
	if b, ok := sc.pane.(pane.Backer); ok && b.Back() {
		return nil, true
	}
	back := a.close(a.screens.stack[len(a.screens.stack)-1])
	return tea.Batch(a.dispatch(secrets.Hide{}), back), true
}

// close removes a screen and returns the focus to where it was opened.
func (a *App) close(i int) tea.Cmd {
	shown := slices.Contains(a.screens.stack, i)
	a.screens.drop(i)
	a.relayout()
	if shown && a.focus == layout.Main {
		return a.focusOn(a.screens.from[i])
	}
	return nil
}

// goTo goes to a slot; from a screen in the main one to the cards under it. Where
// the spending has no slot its screen is opened.
func (a *App) goTo(slot int) tea.Cmd {
	if !a.layout.Has(slot) {
		spending, _ := a.screens.opened(keymap.OpenSpending)
		return a.show(spending)
	}
	if slot == layout.Main && a.focus == layout.Main && a.screens.any() {
		return a.toCards()
	}
	return a.focusOn(slot)
}

// toCards closes all screens: the key of the cards shows them from a screen over
// them.
func (a *App) toCards() tea.Cmd {
	cmds := []tea.Cmd{a.dispatch(secrets.Hide{})}
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

// showWhat shows what an intent names in its list; false when it does something
// else.
func (a *App) showWhat(in kernel.Intent) (tea.Cmd, bool) {
	switch in := in.(type) {
	case pane.ShowList:
		return a.showList(in), true
	case pane.ShowCard:
		return a.showCard(in.Card), true
	case pane.ShowSetting:
		return a.showSetting(in.Name), true
	default:
		return nil, false
	}
}

// showList shows a list with a filter, in place of a screen over it.
func (a *App) showList(in pane.ShowList) tea.Cmd {
	if in.List == settings.FeedList {
		cmds := []tea.Cmd{a.toCards(), a.focusOn(layout.Feed)}
		for _, after := range a.panes.feed.Ask(in.Filter) {
			cmds = append(cmds, a.dispatch(after))
		}
		return tea.Batch(cmds...)
	}
	a.panes.cards.Ask(in.Filter)
	return tea.Batch(a.focusOn(layout.Main), a.toCards())
}

// showCard shows the list of cards, in place of a screen over it, with the cursor
// on a card.
func (a *App) showCard(id api.CardID) tea.Cmd {
	a.panes.cards.Reach(id)
	return tea.Batch(a.focusOn(layout.Main), a.toCards())
}

// showSetting shows the settings with the cursor on one.
func (a *App) showSetting(name string) tea.Cmd {
	i, _ := a.screens.opened(keymap.OpenSettings)
	cmd := a.show(i)
	if p, ok := a.screens.all[i].pane.(*settingsui.Pane); ok {
		p.Show(name)
	}
	return cmd
}

// followScreen shows the card or the transaction that an intent inspects, the
// card with its history, or what was there before.
func (a *App) followScreen(in kernel.Intent) tea.Cmd {
	if in, ok := in.(state.InspectCard); ok {
		back := a.follow(screenCard, in.Card != "")
		if in.Card != "" && !a.store.History.Past().Known {
			return a.dispatch(state.LoadHistory{})
		}
		return back
	}
	if in, ok := in.(txns.Inspect); ok {
		return a.follow(screenTransaction, in.Transaction != "")
	}
	closed := keymap.Action("")
	switch in := in.(type) {
	case state.WatchTeam:
		if !in.On {
			closed = keymap.OpenTeam
		}
	case insight.ReadDeclines:
		if !in.On {
			closed = keymap.OpenDeclines
		}
	default:
	}
	if i, ok := a.screens.opened(closed); ok {
		return a.close(i)
	}
	return nil
}

// follow brings a screen on top, or removes it.
func (a *App) follow(screen int, open bool) tea.Cmd {
	if !open {
		return a.close(screen)
	}
	a.screens.raise(screen, a.focus)
	a.relayout()
	return nil
}

// noNext is the notice at the ends of the list.
func noNext(w *lang.Words) string { return w.T("no further card in the list as it is filtered") }

// stepCard inspects the card above or below in the list, whose cursor goes with
// it.
func (a *App) stepCard(by int) tea.Cmd {
	next, ok := a.panes.cards.Next(a.store.Info.Inspected().Card, by)
	if !ok {
		a.sync(a.store.Notices.Say(kernel.Info, noNext(a.theme.Words)))
		return nil
	}
	a.panes.cards.Show(next)
	return a.dispatch(state.InspectCard{Card: next, Passed: a.cfg.Now()})
}

// opensScreen reports whether an intent opens a screen by inspecting something.
func opensScreen(in kernel.Intent) bool {
	switch in := in.(type) {
	case state.InspectCard:
		return in.Card != ""
	case txns.Inspect:
		return in.Transaction != ""
	default:
		return false
	}
}
