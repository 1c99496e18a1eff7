package dialog

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// The choices there are; the first changes nothing.
const (
	lookAgain = iota
	itHappened
	itDidNot
	choices
)

// Evidence shows what tells whether a write of unknown outcome acted, and
// lets a person say what became of it.
type Evidence struct {
	inert
	theme  *theme.Theme
	store  *state.Store
	op     state.OpID
	known  state.Evidence
	chosen int
	over   bool
	scroller
}

// NewEvidence makes the dialog.
func NewEvidence(t *theme.Theme, s *state.Store, op state.OpID) *Evidence {
	e := &Evidence{theme: t, op: op}
	e.Sync(s)
	return e
}

// Sync makes the dialog look at the store again. It closes when the operation
// was answered, or judged.
func (e *Evidence) Sync(s *state.Store) {
	e.store = s
	known, ok := s.Ops.Evidence(e.op)
	if !ok {
		e.over = true
		return
	}
	e.known = known
}

// undecided tells that the answer may still come: nothing is to be judged.
func (e *Evidence) undecided() bool { return e.known.Op.Phase != state.Unsettled }

// Traits tells what the stack needs to know of the dialog.
func (e *Evidence) Traits() Traits {
	return Traits{Question: true, Done: e.over, Move: e.Move}
}

// Act moves between the choices and takes one.
func (e *Evidence) Act(a keymap.Action) Result {
	switch a {
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.Switch:
		if !e.undecided() {
			e.chosen = (e.chosen + 1) % choices
		}
	case keymap.Confirm:
		if e.chosen == lookAgain || e.undecided() {
			return Result{Intents: []state.Intent{state.LookAgain{Op: e.op}}}
		}
		return Result{Intents: []state.Intent{state.Judge{Op: e.op, Happened: e.chosen == itHappened}}}
	default:
	}
	return Result{}
}

// View draws the box.
func (e *Evidence) View(w, h int) []string {
	w = min(w, 84)
	inner := w - 2
	k, p := e.known, e.known.Op.Expected
	wallet := e.balance(inner, "wallet", p.WalletBefore, p.WalletAfter, k.Wallet, k.WalletAt, false)
	lines := e.what(inner)
	switch k.Op.Kind {
	case state.OpIssue:
		lines = append(append(lines, e.appeared(inner)...), wallet...)
	case state.OpSubscribe, state.OpUnsubscribe:
		lines = append(lines, e.webhooks(inner)...)
	default:
		card := e.balance(inner, "card", p.CardBefore, p.CardAfter, k.Card, k.CardAt, k.CardEarlier)
		lines = append(append(append(lines, card...), wallet...), e.since(inner)...)
	}
	lines = append(lines, e.sent(inner)...)
	foot := append(e.verdict(inner), e.foot(inner)...)
	return scrolled(e.theme, "Did it happen?", append(e.part(lines, h-2-len(foot)), foot...), w, e.Scroll)
}

// what is the operation in words.
func (e *Evidence) what(w int) []string {
	op := e.known.Op
	text := op.Kind.String() + " of " + op.Name
	if op.Amount != 0 {
		text += ", $" + op.Amount.Grouped()
	}
	return facts(e.theme, w, "unconfirmed", e.theme.Strong, text)
}

// sent is the request as it went.
func (e *Evidence) sent(w int) []string {
	t, op := e.theme, e.known.Op
	tries := "1 try"
	if op.Tries != 1 {
		tries = fmt.Sprintf("%d tries", op.Tries)
	}
	when := pane.When(op.At, e.store.Now()) + ", " + widget.AgeCoarse(max(0, e.store.Now().Sub(op.At))) + " ago, " + tries
	lines := facts(t, w, "sent", t.Text, when)
	lines = append(lines, facts(t, w, "", t.Muted, e.known.Method+" "+e.known.Path)...)
	if e.known.Body != "" {
		lines = append(lines, facts(t, w, "", t.Muted, e.known.Body)...)
	}
	return append(lines, facts(t, w, "key", t.Muted, first8(string(op.Key))+"…, the same with every try")...)
}

// first8 is enough of an idempotency key to find it in a log.
func first8(key string) string { return key[:min(8, len(key))] }

