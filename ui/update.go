package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/input"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/tty"
)

// eventMsg is the one way results come in; read is the number of the pending
// read it ends, 0 for none.
type eventMsg struct {
	kernel.Event
	read int
}

// EventMsg returns the message that brings in an event that no effect led to,
// as what becomes of a copy later.
func EventMsg(ev kernel.Event) tea.Msg { return eventMsg{Event: ev} }

// Update handles a message and arms the clock for what is due next.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if a.end.err != nil {
		return a, tea.Quit
	}
	cmd := tea.Batch(a.handle(msg), a.work())
	if err := a.store.Poll.RefusedAtStart(); err != nil && a.end.err == nil {
		a.end.err = err
		return a, tea.Quit
	}
	return a, tea.Batch(cmd, a.reportCursor(msg), a.carryOn(), a.followAccounts(), a.save(), a.announce(), a.schedule(), a.frame.pace(msg, a.cfg.Now()))
}

func (a *App) handle(msg tea.Msg) tea.Cmd {
	if a.touched(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case eventMsg:
		return a.onEvent(msg)
	case tickMsg:
		return a.onTick()
	case savedMsg, announcedMsg, desktopMsg:
		a.onBackground(msg)
	case jobMsg:
		a.onJob(msg)
	case ReloadMsg:
		a.onReload(msg)
	case tty.ResumedMsg:
		return a.onResumed(msg)
	case tea.KeyPressMsg:
		return a.onKey(msg)
	case input.HeldMsg:
		return a.onHeldBack(msg)
	case tea.PasteMsg:
		return a.onPaste(msg.Content)
	case tea.MouseClickMsg:
		return a.onClick(msg.Mouse())
	case tea.MouseWheelMsg:
		return a.onWheel(msg.Mouse())
	case tea.FocusMsg, tea.BlurMsg, tea.WindowSizeMsg, tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
		return a.onTerminal(msg)
	}
	return nil
}

// workMsg says that there was time for what came in between.
type workMsg struct{}

// workFor is how long the panes work before keys are looked at again.
const workFor = 3 * time.Millisecond

// work lets the dialog on top and the panes go on with what is more than may be
// done at once.
func (a *App) work() tea.Cmd {
	until := a.cfg.Now().Add(workFor)
	enough := func() bool { return !a.cfg.Now().Before(until) }
	more := func() tea.Msg { return workMsg{} }
	if d, ok := a.dialogs.Top(); ok && !a.covered(d) {
		if work := d.Traits().Work; work != nil {
			a.frame.invalidate()
			if work(enough) {
				return more
			}
		}
	}
	for _, p := range a.panes.slots {
		w, ok := p.(pane.Worker)
		if !ok || !w.Working() {
			continue
		}
		a.frame.invalidateBody()
		if w.Work(enough); w.Working() {
			return more
		}
	}
	return nil
}

// onEvent applies a result and ends the read that waited for it.
func (a *App) onEvent(msg eventMsg) tea.Cmd {
	if a.reads.end(msg.read, a.cfg.Now()) {
		a.frame.invalidate()
	}
	return a.apply(msg.Event)
}

// onBackground notes that something ended that is not on the screen.
func (a *App) onBackground(msg tea.Msg) {
	switch msg := msg.(type) {
	case savedMsg:
		a.onSaved(msg)
	case announcedMsg:
		a.news.announced()
	case desktopMsg:
		a.onDesktopFailed(msg)
	}
}

// apply applies an event to the store.
func (a *App) apply(ev kernel.Event) tea.Cmd {
	changed, effects := a.store.Apply(ev)
	a.sync(changed)
	a.goToIssued(ev)
	return a.run(effects, false)
}

// dispatch starts an intent that needs no more questions.
func (a *App) dispatch(in kernel.Intent) tea.Cmd {
	changed, effects, err := a.store.Dispatch(in)
	if err != nil {
		changed |= a.store.Notices.Say(kernel.Warn, err.Error())
	}
	for _, e := range effects {
		if do, ok := e.(state.Do); ok {
			a.begun(do.Op)
		}
	}
	var more tea.Cmd
	if err == nil {
		more = a.followScreen(in)
	}
	if whole, ok := in.(secrets.CopyWhole); ok && err == nil {
		a.panes.cards.Copied(whole.Card)
	}
	a.sync(changed)
	return tea.Batch(a.run(effects, true), more)
}

