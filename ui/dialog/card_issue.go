package dialog

import (
	"reflect"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/label"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// The fields of the form in their order, above the metadata. That of the template comes
// before them where there are templates.
const (
	issueBIN = iota
	issueAmount
	issueLabel
	issueLimit
	issueCategories
	issueFreeze
)

// Issue is the form of a new card.
type Issue struct {
	submission
	theme *theme.Theme
	store *state.Store
	form  *form
	bin   *choice
	start *start
	// like is the card that the new one is to be like, empty for none; liked is what
	// was known of it when the form was filled last.
	like  state.CardID
	liked state.CardRequest
}

// NewIssue makes the form.
func NewIssue(t *theme.Theme, s *state.Store) *Issue {
	bin := &choice{placeholder: "enter: choose"}
	i := &Issue{theme: t, bin: bin, start: newStart(s)}
	i.form = newForm(t,
		&field{name: state.FieldBIN, label: "BIN", hint: "enter: list", entry: bin},
		&field{name: state.FieldAmount, label: "amount $", hint: "1.00 to 5,000.00 from the wallet", entry: newAmount()},
		&field{name: state.FieldLabel, label: "label", hint: "up to 64 characters, such as fb/spring/01", entry: newText()},
		&field{name: state.FieldLimit, label: "limit $/month", hint: "empty: the BIN's maximum", entry: newAmount()},
		&field{name: state.FieldCategories, label: "categories", hint: "MCCs of four digits or words, comma-separated; empty: all", entry: newText()},
		&field{name: state.FieldAutoFreeze, label: "auto-freeze $", hint: "freezes when the balance falls below; empty: never", entry: newAmount()},
		newPair(""),
	)
	i.form.fields[issueFreeze].entry.SetPlaceholder("never")
	i.start.above(i.form)
	i.Sync(s, state.TopicAll)
	return i
}

// Like begins with what is known of a card, but its amount, under the next free label.
func (i *Issue) Like(card state.CardID) *Issue {
	i.like = card
	i.Sync(i.store, state.TopicAll)
	i.form.at = i.start.shift() + issueAmount
	return i
}

// fillLike fills the form from the card that the new one is to be like, again when more
// is known of it.
func (i *Issue) fillLike() {
	if i.like == "" || i.waiting {
		return
	}
	r := i.likeness()
	if reflect.DeepEqual(r, i.liked) {
		return
	}
	i.liked = r
	template, n, _ := label.Numbered(r.Label)
	r.Label = template
	i.start.fill(i.form, i.start.next(i.store, r, n+1))
}

// Templates reports whether there are templates to begin with.
func (i *Issue) Templates() bool { return i.start.shift() > 0 }

// field is a field by its place in the form.
func (i *Issue) field(at int) *field { return i.form.fields[i.start.shift()+at] }

func (i *Issue) onBIN() bool { return i.form.focused() == i.field(issueBIN) }

// Choose sets the BIN and moves to the amount.
func (i *Issue) Choose(id state.BINID) {
	i.form.at = i.start.shift() + issueBIN
	i.form.edit(func(e entry) { e.SetValue(string(id)) })
	i.form.at = i.start.shift() + issueAmount
	i.Sync(i.store, state.TopicAll)
}

// Pick makes the list of BINs over the form; closes is how many dialogs esc
// closes there.
func (i *Issue) Pick(closes int) *BINs {
	return NewBINs(i.theme, i.store, state.BINID(i.bin.value), closes, i.Choose)
}

// Sync makes the form read the store again.
func (i *Issue) Sync(s *state.Store, _ state.Topic) {
	i.store = s
	if r, refused := i.refusal(s); refused {
		i.form.refused(r.Field, r.Reason)
	}
	i.fillLike()
	limit := "the BIN's maximum"
	if bin, ok := s.BINs.Get(state.BINID(i.bin.value)); ok {
		i.bin.text = strings.Join(pane.BINCells(s.Words(), bin)[:5], "  ")
		if bin.MaxMonthly != nil {
			limit = round(*bin.MaxMonthly)
		}
	}
	i.field(issueLimit).entry.SetPlaceholder(limit)
	i.validate()
}

// validate shows at each field what is wrong with it.
func (i *Issue) validate() {
	in := i.intent()
	i.form.setProblems(i.store.Problems(in))
}

// intent returns the request as typed so far, and sets the errors of the lines
// of metadata.
func (i *Issue) intent() state.IssueCard {
	f := i.form
	f.clearProblems()
	value := func(at int) entry { return i.field(at).entry }
	amount, _ := usd(value(issueAmount))
	return state.IssueCard{Request: state.CardRequest{
		BIN: state.BINID(i.bin.value), Amount: amount, Label: value(issueLabel).Value(), SpendingLimit: optional(value(issueLimit)),
		AllowedCategories: list(value(issueCategories).Value()), AutoFreezeAt: optional(value(issueFreeze)), Metadata: f.pairs(nil),
	}}
}

// Traits implements Dialog.
func (i *Issue) Traits() Traits {
	return i.traits(Traits{Context: keymap.Form, Typing: i.form.letters()})
}

// Act moves between the fields, opens the list of BINs, or the review.
func (i *Issue) Act(a keymap.Action) Result {
	switch {
	case a == keymap.Cancel:
		return Result{Close: true}
	case i.waiting, i.form.act(a):
		return Result{}
	case a == keymap.Confirm && i.onBIN():
		return Result{Push: i.Pick(1), Intents: []state.Intent{state.LoadBINs{}}}
	case a == keymap.Confirm:
		return i.review()
	}
	return Result{}
}

func (i *Issue) review() Result {
	in := i.intent()
	i.validate()
	if !i.form.passes(i.store, in) {
		return Result{}
	}
	return Result{Push: NewConfirm(i.theme, i.store, Question{
		Title: "Issue a card", Verb: "Issue with $" + in.Request.Amount.Grouped(), Intent: in, Closes: 1,
		Lines: func(w int) []string { return i.words(in, w) },
	}), Intents: []state.Intent{state.Refresh{}}}
}

// words draws the request.
func (i *Issue) words(in state.IssueCard, w int) []string {
	t, r := i.theme, in.Request
	lines := []string{widget.Spans(w)}
	if p, ok := i.store.Preview(in); ok && w >= 50 {
		lines = append(lines, fact(t, w, "wallet", change(t, p.WalletBefore, p.WalletAfter)...))
	} else {
		lines = append(lines, effectLines(t, i.store, in, w)[1]) // The wallet alone takes less room.
	}
	add := func(name, text, otherwise string) {
		style := t.Text
		if text == "" {
			style, text = t.Muted, otherwise
		}
		lines = append(lines, facts(t, w, name, style, text)...)
	}
	most := "the BIN's maximum"
	if bin, ok := i.store.BINs.Get(r.BIN); ok && bin.MaxMonthly != nil {
		most += ", $" + round(*bin.MaxMonthly)
	}
	add("amount", "$"+r.Amount.Grouped(), "")
	add("BIN", i.bin.text, "")
	add("label", r.Label, "none")
	add("limit", perMonth(r.SpendingLimit), most)
	add("categories", strings.Join(r.AllowedCategories, ", "), "all")
	add("auto-freeze", below(r.AutoFreezeAt), "never")
	add("metadata", pairText(r.Metadata), "none")
	return append(lines, i.startsLow(r.Amount, r.AutoFreezeAt, w)...)
}

// startsLow warns of a card that starts below its auto-freeze threshold.
func (i *Issue) startsLow(amount state.USD, least *state.USD, w int) []string {
	if least == nil || amount <= 0 || amount >= *least {
		return nil
	}
	return paragraph(w, i.theme.Warn, "starts below its auto-freeze of $"+least.Grouped()+": the first charge may freeze it")
}

func perMonth(u *state.USD) string {
	if u == nil {
		return ""
	}
	return "$" + u.Grouped() + " per month"
}

// below formats a threshold; 0 is none.
func below(u *state.USD) string {
	if u == nil || *u == 0 {
		return ""
	}
	return "below $" + u.Grouped()
}

func pairText(m map[string]string) string {
	all := make([]string, 0, len(m))
	for k, v := range m {
		all = append(all, k+"="+v)
	}
	slices.Sort(all)
	return strings.Join(all, "  ")
}

// Type types into the focused field.
func (i *Issue) Type(key, text string) Result {
	if i.waiting {
		return Result{}
	}
	if i.onBIN() {
		if text == "" {
			return Result{}
		}
		list := i.Pick(1)
		if text != " " {
			list.Type(key, text)
		}
		return Result{Push: list, Intents: []state.Intent{state.LoadBINs{}}}
	}
	i.form.edit(func(e entry) { e.Key(key, text) })
	if r, ok := i.start.chosen(i.form); ok {
		i.like = "" // The template was chosen after it.
		i.start.fill(i.form, i.start.next(i.store, r, 1))
		i.Sync(i.store, state.TopicAll)
	}
	i.form.grow()
	i.validate()
	return Result{}
}

// Paste pastes into the focused field; one line of metadata a field.
func (i *Issue) Paste(text string) {
	if i.waiting {
		return
	}
	if i.form.focused().name == state.FieldMetadata {
		i.form.pasteLines(text)
	} else {
		i.form.edit(func(e entry) { e.Paste(text) })
	}
	i.validate()
}

// View draws the box.
func (i *Issue) View(w, h int) []string {
	w = min(w, 76)
	if i.form.enter = ""; i.onBIN() {
		i.form.enter = "choose"
	}
	amount, _ := usd(i.field(issueAmount).entry)
	wallet := i.effect(i.theme, i.store, state.IssueCard{Request: state.CardRequest{Amount: amount}}, w-2)[1:]
	wallet = append(wallet, i.updated(i.theme, i.store, w-2)...)
	wallet = append(wallet, i.startsLow(amount, optional(i.field(issueFreeze).entry), w-2)...)
	return i.form.view("Issue a card", w, h, wallet, i.waiting)
}

// noTemplate is the choice of none.
const noTemplate = "none"

// start fills a form of new cards from a template or from a card.
type start struct {
	templates []state.CardTemplate
	names     *cycle
	from      string // The name that the form was filled from.
}

// newStart makes it for the templates of the configuration.
func newStart(s *state.Store) *start {
	st := &start{templates: s.Reloadable().Templates, from: noTemplate}
	st.names = &cycle{values: []string{noTemplate}}
	for _, t := range st.templates {
		st.names.values = append(st.names.values, t.Name)
	}
	return st
}

// shift is how many fields the choice of a template takes.
func (st *start) shift() int { return min(1, len(st.templates)) }

// above puts the choice of a template above the fields of a form.
func (st *start) above(f *form) {
	if len(st.templates) > 0 {
		f.fields = append([]*field{{label: "template", hint: "space: next; it fills the fields below", entry: st.names}}, f.fields...)
	}
}

// chosen returns what the template holds that was chosen just now.
func (st *start) chosen(f *form) (state.CardRequest, bool) {
	if st.shift() == 0 || f.at != 0 || st.names.Value() == st.from {
		return state.CardRequest{}, false
	}
	st.from = st.names.Value()
	at := slices.IndexFunc(st.templates, func(t state.CardTemplate) bool { return t.Name == st.from })
	if at < 0 {
		return state.CardRequest{}, false
	}
	for _, fd := range f.fields[1:] {
		fd.touched = false
	}
	return st.templates[at].Request, true
}

// free returns the first number from least on that gives a label no card has.
func free(s *state.Store, template string, least int) int {
	all := s.Cards.All()
	return label.Free(template, least, func(yield func(string) bool) {
		for i := range all.Len() {
			if !yield(string(all.Label(i))) {
				return
			}
		}
	})
}

// next gives a request whose label is a template the first free label from a number on.
func (*start) next(s *state.Store, r state.CardRequest, least int) state.CardRequest {
	if text, err := label.Fill(r.Label, label.Parts{N: free(s, r.Label, least), New: true}); err == nil {
		r.Label = text
	}
	return r
}

// fill fills the fields that nobody typed into. What the request does not say is empty.
func (*start) fill(f *form, r state.CardRequest) {
	amount := func(u *state.USD) string {
		if u == nil || *u == 0 {
			return ""
		}
		return u.String()
	}
	for name, value := range map[string]string{
		state.FieldBIN: string(r.BIN), state.FieldAmount: amount(&r.Amount), state.FieldLabel: r.Label,
		state.FieldLimit: amount(r.SpendingLimit), state.FieldAutoFreeze: amount(r.AutoFreezeAt),
		state.FieldCategories: strings.Join(r.AllowedCategories, ", "),
	} {
		if fd, ok := f.find(name); ok && !fd.touched {
			fd.entry.SetValue(value)
		}
	}
	f.fillPairs(r.Metadata)
}

// likeness returns what is known of the card that the new one is to be like.
func (i *Issue) likeness() state.CardRequest {
	card, _ := i.store.Cards.Get(i.like)
	known := i.store.Info.Settings(i.like)
	r := state.CardRequest{BIN: card.BIN, Label: string(card.Label), SpendingLimit: known.Limit, AutoFreezeAt: known.AutoFreeze}
	if known.Categories != nil {
		r.AllowedCategories = plain(*known.Categories)
	}
	if len(known.Metadata) > 0 {
		r.Metadata = make(map[string]string, len(known.Metadata))
		for k, v := range known.Metadata {
			r.Metadata[string(k)] = string(v)
		}
	}
	return r
}
