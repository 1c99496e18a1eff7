// Package dialog has what the boxes over the panes are made of: the stack whose
// top box gets every key, forms, lists, and the confirmation before a write.
// The dialogs of a feature are in its own package.
package dialog

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// Quiet is how long a question ignores keys after it opened: keys typed for the
// screen before must not answer a question that was not read yet.
const Quiet = 150 * time.Millisecond

const (
	// unreadFor is how long a question accepts no answer after its figures
	// changed: the answer was meant for the figures before.
	unreadFor = 500 * time.Millisecond
	// againFor is how long after a refused answer the next one is accepted,
	// whatever changes.
	againFor = 5 * time.Second
)

// Dialog is one box. It is bound to the ids it was opened with, whatever the
// panes below do.
type Dialog interface {
	// Traits returns what the stack and the program need to know of the dialog.
	Traits() Traits
	// Sync makes the dialog read the store again; changed are the parts that
	// changed.
	Sync(s *state.Store, changed kernel.Topic)
	// Act does what a key of the dialog's context asks for.
	Act(keymap.Action) Result
	// Type handles a key that no binding claims; text is what it types.
	Type(key, text string) Result
	// Paste handles pasted text.
	Paste(text string)
	// View draws the box, at most w cells wide and h lines high.
	View(w, h int) []string
}

// Traits are what a dialog is, beside what it draws. The zero value is a box
// that shows account data, asks nothing and does not move.
type Traits struct {
	// Context is where its keys are looked up; empty stands for keymap.Dialog.
	Context keymap.Context
	// Question: a key can answer something here, so none is accepted until there
	// was time to read it.
	Question bool
	// Typing: letters are typed.
	Typing bool
	// Commits: enter acts at once although nothing is asked.
	Commits bool
	// Public: it shows nothing of the account and may stay on a private screen.
	Public bool
	// Holds: closing it would lose what was not seen yet.
	Holds bool
	// Done: there is nothing left to wait for, and the stack closes it.
	Done bool
	// Figures are the balances a question about money asks about. Refuse shows
	// why it accepted no answer; nil where it is not about money.
	Figures state.Preview
	Refuse  func(why string)
	// Move moves the cursor, or scrolls, and reports whether it did; nil where
	// nothing moves.
	Move func(keymap.Action) bool
	// Click does what a click on a line of the box asks for, which is nothing that
	// acts on cards; nil where clicks do nothing.
	Click func(line int) Result
	// Work goes on with what is more than may be done at once until there was enough
	// of it, and reports whether there is more; nil where there is nothing.
	Work func(enough func() bool) (more bool)
	// Sent receives the operation that the dialog's intent began; nil where it
	// does not wait for one.
	Sent func(state.OpID)
	// Ready returns what the dialog does by itself, and false while there is
	// nothing to do; nil where it only reacts to keys.
	Ready func() (Result, bool)
}

// Keys is the context where the dialog's keys are looked up.
func (t Traits) Keys() keymap.Context { return cmp.Or(t.Context, keymap.Dialog) }

// Inert is embedded by dialogs for what they do not react to.
type Inert struct{}

// Sync does nothing.
func (Inert) Sync(*state.Store, kernel.Topic) {}

// Type does nothing.
func (Inert) Type(_, _ string) Result { return Result{} }

// Paste does nothing.
func (Inert) Paste(string) {}

// Result is what a dialog wants after a key.
type Result struct {
	// Close closes the dialog, CloseMore as many below it as well.
	Close     bool
	CloseMore int
	Push      Dialog
	// Run is the command to run once the dialog is closed.
	Run *keymap.Binding
	// Told is a notice about the outcome.
	Told string
	// Quit ends the program; so does SwitchTo, which opens another account.
	Quit     bool
	SwitchTo *Account
	Intents  []kernel.Intent
	// Select are cards to select in the list, instead of those that are.
	Select []api.CardID
	// Theme is the name of one to draw with, Language of one to speak; empty for the
	// one that is.
	Theme, Language string
	// Job is what is to be done outside of the program's loop; nil for nothing.
	Job Job
	// Ask is what the user wants next; it is asked about as if the key had asked
	// for it.
	Ask kernel.Intent
}

