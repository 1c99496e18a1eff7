package dialog

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Question is what a confirmation asks.
type Question struct {
	// Title names the subject, Verb is the word on the button that acts.
	Title, Verb string
	Intent      kernel.Intent
	// Lines draw what it will do; nil draws card and wallet before and after.
	Lines func(w int) []string
	// Above draws what comes before card and wallet; nil draws nothing.
	Above func(w int) []string
	// Follow reports whether the outcome of what is no operation is waited for, and why
	// it was not done; nil follows the operation that the intent begins.
	Follow func(*state.Store) (waiting bool, why string)
	// Again are keys that press the button as well: those that opened the
	// question, so that repeating them on purpose is enough.
	Again []string
	// Closes is how many dialogs close when it is cancelled with enter.
	Closes int
	// Waits: this dialog waits for the outcome, not one below it.
	Waits bool
	// Typed is what has to be typed before the button can be pressed.
	Typed *Typed
}

// Typed is a text that has to be typed. It cannot be pasted.
type Typed struct {
	// Ask names it, such as "last four digits".
	Ask   string
	Match func(text string) bool
	// Digits: nothing else is accepted.
	Digits bool
}

// Check returns the store's verdict on an intent.
type Check func(kernel.Intent) kernel.Verdict

// Confirm asks before something is done to one card, or to none.
type Confirm struct {
	Submission
	theme *theme.Theme
	store *state.Store
	what  Question
	Scroller
	buttons *Buttons
	told    string // why it was refused
}

// NewConfirm makes the dialog.
func NewConfirm(t *theme.Theme, s *state.Store, what Question) *Confirm {
	return NewConfirmBy(t, s, s.Check, what)
}

// NewConfirmBy makes one whose verdict is not the store's.
func NewConfirmBy(t *theme.Theme, s *state.Store, check Check, what Question) *Confirm {
	c := &Confirm{theme: t, store: s, what: what}
	c.buttons = NewButtons(t, what.Verb, func() kernel.Verdict { return check(what.Intent) })
	if what.Typed != nil {
		c.buttons.requireText(what.Typed.Ask, "", what.Typed.Match)
		c.buttons.digits = what.Typed.Digits
	}
	return c
}

// Traits implements Dialog.
func (c *Confirm) Traits() Traits {
	figures, _ := c.store.Preview(c.what.Intent)
	return c.SubmissionTraits(Traits{Question: true, Typing: c.buttons.Typing(), Figures: figures, Refuse: c.refuse, Move: c.Move})
}

// Sync makes the dialog read the store again.
func (c *Confirm) Sync(s *state.Store, changed kernel.Topic) {
	c.store = s
	if why := c.outcome(s); why != "" {
		c.told, c.buttons.at = why, onCancel
	}
	c.buttons.Sync(changed)
}

// outcome follows what was sent and returns why it was not done; empty when it was, or
// while there is no answer.
func (c *Confirm) outcome(s *state.Store) string {
	if c.what.Follow == nil {
		r, _ := c.Refusal(s)
		return r.Reason
	}
	if !c.Waiting {
		return ""
	}
	why := ""
	c.Waiting, why = c.what.Follow(s)
	c.done = !c.Waiting && why == ""
	return why
}

// Act moves between the buttons and presses them.
func (c *Confirm) Act(a keymap.Action) Result {
	if c.Waiting {
		return Result{Close: a == keymap.Cancel} // It goes on without the dialog.
	}
	switch c.buttons.Act(a) {
	case Confirmed:
		return c.accept()
	case Cancelled:
		if a == keymap.Cancel { // Back to the form, which is still there.
			return Result{Close: true, Told: NothingSent(c.theme)}
		}
		return Result{Close: true, CloseMore: c.what.Closes - 1, Told: NothingSent(c.theme)}
	default:
		return Result{}
	}
}

