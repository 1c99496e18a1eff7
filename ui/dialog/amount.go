package dialog

import (
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
	// Intent makes the intent of an amount in USD.
	Intent func(state.USD) state.Intent
	// Again are the keys that opened the dialog; they also press its button.
	Again []string
}

// Amount asks for the amount of a transfer and shows what it will do as it
// is typed.
type Amount struct {
	theme *theme.Theme
	store *state.Store
	what  Transfer
	field *widget.Amount
}

// NewAmount makes the dialog.
func NewAmount(t *theme.Theme, s *state.Store, what Transfer) *Amount {
	field := widget.NewAmount(widget.InputStyles{Text: t.Input, Placeholder: t.Placeholder, Cursor: t.Cursor, Error: t.Error})
	return &Amount{theme: t, store: s, what: what, field: field}
}

// Sync makes the dialog look at the store again.
func (a *Amount) Sync(s *state.Store) { a.store = s }

// Act goes on to the confirmation, or closes the dialog.
func (a *Amount) Act(action keymap.Action) Result {
	switch action {
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.Confirm:
		amount, ok := a.amount()
		if !ok {
			if a.field.Err() == "" {
				a.field.SetErr("type an amount, such as 50 or 12.50")
			}
			return Result{}
		}
		if amount == 0 {
			a.field.SetErr("the amount must be more than 0")
			return Result{}
		}
		in := a.what.Intent(amount)
		if v := a.store.Check(in); v.Reason != "" {
			a.field.SetErr(v.Reason)
			return Result{}
		}
		return Result{Push: NewConfirm(a.theme, a.store, Question{
			Title: a.what.Title, Verb: a.what.Verb + " $" + amount.Grouped(), Intent: in, Again: a.what.Again, Closes: 2,
		})}
	default:
		return Result{}
	}
}

// Type edits the amount.
func (a *Amount) Type(key, text string) Result {
	a.field.Key(key, text)
	return Result{}
}

// Question is false: nothing is answered here.
func (*Amount) Question() bool { return false }

// Paste puts an amount into the field; it is never sent by pasting.
func (a *Amount) Paste(text string) { a.field.Paste(text) }

func (a *Amount) amount() (state.USD, bool) {
	cents, ok := a.field.Cents()
	return state.USD(cents) * state.Cent, ok
}

// View draws the box.
func (a *Amount) View(w, _ int) []string {
	t := a.theme
	w = min(w, 58)
	inner := w - 2
	amount, typed := a.amount()
	lines := []string{
		widget.Spans(inner),
		widget.JoinHorizontal(
			[]string{pair(t, 12, "amount  $")},
			[]string{a.field.View(max(1, inner-13), true)}, []string{" "})[0],
	}
	if a.field.Err() != "" {
		amount = 0 // What is no amount has no effect to show.
	}
	lines = append(lines, effectLines(t, a.store, a.what.Intent(amount), inner)...)
	problem := a.field.Err()
	if problem == "" && typed {
		problem = a.store.Check(a.what.Intent(amount)).Reason
	}
	lines = append(lines,
		widget.Spans(inner, widget.Span{Style: t.Error, Text: " " + problem}),
		widget.Spans(inner, widget.Span{Style: t.Key, Text: " enter"}, widget.Span{Style: t.KeyText, Text: " review  "},
			widget.Span{Style: t.Key, Text: "esc"}, widget.Span{Style: t.KeyText, Text: " cancel"}))
	return box(t, a.what.Title, lines, w)
}

// effectLines shows card and wallet before and after, to the cent.
func effectLines(t *theme.Theme, s *state.Store, in state.Intent, w int) []string {
	p, ok := s.Preview(in)
	if !ok {
		return []string{pair(t, w, "card      ", widget.Span{Style: t.Muted, Text: "the wallet is not read yet"}), widget.Spans(w)}
	}
	return []string{
		pair(t, w, "card      ", change(t, p.CardBefore, p.CardAfter)...),
		pair(t, w, "wallet    ", change(t, p.WalletBefore, p.WalletAfter)...),
	}
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
