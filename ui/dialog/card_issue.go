package dialog

import (
	"reflect"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/kernel"
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
	like  api.CardID
	liked api.CreateCardRequest
}

// NewIssue makes the form.
func NewIssue(t *theme.Theme, s *state.Store) *Issue {
	bin, w := &choice{placeholder: t.Words.T("enter: choose")}, t.Words
	i := &Issue{theme: t, bin: bin, start: newStart(t, s)}
	i.form = newForm(t,
		&field{name: cardcsv.BIN, label: w.T("BIN"), hint: w.T("enter: list"), entry: bin},
		&field{name: cardcsv.Amount, label: w.T("amount $"), hint: w.T("1.00 to 5,000.00 from the wallet"), entry: newAmount()},
		&field{name: cardcsv.Label, label: w.T("label"), hint: w.T("up to 64 characters, such as fb/spring/01"), entry: newText()},
		&field{name: cardcsv.Limit, label: w.T("limit $/month"), hint: w.T("empty: the BIN's maximum"), entry: newAmount()},
		&field{name: cardcsv.Categories, label: w.T("categories"), hint: w.T("MCCs of four digits or words, comma-separated; empty: all"), entry: newText()},
		&field{name: cardcsv.AutoFreeze, label: w.T("auto-freeze $"), hint: w.T("freezes when the balance falls below; empty: never"), entry: newAmount()},
		newPair(t, ""),
	)
	i.form.fields[issueFreeze].entry.SetPlaceholder(t.Words.T("never"))
	i.start.above(i.form)
	i.Sync(s, kernel.TopicAll)
	return i
}

