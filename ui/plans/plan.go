// Package plans has the dialogs of writes to many cards: what to do, the plan
// before it starts, and its rows while it runs.
package plans

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Plan shows every row of a bulk operation and the wallet afterwards, and asks
// for confirmation.
type Plan struct {
	theme *theme.Theme
	store *state.Store
	plan  *state.Plan
	// again makes the plan from what is known by then.
	again func(*state.Store) *state.Plan
	// below is how many dialogs below close when it is confirmed.
	below int
	// unseen is how many cards, the last of the plan, the filter hides.
	unseen int
	// note is a sentence about what the plan leaves out; empty for none.
	note    string
	buttons *dialog.Buttons
	dialog.RowList
}

// NewPlan makes the dialog. again makes the plan; below is how many dialogs
// below close when it is confirmed.
func NewPlan(t *theme.Theme, s *state.Store, below int, again func(*state.Store) *state.Plan) *Plan {
	p := &Plan{theme: t, store: s, again: again, below: below, RowList: dialog.NewRowList()}
	p.make()
	return p
}

// Unseen sets how many cards, the last of those it was made for, the filter
// hides.
func (p *Plan) Unseen(n int) *Plan {
	p.unseen = n
	p.rank()
	return p
}

// Note sets a sentence about what the plan leaves out.
func (p *Plan) Note(text string) *Plan {
	p.note = text
	return p
}

// make makes the plan.
func (p *Plan) make() {
	p.plan = p.again(p.store)
	p.buttons = p.ask()
	p.rank()
}

