package dialog

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// Several is the form of several new cards, from a template or a CSV file. It
// opens their plan.
type Several struct {
	theme *theme.Theme
	store *state.Store
	form  *form
	bin   *choice
	read  string // the path that this form read
}

// The fields in their order. With a file the others are not used.
const (
	severalFile = iota
	severalBIN
	severalAmount
	severalCount
	severalLabel
	severalStart
	severalLimit
)

// NewSeveral makes the form.
func NewSeveral(t *theme.Theme, s *state.Store) *Several {
	bin := &choice{}
	d := &Several{theme: t, bin: bin}
	d.form = newForm(t,
		&field{name: "file", label: "CSV file", hint: "header bin_id,amount,label,…; empty: use the fields below", entry: newText()},
		&field{name: state.FieldBIN, label: "BIN", entry: bin},
		&field{name: state.FieldAmount, label: "amount $", hint: "per card, from the wallet", entry: newAmount()},
		&field{name: "cards", label: "cards", hint: "how many", entry: newText()},
		&field{name: state.FieldLabel, label: "label", hint: "{n} is the number, {n:02} has two digits", entry: newText()},
		&field{name: "first", label: "first number", hint: "{n} starts there; empty: 1", entry: newText()},
		&field{name: state.FieldLimit, label: "limit $/month", hint: "empty: the BIN's maximum", entry: newAmount()},
	)
	d.form.fields[severalFile].entry.SetPlaceholder("none")
	d.form.fields[severalLabel].entry.SetPlaceholder("fb/spring/{n:02}")
	d.form.fields[severalLimit].entry.SetPlaceholder("the BIN's maximum")
	d.form.at = severalBIN
	d.Sync(s, state.TopicAll)
	return d
}

// Sync makes the form read the store again.
func (d *Several) Sync(s *state.Store, _ state.Topic) {
	d.store = s
	if bin, ok := s.BINs.Get(state.BINID(d.bin.value)); ok {
		d.bin.text = strings.Join(pane.BINCells(bin)[:5], "  ")
	}
	d.validate()
}

// hintBIN sets the hint of the BIN field.
func (d *Several) hintBIN() {
	bin := d.form.fields[severalBIN]
	bin.hint = "enter: list"
	bin.entry.SetPlaceholder("enter: choose")
	if d.value(severalFile) != "" {
		bin.hint = "from the file, one per row; without a file it is chosen here"
		bin.entry.SetPlaceholder("in the file")
	}
}

// enters returns what enter does; empty stands for the review.
func (d *Several) enters() string {
	sheet, read := d.sheet()
	switch {
	case d.value(severalFile) == "" && d.form.at == severalBIN:
		return "choose"
	case d.value(severalFile) == "":
		return ""
	case !read, sheet.Loading, sheet.Err != nil:
		return "read file"
	case len(sheet.Problems) > 0:
		return "list errors"
	}
	return ""
}

func (d *Several) value(at int) string { return strings.TrimSpace(d.form.fields[at].entry.Value()) }

// validate shows at each field what is wrong with it.
func (d *Several) validate() {
	d.form.clearProblems()
	d.hintBIN()
	if d.value(severalFile) != "" {
		return
	}
	for at, least := range map[int]int{severalCount: 1, severalStart: 0} {
		n, err := strconv.Atoi(d.value(at))
		if (err != nil || n < least || n > 1_000_000) && (at == severalCount || d.value(at) != "") {
			d.form.fields[at].problem = "enter a number, such as 12"
		}
	}
	t := d.template()
	t.Count = 1
	rows, err := t.Rows()
	if err != nil {
		d.form.fields[severalLabel].problem = err.Error()
		return
	}
	d.form.setProblems(d.store.Problems(state.IssueCard{Request: rows[0].Request}))
	label := d.form.fields[severalLabel]
	if n := d.template().Count; n > 1 && label.entry.Value() != "" && rows[0].Request.Label == label.entry.Value() {
		label.warning = sameLabel(n)
	}
}

// template returns what is typed so far.
func (d *Several) template() state.IssueTemplate {
	t := state.IssueTemplate{Start: 1}
	amount, _ := usd(d.form.fields[severalAmount].entry)
	t.Request = state.CardRequest{
		BIN: state.BINID(d.bin.value), Amount: amount, Label: d.form.fields[severalLabel].entry.Value(),
		SpendingLimit: optional(d.form.fields[severalLimit].entry),
	}
	// validate reports an invalid number.
	t.Count, _ = strconv.Atoi(d.value(severalCount))
	if start, err := strconv.Atoi(d.value(severalStart)); err == nil {
		t.Start = start
	}
	return t
}

