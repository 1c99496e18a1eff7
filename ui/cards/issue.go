package cards

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
	"github.com/cardtop/cardtop/ui/dialog"
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
	dialog.Submission
	theme *theme.Theme
	store *state.Store
	form  *dialog.Form
	bin   *dialog.Choice
	start *Start
	// like is the card that the new one is to be like, empty for none; liked is what
	// was known of it when the form was filled last.
	like  api.CardID
	liked api.CreateCardRequest
}

// NewIssue makes the form.
func NewIssue(t *theme.Theme, s *state.Store) *Issue {
	bin, w := &dialog.Choice{Placeholder: t.Words.T("enter: choose")}, t.Words
	i := &Issue{theme: t, bin: bin, start: NewStart(t, s)}
	i.form = dialog.NewForm(t,
		&dialog.Field{Name: cardcsv.BIN, Label: w.T("BIN"), Hint: w.T("enter: list"), Entry: bin},
		&dialog.Field{Name: cardcsv.Amount, Label: w.T("amount $"), Hint: w.T("1.00 to 5,000.00 from the wallet"), Entry: dialog.NewAmountEntry()},
		&dialog.Field{Name: cardcsv.Label, Label: w.T("label"), Hint: w.T("up to 64 characters, such as fb/spring/01"), Entry: dialog.NewText()},
		&dialog.Field{Name: cardcsv.Limit, Label: w.T("limit $/month"), Hint: w.T("empty: the BIN's maximum"), Entry: dialog.NewAmountEntry()},
		&dialog.Field{Name: cardcsv.Categories, Label: w.T("categories"), Hint: w.T("MCCs of four digits or words, comma-separated; empty: all"), Entry: dialog.NewText()},
		&dialog.Field{Name: cardcsv.AutoFreeze, Label: w.T("auto-freeze $"), Hint: w.T("freezes when the balance falls below; empty: never"), Entry: dialog.NewAmountEntry()},
		dialog.NewPair(t, ""),
	)
	i.form.Fields[issueFreeze].Entry.SetPlaceholder(t.Words.T("never"))
	i.start.Above(i.form)
	i.Sync(s, kernel.TopicAll)
	return i
}

// Like begins with what is known of a card, but its amount, under the next free label.
func (i *Issue) Like(card api.CardID) *Issue {
	i.like = card
	i.Sync(i.store, kernel.TopicAll)
	i.form.At = i.start.Shift() + issueAmount
	return i
}

// fillLike fills the form from the card that the new one is to be like, again when more
// is known of it.
func (i *Issue) fillLike() {
	if i.like == "" || i.Waiting {
		return
	}
	r := i.likeness()
	if reflect.DeepEqual(r, i.liked) {
		return
	}
	i.liked = r
	template, n, _ := label.Numbered(r.Label)
	r.Label = template
	i.start.Fill(i.form, i.start.next(i.store, r, n+1))
}

// Templates reports whether there are templates to begin with.
func (i *Issue) Templates() bool { return i.start.Shift() > 0 }

// field is a field by its place in the form.
func (i *Issue) field(at int) *dialog.Field { return i.form.Fields[i.start.Shift()+at] }

func (i *Issue) onBIN() bool { return i.form.Focused() == i.field(issueBIN) }

// Choose sets the BIN and moves to the amount.
func (i *Issue) Choose(id api.BINID) {
	i.form.At = i.start.Shift() + issueBIN
	i.form.Edit(func(e dialog.Entry) { e.SetValue(string(id)) })
	i.form.At = i.start.Shift() + issueAmount
	i.Sync(i.store, kernel.TopicAll)
}

// Pick makes the list of BINs over the form; closes is how many dialogs esc
// closes there.
func (i *Issue) Pick(closes int) *BINs {
	return NewBINs(i.theme, i.store, api.BINID(i.bin.Chosen), closes, i.Choose)
}