// Like begins with what is known of a card, but its amount, under the next free label.
func (i *Issue) Like(card api.CardID) *Issue {
	i.like = card
	i.Sync(i.store, kernel.TopicAll)
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
func (i *Issue) Choose(id api.BINID) {
	i.form.at = i.start.shift() + issueBIN
	i.form.edit(func(e entry) { e.SetValue(string(id)) })
	i.form.at = i.start.shift() + issueAmount
	i.Sync(i.store, kernel.TopicAll)
}

// Pick makes the list of BINs over the form; closes is how many dialogs esc
// closes there.
func (i *Issue) Pick(closes int) *BINs {
	return NewBINs(i.theme, i.store, api.BINID(i.bin.value), closes, i.Choose)
}

// Sync makes the form read the store again.
func (i *Issue) Sync(s *state.Store, _ kernel.Topic) {
	i.store = s
	if r, refused := i.refusal(s); refused {
		i.form.refused(r.Field, r.Reason)
	}
	i.fillLike()
	limit := i.theme.Words.T("the BIN's maximum")
	if bin, ok := s.BINs.Get(api.BINID(i.bin.value)); ok {
		i.bin.text = strings.Join(pane.BINCells(s.Words(), bin)[:5], "  ")
		if bin.MaxMonthly != nil {
			limit = i.theme.Words.Number(strings.TrimSuffix(bin.MaxMonthly.Grouped(), ".00"))
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
func (i *Issue) intent() state.Write {
	f := i.form
	f.clearProblems()
	value := func(at int) entry { return i.field(at).entry }
	amount, _ := usd(value(issueAmount))
	return state.Issue(api.CreateCardRequest{
		BIN: api.BINID(i.bin.value), Amount: amount, Label: value(issueLabel).Value(), SpendingLimit: optional(value(issueLimit)),
		AllowedCategories: list(value(issueCategories).Value()), AutoFreezeAt: optional(value(issueFreeze)), Metadata: f.pairs(nil),
	})
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
		return Result{Push: i.Pick(1), Intents: []kernel.Intent{bins.Load{}}}
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
		Title: i.theme.Words.T("Issue a card"), Verb: i.theme.Words.Tf("Issue with %s", i.theme.Words.Dollars(in.Request.Amount)), Intent: in, Closes: 1,
		Lines: func(w int) []string { return i.words(in, w) },
	}), Intents: []kernel.Intent{state.Refresh{}}}
}

// words draws the request.
func (i *Issue) words(in state.Write, w int) []string {
	t, r := i.theme, *in.Request
	lines := []string{widget.Spans(w)}
	if p, ok := i.store.Preview(in); ok && w >= 50 {
		lines = append(lines, fact(t, w, t.Words.T("wallet"), change(t, p.WalletBefore, p.WalletAfter)...))
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
	words := t.Words
	most := words.T("the BIN's maximum")
	if bin, ok := i.store.BINs.Get(r.BIN); ok && bin.MaxMonthly != nil {
		most += ", " + round(words, *bin.MaxMonthly)
	}
	add(words.T("amount"), words.Dollars(r.Amount), "")
	add(words.T("BIN"), i.bin.text, "")
	add(words.T("label"), r.Label, words.T("none"))
	add(words.T("limit"), perMonth(words, r.SpendingLimit), most)
	add(words.T("categories"), strings.Join(r.AllowedCategories, ", "), words.T("all"))
	add(words.T("auto-freeze"), below(words, r.AutoFreezeAt), words.T("never"))
	add(words.T("metadata"), pairText(r.Metadata), words.T("none"))
	return append(lines, i.startsLow(r.Amount, r.AutoFreezeAt, w)...)
}

// startsLow warns of a card that starts below its auto-freeze threshold.
func (i *Issue) startsLow(amount api.USD, least *api.USD, w int) []string {
	if least == nil || amount <= 0 || amount >= *least {
		return nil
	}
	return paragraph(w, i.theme.Warn, i.theme.Words.Tf("starts below its auto-freeze of %s: the first charge may freeze it", i.theme.Words.Dollars(*least)))
}

func perMonth(w *lang.Words, u *api.USD) string {
	if u == nil {
		return ""
	}
	return w.Tf("%s per month", w.Dollars(*u))
}

// below formats a threshold; 0 is none.
func below(w *lang.Words, u *api.USD) string {
	if u == nil || *u == 0 {
		return ""
	}
	return w.Tf("below %s", w.Dollars(*u))
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
		return Result{Push: list, Intents: []kernel.Intent{bins.Load{}}}
	}
	i.form.edit(func(e entry) { e.Key(key, text) })
	if r, ok := i.start.chosen(i.form); ok {
		i.like = "" // The template was chosen after it.
		i.start.fill(i.form, i.start.next(i.store, r, 1))
		i.Sync(i.store, kernel.TopicAll)
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
		i.form.enter = i.theme.Words.T("choose")
	}
	amount, _ := usd(i.field(issueAmount).entry)
	wallet := i.effect(i.theme, i.store, state.Issue(api.CreateCardRequest{Amount: amount}), w-2)[1:]
	wallet = append(wallet, i.updated(i.theme, i.store, w-2)...)
	wallet = append(wallet, i.startsLow(amount, optional(i.field(issueFreeze).entry), w-2)...)
	return i.form.view(i.theme.Words.T("Issue a card"), w, h, wallet, i.waiting)
}

// start fills a form of new cards from a template or from a card.
type start struct {
	templates []label.CardTemplate
	none      string // The choice of none.
	names     *cycle
	from      string // The name that the form was filled from.
}

// newStart makes it for the templates of the configuration.
func newStart(t *theme.Theme, s *state.Store) *start {
	st := &start{templates: s.Reloadable().Templates, none: t.Words.T("none")}
	st.from, st.names = st.none, &cycle{values: []string{st.none}}
	for _, template := range st.templates {
		st.names.values = append(st.names.values, template.Name)
	}
	return st
}

// shift is how many fields the choice of a template takes.
func (st *start) shift() int { return min(1, len(st.templates)) }

// above puts the choice of a template above the fields of a form.
func (st *start) above(f *form) {
	if len(st.templates) > 0 {
		f.fields = append([]*field{{label: f.theme.Words.T("template"), hint: f.theme.Words.T("space: next; it fills the fields below"), entry: st.names}}, f.fields...)
	}
}

// chosen returns what the template holds that was chosen just now.
func (st *start) chosen(f *form) (api.CreateCardRequest, bool) {
	if st.shift() == 0 || f.at != 0 || st.names.Value() == st.from {
		return api.CreateCardRequest{}, false
	}
	st.from = st.names.Value()
	at := slices.IndexFunc(st.templates, func(t label.CardTemplate) bool { return t.Name == st.from })
	if at < 0 {
		return api.CreateCardRequest{}, false
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
func (*start) next(s *state.Store, r api.CreateCardRequest, least int) api.CreateCardRequest {
	if text, err := label.Fill(r.Label, label.Parts{N: free(s, r.Label, least), New: true}); err == nil {
		r.Label = text
	}
	return r
}

// fill fills the fields that nobody typed into. What the request does not say is empty.
func (*start) fill(f *form, r api.CreateCardRequest) {
	amount := func(u *api.USD) string {
		if u == nil || *u == 0 {
			return ""
		}
		return u.String()
	}
	for name, value := range map[string]string{
		cardcsv.BIN: string(r.BIN), cardcsv.Amount: amount(&r.Amount), cardcsv.Label: r.Label,
		cardcsv.Limit: amount(r.SpendingLimit), cardcsv.AutoFreeze: amount(r.AutoFreezeAt),
		cardcsv.Categories: strings.Join(r.AllowedCategories, ", "),
	} {
		if fd, ok := f.find(name); ok && !fd.touched {
			fd.fill(value)
		}
	}
	f.fillPairs(r.Metadata)
}

// likeness returns what is known of the card that the new one is to be like.
func (i *Issue) likeness() api.CreateCardRequest {
	card, _ := i.store.Cards.Get(i.like)
	known := i.store.Info.Settings(i.like)
	r := api.CreateCardRequest{BIN: card.BIN, Label: string(card.Label), SpendingLimit: known.Limit, AutoFreezeAt: known.AutoFreeze}
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