// rank sorts the rows that need attention to the top.
func (p *Plan) rank() {
	p.Order = p.Order[:0]
	for i := range p.plan.Rows {
		p.Order = append(p.Order, i)
	}
	class := func(i int) int {
		switch {
		case p.plan.Rows[i].Out != "":
			return 0
		case p.plan.Rows[i].Later:
			return 3
		case p.hides(i):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(p.Order, func(a, b int) int { return class(a) - class(b) })
}

// hides reports whether a row runs, now or later, on a card that the filter
// hides.
func (p *Plan) hides(i int) bool {
	r := &p.plan.Rows[i]
	return i >= len(p.plan.Rows)-p.unseen && (r.Runs() || r.Later)
}

// ask makes the buttons of the plan.
func (p *Plan) ask() *dialog.Buttons {
	n, kind := p.plan.Totals(), p.plan.Kind
	a := dialog.NewButtons(p.theme, bulkTitle(p.theme.Words, kind, n.Cards), p.check)
	if kind.Danger() == kernel.Money {
		a.More = " " + p.theme.Words.Dollars(n.Sum)
	}
	if kind.Danger() == kernel.Permanent {
		a.RequireNumber(p.theme.Words.T("number of cards"), n.Cards)
	}
	return a
}

// Sync makes the dialog read the store again. The plan stays as it was made:
// what was shown is what is sent.
func (p *Plan) Sync(s *state.Store, changed kernel.Topic) {
	p.store = s
	p.buttons.Sync(changed)
}

// Paste confirms nothing.
func (p *Plan) Paste(string) { p.buttons.Paste() }

// Traits implements Dialog.
func (p *Plan) Traits() dialog.Traits {
	return dialog.Traits{Question: true, Typing: p.buttons.Typing(), Move: p.Move}
}

// Act moves between the buttons and presses them.
func (p *Plan) Act(a keymap.Action) dialog.Result {
	switch p.buttons.Act(a) {
	case dialog.Cancelled:
		return dialog.Result{Close: true, Told: dialog.NothingSent(p.theme)}
	case dialog.Confirmed:
		if p.buttons.Blocked() || p.buttons.Again(p.theme.Words.T("total again"), p.plan.Totals().Sum) {
			return dialog.Result{}
		}
		return dialog.Result{
			Close: true, CloseMore: p.below, Intents: []kernel.Intent{state.RunPlan{Plan: p.plan}},
			Push: NewBatch(p.theme, p.store, p.plan.ID),
		}
	default:
	}
	return dialog.Result{}
}

// Type makes the plan again, switches what an error does, or types the text.
func (p *Plan) Type(key, text string) dialog.Result {
	switch {
	case p.buttons.Key(key, text):
	case key == "r":
		p.make()
	case key == "e":
		p.plan.StopOnError = !p.plan.StopOnError
	}
	return dialog.Result{}
}

// View draws the box.
func (p *Plan) View(w, h int) []string {
	t := p.theme
	w = min(w, 96)
	inner := w - 2
	foot := p.buttons.Lines(inner)
	return p.Draw(t, planTitle(t.Words, p.plan), w, h, p.head(inner), foot, dialog.KeyLines(t, inner, p.hints()...), p.row)
}

// check returns whether the plan can run now.
func (p *Plan) check() kernel.Verdict { return p.store.Check(state.RunPlan{Plan: p.plan}) }

// head sums the plan up, the most important first.
func (p *Plan) head(w int) []string {
	t, n := p.theme, p.plan.Totals()
	parts := []string{countCards(t.Words, n.Cards)}
	if n.Sum > 0 {
		parts = append(parts, t.Words.Dollars(n.Sum))
	}
	if n.Out > 0 {
		parts = append(parts, t.Words.Tf("%d skipped", n.Out))
	}
	if n.Skipped > 0 {
		parts = append(parts, t.Words.Tf("%d unchanged", n.Skipped))
	}
	if n.Later > 0 {
		parts = append(parts, t.Words.Tf("%d later", n.Later))
	}
	if p.buttons.Blocked() && n.Cards > 0 {
		parts = append(parts, t.Words.T("nothing is sent"))
	} else if p.buttons.Blocked() {
		parts = parts[1:] // There are none to count.
	}
	lines := dialog.Paragraph(w, t.Strong, strings.Join(parts, " · "))
	say := func(style, text string) { lines = append(lines, dialog.Paragraph(w, style, text)...) }
	if p.note != "" {
		say(t.Muted, p.note)
	}
	if p.plan.Kind.Danger() == kernel.Permanent {
		say(t.Bad, t.Words.T("permanent: cannot be undone"))
	}
	if hidden := p.hidden(); hidden > 0 {
		say(t.Warn, t.Glyphs.Bullet+" "+t.Words.Tf("%d hidden by the filter", hidden))
	}
	if p.plan.WalletKnown && p.plan.Wallet != p.plan.WalletEnd {
		lines = append(lines, dialog.Pair(t, w, t.Words.T("wallet")+"  ", dialog.BeforeAfter(t, p.plan.Wallet, p.plan.WalletEnd)...))
	}
	if n.Later > 0 {
		say(t.Info, t.Words.Tf("guardrails.max_bulk: %d at once; the next part follows this one", n.Cards))
	}
	lines = append(lines, dialog.StaleLines(t, p.store, state.RunPlan{Plan: p.plan}, w)...)
	if n.Frozen > 0 {
		say(t.Warn, t.Words.Tf("%d frozen: decline until unfrozen", n.Frozen))
	}
	if n.Twins > 0 {
		say(t.Warn, t.Words.Tf("%d labels exist already: issued before?", n.Twins))
	}
	if n.Alike > 0 {
		say(t.Warn, sameLabel(t.Words, n.Alike))
	}
	if d := p.plan.Lasts(); d > 0 {
		say(t.Muted, t.Words.Tf("takes about %s: the API issues 50 cards per minute", span(t.Words, d)))
	}
	return lines
}

// sameLabel warns of cards that cannot be told apart.
func sameLabel(w *lang.Words, n int) string {
	return w.Tn(n, "%d cards get the same label: add {n} to number them", "%d cards get the same label: add {n} to number them")
}

// hidden counts the rows that run on cards the filter hides.
func (p *Plan) hidden() int {
	n := 0
	for i := range p.plan.Rows {
		if p.hides(i) {
			n++
		}
	}
	return n
}

func (p *Plan) row(i int, w *widget.RowWriter) {
	at := p.Order[i]
	t, r := p.theme, &p.plan.Rows[at]
	name := r.Name
	if r.Line > 0 {
		name = fmt.Sprintf("%d  %s", r.Line, name)
	}
	switch {
	case r.Out != "":
		w.Cell(t.Bad, t.Glyphs.Cross)
		nameCell(w, t.Text, name)
		w.Cell(t.Bad, r.Out)
	case r.Skip != "":
		w.Cell(t.Faint, "·")
		nameCell(w, t.Faint, name)
		w.Cell(t.Faint, r.Skip)
	case r.Later:
		w.Cell(t.Faint, "·")
		nameCell(w, t.Faint, name)
		later := t.Words.T("later: ")
		w.Cell(t.Faint, later+effect(t, r, w.Width()-widget.Width(later)))
	default:
		mark := " "
		if p.hides(at) {
			mark = t.Glyphs.Bullet
		}
		w.Cell(t.Warn, mark)
		nameCell(w, t.Text, name)
		w.Cell(t.Text, reasoned(t, r, w.Width()))
	}
}

// hints name the keys.
func (p *Plan) hints() []string {
	blocked := p.buttons.Blocked()
	switch {
	case blocked && p.buttons.Typing():
		return []string{"esc " + p.theme.Words.T("back"), "↑↓ " + p.theme.Words.T("rows")}
	case blocked:
		return []string{"esc " + p.theme.Words.T("back"), "r " + p.theme.Words.T("refresh"), "↑↓ " + p.theme.Words.T("rows")}
	case p.buttons.Typing():
		return []string{"tab " + p.theme.Words.T("switch"), "esc " + p.theme.Words.T("back"), "↑↓ " + p.theme.Words.T("rows")}
	}
	onError := "e " + p.theme.Words.T("on error: continue")
	if p.plan.StopOnError {
		onError = "e " + p.theme.Words.T("on error: stop")
	}
	return []string{"tab " + p.theme.Words.T("switch"), "esc " + p.theme.Words.T("back"), onError, "r " + p.theme.Words.T("refresh"), "↑↓ " + p.theme.Words.T("rows")}
}

// planTitle returns what the plan does.
func planTitle(w *lang.Words, p *state.Plan) string {
	title := bulkTitle(w, p.Kind, len(p.Rows))
	if p.Rule != "" {
		return w.Tf("Rule %s: %s", p.Rule, lower(title))
	}
	amount := w.Dollars(p.Amount)
	switch {
	case p.Kind == state.BulkLimit:
		title = w.Tf("%s: %s per month", title, amount)
	case p.Kind != state.BulkFund && p.Kind != state.BulkWithdraw:
	case p.Share == state.ShareSplit:
		title = w.Tf("%s: %s in total", title, amount)
	case p.Share == state.ShareAll:
		title = w.Tf("%s: full balance", title)
	case p.Share == state.ShareLevel && p.Kind == state.BulkFund:
		title = w.Tf("%s up to %s", title, amount)
	case p.Share == state.ShareLevel:
		title = w.Tf("%s down to %s", title, amount)
	case p.Amount > 0:
		title = w.Tf("%s: %s each", title, amount)
	}
	if p.Parts > 0 {
		title = w.Tf("%s, part %d of %d", title, p.Part, p.Parts)
	}
	return title
}

// bulkTitle says what is done to how many cards.
func bulkTitle(w *lang.Words, kind state.BulkKind, n int) string {
	switch kind {
	case state.BulkFund:
		return w.Tn(n, "Fund %d card", "Fund %d cards")
	case state.BulkWithdraw:
		return w.Tn(n, "Withdraw %d card", "Withdraw %d cards")
	case state.BulkFreeze:
		return w.Tn(n, "Freeze %d card", "Freeze %d cards")
	case state.BulkUnfreeze:
		return w.Tn(n, "Unfreeze %d card", "Unfreeze %d cards")
	case state.BulkTerminate:
		return w.Tn(n, "Terminate %d card", "Terminate %d cards")
	case state.BulkIssue:
		return w.Tn(n, "Issue %d card", "Issue %d cards")
	case state.BulkLimit:
		return w.Tn(n, "Limit %d card", "Limit %d cards")
	case state.BulkLabel:
		return w.Tn(n, "Label %d card", "Label %d cards")
	default:
		return kind.String() + " " + countCards(w, n)
	}
}

// lower begins a text with a small letter.
func lower(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}

// countCards formats a number of cards.
func countCards(w *lang.Words, n int) string { return w.Tn(n, "%d card", "%d cards") }

// span formats a duration.
func span(w *lang.Words, d time.Duration) string {
	if d < 100*time.Second {
		return w.Tf("%d s", (d+time.Second-1)/time.Second)
	}
	return w.Tf("%d min", (d+time.Minute/2)/time.Minute)
}

// nameCell writes a card's name. Where it is cut, the label is and the digits,
// which tell cards apart, are not.
func nameCell(w *widget.RowWriter, style widget.Style, name string) {
	at := strings.LastIndex(name, " ••")
	if at < 0 {
		w.Cell(style, name)
		return
	}
	digits := name[at:]
	w.Span(style, widget.Truncate(name[:at], max(0, w.Width()-widget.Width(digits))))
	w.Span(style, digits)
	w.EndCell()
}

// moved formats the amount of a row and the balance before and after, as far as
// n cells have room.
func moved(t *theme.Theme, sign string, r *state.PlanRow, n int) string {
	arrow := " " + t.Glyphs.Arrow + " "
	amount, after := sign+t.Words.Amount(r.Amount), t.Words.Amount(r.After)
	long := amount + "  " + t.Words.Amount(r.Before) + arrow + after
	if widget.Width(long) <= n {
		return long
	}
	if short := amount + arrow + after; widget.Width(short) <= n {
		return short
	}
	return amount
}

// reasoned is effect, after what the plan was made for where n cells have room for both.
func reasoned(t *theme.Theme, r *state.PlanRow, n int) string {
	about := r.About + "  "
	if room := n - widget.Width(about); r.About != "" {
		if text := effect(t, r, room); widget.Width(text) <= room {
			return about + text
		}
	}
	return effect(t, r, n)
}

// effect formats what a row does, in n cells.
func effect(t *theme.Theme, r *state.PlanRow, n int) string {
	arrow := " " + t.Glyphs.Arrow + " "
	in := &r.Write
	switch in.Kind {
	case state.OpFund:
		return moved(t, "+", r, n)
	case state.OpWithdraw:
		return moved(t, "-", r, n)
	case state.OpTerminate:
		if long := t.Words.Tf("%s back to the wallet", t.Words.Dollars(r.Amount)); widget.Width(long) <= n {
			return long
		}
		return t.Words.Tf("%s back", t.Words.Dollars(r.Amount))
	case state.OpIssue:
		text := t.Words.Dollars(r.Amount) + "  " + string(in.Request.BIN)
		if r.Twin {
			text += "  " + t.Words.T("duplicate label")
		}
		return text
	case state.OpUpdate:
		if in.Change.Label != nil {
			return strings.TrimSpace(arrow) + " " + *in.Change.Label
		}
		if in.Change.SpendingLimit != nil {
			return t.Words.Tf("limit %s per month", t.Words.Dollars(*in.Change.SpendingLimit))
		}
	case state.OpFreeze:
		return t.Words.T("freeze")
	case state.OpUnfreeze:
		return t.Words.T("unfreeze")
	default:
	}
	return ""
}

// sheetProblems lists the errors of a CSV file, line by line.
type sheetProblems struct {
	dialog.Inert
	theme    *theme.Theme
	path     string
	problems []cardcsv.Problem
	valid    int // rows without an error
	dialog.RowList
}

// rest says what happens to the valid rows.
func (d *sheetProblems) rest() string {
	return d.theme.Words.Tn(d.valid, "%d row is valid; none is issued until all are", "%d rows are valid; none is issued until all are")
}

func newSheetProblems(t *theme.Theme, sheet state.IssueFile, all []cardcsv.Problem) *sheetProblems {
	d := &sheetProblems{theme: t, path: sheet.Path, problems: all, RowList: dialog.NewRowList()}
	wrong := make(map[int]bool)
	for i, p := range all {
		d.Order = append(d.Order, i)
		wrong[p.Line] = true
	}
	for _, row := range sheet.File.Rows {
		if !wrong[row.Line] {
			d.valid++
		}
	}
	d.Table.SetRows(len(all))
	return d
}

// Traits implements Dialog.
func (d *sheetProblems) Traits() dialog.Traits {
	return dialog.Traits{Move: d.Move}
}

// Act closes the list, or reads the corrected file.
func (d *sheetProblems) Act(a keymap.Action) dialog.Result {
	switch a {
	case keymap.Cancel:
		return dialog.Result{Close: true}
	case keymap.Confirm:
		return dialog.Result{Close: true, Intents: []kernel.Intent{state.LoadIssueFile{Path: d.path}}}
	default:
		return dialog.Result{}
	}
}

// View draws the box.
func (d *sheetProblems) View(w, h int) []string {
	t := d.theme
	w = min(w, 96)
	inner := w - 2
	var foot []string
	if at, ok := d.Table.Cursor(); ok { // Its row may cut the text.
		foot = dialog.Paragraph(inner, t.Bad, d.problems[at].Text)
	}
	foot = append(foot, dialog.Paragraph(inner, t.Muted, d.rest())...)
	keys := dialog.KeyLines(t, inner, "enter "+t.Words.T("reload"), "esc "+t.Words.T("back"), "↑↓ "+t.Words.T("rows"))
	return d.Draw(t, t.Words.Tf("%s in %s", t.Words.Tn(len(d.problems), "%d error", "%d errors"), d.path), w, h, nil, foot, keys, func(i int, r *widget.RowWriter) {
		r.Cell(t.Bad, t.Glyphs.Cross)
		r.Cell(t.Text, strings.TrimRight(t.Words.Tf("line %d  %s", d.problems[i].Line, d.problems[i].Column), " "))
		r.Cell(t.Bad, d.problems[i].Text)
	})
}
