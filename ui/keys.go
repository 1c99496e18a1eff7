package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
)

// onKey hands a key to whoever has the word: the dialog on top, an open text
// field, the focused pane, the program. Keys are never logged.
func (a *App) onKey(msg tea.KeyPressMsg) tea.Cmd {
	var before tea.Cmd
	if a.fingers.late(a.cfg.Now()) {
		before = a.onKeyOf(a.fingers.take(), true)
	}
	waited := a.fingers.waits
	onPurpose := a.fingers.press(msg.String(), msg.Key().IsRepeat, a.cfg.Now())
	commits := onPurpose && a.commits(msg.String())
	if waited || commits && a.fingers.hurried() {
		a.ignore(hurried)
	}
	switch {
	case commits && a.fingers.hurried():
		return before
	case commits:
		return tea.Batch(before, a.fingers.hold(msg))
	}
	return tea.Batch(before, a.onKeyOf(msg, onPurpose))
}

// onKeyOf does what a key asks for.
func (a *App) onKeyOf(msg tea.KeyPressMsg, onPurpose bool) tea.Cmd {
	a.dirty = true
	key, text := msg.String(), msg.Key().Text
	if a.unseen() {
		return a.onUnseenKey(key)
	}
	if act, ok := a.resolve(key, keymap.Always); ok {
		return a.always(act)
	}
	if a.store.Privacy.Locked() {
		return a.onLockedKey(key)
	}
	if d, ok := a.dialogs.Top(); ok {
		return a.onDialogKey(d, key, text, onPurpose)
	}
	if a.jumping() {
		return a.onLabel(key)
	}
	focused := a.pane(a.focus)
	if t, ok := focused.(pane.Typist); ok && t.Typing() {
		if act, ok := a.cfg.Keys.Resolve(key, keymap.Filter); ok {
			return a.act(focused, act, key)
		}
		t.Type(key, text)
		return nil
	}
	act, ok := a.resolve(key, keymap.Chain(focused.Context())...)
	if !ok {
		if _, elsewhere := a.resolve(key, keymap.Card); elsewhere {
			a.sync(a.store.Notices.Add(state.Info, keymap.NoCard))
		}
		return nil
	}
	// A person who goes on has read what there was to read.
	a.sync(a.store.Notices.Dismiss())
	if !onPurpose && a.cfg.Keys.Any(act, keymap.Binding.Lasts) {
		return a.ignore(doubled)
	}
	if a.slipped(act) {
		a.lookFirst()
		return nil
	}
	if cmd, done := a.own(act, key); done {
		return cmd
	}
	return a.act(focused, act, key)
}

// always does what a key asks for whatever is open.
func (a *App) always(act keymap.Action) tea.Cmd {
	switch act {
	case keymap.Suspend:
		return a.suspend()
	case keymap.CopyCode:
		return a.want(state.CopyCode{}, "")
	default:
		return tea.Quit
	}
}

// resolve finds what a key does; a letter of another layout counts as the
// one in its place.
func (a *App) resolve(key string, contexts ...keymap.Context) (keymap.Action, bool) {
	if act, ok := a.cfg.Keys.Resolve(key, contexts...); ok {
		return act, true
	}
	return a.cfg.Keys.Resolve(keymap.ByPosition(key), contexts...)
}

func (a *App) onDialogKey(d dialog.Dialog, key, text string, onPurpose bool) tea.Cmd {
	now := a.cfg.Now()
	if a.dialogs.Quiet(now) {
		return a.ignore(justOpened)
	}
	is := d.Traits()
	context := is.Keys()
	if is.Question && !onPurpose && !a.moves(d, key, text) {
		return a.ignoredPress()
	}
	if act, _ := a.cfg.Keys.Resolve(key, context); act == keymap.Confirm && is.Commits && !onPurpose {
		return a.ignoredPress()
	}
	if cmd, done := a.hides(d, key); done {
		return cmd
	}
	if a.answers(d, key) && a.dialogs.Unread(now) {
		return nil
	}
	var r dialog.Result
	if act, ok := a.cfg.Keys.Resolve(key, context); ok {
		r = d.Act(act)
	} else if !a.scrolls(d, key, text) {
		r = d.Type(keymap.ByPosition(key), text)
	}
	return a.settle(r)
}

// settle does what a dialog wants.
func (a *App) settle(r dialog.Result) tea.Cmd {
	if r.SwitchTo != nil {
		a.next = r.SwitchTo // The program ends, and begins anew on it.
	}
	if r.Quit || r.SwitchTo != nil {
		return tea.Quit
	}
	a.dialogs.Settle(r, a.cfg.Now())
	if r.Told != "" {
		a.sync(a.store.Notices.Add(state.Info, r.Told))
	}
	var cmds []tea.Cmd
	if r.Run != nil {
		cmds = append(cmds, a.perform(*r.Run))
	}
	for _, in := range r.Intents {
		cmds = append(cmds, a.dispatch(in))
		if _, ok := in.(state.RunPlan); ok {
			a.cards.ClearChosen()
		}
	}
	return tea.Batch(cmds...)
}

// carryOn does what the dialog on top has waited to do, unless it is covered:
// nothing is done behind a screen that hides it.
func (a *App) carryOn() tea.Cmd {
	d, ok := a.dialogs.Top()
	if !ok || a.covered(d) {
		return nil
	}
	ready := d.Traits().Ready
	if ready == nil {
		return nil
	}
	r, done := ready()
	if !done {
		return nil
	}
	a.dirty = true
	return a.settle(r)
}

