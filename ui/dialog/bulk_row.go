package dialog

import (
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/cardcsv"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// planTitle returns what the plan does.
func planTitle(p *state.Plan) string {
	title := capital(p.Kind.String()) + " " + cards(len(p.Rows))
	amount := "$" + p.Amount.Grouped()
	switch {
	case p.Kind == state.BulkLimit:
		title += ": " + amount + " per month"
	case p.Kind != state.BulkFund && p.Kind != state.BulkWithdraw:
	case p.Share == state.ShareSplit:
		title += ": " + amount + " in total"
	case p.Share == state.ShareAll:
		title += ": full balance"
	case p.Share == state.ShareLevel && p.Kind == state.BulkFund:
		title += " up to " + amount
	case p.Share == state.ShareLevel:
		title += " down to " + amount
	case p.Amount > 0:
		title += ": " + amount + " each"
	}
	if p.Parts > 0 {
		title += fmt.Sprintf(", part %d of %d", p.Part, p.Parts)
	}
	return title
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// cards formats a number of cards.
func cards(n int) string {
	if n == 1 {
		return "1 card"
	}
	return fmt.Sprintf("%d cards", n)
}

// span formats a duration.
func span(d time.Duration) string {
	if d < 100*time.Second {
		return fmt.Sprintf("%d s", (d+time.Second-1)/time.Second)
	}
	return fmt.Sprintf("%d min", (d+time.Minute/2)/time.Minute)
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
	long := sign + r.Amount.Grouped() + "  " + r.Before.Grouped() + arrow + r.After.Grouped()
	if widget.Width(long) <= n {
		return long
	}
	if short := sign + r.Amount.Grouped() + arrow + r.After.Grouped(); widget.Width(short) <= n {
		return short
	}
	return sign + r.Amount.Grouped()
}

// effect formats what a row does, in n cells.
func effect(t *theme.Theme, r *state.PlanRow, n int) string {
	arrow := " " + t.Glyphs.Arrow + " "
	switch in := r.Intent.(type) {
	case state.FundCard:
		return moved(t, "+", r, n)
	case state.WithdrawCard:
		return moved(t, "-", r, n)
	case state.TerminateCard:
		if long := "$" + r.Amount.Grouped() + " back to the wallet"; widget.Width(long) <= n {
			return long
		}
		return "$" + r.Amount.Grouped() + " back"
	case state.IssueCard:
		text := "$" + r.Amount.Grouped() + "  " + string(in.Request.BIN)
		if r.Twin {
			text += "  duplicate label"
		}
		return text
	case state.UpdateCard:
		if in.Change.Label != nil {
			return strings.TrimSpace(arrow) + " " + *in.Change.Label
		}
		if in.Change.SpendingLimit != nil {
			return "limit $" + in.Change.SpendingLimit.Grouped() + " per month"
		}
	case state.FreezeCard:
		return "freeze"
	case state.UnfreezeCard:
		return "unfreeze"
	default:
	}
	return ""
}

// sheetProblems lists the errors of a CSV file, line by line.
type sheetProblems struct {
	inert
	theme    *theme.Theme
	path     string
	problems []cardcsv.Problem
	valid    int // rows without an error
	rowList
}

// rest says what happens to the valid rows.
func (d *sheetProblems) rest() string {
	if d.valid == 1 {
		return "1 row is valid; none is issued until all are"
	}
	return fmt.Sprintf("%d rows are valid; none is issued until all are", d.valid)
}

func newSheetProblems(t *theme.Theme, sheet state.IssueFile, all []cardcsv.Problem) *sheetProblems {
	d := &sheetProblems{theme: t, path: sheet.Path, problems: all, rowList: newRowList()}
	wrong := make(map[int]bool)
	for i, p := range all {
		d.order = append(d.order, i)
		wrong[p.Line] = true
	}
	for _, row := range sheet.File.Rows {
		if !wrong[row.Line] {
			d.valid++
		}
	}
	d.table.SetRows(len(all))
	return d
}

// Traits implements Dialog.
func (d *sheetProblems) Traits() Traits {
	return Traits{Move: d.Move}
}

// Act closes the list, or reads the corrected file.
func (d *sheetProblems) Act(a keymap.Action) Result {
	switch a {
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.Confirm:
		return Result{Close: true, Intents: []state.Intent{state.LoadIssueFile{Path: d.path}}}
	default:
		return Result{}
	}
}

// View draws the box.
func (d *sheetProblems) View(w, h int) []string {
	t := d.theme
	w = min(w, 96)
	inner := w - 2
	var foot []string
	if at, ok := d.table.Cursor(); ok { // Its row may cut the text.
		foot = paragraph(inner, t.Bad, d.problems[at].Text)
	}
	foot = append(foot, paragraph(inner, t.Muted, d.rest())...)
	keys := keyLines(t, inner, "enter reload", "esc back", "↑↓ rows")
	return d.view(t, errorCount(len(d.problems))+" in "+d.path, w, h, nil, foot, keys, func(i int, r *widget.RowWriter) {
		r.Cell(t.Bad, t.Glyphs.Cross)
		r.Cell(t.Text, strings.TrimRight(fmt.Sprintf("line %d  %s", d.problems[i].Line, d.problems[i].Column), " "))
		r.Cell(t.Bad, d.problems[i].Text)
	})
}
