package dialog

import (
	"maps"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// The fields of the form, as they stand; below them is the metadata.
const (
	editLabel = iota
	editLimit
	editCategories
	editFreeze
	editFixed
)

// unknownValue stands in a field whose value the API does not tell.
const unknownValue = "kept as it is: the API does not tell"

// Edit is the form of a card's settings. Only what is changed in it is sent.
type Edit struct {
	errand
	theme *theme.Theme
	store *state.Store
	card  state.CardID
	known state.Known
	form  *form
}

// NewEdit makes the form.
func NewEdit(t *theme.Theme, s *state.Store, card state.CardID) *Edit {
	e := &Edit{theme: t, card: card}
	e.form = newForm(t,
		&field{name: state.FieldLabel, label: "label", hint: "up to 64 characters", entry: newText()},
		&field{name: state.FieldLimit, label: "limit $/month", hint: "empty keeps what it is", entry: newAmount()},
		&field{name: state.FieldCategories, label: "categories", hint: "MCCs of four digits or words, with commas; * allows all", entry: newText()},
		&field{name: state.FieldAutoFreeze, label: "auto-freeze $", hint: "freezes when the balance falls below; 0 never", entry: newAmount()},
		newPair(""),
	)
	e.Sync(s)
	return e
}

// Sync makes the form look at the store again. What nobody touched follows
// what is known of the card.
func (e *Edit) Sync(s *state.Store) {
	e.store = s
	if r, refused := e.look(s); refused {
		e.form.refused(r.Field, r.Reason)
	}
	e.known = s.Info.Settings(e.card)
	e.seed()
	e.judge()
}

// seed puts what is known into the fields that nobody touched.
func (e *Edit) seed() {
	put := func(at int, value, placeholder string) {
		fd := e.form.fields[at]
		fd.entry.SetPlaceholder(placeholder)
		if !fd.touched && fd.entry.Value() != value {
			fd.entry.SetValue(value)
		}
	}
	k := e.known
	put(editLabel, string(k.Label), "none")
	limit, limitOr := amountText(k.Limit, unknownValue)
	if k.Limit != nil {
		limitOr = "keeps $" + k.Limit.Grouped()
	}
	put(editLimit, limit, limitOr)
	categories, or := "", unknownValue
	if k.Categories != nil {
		categories, or = strings.Join(plain(*k.Categories), ", "), "all"
	}
	put(editCategories, categories, or)
	freeze, freezeOr := amountText(k.AutoFreeze, unknownValue)
	if k.AutoFreeze != nil && *k.AutoFreeze == 0 {
		freeze, freezeOr = "", "never"
	}
	put(editFreeze, freeze, freezeOr)
	e.seedMetadata()
}

// seedMetadata shows the metadata there is, once it is known.
func (e *Edit) seedMetadata() {
	rows := e.form.fields[editFixed:]
	if e.known.Metadata == nil {
		rows[0].entry.SetPlaceholder(unknownValue)
		return
	}
	rows[0].entry.SetPlaceholder("")
	if slices.ContainsFunc(rows, func(fd *field) bool { return fd.touched }) {
		return
	}
	lines := make([]string, 0, len(e.known.Metadata))
	for k, v := range e.known.Metadata {
		lines = append(lines, string(k)+"="+string(v))
	}
	slices.Sort(lines)
	e.form.fields = e.form.fields[:editFixed]
	for _, l := range append(lines, "") {
		row := newPair(l)
		row.hint = "key=value; keys are added and changed, none is taken away"
		e.form.fields = append(e.form.fields, row)
	}
	e.form.at = min(e.form.at, len(e.form.fields)-1)
}

// amountText is an amount as it is typed.
func amountText(u *state.USD, unknown string) (value, placeholder string) {
	if u == nil {
		return "", unknown
	}
	return u.String(), ""
}

func plain(texts []state.Text) []string {
	out := make([]string, 0, len(texts))
	for _, t := range texts {
		out = append(out, string(t))
	}
	return out
}

// intent is the change as typed so far: only what is not as it was.
func (e *Edit) intent() state.UpdateCard {
	f, k := e.form, e.known
	f.forget()
	var c state.CardChange
	if label := f.fields[editLabel].entry.Value(); label != string(k.Label) {
		c.Label = &label
	}
	if limit := optional(f.fields[editLimit].entry); limit != nil && (k.Limit == nil || *k.Limit != *limit) {
		c.SpendingLimit = limit
	}
	c.AllowedCategories = e.categories(f.fields[editCategories].entry.Value())
	c.AutoFreezeAt = e.freeze(f.fields[editFreeze].entry)
	c.Metadata = e.metadata()
	return state.UpdateCard{Card: e.card, Change: c}
}

// categories is the list that is sent; nil keeps what there is.
func (e *Edit) categories(text string) *[]string {
	typed := list(text)
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

// freeze is the threshold that is sent; nil keeps what there is.
func (e *Edit) freeze(field entry) *state.USD {
	typed := optional(field)
	if typed == nil && field.Value() == "" && e.known.AutoFreeze != nil {
		typed = new(state.USD)
	}
	if typed == nil || e.known.AutoFreeze != nil && *e.known.AutoFreeze == *typed {
		return nil
	}
	return typed
}

// metadata are the keys that are new or changed.
func (e *Edit) metadata() map[string]string {
	has := make(map[string]bool)
	for k := range e.known.Metadata {
		has[string(k)] = true
	}
	changed := make(map[string]string)
	for k, v := range e.form.pairs(has) {
		if old, ok := e.known.Metadata[state.Text(k)]; !ok || string(old) != v {
			changed[k] = v
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return changed
}

// judge writes at each field what is wrong with it.
func (e *Edit) judge() {
	e.form.judge(e.store.Problems(e.intent()))
}

// Traits tells what the stack needs to know of the dialog.
func (e *Edit) Traits() Traits {
	return e.traits(Traits{Context: keymap.Form, Typing: e.form.letters()})
}

// Act moves between the fields, or goes on to the review.
func (e *Edit) Act(a keymap.Action) Result {
	switch {
	case a == keymap.Cancel:
		return Result{Close: true}
	case e.waiting, e.form.act(a):
		return Result{}
	case a == keymap.Confirm:
		return e.review()
	}
	return Result{}
}

func (e *Edit) review() Result {
	in := e.intent()
	e.judge()
	if changes(in.Change) == 0 && !e.form.firstWrong() {
		e.form.note = "nothing is changed yet"
		return Result{}
	}
	if !e.form.passes(e.store, in) {
		return Result{}
	}
	known := e.known
	return Result{Push: NewConfirm(e.theme, e.store, Question{
		Title: "Change " + e.store.Cards.Name(e.card), Verb: "Send", Intent: in, Closes: 1,
		Lines: func(w int) []string { return diff(e.theme, known, in.Change, w) },
	})}
}

// changes counts what a change names.
func changes(c state.CardChange) int {
	n := len(c.Metadata)
	for _, named := range []bool{c.Label != nil, c.SpendingLimit != nil, c.AllowedCategories != nil, c.AutoFreezeAt != nil} {
		if named {
			n++
		}
	}
	return n
}

// Type types into the focused field.
func (e *Edit) Type(key, text string) Result {
	if e.waiting {
		return Result{}
	}
	e.form.edit(func(en entry) { en.Key(key, text) })
	e.form.grow()
	e.judge()
	return Result{}
}

// Paste pastes into the focused field; lines of metadata go below each other.
func (e *Edit) Paste(text string) {
	if e.waiting {
		return
	}
	if e.form.focused().name == state.FieldMetadata {
		e.form.pasteLines(text)
	} else {
		e.form.edit(func(en entry) { en.Paste(text) })
	}
	e.judge()
}

// View draws the box.
func (e *Edit) View(w, h int) []string {
	note := ""
	if e.form.note == "" && !e.waiting {
		note = e.store.Ask(state.UpdateCard{Card: e.card}).Reason
	}
	w = min(w, 76)
	var foot []string
	if note != "" {
		foot = complaint(e.theme, w-2, note)
	}
	return e.form.view("Edit "+e.store.Cards.Name(e.card), w, h, foot, e.waiting)
}

// diff shows a change of a card: what it was and what it will be.
func diff(t *theme.Theme, k state.Known, c state.CardChange, w int) []string {
	lines := []string{widget.Spans(w)}
	add := func(name, before, after string) {
		arrow := " " + t.Glyphs.Arrow + " "
		if widget.Width(before+arrow+after) < w-factCells(w)-1 {
			lines = append(lines, fact(t, w, name, widget.Span{Style: t.Muted, Text: before},
				widget.Span{Style: t.Accent, Text: arrow}, widget.Span{Style: t.Strong, Text: after}))
			return
		}
		lines = append(lines, facts(t, w, name, t.Muted, before)...)
		lines = append(lines, facts(t, w, "", t.Strong, strings.TrimSpace(arrow)+" "+after)...)
	}
	if c.Label != nil {
		add("label", or(string(k.Label), "none"), or(*c.Label, "none"))
	}
	if c.SpendingLimit != nil {
		add("limit", or(perMonth(k.Limit), "unknown"), perMonth(c.SpendingLimit))
	}
	if c.AllowedCategories != nil {
		before := "unknown"
		if k.Categories != nil {
			before = or(strings.Join(plain(*k.Categories), ", "), "all")
		}
		add("categories", before, or(strings.Join(*c.AllowedCategories, ", "), "all"))
	}
	if c.AutoFreezeAt != nil {
		before := "unknown"
		if k.AutoFreeze != nil {
			before = or(below(k.AutoFreeze), "never")
		}
		add("auto-freeze", before, or(below(c.AutoFreezeAt), "never"))
	}
	name := "metadata"
	for _, key := range slices.Sorted(maps.Keys(c.Metadata)) {
		before, had := k.Metadata[state.Text(key)]
		switch {
		case had:
			add(name, key+"="+string(before), c.Metadata[key])
		case k.Metadata == nil:
			add(name, key+": unknown", c.Metadata[key])
		default:
			add(name, "new", key+"="+c.Metadata[key])
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
