package history

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui/dialog"
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
	dialog.Inert
	theme  *theme.Theme
	store  *state.Store
	op     state.OpID
	known  state.Evidence
	chosen int
	done   bool
	dialog.Scroller
}

// NewResolve makes the dialog.
func NewResolve(t *theme.Theme, s *state.Store, op state.OpID) *Resolve {
	r := &Resolve{theme: t, op: op}
	r.Sync(s, kernel.TopicAll)
	return r
}

// Traits implements Dialog.
func (r *Resolve) Traits() dialog.Traits {
	return dialog.Traits{Question: true, Done: r.done, Move: r.Move}
}

// Sync makes the dialog read the store again. It closes when there was a
// response, or the operation was resolved.
func (r *Resolve) Sync(s *state.Store, _ kernel.Topic) {
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
func (r *Resolve) Act(a keymap.Action) dialog.Result {
	switch a {
	case keymap.Cancel:
		return dialog.Result{Close: true}
	case keymap.Switch:
		if !r.undecided() {
			r.chosen = (r.chosen + 1) % buttonCount
		}
	case keymap.Confirm:
		if r.chosen == checkAgain || r.undecided() {
			return dialog.Result{Intents: []kernel.Intent{state.ReadAgain{Op: r.op}}}
		}
		return dialog.Result{Intents: []kernel.Intent{state.Resolve{Op: r.op, Happened: r.chosen == itHappened}}}
	default:
	}
	return dialog.Result{}
}

// View draws the box.
func (r *Resolve) View(w, h int) []string {
	w = min(w, 84)
	inner := w - 2
	k, p := r.known, r.known.Op.Expected
	wallet := r.balance(inner, r.theme.Words.T("wallet"), p.WalletBefore, p.WalletAfter, k.Wallet, k.WalletAt, false)
	lines := r.operation(inner)
	switch k.Op.Kind {
	case state.OpIssue:
		lines = append(append(lines, r.newCards(inner)...), wallet...)
	case state.OpSubscribe, state.OpUnsubscribe:
		lines = append(lines, r.webhooks(inner)...)
	default:
		card := r.balance(inner, r.theme.Words.T("card"), p.CardBefore, p.CardAfter, k.Card, k.CardAt, k.CardEarlier)
		lines = append(append(append(lines, card...), wallet...), r.since(inner)...)
	}
	lines = append(lines, r.request(inner)...)
	foot := append(r.suggestion(inner), answers(r.theme, inner, r.chosen, r.undecided())...)
	return dialog.Scrolled(r.theme, r.theme.Words.T("Did it happen?"), append(r.Part(lines, h-2-len(foot)), foot...), w, r.Scroll)
}

// operation draws the operation in words.
func (r *Resolve) operation(w int) []string {
	op, words := r.known.Op, r.theme.Words
	text := fmt.Sprintf(words.Tc("operation", "%s of %s"), pane.OpName(words, op.Kind.String()), op.Name)
	if op.Amount != 0 {
		text += ", " + words.Dollars(op.Amount)
	}
	return dialog.FactLines(r.theme, w, words.Tc("short", "unconfirmed"), r.theme.Strong, text)
}

// request draws the request as it was sent.
func (r *Resolve) request(w int) []string {
	t, op := r.theme, r.known.Op
	tries := t.Words.Tn(op.Tries, "%d try", "%d tries")
	when := t.Words.Tf("%s, %s ago, %s", pane.When(t.Words, op.At, r.store.Now()), t.Words.AgeCoarse(max(0, r.store.Now().Sub(op.At))), tries)
	lines := dialog.FactLines(t, w, t.Words.T("sent"), t.Text, when)
	lines = append(lines, dialog.FactLines(t, w, "", t.Muted, r.known.Method+" "+r.known.Path)...)
	if r.known.Body != "" {
		lines = append(lines, dialog.FactLines(t, w, "", t.Muted, r.known.Body)...)
	}
	return append(lines, dialog.FactLines(t, w, t.Words.T("key"), t.Muted, t.Words.Tf("%s…, the same on every try", first8(string(op.Key))))...)
}

// first8 is enough of an idempotency key to find it in a log.
func first8(key string) string { return key[:min(8, len(key))] }

// balance draws a balance before, expected and as last read; earlier means
// before the latest try.
func (r *Resolve) balance(w int, name string, before, after, now api.USD, at time.Time, earlier bool) []string {
	t := r.theme
	expected := t.Words.T("before and after are not recorded")
	if r.known.Op.Expected != (state.Preview{}) {
		expected = t.Words.Tf("%s if it happened", t.Words.Dollars(before)+" "+t.Glyphs.Arrow+" "+t.Words.Dollars(after))
		if before == after {
			expected = fmt.Sprintf(t.Words.Tc("balance", "%s before"), t.Words.Dollars(before))
		}
	}
	style, read := t.Warn, t.Words.T("not read since")
	if !at.IsZero() {
		style, read = t.Strong, t.Words.Tf("now %s, read %s ago", t.Words.Dollars(now), t.Words.AgeCoarse(max(0, r.store.Now().Sub(at))))
	}
	if earlier {
		style, read = t.Text, t.Words.Tf("%s, before the latest try", read)
	}
	return append(dialog.FactLines(t, w, name, t.Text, expected), dialog.FactLines(t, w, "", style, read)...)
}

// since lists the card's transactions since the operation began.
func (r *Resolve) since(w int) []string {
	t := r.theme
	if len(r.known.Since) == 0 {
		return []string{dialog.Fact(t, w, t.Words.T("since then"), widget.Span{Style: t.Muted, Text: t.Words.T("no transaction on the card")})}
	}
	var lines []string
	name := t.Words.T("since then")
	for _, tx := range r.known.Since {
		text := pane.When(t.Words, tx.CreatedAt, r.store.ServerNow()) + " " + typeWord(t.Words, string(tx.Type)) + " " + t.Words.Transaction(&tx) + " " + string(tx.Merchant.Name)
		lines = append(lines, dialog.Fact(t, w, name, widget.Span{Style: t.Text, Text: text}))
		name = ""
	}
	return lines
}

// typeWord is the type of a transaction, by the name that the API has of it.
func typeWord(w *lang.Words, name string) string {
	switch name {
	case "authorization":
		return w.Tc("type", "authorization")
	case "settlement":
		return w.Tc("type", "settlement")
	case "refund":
		return w.Tc("type", "refund")
	case "decline":
		return w.Tc("type", "decline")
	}
	return name
}

// newCards lists the cards that an issue may have made.
func (r *Resolve) newCards(w int) []string {
	t := r.theme
	if len(r.known.Appeared) == 0 {
		return []string{dialog.Fact(t, w, t.Words.T("since then"), widget.Span{Style: t.Muted, Text: t.Words.T("no card with its label and BIN")})}
	}
	var lines []string
	name := t.Words.T("since then")
	for _, c := range r.known.Appeared {
		text := r.store.Cards.Name(c.ID) + "  " + t.Words.Dollars(c.Balance) + "  " + pane.When(t.Words, c.CreatedAt, r.store.ServerNow())
		lines = append(lines, dialog.Fact(t, w, name, widget.Span{Style: t.Strong, Text: text}))
		name = ""
	}
	return lines
}

// webhooks lists the webhooks that tell what happened.
func (r *Resolve) webhooks(w int) []string {
	t := r.theme
	switch {
	case r.known.WebhooksAt.IsZero():
		return dialog.FactLines(t, w, t.Words.T("webhooks"), t.Warn, t.Words.T("not read since"))
	case len(r.known.Webhooks) == 0 && r.known.Op.Kind == state.OpSubscribe:
		return dialog.FactLines(t, w, t.Words.T("webhooks"), t.Text, t.Words.T("none registered there since"))
	case len(r.known.Webhooks) == 0:
		return dialog.FactLines(t, w, t.Words.T("webhooks"), t.Text, t.Words.T("no longer in the list"))
	}
	var lines []string
	for _, hook := range r.known.Webhooks {
		lines = append(lines, dialog.FactLines(t, w, t.Words.T("in the list"), t.Strong, string(hook.ID)+" "+string(hook.URL))...)
	}
	if r.known.Op.Kind == state.OpSubscribe {
		lines = append(lines, dialog.FactLines(t, w, "", t.Muted, t.Words.T("its secret was in the lost response: delete it and register again"))...)
	}
	return lines
}

// suggestion draws what the figures suggest.
func (r *Resolve) suggestion(w int) []string {
	t := r.theme
	style, text := t.Muted, t.Words.T("the figures are inconclusive: compare them")
	switch {
	case r.undecided():
		style, text = t.Warn, t.Words.T("retried with the same key: the response decides")
	case r.known.Suggests == state.SuggestsDone:
		style, text = t.Good, t.Words.T("it probably happened")
	case r.known.Suggests == state.SuggestsNotDone:
		style, text = t.Info, t.Words.T("it probably did not happen")
	}
	return dialog.Paragraph(w, style, text)
}

// answers draws the buttons; an undecided operation has one.
func answers(t *theme.Theme, w, chosen int, undecided bool) []string {
	names := [buttonCount]string{t.Words.T("check again"), t.Words.T("it happened"), t.Words.T("it did not")}
	if w < 42 {
		names = [buttonCount]string{t.Words.T("again"), t.Words.T("happened"), t.Words.T("did not")}
	}
	spans := []widget.Span{{Text: " "}}
	for i, name := range names {
		if i != checkAgain && undecided {
			continue
		}
		mark, style := " ", t.BadgeMuted
		if i == chosen || undecided {
			mark, style = "▸", t.Selection
		}
		spans = append(spans, widget.Span{Style: style, Text: mark + name + " "}, widget.Span{Text: " "})
	}
	hints := []string{"tab " + t.Words.T("switch"), "enter " + t.Words.T("press"), "esc " + t.Words.T("back")}
	if undecided {
		hints = hints[1:]
	}
	return append([]string{widget.Spans(w, spans...)}, dialog.KeyLines(t, w, hints...)...)
}

// Settle shows what was read of an operation of the hub that has no outcome, and lets a
// lead say what became of it.
type Settle struct {
	dialog.Inert
	theme  *theme.Theme
	store  *state.Store
	asks   state.SettleOperation
	op     team.Operation
	chosen int
	done   bool
	dialog.Scroller
}

// NewSettle makes the dialog.
func NewSettle(t *theme.Theme, s *state.Store, asks state.SettleOperation) *Settle {
	d := &Settle{theme: t, asks: asks}
	d.Sync(s, kernel.TopicAll)
	return d
}

// Traits implements Dialog.
func (d *Settle) Traits() dialog.Traits {
	return dialog.Traits{Question: true, Done: d.done, Move: d.Move}
}

// Sync makes the dialog read the store again. It closes when the operation has an outcome.
func (d *Settle) Sync(s *state.Store, _ kernel.Topic) {
	d.store = s
	op, ok := s.Team.Operation(d.asks.ID)
	if !ok {
		d.done = true
		return
	}
	d.op = op
}

// undecided reports whether the service may still answer it.
func (d *Settle) undecided() bool { return d.op.State != team.Unsettled }

// Act moves between the buttons and presses them.
func (d *Settle) Act(a keymap.Action) dialog.Result {
	switch a {
	case keymap.Cancel:
		return dialog.Result{Close: true}
	case keymap.Switch:
		if !d.undecided() {
			d.chosen = (d.chosen + 1) % buttonCount
		}
	case keymap.Confirm:
		as := [buttonCount]state.Outcome{checkAgain: state.ReadFirst, itHappened: state.SettledDone, itDidNot: state.SettledNotDone}[d.chosen]
		if d.undecided() {
			as = state.ReadFirst
		}
		return dialog.Result{Intents: []kernel.Intent{state.SettleOperation{ID: d.asks.ID, As: as}}}
	default:
	}
	return dialog.Result{}
}

// View draws the box.
func (d *Settle) View(w, h int) []string {
	w = min(w, 84)
	inner := w - 2
	t, o, now := d.theme, d.op, d.store.ServerNow()
	what := pane.OpName(t.Words, string(o.Operation))
	if o.Amount != 0 {
		what += " " + t.Words.Dollars(o.Amount)
	}
	what += ", "
	lines := dialog.FactLines(t, inner, t.Words.Tc("short", "unconfirmed"), t.Strong, what+d.name(inner-dialog.FactCells(inner)-1-widget.Width(what)))
	lines = append(lines, dialog.FactLines(t, inner, t.Words.T("asked by"), t.Text, t.Words.Tf("%s, %s ago", team.By(t.Words, o.By), t.Words.AgeCoarse(max(0, now.Sub(o.At)))))...)
	style, read := t.Warn, t.Words.T("not read since")
	if o.Balance != nil {
		style, read = t.Strong, t.Words.Tf("now %s", t.Words.Dollars(*o.Balance))
	}
	if o.Card != "" {
		lines = append(lines, dialog.FactLines(t, inner, t.Words.T("card"), style, read)...)
	}
	if o.Before != nil && o.After != nil {
		lines = append(lines, dialog.FactLines(t, inner, "", t.Text, t.Words.Tf("%s if it happened", t.Words.Dollars(*o.Before)+" "+t.Glyphs.Arrow+" "+t.Words.Dollars(*o.After)))...)
	}
	lines = append(lines, dialog.FactLines(t, inner, t.Words.T("key"), t.Muted, string(o.ID))...)
	foot := append(d.said(inner), answers(t, inner, d.chosen, d.undecided())...)
	return dialog.Scrolled(t, t.Words.T("Did it happen?"), append(d.Part(lines, h-2-len(foot)), foot...), w, d.Scroll)
}

func (d *Settle) name(w int) string {
	if d.op.Card == "" {
		return string(d.op.Label)
	}
	return pane.Name(d.store, d.op.Card, max(8, w))
}

// said draws what the figures suggest, or why the hub did not take the user's word.
func (d *Settle) said(w int) []string {
	t := d.theme
	decision, _ := d.store.Team.Decision(string(d.asks.ID))
	style, text := t.Muted, t.Words.T("the figures are inconclusive: compare them")
	switch {
	case decision.Sending:
		style, text = t.Info, t.Words.T("asking the hub…")
	case decision.Why != "":
		style, text = t.Bad, decision.Why
	case d.undecided():
		style, text = t.Warn, t.Words.T("the hub asks for it again, with the same key: the response decides")
	case string(d.op.Suggests) == string(state.SettledDone):
		style, text = t.Good, t.Words.T("it probably happened")
	case string(d.op.Suggests) == string(state.SettledNotDone):
		style, text = t.Info, t.Words.T("it probably did not happen")
	}
	return dialog.Paragraph(w, style, text)
}