// Sync makes the form read the store again.
func (i *Issue) Sync(s *state.Store, _ kernel.Topic) {
	i.store = s
	if r, refused := i.Refusal(s); refused {
		i.form.Refused(r.Field, r.Reason)
	}
	i.fillLike()
	limit := i.theme.Words.T("the BIN's maximum")
	if bin, ok := s.BINs.Get(api.BINID(i.bin.Chosen)); ok {
		i.bin.Text = strings.Join(pane.BINCells(s.Words(), bin)[:5], "  ")
		if bin.MaxMonthly != nil {
			limit = i.theme.Words.Number(strings.TrimSuffix(bin.MaxMonthly.Grouped(), ".00"))
		}
	}
	i.field(issueLimit).Entry.SetPlaceholder(limit)
	i.validate()
}

// validate shows at each field what is wrong with it.
func (i *Issue) validate() {
	in := i.intent()
	i.form.SetProblems(i.store.Problems(in))
}

// intent returns the request as typed so far, and sets the errors of the lines
// of metadata.
func (i *Issue) intent() state.Write {
	f := i.form
	f.ClearProblems()
	value := func(at int) dialog.Entry { return i.field(at).Entry }
	amount, _ := dialog.USDOf(value(issueAmount))
	return state.Issue(api.CreateCardRequest{
		BIN: api.BINID(i.bin.Chosen), Amount: amount, Label: value(issueLabel).Value(), SpendingLimit: dialog.OptionalUSD(value(issueLimit)),
		AllowedCategories: dialog.Commas(value(issueCategories).Value()), AutoFreezeAt: dialog.OptionalUSD(value(issueFreeze)), Metadata: f.Pairs(nil),
	})
}

// Traits implements Dialog.
func (i *Issue) Traits() dialog.Traits {
	return i.SubmissionTraits(dialog.Traits{Context: keymap.Form, Typing: i.form.Letters()})
}

// Act moves between the fields, opens the list of BINs, or the review.
func (i *Issue) Act(a keymap.Action) dialog.Result {
	switch {
	case a == keymap.Cancel:
		return dialog.Result{Close: true}
	case i.Waiting, i.form.Act(a):
		return dialog.Result{}
	case a == keymap.Confirm && i.onBIN():
		return dialog.Result{Push: i.Pick(1), Intents: []kernel.Intent{bins.Load{}}}
	case a == keymap.Confirm:
		return i.review()
	}
	return dialog.Result{}
}

func (i *Issue) review() dialog.Result {
	in := i.intent()
	i.validate()
	if !i.form.Passes(i.store, in) {
		return dialog.Result{}
	}
	return dialog.Result{Push: dialog.NewConfirm(i.theme, i.store, dialog.Question{
		Title: i.theme.Words.T("Issue a card"), Verb: i.theme.Words.Tf("Issue with %s", i.theme.Words.Dollars(in.Request.Amount)), Intent: in, Closes: 1,
		Lines: func(w int) []string { return i.words(in, w) },
	}), Intents: []kernel.Intent{state.Refresh{}}}
}

