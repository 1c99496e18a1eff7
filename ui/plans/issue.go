package plans

import (
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/label"
	"github.com/cardtop/cardtop/ui/cards"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// Several is the form of several new cards, from a template or a CSV file. It
// opens their plan.
type Several struct {
	theme *theme.Theme
	store *state.Store
	form  *dialog.Form
	bin   *dialog.Choice
	start *cards.Start
	read  string // the path that this form read
}

// The fields in their order, that of the template above them where there are templates.
// With a file the others are not used.
const (
	severalFile = iota
	severalBIN
	severalAmount
	severalCount
	severalLabel
	severalStart
	severalLimit
	severalCategories
	severalFreeze
)

// NewSeveral makes the form.
func NewSeveral(t *theme.Theme, s *state.Store) *Several {
	bin := &dialog.Choice{}
	d := &Several{theme: t, bin: bin, start: cards.NewStart(t, s)}
	w := t.Words
	d.form = dialog.NewForm(t,
		&dialog.Field{Name: "file", Label: w.T("CSV file"), Hint: w.T("header bin_id,amount,label,…; empty: use the fields below"), Entry: dialog.NewText()},
		&dialog.Field{Name: cardcsv.BIN, Label: w.T("BIN"), Entry: bin},
		&dialog.Field{Name: cardcsv.Amount, Label: w.T("amount $"), Hint: w.T("per card, from the wallet"), Entry: dialog.NewAmountEntry()},
		&dialog.Field{Name: "cards", Label: w.T("cards"), Hint: w.T("how many"), Entry: dialog.NewText()},
		&dialog.Field{Name: cardcsv.Label, Label: w.T("label"), Hint: w.T("{n} is the number, {n:02} has two digits"), Entry: dialog.NewText()},
		&dialog.Field{Name: "first", Label: w.T("first number"), Hint: w.T("{n} starts there; empty: 1"), Entry: dialog.NewText()},
		&dialog.Field{Name: cardcsv.Limit, Label: w.T("limit $/month"), Hint: w.T("empty: the BIN's maximum"), Entry: dialog.NewAmountEntry()},
		&dialog.Field{Name: cardcsv.Categories, Label: w.T("categories"), Hint: w.T("MCCs of four digits or words, comma-separated; empty: all"), Entry: dialog.NewText()},
		&dialog.Field{Name: cardcsv.AutoFreeze, Label: w.T("auto-freeze $"), Hint: w.T("freezes when the balance falls below; empty: never"), Entry: dialog.NewAmountEntry()},
		dialog.NewPair(t, ""),
	)
	d.form.Fields[severalFile].Entry.SetPlaceholder(w.T("none"))
	d.form.Fields[severalLabel].Entry.SetPlaceholder("fb/spring/{n:02}")
	d.form.Fields[severalLimit].Entry.SetPlaceholder(w.T("the BIN's maximum"))
	d.form.Fields[severalFreeze].Entry.SetPlaceholder(w.T("never"))
	d.form.At = severalBIN
	if d.start.Above(d.form); d.start.Shift() > 0 {
		d.form.At = 0
	}
	d.store = s
	d.recall()
	d.Sync(s, kernel.TopicAll)
	return d
}

// field is a field by its place in the form.
func (d *Several) field(at int) *dialog.Field { return d.form.Fields[d.start.Shift()+at] }

func (d *Several) onBIN() bool { return d.form.Focused() == d.field(severalBIN) }

// recall fills the form as the last plan was made from it, numbered on.
func (d *Several) recall() {
	t, ok := d.store.Bulk.LastTemplate()
	if !ok {
		return
	}
	d.fill(t.Request)
	d.field(severalCount).Offer(strconv.Itoa(t.Count))
}

// fill fills the form from a request with a template of a label.
func (d *Several) fill(r api.CreateCardRequest) {
	d.start.Fill(d.form, r)
	d.field(severalStart).Offer(strconv.Itoa(cards.Free(d.store, r.Label, 1)))
}

// Sync makes the form read the store again.
func (d *Several) Sync(s *state.Store, _ kernel.Topic) {
	d.store = s
	if bin, ok := s.BINs.Get(api.BINID(d.bin.Chosen)); ok {
		d.bin.Text = strings.Join(pane.BINCells(s.Words(), bin)[:5], "  ")
	}
	d.validate()
}

// hintBIN sets the hint of the BIN field.
func (d *Several) hintBIN() {
	bin := d.field(severalBIN)
	bin.Hint = d.theme.Words.T("enter: list")
	bin.Entry.SetPlaceholder(d.theme.Words.T("enter: choose"))
	if d.value(severalFile) != "" {
		bin.Hint = d.theme.Words.T("from the file, one per row; without a file it is chosen here")
		bin.Entry.SetPlaceholder(d.theme.Words.T("in the file"))
	}
}

// enters returns what enter does; empty stands for the review.
func (d *Several) enters() string {
	sheet, read := d.sheet()
	switch {
	case d.value(severalFile) == "" && d.onBIN():
		return d.theme.Words.T("choose")
	case d.value(severalFile) == "":
		return ""
	case !read, sheet.Loading, sheet.Err != nil:
		return d.theme.Words.T("read file")
	case len(sheet.Problems) > 0:
		return d.theme.Words.T("list errors")
	}
	return ""
}

func (d *Several) value(at int) string { return strings.TrimSpace(d.field(at).Entry.Value()) }

// validate shows at each field what is wrong with it.
func (d *Several) validate() {
	d.form.ClearProblems()
	d.hintBIN()
	if d.value(severalFile) != "" {
		return
	}
	for at, least := range map[int]int{severalCount: 1, severalStart: 0} {
		n, err := strconv.Atoi(d.value(at))
		if (err != nil || n < least || n > 1_000_000) && (at == severalCount || d.value(at) != "") {
			d.field(at).Problem = d.theme.Words.T("enter a number, such as 12")
		}
	}
	t := d.template()
	many := t.Count
	t.Count = 1
	rows, err := t.Rows()
	if err != nil {
		d.field(severalLabel).Problem = err.Error()
		return
	}
	d.form.SetProblems(d.store.Problems(state.Issue(rows[0].Request)))
	label := d.field(severalLabel)
	if many > 1 && label.Entry.Value() != "" && rows[0].Request.Label == label.Entry.Value() {
		label.Warning = sameLabel(d.theme.Words, many)
	}
}

// template returns what is typed so far.
func (d *Several) template() label.IssueTemplate {
	t := label.IssueTemplate{Start: 1}
	amount, _ := dialog.USDOf(d.field(severalAmount).Entry)
	t.Request = api.CreateCardRequest{
		BIN: api.BINID(d.bin.Chosen), Amount: amount, Label: d.field(severalLabel).Entry.Value(),
		SpendingLimit: dialog.OptionalUSD(d.field(severalLimit).Entry), AllowedCategories: dialog.Commas(d.field(severalCategories).Entry.Value()),
		AutoFreezeAt: dialog.OptionalUSD(d.field(severalFreeze).Entry), Metadata: d.form.Pairs(nil),
	}
	// validate reports an invalid number.
	t.Count, _ = strconv.Atoi(d.value(severalCount))
	if start, err := strconv.Atoi(d.value(severalStart)); err == nil {
		t.Start = start
	}
	return t
}

// pick makes the list of BINs over the form.
func (d *Several) pick() *cards.BINs {
	return cards.NewBINs(d.theme, d.store, api.BINID(d.bin.Chosen), 1, func(id api.BINID) {
		d.form.At = d.start.Shift() + severalBIN
		d.form.Edit(func(e dialog.Entry) { e.SetValue(string(id)) })
		d.form.At = d.start.Shift() + severalAmount
		d.Sync(d.store, kernel.TopicAll)
	})
}

// Traits implements Dialog.
func (d *Several) Traits() dialog.Traits {
	return dialog.Traits{Context: keymap.Form, Typing: d.form.Letters()}
}

// Act moves between the fields, opens the list of BINs, reads the file, or opens
// the plan.
func (d *Several) Act(a keymap.Action) dialog.Result {
	switch {
	case a == keymap.Cancel:
		return dialog.Result{Close: true}
	case d.form.Act(a):
	case a == keymap.Confirm && d.value(severalFile) != "":
		return d.fromFile()
	case a == keymap.Confirm && d.onBIN():
		return dialog.Result{Push: d.pick(), Intents: []kernel.Intent{bins.Load{}}}
	case a == keymap.Confirm:
		return d.fromTemplate()
	}
	return dialog.Result{}
}

func (d *Several) fromTemplate() dialog.Result {
	d.validate()
	if d.form.FirstWrong() {
		return dialog.Result{}
	}
	rows, err := d.template().Rows()
	if err != nil {
		d.form.Refused("cards", err.Error())
		return dialog.Result{}
	}
	r := d.plan(rows)
	r.Intents = append(r.Intents, state.RememberTemplate{Template: d.template()})
	return r
}

// fromFile reads the file, and then opens its errors or its plan.
func (d *Several) fromFile() dialog.Result {
	sheet, read := d.sheet()
	switch {
	case sheet.Loading:
		return dialog.Result{}
	case !read || sheet.Err != nil:
		return d.load()
	case len(sheet.Problems) > 0:
		return dialog.Result{Push: newSheetProblems(d.theme, sheet, sheet.Problems)}
	default:
		return d.plan(sheet.File.Rows)
	}
}

func (d *Several) load() dialog.Result {
	d.read = d.value(severalFile)
	return dialog.Result{Intents: []kernel.Intent{state.LoadIssueFile{Path: d.read}}}
}

// sheet returns the file at the typed path, once this form read it: a file read
// before may have changed.
func (d *Several) sheet() (state.IssueFile, bool) {
	sheet := d.store.Bulk.IssueFile()
	if path := d.value(severalFile); path == "" || path != d.read || path != sheet.Path {
		return state.IssueFile{}, false
	}
	return sheet, true
}

func (d *Several) plan(rows []cardcsv.Row) dialog.Result {
	in := state.Writes{Kind: state.BulkIssue, Rows: rows}
	return dialog.Result{Push: NewPlan(d.theme, d.store, 1, func(s *state.Store) *state.Plan { return s.Plan(in) })}
}

// Type types into the focused field.
func (d *Several) Type(key, text string) dialog.Result {
	if d.onBIN() {
		if text == "" {
			return dialog.Result{}
		}
		list := d.pick()
		if text != " " {
			list.Type(key, text)
		}
		return dialog.Result{Push: list, Intents: []kernel.Intent{bins.Load{}}}
	}
	d.form.Edit(func(e dialog.Entry) { e.Key(key, text) })
	if r, ok := d.start.Chosen(d.form); ok {
		d.fill(r)
	}
	d.form.Grow()
	d.Sync(d.store, kernel.TopicAll)
	return dialog.Result{}
}

// Paste pastes into the focused field; one line of metadata a field.
func (d *Several) Paste(text string) {
	if d.form.Focused().Name == state.FieldMetadata {
		d.form.PasteLines(text)
	} else {
		d.form.Edit(func(e dialog.Entry) { e.Paste(strings.TrimSpace(text)) })
	}
	d.validate()
}

// View draws the box.
func (d *Several) View(w, h int) []string {
	w = min(w, 76)
	d.form.Enter = d.enters()
	return d.form.Draw(d.theme.Words.T("Issue several cards"), w, h, d.effect(w-2), false)
}

// effect draws what the plan will be, or the result of reading the file.
func (d *Several) effect(w int) []string {
	t := d.theme
	say := func(style, text string) []string { return dialog.Paragraph(w, style, text) }
	sheet, read := d.sheet()
	switch {
	case d.value(severalFile) == "":
		return say(t.Muted, d.outline())
	case !read:
		return say(t.Muted, t.Words.T("press enter to read the file"))
	case sheet.Loading:
		return say(t.Muted, t.Words.T("reading…"))
	case sheet.Err != nil:
		return say(t.Error, sheet.Err.Error())
	case len(sheet.Problems) > 0:
		return append(say(t.Error, t.Words.Tf("%s: the file is not used; enter lists them", t.Words.Tn(len(sheet.Problems), "%d error", "%d errors"))),
			say(t.Text, t.Words.Tf("line %d: %s", sheet.Problems[0].Line, strings.TrimLeft(sheet.Problems[0].Column+" "+sheet.Problems[0].Text, " ")))...)
	}
	return say(t.Good, t.Words.Tf("%s read", countCards(t.Words, len(sheet.File.Rows))))
}

// named is the first and the last label of the template; empty without any.
func (d *Several) named(t label.IssueTemplate) string {
	t.Count = max(1, min(t.Count, 10_000))
	last := t
	last.Start, last.Count, t.Count = t.Start+t.Count-1, 1, 1
	from, err := t.Rows()
	to, errTo := last.Rows()
	switch {
	case err != nil || errTo != nil || from[0].Request.Label == "":
		return ""
	case from[0].Request.Label == to[0].Request.Label:
		return from[0].Request.Label
	}
	return from[0].Request.Label + " … " + to[0].Request.Label
}

// outline sums up the cards of the template.
func (d *Several) outline() string {
	t := d.template()
	wallet, known := d.store.Wallets.Balance()
	sum := t.Request.Amount * api.USD(t.Count)
	if t.Count < 1 || t.Count > 10_000 || sum <= 0 || !known {
		return ""
	}
	w := d.theme.Words
	text := w.Tf("%s · %s · wallet after: %s", countCards(w, t.Count), w.Dollars(sum), w.Dollars(wallet.Balance-sum))
	if names := d.named(t); names != "" {
		text = names + " · " + text
	}
	return text
}
