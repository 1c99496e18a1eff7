package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
)

// eventMsg is the one way results come in; errand is the number of what a
// person waits for, 0 for the rest.
type eventMsg struct {
	state.Event
	errand int
}

// tickMsg is the clock.
type tickMsg struct{ n int }

// EventMsg is the message that brings an event in that no effect led to, as what
// becomes of a copy later.
func EventMsg(ev state.Event) tea.Msg { return eventMsg{Event: ev} }

// Update dispatches a message and arms the clock for what is due next.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if a.err != nil {
		return a, tea.Quit
	}
	cmd := a.handle(msg)
	if err := a.store.Poll.RefusedAtStart(); err != nil && a.err == nil {
		a.err = err
		return a, tea.Quit
	}
	return a, tea.Batch(cmd, a.readAhead(msg), a.turnTo(), a.watchLimits(), a.carryOn(), a.keep(), a.announce(), a.schedule(), a.pace(msg))
}

func (a *App) handle(msg tea.Msg) tea.Cmd {
	if a.touched(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case eventMsg:
		return a.onEvent(msg)
	case tickMsg:
		return a.onTick(msg)
	case keptMsg, toldMsg, desktopMsg:
		return a.onBehind(msg)
	case ReloadMsg:
		a.onReload(msg)
	case resumedMsg:
		return a.onResumed(msg)
	case tea.KeyPressMsg:
		return a.onKey(msg)
	case ripeMsg:
		return a.onRipe(msg)
	case tea.PasteMsg:
		return a.onPaste(msg.Content)
	case tea.MouseClickMsg:
		return a.onClick(msg.Mouse())
	case tea.MouseWheelMsg:
		return a.onWheel(msg.Mouse())
	case tea.WindowSizeMsg:
		return a.resize(msg.Width, msg.Height)
	case tea.FocusMsg:
		a.away, a.noDesktop = false, false
		a.store.Poll.SetAttention(state.Focused, a.cfg.Now())
	case tea.BlurMsg:
		a.away = true
		a.store.Poll.SetAttention(state.Unfocused, a.cfg.Now())
		return a.dispatch(state.HideSecrets{})
	case tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
		return a.onTerminal(msg)
	}
	return nil
}

// onTerminal takes what the terminal tells of itself.
func (a *App) onTerminal(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		a.dark = msg.IsDark()
		return a.restyle()
	case tea.ColorProfileMsg:
		a.profile = msg.Profile
		return a.restyle()
	case tea.ModeReportMsg:
		if a.screen != nil {
			a.screen.Report(msg)
		}
	}
	return nil
}

// resize lays the screen out anew. What the terminal shows of the old size is
// anybody's guess.
func (a *App) resize(w, h int) tea.Cmd {
	a.w, a.h, a.targets = w, h, nil
	a.relayout()
	a.redraw()
	if a.unseen() {
		return a.dispatch(state.HideSecrets{})
	}
	return nil
}

// redraw draws the whole screen anew.
func (a *App) redraw() {
	a.dirty = true
	if a.screen != nil {
		a.screen.Redraw()
	}
}

// onEvent takes a result; who waited for it waits no more.
func (a *App) onEvent(msg eventMsg) tea.Cmd {
	if a.errands.end(msg.errand, a.cfg.Now()) {
		a.dirty = true
	}
	return a.apply(msg.Event)
}

// onBehind notes that something ended that nobody sees.
func (a *App) onBehind(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case keptMsg:
		a.onKept(msg)
	case toldMsg:
		a.telling = false
	case desktopMsg:
		return a.offDesktop(msg)
	}
	return nil
}

// readAhead tells the store which card the cursor is on.
func (a *App) readAhead(msg tea.Msg) tea.Cmd {
	if id := a.cards.Card(); id != a.selected {
		if a.selected != "" && !byHand(msg) {
			a.slippedAt = a.cfg.Now()
		}
		a.selected = id
		return a.dispatch(state.SelectCard{Card: id})
	}
	return nil
}

// turnTo tells the store which card keys are about.
func (a *App) turnTo() tea.Cmd {
	p, ok := a.pane(a.focus).(pane.Carder)
	if !ok {
		return nil
	}
	id := p.Card()
	if id == "" || id == a.keysOn {
		return nil
	}
	a.keysOn = id
	return a.dispatch(state.TurnTo{Card: id})
}

// watchLimits tells the store whether the list shows how much of their limits the
// cards used.
func (a *App) watchLimits() tea.Cmd {
	shown := a.cards.WatchesLimits()
	if shown == a.limitsShown {
		return nil
	}
	a.limitsShown = shown
	return a.dispatch(state.WatchLimits{Shown: shown})
}

func (a *App) restyle() tea.Cmd {
	if err := a.retheme(); err != nil {
		a.err = err
		return tea.Quit
	}
	a.sync(state.TopicAll)
	return nil
}

// schedule arms the clock for the next thing that is due: what the store
// waits for, or the next whole second, when the countdowns move.
func (a *App) schedule() tea.Cmd {
	now := a.cfg.Now()
	next := now.Truncate(time.Second).Add(time.Second)
	if due := a.store.NextWake(); !due.IsZero() && due.Before(next) {
		next = due
	}
	if moves := a.errands.next(now, a.theme.Still); !moves.IsZero() && moves.Before(next) {
		next = moves
	}
	if !a.wake.IsZero() && !next.Before(a.wake) {
		return nil
	}
	return a.tickAt(next)
}

// tickAt arms the clock; an earlier tick still under way is stale then.
func (a *App) tickAt(next time.Time) tea.Cmd {
	a.wake = next
	a.tick++
	n := a.tick
	return tea.Tick(max(0, next.Sub(a.cfg.Now())), func(time.Time) tea.Msg { return tickMsg{n} })
}

func (a *App) onTick(msg tickMsg) tea.Cmd {
	if msg.n != a.tick {
		return nil
	}
	a.wake = time.Time{}
	last := a.store.Now()
	changed, effects := a.store.Tick(a.cfg.Now())
	if last.Unix() != a.store.Now().Unix() {
		changed |= state.TopicClock
	}
	if _, moves := a.errands.shown(a.store.Now()); moves {
		a.dirty = true
	}
	a.sync(changed)
	return a.run(effects, false)
}

func (a *App) apply(ev state.Event) tea.Cmd {
	changed, effects := a.store.Apply(ev)
	a.sync(changed)
	a.goToIssued(ev)
	return a.run(effects, false)
}

// want does what a person asked for: at once, or after they were asked for
// its particulars and to confirm.
func (a *App) want(in state.Intent, key string) tea.Cmd {
	v := a.store.Ask(in)
	if v.Reason != "" {
		a.sync(a.store.Notices.Add(state.Warn, v.Reason))
		return nil
	}
	if reason, yes := a.turned(in); yes {
		a.sync(a.store.Notices.Add(state.Warn, reason))
		return nil
	}
	if many, ok := in.(state.Many); ok {
		return a.askMany(many)
	}
	if cmd, asked := a.ask(in, v, key); asked {
		return cmd
	}
	return a.dispatch(in)
}

// dispatch starts an intent that needs no more questions.
func (a *App) dispatch(in state.Intent) tea.Cmd {
	changed, effects, err := a.store.Dispatch(in)
	if err != nil {
		changed |= a.store.Notices.Add(state.Warn, err.Error())
	}
	for _, e := range effects {
		if do, ok := e.(state.Do); ok {
			a.begun(do.Op)
		}
	}
	var more tea.Cmd
	if err == nil {
		more = a.followLook(in)
	}
	a.sync(changed)
	return tea.Batch(a.run(effects, true), more)
}