// scrolls moves within a dialog that can be, unless the key types something.
func (a *App) scrolls(d dialog.Dialog, key, text string) bool {
	is := d.Traits()
	act, bound := a.resolve(key, keymap.Lists)
	return is.Move != nil && bound && (!is.Typing || text == "") && is.Move(act)
}

// moves tells whether a key that was not pressed on purpose may still go to a
// question: it answers nothing. A burst was pasted, and is told like a paste
// that is marked.
func (a *App) moves(d dialog.Dialog, key, text string) bool {
	act, bound := a.cfg.Keys.Resolve(key, d.Traits().Keys())
	pasted := a.fingers.pasted()
	switch {
	case bound:
		return act == keymap.Switch || act == keymap.Cancel
	case pasted:
		if text != "" && d.Traits().Typing {
			d.Paste(text)
		}
		return false
	}
	// A digit twice in a row is not a held key, and who scrolls answers nothing.
	_, scrolls := a.cfg.Keys.Resolve(key, keymap.Lists)
	return scrolls || d.Traits().Typing
}

// wanted is what an action asks for wherever it is pressed.
func wanted(act keymap.Action) (in state.Intent, ok bool) {
	switch act {
	case keymap.CopyCode:
		return state.CopyCode{}, true
	case keymap.Issue:
		return state.IssueCard{}, true
	case keymap.DryRun:
		return state.ToggleDryRun{}, true
	case keymap.Privacy:
		return state.TogglePrivacy{}, true
	case keymap.Lock:
		return state.LockScreen{}, true
	default:
		return nil, false
	}
}

// own does the actions that are the program's and not a pane's.
func (a *App) own(act keymap.Action, key string) (cmd tea.Cmd, done bool) {
	if i, ok := a.screens.opened(act); ok {
		return a.show(i), true
	}
	if in, ok := wanted(act); ok {
		return a.want(in, key), true
	}
	if cmd, done := a.runUserCommand(act, key); done {
		return cmd, true
	}
	slot := slices.Index([]keymap.Action{keymap.PaneOne, keymap.PaneTwo, keymap.PaneThree, keymap.PaneFour}, act)
	switch {
	case slot >= 0:
		return a.goTo(slot), true
	case act == keymap.PrevCard:
		return a.stepCard(-1), true
	case act == keymap.NextCard:
		return a.stepCard(1), true
	case act == keymap.NextPane:
		return a.focusOn(a.layout.shape.next(a.focus, 1)), true
	case act == keymap.PrevPane:
		return a.focusOn(a.layout.shape.next(a.focus, -1)), true
	case act == keymap.Undo:
		return a.undo(key), true
	case a.tells(act):
		return nil, true
	case act == keymap.Back:
		return a.back()
	case act == keymap.Quit:
		return a.quit(), true
	}
	return nil, false
}

// back does what esc does first: what waits or stands out goes, then the screen,
// and last a notice that stays.
func (a *App) back() (cmd tea.Cmd, done bool) {
	switch {
	case a.waits():
		return a.dispatch(state.HideSecrets{}), true
	case a.largeCode:
		return a.dispatch(state.PutAway{}), true
	case a.dismisses():
		a.sync(a.store.Notices.DismissLasting())
		return nil, true
	}
	return a.leave()
}

// tells does an action that changes what is shown and nothing else.
func (a *App) tells(act keymap.Action) bool {
	switch act {
	case keymap.Jump:
		a.jump()
	case keymap.Mouse:
		a.toggleMouse()
	case keymap.Redraw:
		a.redraw()
	case keymap.Bulk, keymap.ResumeBulk:
		a.showBulk(act)
	case keymap.Help:
		a.push(dialog.NewHelp(&a.theme, a.cfg.Keys))
	case keymap.Palette:
		a.push(dialog.NewPalette(&a.theme, a.commands()))
	case keymap.Configuration:
		a.push(dialog.NewMistakes(&a.theme, a.cfg.Keys, a.mistakes))
	case keymap.Accounts:
		a.showAccounts()
	case keymap.Theme:
		a.nextTheme()
	case keymap.Requests:
		a.push(dialog.NewRequests(&a.theme, a.store, a.cfg.Keys))
	default:
		return false
	}
	return true
}

// act lets a pane do what a key asks for and carries out what it wants.
func (a *App) act(p pane.Pane, act keymap.Action, key string) tea.Cmd {
	var cmds []tea.Cmd
	intents := p.Act(act)
	if c, ok := p.(pane.Carder); ok && len(intents) == 0 && c.Card() == "" && a.cfg.Keys.Holds(keymap.Card, act) {
		a.sync(a.store.Notices.Add(state.Info, keymap.NoCard))
	}
	for _, in := range intents {
		cmds = append(cmds, a.want(in, key))
		if looks(in) {
			cmds = append(cmds, a.focusOn(slotMain))
		}
	}
	return tea.Batch(cmds...)
}

// focusOn moves the focus. What is revealed belongs to where it was asked
// for, so it leaves the screen.
func (a *App) focusOn(slot int) tea.Cmd {
	if slot == a.focus {
		return nil
	}
	a.focus = slot
	cmd := a.dispatch(state.HideSecrets{})
	a.relayout()
	return cmd
}

// onPaste puts pasted text into an open field that can be seen and nowhere
// else: pasted keys never act.
func (a *App) onPaste(text string) tea.Cmd {
	a.dirty = true
	if a.targets = nil; a.unseen() {
		return nil
	}
	if d, ok := a.dialogs.Top(); ok {
		return a.pasteInto(d, text)
	}
	if t, ok := a.pane(a.focus).(pane.Typist); ok && t.Typing() {
		t.Type("", text)
		return nil
	}
	return a.ignore(noField)
}