// balance shows a balance before, expected and as it was read, which may be
// earlier than the latest try.
func (e *Evidence) balance(w int, name string, before, after, now state.USD, at time.Time, earlier bool) []string {
	t := e.theme
	planned := "before and after are not recorded"
	if e.known.Op.Expected != (state.Preview{}) {
		planned = dollars(before) + " " + t.Glyphs.Arrow + " " + dollars(after) + " if it happened"
		if before == after {
			planned = dollars(before) + " before"
		}
	}
	style, told := t.Warn, "not read since"
	if !at.IsZero() {
		style, told = t.Strong, "now "+dollars(now)+", read "+widget.AgeCoarse(max(0, e.store.Now().Sub(at)))+" ago"
	}
	if earlier {
		style, told = t.Text, told+", before the latest try"
	}
	return append(facts(t, w, name, t.Text, planned), facts(t, w, "", style, told)...)
}

// since lists the card's transactions since the operation began.
func (e *Evidence) since(w int) []string {
	t := e.theme
	if len(e.known.Since) == 0 {
		return []string{fact(t, w, "since then", widget.Span{Style: t.Muted, Text: "no transaction on the card"})}
	}
	var lines []string
	name := "since then"
	for _, tx := range e.known.Since {
		text := pane.When(tx.CreatedAt, e.store.ServerNow()) + " " + string(tx.Type) + " " + tx.Amount.Grouped() + " " + string(tx.Merchant.Name)
		lines = append(lines, fact(t, w, name, widget.Span{Style: t.Text, Text: text}))
		name = ""
	}
	return lines
}

// appeared lists the cards that an issue may have made.
func (e *Evidence) appeared(w int) []string {
	t := e.theme
	if len(e.known.Appeared) == 0 {
		return []string{fact(t, w, "since then", widget.Span{Style: t.Muted, Text: "no card with its label and BIN"})}
	}
	var lines []string
	name := "since then"
	for _, c := range e.known.Appeared {
		text := e.store.Cards.Name(c.ID) + "  $" + c.Balance.Grouped() + "  " + pane.When(c.CreatedAt, e.store.ServerNow())
		lines = append(lines, fact(t, w, name, widget.Span{Style: t.Strong, Text: text}))
		name = ""
	}
	return lines
}

// webhooks lists what the list of webhooks tells of it.
func (e *Evidence) webhooks(w int) []string {
	t := e.theme
	switch {
	case e.known.WebhooksAt.IsZero():
		return facts(t, w, "webhooks", t.Warn, "not read since")
	case len(e.known.Webhooks) == 0 && e.known.Op.Kind == state.OpSubscribe:
		return facts(t, w, "webhooks", t.Text, "none registered there since")
	case len(e.known.Webhooks) == 0:
		return facts(t, w, "webhooks", t.Text, "it is not in the list any more")
	}
	var lines []string
	for _, hook := range e.known.Webhooks {
		lines = append(lines, facts(t, w, "in the list", t.Strong, string(hook.ID)+" "+string(hook.URL))...)
	}
	if e.known.Op.Kind == state.OpSubscribe {
		lines = append(lines, facts(t, w, "", t.Muted, "its secret was in the answer that was lost: delete it and register again")...)
	}
	return lines
}

// verdict is what the figures speak for.
func (e *Evidence) verdict(w int) []string {
	t := e.theme
	style, text := t.Muted, "the figures do not tell: compare them"
	switch {
	case e.undecided():
		style, text = t.Warn, "asked for again with the same key: the answer decides"
	case e.known.Suggests == state.SuggestsDone:
		style, text = t.Good, "it looks like it happened"
	case e.known.Suggests == state.SuggestsNotDone:
		style, text = t.Info, "it looks like it did not happen"
	}
	return paragraph(w, style, text)
}

func (e *Evidence) foot(w int) []string {
	t := e.theme
	names := [choices]string{"look again", "it happened", "it did not"}
	if w < 42 {
		names = [choices]string{"again", "happened", "did not"}
	}
	spans := []widget.Span{{Text: " "}}
	for i, name := range names {
		if i != lookAgain && e.undecided() {
			continue
		}
		mark, style := " ", t.BadgeMuted
		if i == e.chosen || e.undecided() {
			mark, style = "▸", t.Selection
		}
		spans = append(spans, widget.Span{Style: style, Text: mark + name + " "}, widget.Span{Text: " "})
	}
	hints := []string{"tab choose", "enter press", "esc back"}
	if e.undecided() {
		hints = hints[1:] // There is one button.
	}
	return append([]string{widget.Spans(w, spans...)}, keyLines(t, w, hints...)...)
}
