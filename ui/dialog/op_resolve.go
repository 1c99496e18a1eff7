package dialog

import (
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// The buttons; the first changes nothing.
const (
	checkAgain = iota
	itHappened
	itDidNot
	buttonCount
)

// Resolve shows the evidence on an operation of unknown outcome, and lets the
// user decide it.
type Resolve struct {
	inert
	theme  *theme.Theme
	store  *state.Store
	op     state.OpID
	known  state.Evidence
	chosen int
	done   bool
	scroller
}

// NewResolve makes the dialog.
func NewResolve(t *theme.Theme, s *state.Store, op state.OpID) *Resolve {
	r := &Resolve{theme: t, op: op}
	r.Sync(s, state.TopicAll)
	return r
}

// Traits implements Dialog.
func (r *Resolve) Traits() Traits {
	return Traits{Question: true, Done: r.done, Move: r.Move}
}

// Sync makes the dialog read the store again. It closes when there was a
// response, or the operation was resolved.
func (r *Resolve) Sync(s *state.Store, _ state.Topic) {
	r.store = s
	known, ok := s.Ops.Evidence(r.op)
	if !ok {
		r.done = true
		return
	}
	r.known = known
}

// undecided reports whether a response may still come: there is nothing to
// resolve yet.
func (r *Resolve) undecided() bool { return r.known.Op.Phase != state.Unsettled }

// Act moves between the buttons and presses them.
func (r *Resolve) Act(a keymap.Action) Result {
	switch a {
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.Switch:
		if !r.undecided() {
			r.chosen = (r.chosen + 1) % buttonCount
		}
	case keymap.Confirm:
		if r.chosen == checkAgain || r.undecided() {
			return Result{Intents: []state.Intent{state.ReadAgain{Op: r.op}}}
		}
		return Result{Intents: []state.Intent{state.Resolve{Op: r.op, Happened: r.chosen == itHappened}}}
	default:
	}
	return Result{}
}

// View draws the box.
func (r *Resolve) View(w, h int) []string {
	w = min(w, 84)
	inner := w - 2
	k, p := r.known, r.known.Op.Expected
	wallet := r.balance(inner, "wallet", p.WalletBefore, p.WalletAfter, k.Wallet, k.WalletAt, false)
	lines := r.operation(inner)
	switch k.Op.Kind {
	case state.OpIssue:
		lines = append(append(lines, r.newCards(inner)...), wallet...)
	case state.OpSubscribe, state.OpUnsubscribe:
		lines = append(lines, r.webhooks(inner)...)
	default:
		card := r.balance(inner, "card", p.CardBefore, p.CardAfter, k.Card, k.CardAt, k.CardEarlier)
		lines = append(append(append(lines, card...), wallet...), r.since(inner)...)
	}
	lines = append(lines, r.request(inner)...)
	foot := append(r.suggestion(inner), r.foot(inner)...)
	return scrolled(r.theme, "Did it happen?", append(r.part(lines, h-2-len(foot)), foot...), w, r.Scroll)
}

// operation draws the operation in words.
func (r *Resolve) operation(w int) []string {
	op := r.known.Op
	text := op.Kind.String() + " of " + op.Name
	if op.Amount != 0 {
		text += ", $" + op.Amount.Grouped()
	}
	return facts(r.theme, w, "unconfirmed", r.theme.Strong, text)
}

// request draws the request as it was sent.
func (r *Resolve) request(w int) []string {
	t, op := r.theme, r.known.Op
	tries := "1 try"
	if op.Tries != 1 {
		tries = fmt.Sprintf("%d tries", op.Tries)
	}
	when := pane.When(op.At, r.store.Now()) + ", " + widget.AgeCoarse(max(0, r.store.Now().Sub(op.At))) + " ago, " + tries
	lines := facts(t, w, "sent", t.Text, when)
	lines = append(lines, facts(t, w, "", t.Muted, r.known.Method+" "+r.known.Path)...)
	if r.known.Body != "" {
		lines = append(lines, facts(t, w, "", t.Muted, r.known.Body)...)
	}
	return append(lines, facts(t, w, "key", t.Muted, first8(string(op.Key))+"…, the same on every try")...)
}

// first8 is enough of an idempotency key to find it in a log.
func first8(key string) string { return key[:min(8, len(key))] }

// balance draws a balance before, expected and as last read; earlier means
// before the latest try.
func (r *Resolve) balance(w int, name string, before, after, now state.USD, at time.Time, earlier bool) []string {
	t := r.theme
	expected := "before and after are not recorded"
	if r.known.Op.Expected != (state.Preview{}) {
		expected = dollars(before) + " " + t.Glyphs.Arrow + " " + dollars(after) + " if it happened"
		if before == after {
			expected = dollars(before) + " before"
		}
	}
	style, read := t.Warn, "not read since"
	if !at.IsZero() {
		style, read = t.Strong, "now "+dollars(now)+", read "+widget.AgeCoarse(max(0, r.store.Now().Sub(at)))+" ago"
	}
	if earlier {
		style, read = t.Text, read+", before the latest try"
	}
	return append(facts(t, w, name, t.Text, expected), facts(t, w, "", style, read)...)
}

// since lists the card's transactions since the operation began.
func (r *Resolve) since(w int) []string {
	t := r.theme
	if len(r.known.Since) == 0 {
		return []string{fact(t, w, "since then", widget.Span{Style: t.Muted, Text: "no transaction on the card"})}
	}
	var lines []string
	name := "since then"
	for _, tx := range r.known.Since {
		text := pane.When(tx.CreatedAt, r.store.ServerNow()) + " " + string(tx.Type) + " " + tx.Amount.Grouped() + " " + string(tx.Merchant.Name)
		lines = append(lines, fact(t, w, name, widget.Span{Style: t.Text, Text: text}))
		name = ""
	}
	return lines
}

// newCards lists the cards that an issue may have made.
func (r *Resolve) newCards(w int) []string {
	t := r.theme
	if len(r.known.Appeared) == 0 {
		return []string{fact(t, w, "since then", widget.Span{Style: t.Muted, Text: "no card with its label and BIN"})}
	}
	var lines []string
	name := "since then"
	for _, c := range r.known.Appeared {
		text := r.store.Cards.Name(c.ID) + "  $" + c.Balance.Grouped() + "  " + pane.When(c.CreatedAt, r.store.ServerNow())
		lines = append(lines, fact(t, w, name, widget.Span{Style: t.Strong, Text: text}))
		name = ""
	}
	return lines
}

// webhooks lists the webhooks that tell what happened.
func (r *Resolve) webhooks(w int) []string {
	t := r.theme
	switch {
	case r.known.WebhooksAt.IsZero():
		return facts(t, w, "webhooks", t.Warn, "not read since")
	case len(r.known.Webhooks) == 0 && r.known.Op.Kind == state.OpSubscribe:
		return facts(t, w, "webhooks", t.Text, "none registered there since")
	case len(r.known.Webhooks) == 0:
		return facts(t, w, "webhooks", t.Text, "no longer in the list")
	}
	var lines []string
	for _, hook := range r.known.Webhooks {
		lines = append(lines, facts(t, w, "in the list", t.Strong, string(hook.ID)+" "+string(hook.URL))...)
	}
	if r.known.Op.Kind == state.OpSubscribe {
		lines = append(lines, facts(t, w, "", t.Muted, "its secret was in the lost response: delete it and register again")...)
	}
	return lines
}

// suggestion draws what the figures suggest.
func (r *Resolve) suggestion(w int) []string {
	t := r.theme
	style, text := t.Muted, "the figures are inconclusive: compare them"
	switch {
	case r.undecided():
		style, text = t.Warn, "retried with the same key: the response decides"
	case r.known.Suggests == state.SuggestsDone:
		style, text = t.Good, "it probably happened"
	case r.known.Suggests == state.SuggestsNotDone:
		style, text = t.Info, "it probably did not happen"
	}
	return paragraph(w, style, text)
}

func (r *Resolve) foot(w int) []string {
	t := r.theme
	names := [buttonCount]string{"check again", "it happened", "it did not"}
	if w < 42 {
		names = [buttonCount]string{"again", "happened", "did not"}
	}
	spans := []widget.Span{{Text: " "}}
	for i, name := range names {
		if i != checkAgain && r.undecided() {
			continue
		}
		mark, style := " ", t.BadgeMuted
		if i == r.chosen || r.undecided() {
			mark, style = "▸", t.Selection
		}
		spans = append(spans, widget.Span{Style: style, Text: mark + name + " "}, widget.Span{Text: " "})
	}
	hints := []string{"tab switch", "enter press", "esc back"}
	if r.undecided() {
		hints = hints[1:] // There is one button.
	}
	return append([]string{widget.Spans(w, spans...)}, keyLines(t, w, hints...)...)
}

// Leave asks before the program ends while operations have no response.
type Leave struct {
	inert
	theme *theme.Theme
	store *state.Store
	again []string
	gone  bool
	to    *Account // the account to switch to; nil to quit
	scroller
}

// NewLeave makes the dialog; the keys in again, those that opened it, confirm.
// gone: the account ends with the program.
func NewLeave(t *theme.Theme, s *state.Store, again []string, gone bool) *Leave {
	return &Leave{theme: t, store: s, again: again, gone: gone}
}

// Sync makes the dialog read the store again.
func (l *Leave) Sync(s *state.Store, _ state.Topic) { l.store = s }

// Traits implements Dialog.
func (l *Leave) Traits() Traits {
	return Traits{Question: true, Public: true, Move: l.Move}
}

// Act closes the dialog and stays.
func (l *Leave) Act(a keymap.Action) Result {
	return Result{Close: a == keymap.Cancel || a == keymap.Confirm}
}

// Type quits or switches on the key that opened the dialog.
func (l *Leave) Type(key, _ string) Result {
	if !slices.Contains(l.again, key) {
		return Result{}
	}
	return Result{Quit: true, SwitchTo: l.to}
}

// View draws the box.
func (l *Leave) View(w, h int) []string {
	t := l.theme
	w = min(w, 62)
	inner := w - 2
	var lines []string
	for _, text := range slices.Concat(l.pending(), l.rest(), l.running()) {
		lines = append(lines, paragraph(inner, t.Text, text)...)
	}
	title, does := "Quit", " quit"
	if l.to != nil {
		title, does = "Switch to "+l.to.Name, " switch"
	}
	keys := []string{"esc stay", l.again[0] + does}
	if room := h - 3; len(lines) > room {
		keys = append(keys, "↑↓ scroll")
	} else if len(lines)+2 <= room {
		lines = slices.Concat([]string{widget.Spans(inner)}, lines, []string{widget.Spans(inner)})
	}
	foot := keyLines(t, inner, keys...)
	return scrolled(t, title, append(l.part(lines, h-2-len(foot)), foot...), w, l.Scroll)
}

// next names the way back.
func (l *Leave) next() string {
	if l.to != nil {
		return "switching back"
	}
	return "restarting"
}

// pending describes the operations without a response.
func (l *Leave) pending() []string {
	what := "1 operation has no response"
	switch n := l.store.Ops.PendingCount(); {
	case n == 0:
		return nil
	case n > 1:
		what = fmt.Sprintf("%d operations have no response", n)
	}
	if l.gone {
		return []string{what, "they end with the sandbox"}
	}
	return []string{what, l.next() + " within 2 minutes retries with the same key; later, compare balance and transactions"}
}

// running names the user's commands that will be killed.
func (l *Leave) running() []string {
	var lines []string
	for _, name := range l.store.Commands.Running() {
		lines = append(lines, "the command "+name+" is still running and will be killed")
	}
	return lines
}

// rest describes the rows of a plan that are not sent.
func (l *Leave) rest() []string {
	n := l.store.Bulk.Unfinished()
	switch {
	case n == 0:
		return nil
	case l.gone:
		return []string{fmt.Sprintf("%d rows of a bulk plan are not sent and will be lost", n)}
	}
	return []string{fmt.Sprintf("%d rows of a bulk plan are not sent; %s offers to resume", n, l.next())}
}
