package cards

import (
	"maps"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// The fields of the form in their order, above the metadata.
const (
	editLabel = iota
	editLimit
	editCategories
	editFreeze
	editFixed
)

// Edit is the form of a card's settings. Only what is changed in it is sent.
type Edit struct {
	dialog.Submission
	theme *theme.Theme
	store *state.Store
	card  api.CardID
	known state.Known
	form  *dialog.Form
	// blocked is why the card cannot be changed now.
	blocked string
	// proposed is a limit that was typed for the user, USD; 0 for none.
	proposed api.USD
}

// NewEdit makes the form.
func NewEdit(t *theme.Theme, s *state.Store, card api.CardID) *Edit {
	e, w := &Edit{theme: t, card: card}, t.Words
	e.form = dialog.NewForm(t,
		&dialog.Field{Name: cardcsv.Label, Label: w.T("label"), Hint: w.T("up to 64 characters"), Entry: dialog.NewText()},
		&dialog.Field{Name: cardcsv.Limit, Label: w.T("limit $/month"), Hint: w.T("empty: unchanged"), Entry: dialog.NewAmountEntry()},
		&dialog.Field{Name: cardcsv.Categories, Label: w.T("categories"), Hint: w.T("MCCs of four digits or words, comma-separated; *: all"), Entry: dialog.NewText()},
		&dialog.Field{Name: cardcsv.AutoFreeze, Label: w.T("auto-freeze $"), Hint: w.T("freezes when the balance falls below; 0: never"), Entry: dialog.NewAmountEntry()},
		dialog.NewPair(t, ""),
	)
	e.Sync(s, kernel.TopicAll)
	return e
}

// At begins with a field; empty for the first.
func (e *Edit) At(name string) *Edit {
	e.form.At = max(0, slices.IndexFunc(e.form.Fields, func(fd *dialog.Field) bool { return fd.Name == name }))
	return e
}

// With types a limit and categories that are proposed into the form.
func (e *Edit) With(c api.UpdateCardRequest) *Edit {
	put := func(at int, value string) {
		fd := e.form.Fields[at]
		fd.Fill(value)
		fd.Touched = true
	}
	if c.SpendingLimit != nil {
		put(editLimit, c.SpendingLimit.String())
		e.proposed = *c.SpendingLimit
	}
	if c.AllowedCategories != nil {
		put(editCategories, strings.Join(*c.AllowedCategories, ", "))
	}
	e.validate()
	return e
}

// Sync makes the form read the store again. Untouched fields follow what is
// known of the card.
func (e *Edit) Sync(s *state.Store, _ kernel.Topic) {
	e.store = s
	if r, refused := e.Refusal(s); refused {
		e.form.Refused(r.Field, r.Reason)
	}
	e.known, e.blocked = s.Info.Settings(e.card), s.Ask(state.Write{Kind: state.OpUpdate, Card: e.card}).Reason
	e.seed()
	e.validate()
}

// seed fills the untouched fields with what is known.
func (e *Edit) seed() {
	put := func(at int, value, placeholder string) {
		fd := e.form.Fields[at]
		fd.Entry.SetPlaceholder(placeholder)
		if !fd.Touched && fd.Entry.Value() != value {
			fd.Fill(value)
		}
	}
	k, w := e.known, e.theme.Words
	gone := k.Limit == nil && e.store.Limits.LimitRead(e.card) || k.Limit != nil && *k.Limit >= e.proposed
	if e.proposed > 0 && gone && e.form.Fields[editLimit].Entry.Value() == e.proposed.String() {
		e.form.Fields[editLimit].Touched = false // It was raised since, or taken away.
	}
	put(editLabel, string(k.Label), w.T("none"))
	limit, limitOr := amountText(k.Limit, e.unknown())
	if k.Limit != nil {
		limitOr = w.Tf("unchanged: %s", w.Dollars(*k.Limit))
	}
	put(editLimit, limit, limitOr)
	categories, or := "", e.unknown()
	if k.Categories != nil {
		categories, or = strings.Join(plain(*k.Categories), ", "), w.T("all")
	}
	put(editCategories, categories, or)
	freeze, freezeOr := amountText(k.AutoFreeze, e.unknown())
	if k.AutoFreeze != nil && *k.AutoFreeze == 0 {
		freeze, freezeOr = "", w.T("never")
	}
	put(editFreeze, freeze, freezeOr)
	e.seedMetadata()
}

// unknown is the placeholder of a value that the API does not report.
func (e *Edit) unknown() string { return e.theme.Words.T("unchanged: not reported by the API") }

// seedMetadata lists the metadata of the card once it is known.
func (e *Edit) seedMetadata() {
	rows := e.form.Fields[editFixed:]
	if e.known.Metadata == nil {
		rows[0].Entry.SetPlaceholder(e.unknown())
		return
	}
	rows[0].Entry.SetPlaceholder("")
	if slices.ContainsFunc(rows, func(fd *dialog.Field) bool { return fd.Touched }) {
		return
	}
	lines := make([]string, 0, len(e.known.Metadata))
	for k, v := range e.known.Metadata {
		lines = append(lines, string(k)+"="+string(v))
	}
	slices.Sort(lines)
	e.form.Fields = e.form.Fields[:editFixed]
	for _, l := range append(lines, "") {
		row := dialog.NewPair(e.theme, l)
		row.Hint = e.theme.Words.T("key=value; adds and changes keys, removes none")
		e.form.Fields = append(e.form.Fields, row)
	}
	e.form.At = min(e.form.At, len(e.form.Fields)-1)
}

// amountText is an amount as typed, or the placeholder of an unknown one.
func amountText(u *api.USD, unknown string) (value, placeholder string) {
	if u == nil {
		return "", unknown
	}
	return u.String(), ""
}

func plain(texts []api.Text) []string {
	out := make([]string, 0, len(texts))
	for _, t := range texts {
		out = append(out, string(t))
	}
	return out
}

// intent returns the change as typed so far: only what differs.
func (e *Edit) intent() state.Write {
	f, k := e.form, e.known
	f.ClearProblems()
	var c api.UpdateCardRequest
	if label := f.Fields[editLabel].Entry.Value(); label != string(k.Label) {
		c.Label = &label
	}
	if limit := dialog.OptionalUSD(f.Fields[editLimit].Entry); limit != nil && (k.Limit == nil || *k.Limit != *limit) {
		c.SpendingLimit = limit
	}
	c.AllowedCategories = e.categories(f.Fields[editCategories].Entry.Value())
	c.AutoFreezeAt = e.freeze(f.Fields[editFreeze].Entry)
	c.Metadata = e.metadata()
	return state.Update(e.card, c)
}

// categories returns the list to send; nil for no change.
func (e *Edit) categories(text string) *[]string {
	typed := dialog.Commas(text)
	if strings.TrimSpace(text) == "*" {
		typed = []string{}
	}
	switch {
	case e.known.Categories == nil && typed == nil:
		return nil
	case e.known.Categories != nil && slices.Equal(typed, plain(*e.known.Categories)):
		return nil
	case typed == nil:
		typed = []string{}
	}
	return &typed
}

// freeze returns the threshold to send; nil for no change.
func (e *Edit) freeze(field dialog.Entry) *api.USD {
	typed := dialog.OptionalUSD(field)
	if typed == nil && field.Value() == "" && e.known.AutoFreeze != nil {
		typed = new(api.USD)
	}
	if typed == nil || e.known.AutoFreeze != nil && *e.known.AutoFreeze == *typed {
		return nil
	}
	return typed
}

// metadata returns the keys that are new or changed.
func (e *Edit) metadata() map[string]string {
	has := make(map[string]bool)
	for k := range e.known.Metadata {
		has[string(k)] = true
	}
	changed := make(map[string]string)
	for k, v := range e.form.Pairs(has) {
		if old, ok := e.known.Metadata[api.Text(k)]; !ok || string(old) != v {
			changed[k] = v
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return changed
}

// validate shows at each field what is wrong with it.
func (e *Edit) validate() {
	e.form.SetProblems(e.store.Problems(e.intent()))
}

// Traits implements Dialog.
func (e *Edit) Traits() dialog.Traits {
	return e.SubmissionTraits(dialog.Traits{Context: keymap.Form, Typing: e.form.Letters()})
}

// Act moves between the fields, or opens the review.
func (e *Edit) Act(a keymap.Action) dialog.Result {
	switch {
	case a == keymap.Cancel:
		return dialog.Result{Close: true}
	case e.Waiting, e.form.Act(a):
		return dialog.Result{}
	case a == keymap.Confirm:
		return e.review()
	}
	return dialog.Result{}
}

func (e *Edit) review() dialog.Result {
	in := e.intent()
	e.validate()
	if changes(*in.Change) == 0 && !e.form.FirstWrong() {
		e.form.Note = e.theme.Words.T("no changes yet")
		return dialog.Result{}
	}
	if !e.form.Passes(e.store, in) {
		return dialog.Result{}
	}
	known := e.known
	in.Seen = &known
	return dialog.Result{Intents: []kernel.Intent{state.Refresh{Card: e.card}}, Push: dialog.NewConfirm(e.theme, e.store, dialog.Question{
		Title: e.theme.Words.Tf("Change %s", e.store.Cards.Name(e.card)), Verb: e.theme.Words.T("Send"), Intent: in, Closes: 1,
		Lines: func(w int) []string { return Changes(e.theme, known, *in.Change, w) },
	})}
}

// changes counts the fields of a change.
func changes(c api.UpdateCardRequest) int {
	n := len(c.Metadata)
	for _, set := range []bool{c.Label != nil, c.SpendingLimit != nil, c.AllowedCategories != nil, c.AutoFreezeAt != nil} {
		if set {
			n++
		}
	}
	return n
}

// Type types into the focused field.
func (e *Edit) Type(key, text string) dialog.Result {
	if e.Waiting {
		return dialog.Result{}
	}
	e.form.Edit(func(en dialog.Entry) { en.Key(key, text) })
	e.form.Grow()
	e.validate()
	return dialog.Result{}
}

// Paste pastes into the focused field; one line of metadata a field.
func (e *Edit) Paste(text string) {
	if e.Waiting {
		return
	}
	if e.form.Focused().Name == state.FieldMetadata {
		e.form.PasteLines(text)
	} else {
		e.form.Edit(func(en dialog.Entry) { en.Paste(text) })
	}
	e.validate()
}

// View draws the box.
func (e *Edit) View(w, h int) []string {
	w = min(w, 76)
	var foot []string
	if e.blocked != "" && e.form.Note == "" && !e.Waiting {
		foot = dialog.ErrorLines(e.theme, w-2, e.blocked)
	}
	return e.form.Draw(e.theme.Words.Tf("Edit %s", e.store.Cards.Name(e.card)), w, h, foot, e.Waiting)
}

// Changes draws a change of a card: each field before and after.
func Changes(t *theme.Theme, k state.Known, c api.UpdateCardRequest, w int) []string {
	lines := []string{widget.Spans(w)}
	add := func(name, before, after string) {
		arrow := " " + t.Glyphs.Arrow + " "
		if widget.Width(before+arrow+after) < w-dialog.FactCells(w)-1 {
			lines = append(lines, dialog.Fact(t, w, name, widget.Span{Style: t.Muted, Text: before},
				widget.Span{Style: t.Accent, Text: arrow}, widget.Span{Style: t.Strong, Text: after}))
			return
		}
		lines = append(lines, dialog.FactLines(t, w, name, t.Muted, before)...)
		lines = append(lines, dialog.FactLines(t, w, "", t.Strong, strings.TrimSpace(arrow)+" "+after)...)
	}
	if c.Label != nil {
		add(t.Words.T("label"), or(string(k.Label), t.Words.T("none")), or(*c.Label, t.Words.T("none")))
	}
	if c.SpendingLimit != nil {
		add(t.Words.T("limit"), or(perMonth(t.Words, k.Limit), t.Words.T("not reported")), perMonth(t.Words, c.SpendingLimit))
	}
	if c.AllowedCategories != nil {
		before := t.Words.T("not reported")
		if k.Categories != nil {
			before = or(strings.Join(plain(*k.Categories), ", "), t.Words.T("all"))
		}
		add(t.Words.T("categories"), before, or(strings.Join(*c.AllowedCategories, ", "), t.Words.T("all")))
	}
	if c.AutoFreezeAt != nil {
		before := t.Words.T("not reported")
		if k.AutoFreeze != nil {
			before = or(below(t.Words, k.AutoFreeze), t.Words.T("never"))
		}
		add(t.Words.T("auto-freeze"), before, or(below(t.Words, c.AutoFreezeAt), t.Words.T("never")))
	}
	name := t.Words.T("metadata")
	for _, key := range slices.Sorted(maps.Keys(c.Metadata)) {
		before, had := k.Metadata[api.Text(key)]
		switch {
		case had:
			add(name, key+"="+string(before), c.Metadata[key])
		case k.Metadata == nil:
			add(name, t.Words.Tf("%s: not reported", key), c.Metadata[key])
		default:
			add(name, t.Words.Tc("metadata", "new"), key+"="+c.Metadata[key])
		}
		name = ""
	}
	return lines
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