// Type accepts the key that opened the question as confirmation, and the text
// to type.
func (c *Confirm) Type(key, text string) Result {
	switch {
	case c.Waiting, c.buttons.Key(key, text), !slices.Contains(c.what.Again, key):
	case c.buttons.why != "":
		c.told = c.theme.Words.T("second confirmation: tab and enter")
	default:
		return c.accept()
	}
	return Result{}
}

// Paste does nothing: pasted text never confirms.
func (c *Confirm) Paste(string) { c.buttons.Paste() }

// accept returns the intent, unless it can no longer be done: then the dialog
// stays and shows why.
func (c *Confirm) accept() Result {
	c.told = ""
	amount, _ := state.AmountOf(c.what.Intent)
	if c.buttons.Blocked() || c.buttons.Again(c.theme.Words.T("amount again"), amount) {
		return Result{}
	}
	c.Waiting = c.what.Follow != nil
	return Result{Close: !c.what.Waits, Intents: []kernel.Intent{c.what.Intent}}
}

// refuse shows why it accepted no answer.
func (c *Confirm) refuse(why string) { c.told = c.theme.Words.T(why) }

// View draws the box.
func (c *Confirm) View(w, h int) []string {
	t := c.theme
	w = min(w, 62)
	inner := w - 2
	content, foot, hints := c.content(inner), c.foot(inner), c.hints()
	keys := KeyLines(t, inner, hints...)
	over := func() bool { return len(content)+len(foot)+len(keys) > h-2 }
	blank := func(line string) bool { return strings.TrimSpace(widget.Strip(line)) == "" }
	if over() && blank(content[0]) {
		content = content[1:]
	}
	if over() {
		foot = slices.DeleteFunc(foot, blank)
	}
	if over() {
		keys = KeyLines(t, inner, append(hints, "↑↓ "+t.Words.T("scroll"))...)
	}
	foot = append(foot, keys...)
	return Scrolled(t, c.what.Title, append(c.Part(content, h-2-len(foot)), foot...), w, c.Scroll)
}

func (c *Confirm) content(w int) []string {
	if c.what.Lines != nil {
		return c.what.Lines(w)
	}
	lines := []string{widget.Spans(w)}
	if c.what.Above != nil {
		lines = c.what.Above(w)
	}
	lines = append(lines, c.changes(w)...)
	if c.buttons.why != "" && c.buttons.verdict.get().Expired != "" {
		return lines // It is said below, where it is confirmed again.
	}
	return append(lines, FrozenLines(c.theme, c.store, c.what.Intent, w)...)
}

// changes draws what the intent changes: balances, or the status of a card.
func (c *Confirm) changes(w int) []string {
	card, _ := state.CardOf(c.what.Intent)
	switch state.KindOf(c.what.Intent) {
	case state.OpFreeze:
		return c.statusLine(c.theme, c.store, card, api.CardFrozen, w)
	case state.OpUnfreeze:
		return c.statusLine(c.theme, c.store, card, api.CardActive, w)
	default:
		return c.Effect(c.theme, c.store, c.what.Intent, w)
	}
}

// foot draws what stays below the scrolled part.
func (c *Confirm) foot(w int) []string {
	if c.Waiting {
		return append(c.Updated(c.theme, c.store, w), widget.Spans(w), SendingLine(c.theme, w))
	}
	var lines []string
	if c.told != "" && !c.buttons.Blocked() {
		lines = ErrorLines(c.theme, w, c.told)
	}
	lines = append(lines, StaleLines(c.theme, c.store, c.what.Intent, w)...)
	lines = append(append(lines, widget.Spans(w)), c.buttons.Lines(w)...)
	return append(lines, widget.Spans(w))
}

// hints name the keys that answer.
func (c *Confirm) hints() []string {
	if c.Waiting {
		return nil
	}
	hints := c.buttons.Hints()
	if again := c.what.Again; len(again) > 0 && !c.buttons.Blocked() && c.buttons.why == "" && c.buttons.at == onCancel {
		hints = append(hints, again[0]+" "+strings.ToLower(c.what.Verb))
	}
	return hints
}