// words draws the request.
func (i *Issue) words(in state.Write, w int) []string {
	t, r := i.theme, *in.Request
	lines := []string{widget.Spans(w)}
	if p, ok := i.store.Preview(in); ok && w >= 50 {
		lines = append(lines, dialog.Fact(t, w, t.Words.T("wallet"), dialog.BeforeAfter(t, p.WalletBefore, p.WalletAfter)...))
	} else {
		lines = append(lines, dialog.EffectLines(t, i.store, in, w)[1]) // The wallet alone takes less room.
	}
	add := func(name, text, otherwise string) {
		style := t.Text
		if text == "" {
			style, text = t.Muted, otherwise
		}
		lines = append(lines, dialog.FactLines(t, w, name, style, text)...)
	}
	words := t.Words
	most := words.T("the BIN's maximum")
	if bin, ok := i.store.BINs.Get(r.BIN); ok && bin.MaxMonthly != nil {
		most += ", " + dialog.WholeDollars(words, *bin.MaxMonthly)
	}
	add(words.T("amount"), words.Dollars(r.Amount), "")
	add(words.T("BIN"), i.bin.Text, "")
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
	return dialog.Paragraph(w, i.theme.Warn, i.theme.Words.Tf("starts below its auto-freeze of %s: the first charge may freeze it", i.theme.Words.Dollars(*least)))
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
func (i *Issue) Type(key, text string) dialog.Result {
	if i.Waiting {
		return dialog.Result{}
	}
	if i.onBIN() {
		if text == "" {
			return dialog.Result{}
		}
		list := i.Pick(1)
		if text != " " {
			list.Type(key, text)
		}
		return dialog.Result{Push: list, Intents: []kernel.Intent{bins.Load{}}}
	}
	i.form.Edit(func(e dialog.Entry) { e.Key(key, text) })
	if r, ok := i.start.Chosen(i.form); ok {
		i.like = "" // The template was chosen after it.
		i.start.Fill(i.form, i.start.next(i.store, r, 1))
		i.Sync(i.store, kernel.TopicAll)
	}
	i.form.Grow()
	i.validate()
	return dialog.Result{}
}

// Paste pastes into the focused field; one line of metadata a field.
func (i *Issue) Paste(text string) {
	if i.Waiting {
		return
	}
	if i.form.Focused().Name == state.FieldMetadata {
		i.form.PasteLines(text)
	} else {
		i.form.Edit(func(e dialog.Entry) { e.Paste(text) })
	}
	i.validate()
}

// View draws the box.
func (i *Issue) View(w, h int) []string {
	w = min(w, 76)
	if i.form.Enter = ""; i.onBIN() {
		i.form.Enter = i.theme.Words.T("choose")
	}
	amount, _ := dialog.USDOf(i.field(issueAmount).Entry)
	wallet := i.Effect(i.theme, i.store, state.Issue(api.CreateCardRequest{Amount: amount}), w-2)[1:]
	wallet = append(wallet, i.Updated(i.theme, i.store, w-2)...)
	wallet = append(wallet, i.startsLow(amount, dialog.OptionalUSD(i.field(issueFreeze).Entry), w-2)...)
	return i.form.Draw(i.theme.Words.T("Issue a card"), w, h, wallet, i.Waiting)
}

// Start fills a form of new cards from a template or from a card.
type Start struct {
	templates []label.CardTemplate
	none      string // The choice of none.
	names     *dialog.Cycle
	from      string // The name that the form was filled from.
}

// NewStart makes it for the templates of the configuration.
func NewStart(t *theme.Theme, s *state.Store) *Start {
	st := &Start{templates: s.Reloadable().Templates, none: t.Words.T("none")}
	st.from, st.names = st.none, &dialog.Cycle{Values: []string{st.none}}
	for _, template := range st.templates {
		st.names.Values = append(st.names.Values, template.Name)
	}
	return st
}

// Shift is how many fields the choice of a template takes.
func (st *Start) Shift() int { return min(1, len(st.templates)) }

// Above puts the choice of a template above the fields of a form.
func (st *Start) Above(f *dialog.Form) {
	if len(st.templates) > 0 {
		f.Fields = append([]*dialog.Field{{Label: f.Theme.Words.T("template"), Hint: f.Theme.Words.T("space: next; it fills the fields below"), Entry: st.names}}, f.Fields...)
	}
}

// Chosen returns what the template holds that was chosen just now.
func (st *Start) Chosen(f *dialog.Form) (api.CreateCardRequest, bool) {
	if st.Shift() == 0 || f.At != 0 || st.names.Value() == st.from {
		return api.CreateCardRequest{}, false
	}
	st.from = st.names.Value()
	at := slices.IndexFunc(st.templates, func(t label.CardTemplate) bool { return t.Name == st.from })
	if at < 0 {
		return api.CreateCardRequest{}, false
	}
	for _, fd := range f.Fields[1:] {
		fd.Touched = false
	}
	return st.templates[at].Request, true
}

// Free returns the first number from least on that gives a label no card has.
func Free(s *state.Store, template string, least int) int {
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
func (*Start) next(s *state.Store, r api.CreateCardRequest, least int) api.CreateCardRequest {
	if text, err := label.Fill(r.Label, label.Parts{N: Free(s, r.Label, least), New: true}); err == nil {
		r.Label = text
	}
	return r
}

// Fill fills the fields that nobody typed into. What the request does not say is empty.
func (*Start) Fill(f *dialog.Form, r api.CreateCardRequest) {
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
		if fd, ok := f.Find(name); ok && !fd.Touched {
			fd.Fill(value)
		}
	}
	f.FillPairs(r.Metadata)
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
