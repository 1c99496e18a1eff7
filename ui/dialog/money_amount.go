package dialog

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Transfer says what an amount is typed for.
type Transfer struct {
	// Title, such as "Fund fb/spring/01 ••2039", and Verb, such as "Fund".
	Title, Verb string
	// Card is the card the dialog is bound to.
	Card state.CardID
	// Withdraw says that the money comes from the card.
	Withdraw bool
	// UpTo says that the figure is the balance the card is to have, to begin with.
	UpTo bool
	// Amount is typed already, as by a preset; 0 for none. Why says where it
	// comes from.
	Amount state.USD
	Why    string
	// Presets are amounts that one key each puts into the field, at most as
	// many as presetKeys has.
	Presets []state.USD
	// Again are the keys that opened the dialog; they also press its button.
	Again []string
}

// intent makes the intent of an amount in USD.
func (tr Transfer) intent(u state.USD) state.Intent {
	if tr.Withdraw {
		return state.WithdrawCard{Card: tr.Card, Amount: u}
	}
	return state.FundCard{Card: tr.Card, Amount: u}
}

// presetKeys put the presets into the field: keys that no amount is typed
// with and that do nothing else here. allKey takes all there is.
const (
	presetKeys = "asdfghjkl"
	allKey     = "m"
	upToKey    = "="
)

// Amount asks for the amount of a transfer and shows what it will do as it
// is typed.
type Amount struct {
	errand
	theme *theme.Theme
	store *state.Store
	what  Transfer
	field *widget.Amount
	// upTo says that the figure is the balance the card is to have.
	upTo bool
	// picked says that the amount was put there by a key: the next one that is
	// typed takes its place.
	picked bool
	told   string
}

// NewAmount makes the dialog.
func NewAmount(t *theme.Theme, s *state.Store, what Transfer) *Amount {
	field := newAmount()
	field.SetStyles(inputStyles(t))
	a := &Amount{theme: t, store: s, what: what, field: field, upTo: what.UpTo}
	if what.Amount > 0 {
		a.pick(what.Amount)
	}
	return a
}

// Sync makes the dialog look at the store again.
func (a *Amount) Sync(s *state.Store) {
	a.store = s
	if r, refused := a.look(s); refused {
		a.told = r.Reason
	}
}

// Traits tells what the stack needs to know of the dialog.
func (a *Amount) Traits() Traits {
	return a.traits(Traits{})
}

// Act goes on to the confirmation, or closes the dialog.
func (a *Amount) Act(action keymap.Action) Result {
	switch {
	case action == keymap.Cancel:
		return Result{Close: true}
	case action == keymap.Confirm && !a.waiting:
		return a.review()
	default:
		return Result{}
	}
}

func (a *Amount) review() Result {
	a.told = ""
	amount, ok := a.amount()
	if !ok {
		if a.field.Err() == "" {
			a.field.SetErr("type an amount, such as 50 or 12.50")
		}
		return Result{}
	}
	if amount == 0 && !a.upTo {
		a.field.SetErr("the amount must be more than 0")
		return Result{}
	}
	in := a.what.intent(amount)
	if a.problem(amount) != "" {
		return Result{}
	}
	return Result{Push: NewConfirm(a.theme, a.store, Question{
		Title: a.what.Title, Verb: a.what.Verb + " $" + amount.Grouped(), Intent: in, Again: a.what.Again, Closes: 2,
	}), Intents: []state.Intent{state.Refresh{Card: a.what.Card}}}
}

// Type edits the amount.
func (a *Amount) Type(key, text string) Result {
	if a.waiting {
		return Result{}
	}
	a.told = ""
	switch i := strings.Index(presetKeys, key); {
	case key == upToKey:
		a.upTo = !a.upTo
	case key == allKey && a.what.Withdraw:
		if c, ok := a.store.Cards.Get(a.what.Card); ok {
			a.upTo = false
			a.pick(c.Balance)
		}
	case len(key) == 1 && i >= 0 && i < len(a.what.Presets):
		a.pick(a.what.Presets[i])
	default:
		if a.picked && text != "" {
			a.field.SetValue("")
		}
		a.picked = false
		a.field.Key(key, text)
	}
	return Result{}
}

// pick puts an amount into the field.
func (a *Amount) pick(amount state.USD) {
	a.field.SetValue(amount.String())
	a.picked = true
}

// Paste puts an amount into the field; it is never sent by pasting.
func (a *Amount) Paste(text string) {
	if a.waiting {
		return
	}
	if a.picked {
		a.field.SetValue("")
	}
	a.picked, a.told = false, ""
	a.field.Paste(text)
}