// NewArmRule asks before a rule acts without asking: its name has to be typed.
func NewArmRule(t *theme.Theme, s *state.Store, in state.SetRuleMode) *Confirm {
	in.Typed = in.Name
	return NewConfirm(t, s, Question{
		Title: t.Words.Tf("Rule %s", in.Name), Verb: t.Words.T("Act"), Intent: in, Closes: 1,
		Typed: &Typed{Ask: t.Words.T("name of the rule"), Match: func(text string) bool { return text == in.Name }},
		Lines: func(w int) []string {
			r, ok := s.Rules.Get(in.Name)
			if !ok {
				return Paragraph(w, t.Bad, t.Words.T("it is not in the configuration any more"))
			}
			lines := Paragraph(w, t.Strong, r.Does(t.Words)+" · "+s.Privacy.Display().Text(r.When))
			if r.MaxDay > 0 {
				lines = append(lines, Paragraph(w, t.Text, t.Words.Tf("at most %s in 24 h", t.Words.Dollars(r.MaxDay)))...)
			}
			return append(lines, Paragraph(w, t.Warn, t.Words.T("acts without asking until cardtop ends, or x turns it off"))...)
		},
	})
}

// NewTerminate asks before a card is terminated: its last four digits have to
// be typed.
func NewTerminate(t *theme.Theme, s *state.Store, card api.CardID) *Confirm {
	c, _ := s.Cards.Get(card)
	digits := string(c.Last4)
	var dialog *Confirm
	dialog = NewConfirm(t, s, Question{
		Title: t.Words.Tf("Terminate %s", s.Cards.Name(card)), Verb: t.Words.T("Terminate"), Intent: state.Terminate(card), Closes: 1, Waits: true,
		Typed: &Typed{Ask: t.Words.T("last four digits"), Digits: true, Match: func(text string) bool { return strings.TrimSpace(text) == digits && digits != "" }},
		Lines: func(w int) []string { return dialog.refund(card, w) },
	})
	return dialog
}

// refund draws what a termination returns to the wallet.
func (c *Confirm) refund(card api.CardID, w int) []string {
	t := c.theme
	held, _ := c.store.Cards.Get(card)
	back := held.Balance
	if op, ok := c.SentOp(c.store); ok {
		back = op.Expected.CardBefore
	}
	lines := []string{widget.Spans(w), Pair(t, w, Pad(t.Words.Tc("termination", "refund"), NameCells), widget.Span{Style: t.Gold, Text: t.Words.Dollars(back)}, widget.Span{Style: t.Muted, Text: " " + t.Words.T("to the wallet")})}
	if _, ok := c.store.Preview(c.what.Intent); ok {
		lines = append(lines, c.Effect(t, c.store, c.what.Intent, w)[1])
	}
	return append(lines, widget.Spans(w, widget.Span{Style: t.Bad, Text: " " + t.Words.T("permanent: cannot be undone")}))
}

// commandLines bounds how many lines of a user's command are shown.
const commandLines = 4

// CommandLines draw what a user's command will run, and on what.
func CommandLines(t *theme.Theme, s *state.Store, where settings.Where, in commands.Run, w int) []string {
	lines := []string{widget.Spans(w)}
	for _, about := range subject(t, s, where, in) {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Strong, Text: " " + about}))
	}
	own := widget.Wrap(in.Line, max(1, w-2))
	for _, line := range own[:min(len(own), commandLines)] {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Text, Text: " " + line}))
	}
	if len(own) > commandLines {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Muted, Text: " …"}))
	}
	return lines
}

// subject names what a command runs on, and what else it reads.
func subject(t *theme.Theme, s *state.Store, where settings.Where, in commands.Run) []string {
	switch where {
	case settings.OnCard:
		on := []string{t.Words.Tf("on %s", s.Cards.Name(in.Card))}
		switch n := len(in.Chosen); n {
		case 0:
		case 1:
			on = append(on, t.Words.T("reads the selected card"))
		default:
			on = append(on, t.Words.Tn(n, "reads the %d selected card", "reads the %d selected cards"))
		}
		return on
	case settings.OnTransaction:
		if tx, ok := s.Txns.Get(in.Transaction); ok {
			d := s.Privacy.Display()
			return []string{t.Words.Tf("on %s", d.Merchant(tx.Merchant.Name)+" "+d.Size(&tx)), t.Words.Tf("of %s", s.Cards.Name(tx.CardID))}
		}
	case settings.Anywhere:
	}
	return nil
}