// clock is the program's one timer.
type clock struct {
	timer  *time.Timer
	due    time.Time // of the pending tick; zero when there is none
	ticked time.Time // when it last fired

	used  time.Time // when the user last did something
	quiet bool      // nothing since; see Config.Quiet
	told  time.Time // when Config.Quiet was last called for it
}

const (
	// quietAfter is how long after the user last did something the program is quiet.
	quietAfter = 5 * time.Second
	// quietAgain is how often that is said again: what is read meanwhile leaves memory
	// that is not needed any more.
	quietAgain = 5 * time.Minute
)

// attend notes that the user did something.
func (c *clock) attend(now time.Time, quiet func(bool)) {
	if c.used = now; c.quiet && quiet != nil {
		quiet(false)
	}
	c.quiet = false
}

// settle makes the program quiet when the user has done nothing for a while.
func (c *clock) settle(now time.Time, quiet func(bool)) {
	if quiet == nil || now.Sub(c.used) < quietAfter || c.quiet && now.Sub(c.told) < quietAgain {
		return
	}
	quiet(true)
	c.quiet, c.told = true, now
}

// tickMsg is a tick of the clock.
type tickMsg struct{}

// arm sets the clock, also when a tick is pending: one command waits for either.
func (c *clock) arm(at, now time.Time) tea.Cmd {
	pending := !c.due.IsZero()
	c.due = at
	if pending { // A tick that is on its way arms the clock anew.
		c.timer.Reset(max(0, at.Sub(now)))
		return nil
	}
	timer := time.NewTimer(max(0, at.Sub(now)))
	c.timer = timer
	return func() tea.Msg {
		<-timer.C
		return tickMsg{}
	}
}

// inTime reports whether a tick that is so late counts as being in time.
func inTime(late time.Duration) bool { return late >= 0 && late < mostLate }

// fired notes that the pending tick came, and returns the time that it is for. A timer
// is late by a moment each time, which must not add up: second after second, the tick
// stays together with the library's, which comes every second since the start, and the
// program wakes once for both.
func (c *clock) fired(now time.Time) time.Time {
	if inTime(now.Sub(c.due)) && inTime(now.Round(0).Sub(c.due.Round(0))) { // Else the clock was set.
		now = c.due
	}
	c.due, c.ticked = time.Time{}, now
	return now
}

const (
	// slack is how late countdowns, which move every second, may be to move together with
	// what is due just after: each time that the program wakes costs more than what it does
	// then.
	slack = 100 * time.Millisecond
	// mostLate is how late a tick is at most that counts as being in time.
	mostLate = 50 * time.Millisecond
)

// schedule arms the clock for the next thing that is due: what the store
// waits for, or the beat at which lanes are asked for and countdowns move. A beat just after
// a tick is left out.
func (a *App) schedule() tea.Cmd {
	now := a.cfg.Now()
	next := a.store.Poll.NextBeat(a.clock.ticked.Add(slack))
	sooner := func(due time.Time) {
		if !due.IsZero() && due.Before(next.Add(slack)) {
			next = due
		}
	}
	sooner(a.store.NextWake())
	sooner(a.reads.next(now, a.theme.Still))
	a.wakeAccounts(sooner)
	if due := a.clock.due; !due.IsZero() && !next.Before(due) {
		return nil
	}
	return a.clock.arm(next, now)
}

func (a *App) onTick() tea.Cmd {
	last, now := a.store.Now(), a.clock.fired(a.cfg.Now())
	if ahead := last.Sub(now); ahead > 0 && ahead < mostLate { // An event came before the tick that was due.
		now = last
	}
	a.clock.settle(now, a.cfg.Quiet)
	changed, effects := a.store.Tick(now)
	if last.Unix() != a.store.Now().Unix() {
		changed |= kernel.TopicClock
	}
	if _, moves := a.reads.shown(a.store.Now()); moves {
		a.frame.invalidate()
	}
	a.sync(changed)
	return a.run(effects, false)
}
