package cards

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Transfer is what an amount is typed for.
type Transfer struct {
	// Title, such as "Fund fb/spring/01 ••2039", and Verb, such as "Fund".
	Title, Verb string
	// Card is the card the dialog is bound to.
	Card api.CardID
	// Withdraw: the money comes from the card.
	Withdraw bool
	// TopUp: at first the figure is the balance that the card is to have.
	TopUp bool
	// Amount is filled in already; 0 for none. Why is where it comes from.
	Amount api.USD
	Why    string
	// Presets are amounts with a key each, at most as many as presetKeys has.
	Presets []api.USD
	// Again are the keys that opened the dialog; they also press its button.
	Again []string
}

// intent returns the transfer of an amount.
func (tr Transfer) intent(u api.USD) kernel.Intent {
	if tr.Withdraw {
		return state.Withdraw(tr.Card, u)
	}
	return state.Fund(tr.Card, u)
}

// presetKeys fill in the presets; no amount is typed with them. allKey fills in
// the card's balance, topUpKey switches between amount and balance.
const (
	presetKeys = "asdfghjkl"
	allKey     = "m"
	TopUpKey   = "="
)

// Amount asks for the amount of a transfer and shows its effect while it is
// typed.
type Amount struct {
	dialog.Submission
	theme *theme.Theme
	store *state.Store
	check dialog.Check
	what  Transfer
	field *widget.Amount
	// topUp: the figure is the balance that the card is to have.
	topUp bool
	// filled: a key filled the amount in, and the next digit replaces it.
	filled bool
	// amount is what would move, typed whether there is one, and problem what is
	// wrong with it. They are out of date until the next validate.
	amount   api.USD
	typed    bool
	problem  string
	outdated bool
	told     string // why it was refused
}

// NewAmount makes the dialog.
func NewAmount(t *theme.Theme, s *state.Store, what Transfer) *Amount {
	field := dialog.NewAmountEntry()
	field.SetStyles(dialog.InputStyles(t))
	a := &Amount{theme: t, store: s, check: s.Check, what: what, field: field, topUp: what.TopUp, outdated: true}
	if what.Amount > 0 {
		a.fill(what.Amount)
	}
	return a
}

// Traits implements Dialog.
func (a *Amount) Traits() dialog.Traits {
	return a.SubmissionTraits(dialog.Traits{})
}

// Sync makes the dialog read the store again.
func (a *Amount) Sync(s *state.Store, changed kernel.Topic) {
	a.store = s
	if r, refused := a.Refusal(s); refused {
		a.told = r.Reason
	}
	a.outdated = a.outdated || changed&^dialog.Unrelated != 0 || a.problem != ""
}

// validate computes what would move and what is wrong with it, if something
// changed since.
func (a *Amount) validate() {
	if !a.outdated || a.Waiting {
		return
	}
	a.outdated = false
	a.amount, a.typed = a.toMove()
	switch {
	case a.field.Err() != "":
		a.problem = a.field.Err()
	case !a.typed:
		a.problem = a.store.Ask(a.what.intent(0)).Reason
	case a.topUp && a.amount <= 0:
		c, _ := a.store.Cards.Get(a.what.Card)
		a.problem = a.theme.Words.Tf("the card already holds %s", a.theme.Words.Dollars(c.Balance))
	default:
		a.problem = a.check(a.what.intent(a.amount)).Reason
	}
}

// toMove returns the amount, or what is missing to the balance.
func (a *Amount) toMove() (api.USD, bool) {
	figure, ok := dialog.USDOf(a.field)
	if !ok || !a.topUp {
		return figure, ok
	}
	c, known := a.store.Cards.Get(a.what.Card)
	if !known {
		return 0, false
	}
	if a.what.Withdraw {
		return c.Balance - figure, true
	}
	return figure - c.Balance, true
}

// Act opens the confirmation, or closes the dialog.
func (a *Amount) Act(action keymap.Action) dialog.Result {
	switch {
	case action == keymap.Cancel:
		return dialog.Result{Close: true}
	case action == keymap.Confirm && !a.Waiting:
		return a.review()
	default:
		return dialog.Result{}
	}
}

func (a *Amount) review() dialog.Result {
	a.told = ""
	a.validate()
	switch {
	case a.field.Err() != "":
		return dialog.Result{}
	case !a.typed:
		a.field.SetErr(a.theme.Words.T("enter an amount, such as 50 or 12.50"))
	case a.amount == 0 && !a.topUp:
		a.field.SetErr(a.theme.Words.T("the amount must be more than 0"))
	}
	if a.field.Err() != "" {
		a.problem = a.field.Err()
	}
	if a.problem != "" {
		return dialog.Result{}
	}
	return dialog.Result{Push: dialog.NewConfirmBy(a.theme, a.store, a.check, dialog.Question{
		Title: a.what.Title, Verb: a.what.Verb + " " + a.theme.Words.Dollars(a.amount), Intent: a.what.intent(a.amount), Again: a.what.Again, Closes: 2,
	}), Intents: []kernel.Intent{state.Refresh{Card: a.what.Card}}}
}