// Job blocks and is called from a command. What it returns is called in Update
// and changes the dialog, which may be closed by then, and nothing else: what
// follows from it is up to Traits.Ready.
type Job func(context.Context) (done func())

// Stack holds the open dialogs.
type Stack struct {
	open []opened
	// moving: when the store was last read, operations of this program were about
	// to change the wallet.
	moving bool
}

type opened struct {
	Dialog
	since time.Time
	// figures are those it asks about, changed is when they last changed while it
	// was open, refused when it accepted no answer because of that.
	figures          state.Preview
	changed, refused time.Time
}

// Push opens a dialog over the others.
func (s *Stack) Push(d Dialog, now time.Time) {
	s.open = append(s.open, opened{Dialog: d, since: now, figures: d.Traits().Figures})
}

// Top returns the dialog that gets the keys.
func (s *Stack) Top() (Dialog, bool) {
	if len(s.open) == 0 {
		return nil, false
	}
	return s.open[len(s.open)-1].Dialog, true
}

// Quiet reports whether a question is on top that opened too recently to accept
// keys. A field may be typed into at once.
func (s *Stack) Quiet(now time.Time) bool {
	if len(s.open) == 0 {
		return false
	}
	top := s.open[len(s.open)-1]
	return top.Traits().Question && now.Sub(top.since) < Quiet
}

// Unread reports whether the figures of the question on top changed a moment
// ago. The question then refuses one answer and says so; the next one counts.
func (s *Stack) Unread(now time.Time) bool {
	if len(s.open) == 0 {
		return false
	}
	top := &s.open[len(s.open)-1]
	refuse := top.Traits().Refuse
	refused := within(againFor, top.refused, now)
	if refuse == nil || !within(unreadFor, top.changed, now) || refused && !within(unreadFor, top.refused, now) {
		return false
	}
	if !refused {
		top.refused = now
	}
	refuse(lang.N("the balances just changed: check them and press again"))
	return true
}

// within reports whether something was at most a span of time ago. It is false
// after the clock was set back, which must not block an answer.
func within(span time.Duration, then, now time.Time) bool {
	since := now.Sub(then)
	return !then.IsZero() && since >= 0 && since < span
}

// Settle carries out a result, except for its intents.
func (s *Stack) Settle(r Result, now time.Time) {
	if r.Close {
		s.open = s.open[:max(0, len(s.open)-1-r.CloseMore)]
	}
	if r.Push != nil {
		s.Push(r.Push, now)
	}
}

// Clear closes all dialogs.
func (s *Stack) Clear() { s.open = nil }

// Sync makes every dialog read the store again, and closes those that are done.
func (s *Stack) Sync(st *state.Store, changed kernel.Topic) {
	was := s.moving
	s.moving = st.Ops.WalletMoving()
	for i := range s.open {
		e := &s.open[i]
		e.Sync(st, changed)
		before, figures := e.figures, e.Traits().Figures
		e.figures = figures
		if was || s.moving { // What this program moves itself is no surprise.
			before.WalletBefore, before.WalletAfter = figures.WalletBefore, figures.WalletAfter
		}
		if figures != before {
			e.changed = st.Now()
		}
	}
	s.open = slices.DeleteFunc(s.open, func(e opened) bool { return e.Traits().Done })
}

// Sent tells the dialog on top which operation its intent began.
func (s *Stack) Sent(op state.OpID) {
	if d, ok := s.Top(); ok {
		if sent := d.Traits().Sent; sent != nil {
			sent(op)
		}
	}
}

// Account is one that the user can switch to.
type Account struct {
	ID string
	// Name is the profile's, Where the host of its API.
	Name, Where       string
	Sandbox, ReadOnly bool
	// Here: it is on screen now. Before: it was until the user switched to this
	// one.
	Here, Before bool
	// Stored is the profile as the configuration has it; nil for what is none.
	Stored *Stored
}

// Stored is a profile of the configuration.
type Stored struct {
	Address, Command string // Its base URL, and the command that prints its key.
	ReadOnly         bool   // Whatever the program was started with.
}