// Submission is an operation that a dialog sent and waits for. The dialog
// closes when it is done, and shows again what was typed when it was refused.
type Submission struct {
	op      state.OpID
	Waiting bool
	done    bool
}

// sent binds the dialog to the operation that its intent began.
func (s *Submission) sent(op state.OpID) { s.op, s.Waiting = op, true }

// SubmissionTraits adds those of a dialog that waits for an operation: while it does,
// nothing is typed.
func (s *Submission) SubmissionTraits(t Traits) Traits {
	t.Typing = t.Typing && !s.Waiting
	t.Done, t.Sent = s.done, s.sent
	return t
}

// Refusal follows the operation and reports whether it was refused. One of
// unknown outcome goes on without the dialog: its row and the header show it.
func (s *Submission) Refusal(st *state.Store) (state.Refusal, bool) {
	if !s.Waiting {
		return state.Refusal{}, false
	}
	if op, ok := st.Ops.ByID(s.op); ok && op.Phase == state.Sending {
		return state.Refusal{}, false
	}
	s.Waiting = false
	if r, ok := st.Ops.Refused(s.op); ok {
		return r, true
	}
	s.done = true
	return state.Refusal{}, false
}

// SentOp returns the operation that is waited for when it has confirmed
// figures, and false before it is sent.
func (s *Submission) SentOp(st *state.Store) (state.Op, bool) {
	if !s.Waiting {
		return state.Op{}, false
	}
	op, ok := st.Ops.ByID(s.op)
	return op, ok && op.Expected != (state.Preview{})
}

// Effect draws what an intent will do, and the confirmed figures once it is
// sent: the balances read meanwhile may already include it.
func (s *Submission) Effect(t *theme.Theme, st *state.Store, in kernel.Intent, w int) []string {
	if op, ok := s.SentOp(st); ok {
		return previewLines(t, op.Expected, w)
	}
	return EffectLines(t, st, in, w)
}

// Updated draws the balances read since the figures were confirmed, where they
// differ.
func (s *Submission) Updated(t *theme.Theme, st *state.Store, w int) []string {
	op, ok := s.SentOp(st)
	if !ok {
		return nil
	}
	var parts []string
	if c, known := st.Cards.Get(op.Card); known && c.Balance != op.Expected.CardBefore {
		parts = append(parts, t.Words.Tf("card %s", t.Words.Dollars(c.Balance)))
	}
	if wallet, known := st.Wallets.Balance(); known && wallet.Balance != op.Expected.WalletBefore {
		parts = append(parts, t.Words.Tf("wallet %s", t.Words.Dollars(wallet.Balance)))
	}
	if len(parts) == 0 {
		return nil
	}
	return Paragraph(w, t.Info, t.Words.Tf("updated: %s", strings.Join(parts, ", ")))
}

// statusLine draws the status of a card before and after. While it is sent the
// card may already be read with the new one.
func (s *Submission) statusLine(t *theme.Theme, st *state.Store, id api.CardID, after api.CardStatus, w int) []string {
	c, _ := st.Cards.Get(id)
	before := c.Shown()
	if s.Waiting && before == after {
		before = api.CardFrozen
		if after == api.CardFrozen {
			before = api.CardActive
		}
	}
	return []string{Pair(t, w, Pad(t.Words.T("card"), NameCells),
		widget.Span{Style: t.Text, Text: t.Words.T(string(before))},
		widget.Span{Style: t.Muted, Text: " " + t.Glyphs.Arrow + " "},
		widget.Span{Style: t.Strong, Text: t.Words.T(string(after))})}
}