// Type edits the amount.
func (a *Amount) Type(key, text string) dialog.Result {
	if a.Waiting {
		return dialog.Result{}
	}
	a.told = ""
	switch i := strings.Index(presetKeys, key); {
	case key == TopUpKey:
		a.topUp = !a.topUp
	case key == allKey && a.what.Withdraw:
		if c, ok := a.store.Cards.Get(a.what.Card); ok {
			a.topUp = false
			a.fill(c.Balance)
		}
	case len(key) == 1 && i >= 0 && i < len(a.what.Presets):
		a.fill(a.what.Presets[i])
	default:
		if a.filled && text != "" {
			a.field.SetValue("")
		}
		a.filled = false
		a.field.Key(key, text)
	}
	a.outdated = true
	return dialog.Result{}
}

// fill fills an amount in.
func (a *Amount) fill(amount api.USD) {
	a.field.SetValue(amount.String())
	a.filled = true
}

// Paste inserts an amount; pasting never sends it.
func (a *Amount) Paste(text string) {
	if a.Waiting {
		return
	}
	if a.filled {
		a.field.SetValue("")
	}
	a.filled, a.told = false, ""
	a.field.Paste(text)
	a.outdated = true
}

// View draws the box.
func (a *Amount) View(w, h int) []string {
	t := a.theme
	w = min(w, 62)
	inner := w - 2
	a.validate()
	problem, amount := a.problem, a.amount
	if a.told != "" {
		problem = a.told
	}
	if a.field.Err() != "" || amount < 0 {
		amount = 0 // It has no effect to show.
	}
	if op, ok := a.SentOp(a.store); ok {
		amount = op.Amount
	}
	effect := a.Effect(t, a.store, a.what.intent(amount), inner)
	top := append([]string{a.input(inner, amount)}, effect...)
	top = append(top, dialog.FrozenLines(t, a.store, a.what.intent(amount), inner)...)
	if a.Waiting {
		top = append(top, a.Updated(t, a.store, inner)...)
		return dialog.Box(t, a.what.Title, append(top, widget.Spans(inner), dialog.SendingLine(t, inner)), w)
	}
	foot, hints := dialog.ErrorLines(t, inner, problem), dialog.KeyLines(t, inner, a.hints()...)
	// Where room is short, the last of these are left out first.
	free := h - 2 - len(top) - len(foot) - len(hints)
	if why := dialog.Paragraph(inner, t.Info, a.what.Why); a.what.Why != "" && len(why) <= free {
		top, free = append(why, top...), free-len(why)
	}
	if presets := a.presets(inner); len(presets) <= free {
		foot, free = append(foot, presets...), free-len(presets)
	}
	if free > 0 {
		top = append([]string{widget.Spans(inner)}, top...)
	}
	return dialog.Box(t, a.what.Title, slices.Concat(top, foot, hints), w)
}

// input draws the line that is typed into.
func (a *Amount) input(w int, amount api.USD) string {
	t := a.theme
	name, tail := t.Words.T("amount  $"), ""
	if a.topUp {
		name = t.Words.T("up to   $")
		if a.what.Withdraw {
			name = t.Words.T("down to $")
		}
		if amount > 0 {
			tail = " " + t.Words.Tf("moves %s", t.Words.Dollars(amount)) + " "
		}
	}
	room := max(1, w-13-widget.Width(tail))
	return widget.JoinHorizontal([]string{dialog.Pair(t, 12, name)}, []string{a.field.View(room, !a.Waiting)},
		[]string{widget.Spans(w-12-room, widget.Span{Style: t.Strong, Text: tail})})[0]
}

// presets names the keys that fill an amount in.
func (a *Amount) presets(w int) []string {
	t := a.theme
	var spans []widget.Span
	if a.what.Withdraw {
		spans = append(spans, widget.Span{Style: t.Key, Text: " " + allKey}, widget.Span{Style: t.KeyText, Text: " " + t.Words.T("all") + " "})
	}
	for i, p := range a.what.Presets[:min(len(a.what.Presets), len(presetKeys))] {
		more := []widget.Span{{Style: t.Key, Text: " " + presetKeys[i:i+1]}, {Style: t.KeyText, Text: " " + dialog.WholeDollars(t.Words, p) + " "}}
		if widget.SpansWidth(spans)+widget.SpansWidth(more) <= w {
			spans = append(spans, more...)
		}
	}
	if len(spans) == 0 {
		return nil
	}
	return []string{widget.Spans(w, spans...)}
}