// pick makes the list of BINs over the form.
func (d *Several) pick() *BINs {
	return NewBINs(d.theme, d.store, state.BINID(d.bin.value), 1, func(id state.BINID) {
		d.form.at = severalBIN
		d.form.edit(func(e entry) { e.SetValue(string(id)) })
		d.form.at = severalAmount
		d.Sync(d.store, state.TopicAll)
	})
}

// Traits implements Dialog.
func (d *Several) Traits() Traits {
	return Traits{Context: keymap.Form, Typing: d.form.letters()}
}

// Act moves between the fields, opens the list of BINs, reads the file, or opens
// the plan.
func (d *Several) Act(a keymap.Action) Result {
	switch {
	case a == keymap.Cancel:
		return Result{Close: true}
	case d.form.act(a):
	case a == keymap.Confirm && d.value(severalFile) != "":
		return d.fromFile()
	case a == keymap.Confirm && d.form.at == severalBIN:
		return Result{Push: d.pick(), Intents: []state.Intent{state.LoadBINs{}}}
	case a == keymap.Confirm:
		return d.fromTemplate()
	}
	return Result{}
}

func (d *Several) fromTemplate() Result {
	d.validate()
	if d.form.firstWrong() {
		return Result{}
	}
	rows, err := d.template().Rows()
	if err != nil {
		d.form.refused("cards", err.Error())
		return Result{}
	}
	return d.plan(rows)
}

// fromFile reads the file, and then opens its errors or its plan.
func (d *Several) fromFile() Result {
	sheet, read := d.sheet()
	switch {
	case sheet.Loading:
		return Result{}
	case !read || sheet.Err != nil:
		return d.load()
	case len(sheet.Problems) > 0:
		return Result{Push: newSheetProblems(d.theme, sheet, sheet.Problems)}
	default:
		return d.plan(sheet.File.Rows)
	}
}

func (d *Several) load() Result {
	d.read = d.value(severalFile)
	return Result{Intents: []state.Intent{state.LoadIssueFile{Path: d.read}}}
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

func (d *Several) plan(rows []state.IssueRow) Result {
	in := state.IssueMany{Rows: rows}
	return Result{Push: NewPlan(d.theme, d.store, 1, func(s *state.Store) *state.Plan { return s.Plan(in) })}
}

// Type types into the focused field.
func (d *Several) Type(key, text string) Result {
	if d.form.at == severalBIN {
		if text == "" {
			return Result{}
		}
		list := d.pick()
		if text != " " {
			list.Type(key, text)
		}
		return Result{Push: list, Intents: []state.Intent{state.LoadBINs{}}}
	}
	d.form.edit(func(e entry) { e.Key(key, text) })
	d.validate()
	return Result{}
}

// Paste pastes into the focused field.
func (d *Several) Paste(text string) {
	d.form.edit(func(e entry) { e.Paste(strings.TrimSpace(text)) })
	d.validate()
}

// View draws the box.
func (d *Several) View(w, h int) []string {
	w = min(w, 76)
	d.form.enter = d.enters()
	return d.form.view("Issue several cards", w, h, d.effect(w-2), false)
}

// effect draws what the plan will be, or the result of reading the file.
func (d *Several) effect(w int) []string {
	t := d.theme
	say := func(style, text string) []string { return paragraph(w, style, text) }
	sheet, read := d.sheet()
	switch {
	case d.value(severalFile) == "":
		return say(t.Muted, d.outline())
	case !read:
		return say(t.Muted, "press enter to read the file")
	case sheet.Loading:
		return say(t.Muted, "reading…")
	case sheet.Err != nil:
		return say(t.Error, sheet.Err.Error())
	case len(sheet.Problems) > 0:
		return append(say(t.Error, errorCount(len(sheet.Problems))+": the file is not used; enter lists them"),
			say(t.Text, fmt.Sprintf("line %d: %s", sheet.Problems[0].Line, strings.TrimLeft(sheet.Problems[0].Column+" "+sheet.Problems[0].Text, " ")))...)
	}
	return say(t.Good, cards(len(sheet.File.Rows))+" read")
}

func errorCount(n int) string {
	if n == 1 {
		return "1 error"
	}
	return fmt.Sprintf("%d errors", n)
}

// outline sums up the cards of the template.
func (d *Several) outline() string {
	t := d.template()
	wallet, known := d.store.Wallet.Balance()
	sum := t.Request.Amount * state.USD(t.Count)
	if t.Count < 1 || t.Count > 10_000 || sum <= 0 || !known {
		return ""
	}
	return fmt.Sprintf("%s · $%s · wallet after: %s", cards(t.Count), sum.Grouped(), dollars(wallet.Balance-sum))
}