// amount is what would move: the figure, or what is missing to it.
func (a *Amount) amount() (state.USD, bool) {
	figure, ok := usd(a.field)
	if !ok || !a.upTo {
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

// problem tells what is wrong with an amount that was typed.
func (a *Amount) problem(amount state.USD) string {
	if a.upTo && amount <= 0 {
		c, _ := a.store.Cards.Get(a.what.Card)
		return "the card holds $" + c.Balance.Grouped() + " already: nothing to move"
	}
	return a.store.Check(a.what.intent(amount)).Reason
}

// View draws the box.
func (a *Amount) View(w, h int) []string {
	t := a.theme
	w = min(w, 62)
	inner := w - 2
	amount, typed := a.amount()
	problem := a.field.Err()
	if problem == "" && typed {
		problem = a.problem(amount)
	} else if problem == "" {
		problem = a.store.Ask(a.what.intent(0)).Reason
	}
	if a.told != "" {
		problem = a.told
	}
	if a.field.Err() != "" || amount < 0 {
		amount = 0 // What is no amount has no effect to show.
	}
	if op, ok := a.agreed(a.store); ok {
		amount = op.Amount
	}
	effect := a.effect(t, a.store, a.what.intent(amount), inner)
	top := append([]string{a.input(inner, amount)}, effect...)
	top = append(top, frozenLines(t, a.store, a.what.intent(amount), inner)...)
	if a.waiting {
		top = append(top, a.readSince(t, a.store, inner)...)
		return box(t, a.what.Title, append(top, widget.Spans(inner), sendingLine(t, inner)), w)
	}
	foot, hints := complaint(t, inner, problem), keyLines(t, inner, a.hints()...)
	// What there is no room for goes from the last of these.
	free := h - 2 - len(top) - len(foot) - len(hints)
	if why := paragraph(inner, t.Info, a.what.Why); a.what.Why != "" && len(why) <= free {
		top, free = append(why, top...), free-len(why)
	}
	if presets := a.presets(inner); len(presets) <= free {
		foot, free = append(foot, presets...), free-len(presets)
	}
	if free > 0 {
		top = append([]string{widget.Spans(inner)}, top...)
	}
	return box(t, a.what.Title, slices.Concat(top, foot, hints), w)
}

// complaint is what is wrong, in as many lines as it takes; an empty one when
// nothing is.
func complaint(t *theme.Theme, w int, text string) []string {
	var lines []string
	for _, l := range widget.Wrap(text, w-2) {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Error, Text: " " + l}))
	}
	return lines
}

// input is the line that is typed into.
func (a *Amount) input(w int, amount state.USD) string {
	t := a.theme
	name, tail := "amount  $", ""
	if a.upTo {
		name = "up to   $"
		if a.what.Withdraw {
			name = "down to $"
		}
		if amount > 0 {
			tail = " moves $" + amount.Grouped() + " "
		}
	}
	room := max(1, w-13-widget.Width(tail))
	return widget.JoinHorizontal([]string{pair(t, 12, name)}, []string{a.field.View(room, !a.waiting)},
		[]string{widget.Spans(w-12-room, widget.Span{Style: t.Strong, Text: tail})})[0]
}

// presets names the keys that put an amount there.
func (a *Amount) presets(w int) []string {
	t := a.theme
	var spans []widget.Span
	if a.what.Withdraw {
		spans = append(spans, widget.Span{Style: t.Key, Text: " " + allKey}, widget.Span{Style: t.KeyText, Text: " all "})
	}
	for i, p := range a.what.Presets[:min(len(a.what.Presets), len(presetKeys))] {
		more := []widget.Span{{Style: t.Key, Text: " " + presetKeys[i:i+1]}, {Style: t.KeyText, Text: " $" + round(p) + " "}}
		if widget.SpansWidth(spans)+widget.SpansWidth(more) <= w {
			spans = append(spans, more...)
		}
	}
	if len(spans) == 0 {
		return nil
	}
	return []string{widget.Spans(w, spans...)}
}

// round is an amount without needless decimals.
func round(u state.USD) string { return strings.TrimSuffix(u.Grouped(), ".00") }

func (a *Amount) hints() []string {
	other := upToKey + " fill to"
	switch {
	case a.upTo:
		other = upToKey + " amount"
	case a.what.Withdraw:
		other = upToKey + " down to"
	}
	return []string{"enter review", other, "esc back"}
}

// effectLines shows card and wallet before and after, to the cent.
func effectLines(t *theme.Theme, s *state.Store, in state.Intent, w int) []string {
	p, ok := s.Preview(in)
	if !ok {
		return []string{pair(t, w, "card      ", widget.Span{Style: t.Muted, Text: "the wallet is not read yet"}), widget.Spans(w)}
	}
	return previewLines(t, p, w)
}

// frozenLines warns who funds a card that cannot spend it.
func frozenLines(t *theme.Theme, s *state.Store, in state.Intent, w int) []string {
	fund, ok := in.(state.FundCard)
	if c, _ := s.Cards.Get(fund.Card); !ok || c.Status != state.CardFrozen {
		return nil
	}
	return paragraph(w, t.Warn, "frozen: declines until unfrozen")
}

func change(t *theme.Theme, before, after state.USD) []widget.Span {
	style := t.Strong
	if after < 0 {
		style = t.Bad
	}
	return []widget.Span{
		{Style: t.Text, Text: dollars(before)},
		{Style: t.Muted, Text: " " + t.Glyphs.Arrow + " "},
		{Style: style, Text: dollars(after)},
	}
}

// dollars writes an amount in USD with its sign first.
func dollars(u state.USD) string {
	if u < 0 {
		return "-$" + (-u).Grouped()
	}
	return "$" + u.Grouped()
}