func (a *Amount) hints() []string {
	other := TopUpKey + " " + a.theme.Words.T("top up")
	switch {
	case a.topUp:
		other = TopUpKey + " " + a.theme.Words.T("amount")
	case a.what.Withdraw:
		other = TopUpKey + " " + a.theme.Words.T("down to")
	}
	return []string{"enter " + a.theme.Words.T("review"), other, "esc " + a.theme.Words.T("back")}
}

// Cart asks what is to be paid with an armed card, and says what stands in the way.
type Cart struct {
	theme *theme.Theme
	store *state.Store
	card  api.CardID
	field *widget.Amount
	// fund is the key that funds what is short, again the one that armed the card: it
	// disarms it.
	fund, again string
	done        bool
}

// NewCart makes the dialog of a card that is armed.
func NewCart(t *theme.Theme, s *state.Store, card api.CardID, fund, again string) *Cart {
	c := &Cart{theme: t, store: s, card: card, field: dialog.NewAmountEntry(), fund: fund, again: again}
	c.field.SetStyles(dialog.InputStyles(t))
	return c
}

// Sync makes the dialog read the store again. It is done when the code has come, or the
// card is not armed any more.
func (c *Cart) Sync(s *state.Store, _ kernel.Topic) {
	c.store, c.done = s, s.Codes.Checkout().Card != c.card
}

// Traits implements Dialog.
func (c *Cart) Traits() dialog.Traits { return dialog.Traits{Commits: true, Done: c.done} }

// amount is what was typed, USD; 0 for nothing.
func (c *Cart) amount() api.USD {
	amount, _ := dialog.USDOf(c.field)
	return amount
}

// Act takes the amount, or goes on without one.
func (c *Cart) Act(a keymap.Action) dialog.Result {
	switch {
	case a == keymap.Cancel:
		return dialog.Result{Close: true}
	case a == keymap.Confirm && c.field.Err() == "":
		return dialog.Result{Close: true, Intents: c.set()}
	}
	return dialog.Result{}
}

func (c *Cart) set() []kernel.Intent {
	return []kernel.Intent{codes.SetCart{Card: c.card, Amount: c.amount()}}
}

// Type edits the amount, disarms the card, or funds what it is short of.
func (c *Cart) Type(key, text string) dialog.Result {
	cart := c.store.Codes.Cart(c.card, c.amount())
	switch {
	case key == c.again && c.again != "":
		return dialog.Result{Close: true, Intents: []kernel.Intent{codes.Arm{Card: c.card}}}
	case key == c.fund && cart.ToFund() > 0 && c.field.Err() == "":
		return dialog.Result{Close: true, Intents: c.set(), Ask: state.Fund(c.card, cart.ToFund())}
	}
	c.field.Key(key, text)
	return dialog.Result{}
}

// Paste inserts an amount.
func (c *Cart) Paste(text string) { c.field.Paste(text) }

// View draws the box.
func (c *Cart) View(w, _ int) []string {
	t := c.theme
	w = min(w, 62)
	inner := w - 2
	room := max(1, inner-13)
	lines := []string{widget.JoinHorizontal([]string{dialog.Pair(t, 12, t.Words.T("cart    $"))}, []string{c.field.View(room, true)}, []string{widget.Spans(inner - 12 - room)})[0]}
	cart := c.store.Codes.Cart(c.card, c.amount())
	problems, hints := cart.Problems(t.Words), []string{"enter " + t.Words.T("skip"), "esc " + t.Words.T("back")}
	if cart.Amount > 0 {
		hints[0] = "enter " + t.Words.T("done")
	}
	switch {
	case c.field.Err() != "":
		lines = append(lines, dialog.ErrorLines(t, inner, c.field.Err())...)
	case len(problems) > 0:
		for _, p := range problems {
			lines = append(lines, dialog.Paragraph(inner, t.Warn, t.Words.T(p))...)
		}
	case cart.Amount > 0:
		lines = append(lines, dialog.Paragraph(inner, t.Good, t.Words.Tf("covered: %s", cart.Words(t.Words)))...)
	}
	if fund := cart.ToFund(); fund > 0 {
		hints = append([]string{c.fund + " " + t.Words.Tf("fund %s", t.Words.Dollars(fund))}, hints...)
	}
	if c.again != "" {
		hints = append(hints, c.again+" "+t.Words.T("disarm"))
	}
	return dialog.Box(t, t.Words.Tf("Armed: %s", c.store.Cards.Name(c.card)), append(lines, dialog.KeyLines(t, inner, hints...)...), w)
}
