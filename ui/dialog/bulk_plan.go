package dialog

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Plan shows every row of what is to be done to many cards, and what the
// wallet holds afterwards, and asks.
type Plan struct {
	theme *theme.Theme
	store *state.Store
	plan  *state.Plan
	// again makes the plan anew, by what is known then.
	again func(*state.Store) *state.Plan
	// below is how many dialogs are done when the answer is yes.
	below int
	// unseen is how many cards, the last of the plan, the list below does not
	// show.
	unseen   int
	approval *approval
	rowList
}

// NewPlan makes the dialog. again makes the plan; below is how many dialogs
// below it are done with a yes.
func NewPlan(t *theme.Theme, s *state.Store, below int, again func(*state.Store) *state.Plan) *Plan {
	p := &Plan{theme: t, store: s, again: again, below: below, rowList: newRowList()}
	p.make()
	return p
}

// Unseen says how many cards, the last of those it was made for, the list
// below does not show.
func (p *Plan) Unseen(n int) *Plan {
	p.unseen = n
	p.rank()
	return p
}

// make makes the plan.
func (p *Plan) make() {
	p.plan = p.again(p.store)
	p.approval = approve(p.theme, p.plan)
	p.rank()
}

// rank puts the rows that need a person's eye on top.
func (p *Plan) rank() {
	p.order = p.order[:0]
	for i := range p.plan.Rows {
		p.order = append(p.order, i)
	}
	eye := func(i int) int {
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
	slices.SortStableFunc(p.order, func(a, b int) int { return eye(a) - eye(b) })
}

// hides tells whether a row is carried out, now or later, on a card that is not
// in sight.
func (p *Plan) hides(i int) bool {
	r := &p.plan.Rows[i]
	return i >= len(p.plan.Rows)-p.unseen && (r.Runs() || r.Later)
}

// approve asks for what a plan needs to be carried out.
func approve(t *theme.Theme, p *state.Plan) *approval {
	n := p.Totals()
	a := newApproval(t, capital(p.Kind.String())+" "+cards(n.Cards))
	if p.Kind.Danger() == state.Money {
		a.more = " $" + n.Sum.Grouped()
	}
	if p.Kind.Danger() == state.Permanent {
		a.number("number of cards", n.Cards)
	}
	return a
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// cards counts cards in words.
func cards(n int) string {
	if n == 1 {
		return "1 card"
	}
	return fmt.Sprintf("%d cards", n)
}

// Sync makes the dialog look at the store again. The plan stays as it was
// made: what was read is what is done.
func (p *Plan) Sync(s *state.Store) {
	p.store = s
	p.approval.look(p.verdict())
}

// Paste approves nothing.
func (p *Plan) Paste(string) { p.approval.paste() }

// Traits tells what the stack needs to know of the dialog.
func (p *Plan) Traits() Traits {
	return Traits{Question: true, Typing: p.approval.typing(), Move: p.Move}
}

// Act answers.
func (p *Plan) Act(a keymap.Action) Result {
	in := state.RunPlan{Plan: p.plan}
	switch p.approval.act(a, p.verdict().Reason != "") {
	case refused:
		return Result{Close: true, Told: nothingSent}
	case approved:
		v := p.verdict()
		if v.Reason != "" || p.approval.again(v, "sum again", p.plan.Totals().Sum) {
			return Result{}
		}
		return Result{
			Close: true, CloseMore: p.below, Intents: []state.Intent{in},
			Push: NewBatch(p.theme, p.store, p.plan.ID),
		}
	default:
	}
	return Result{}
}

// Type makes the plan anew, or types what has to be.
func (p *Plan) Type(key, text string) Result {
	switch {
	case p.approval.key(key, text):
	case key == "r":
		p.make()
	case key == "e":
		p.plan.StopOnError = !p.plan.StopOnError
	}
	return Result{}
}

// View draws the box.
func (p *Plan) View(w, h int) []string {
	t := p.theme
	w = min(w, 96)
	inner := w - 2
	foot := p.approval.lines(inner, p.verdict())
	return p.view(t, planTitle(p.plan), w, h, p.head(inner), foot, keyLines(t, inner, p.hints()...), p.row)
}

// verdict tells whether the plan can be carried out now.
func (p *Plan) verdict() state.Verdict { return p.store.Check(state.RunPlan{Plan: p.plan}) }

// planTitle is what the plan does, in words.
func planTitle(p *state.Plan) string {
	title := capital(p.Kind.String()) + " " + cards(len(p.Rows))
	amount := "$" + p.Amount.Grouped()
	switch {
	case p.Kind == state.BulkLimit:
		title += ": " + amount + " a month"
	case p.Kind != state.BulkFund && p.Kind != state.BulkWithdraw:
	case p.Share == state.ShareSplit:
		title += ": " + amount + " in all"
	case p.Share == state.ShareAll:
		title += ": all that is on them"
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

// head sums the plan up, what matters most first.
func (p *Plan) head(w int) []string {
	t, n := p.theme, p.plan.Totals()
	parts := []string{cards(n.Cards)}
	if n.Sum > 0 {
		parts = append(parts, "$"+n.Sum.Grouped())
	}
	if n.Out > 0 {
		parts = append(parts, fmt.Sprintf("%d kept out", n.Out))
	}
	if n.Skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d need nothing", n.Skipped))
	}
	if n.Later > 0 {
		parts = append(parts, fmt.Sprintf("%d later", n.Later))
	}
	if blocked := p.verdict().Reason != ""; blocked && n.Cards > 0 {
		parts = append(parts, "none is sent")
	} else if blocked {
		parts = parts[1:] // There are none to count.
	}
	lines := paragraph(w, t.Strong, strings.Join(parts, " · "))
	say := func(style, text string) { lines = append(lines, paragraph(w, style, text)...) }
	if p.plan.Kind.Danger() == state.Permanent {
		say(t.Bad, "permanent: they end for good")
	}
	if hidden := p.hidden(); hidden > 0 {
		say(t.Warn, fmt.Sprintf("%s %s: filtered out", t.Glyphs.Bullet, notInSight(hidden)))
	}
	if p.plan.WalletKnown && p.plan.Wallet != p.plan.WalletEnd {
		lines = append(lines, pair(t, w, "wallet  ", change(t, p.plan.Wallet, p.plan.WalletEnd)...))
	}
	if n.Later > 0 {
		say(t.Info, fmt.Sprintf("guardrails.max_bulk allows %d at once: the next part is offered after this one", n.Cards))
	}
	lines = append(lines, staleLines(t, p.store, state.RunPlan{Plan: p.plan}, w)...)
	if n.Frozen > 0 {
		say(t.Warn, fmt.Sprintf("%d frozen: decline until unfrozen", n.Frozen))
	}
	if n.Twins > 0 {
		say(t.Warn, fmt.Sprintf("%d of the labels are on cards already: was this issued before?", n.Twins))
	}
	if n.Alike > 0 {
		say(t.Warn, sameLabel(n.Alike))
	}
	if d := p.plan.Lasts(); d > 0 {
		say(t.Muted, "takes about "+span(d)+": the API issues 50 cards a minute")
	}
	return lines
}

// sameLabel warns of cards that nobody will tell apart.
func sameLabel(n int) string {
	return fmt.Sprintf("%d cards get the same label: {n} in it numbers them", n)
}

// hidden counts the rows that are carried out on cards not in sight.
func (p *Plan) hidden() int {
	n := 0
	for i := range p.plan.Rows {
		n += b2i(p.hides(i))
	}
	return n
}

// notInSight counts cards as the title of the list does.
func notInSight(n int) string { return fmt.Sprintf("%d not in sight", n) }

// span is a duration as a person says it.
func span(d time.Duration) string {
	if d < 100*time.Second {
		return fmt.Sprintf("%d s", (d+time.Second-1)/time.Second)
	}
	return fmt.Sprintf("%d min", (d+time.Minute/2)/time.Minute)
}

func (p *Plan) row(i int, w *widget.RowWriter) {
	at := p.order[i]
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
		w.Cell(t.Faint, "later: "+effect(t, r, w.Width()-len("later: ")))
	default:
		mark := " "
		if p.hides(at) {
			mark = t.Glyphs.Bullet
		}
		w.Cell(t.Warn, mark)
		nameCell(w, t.Text, name)
		w.Cell(t.Text, effect(t, r, w.Width()))
	}
}

// moved is what a row moves and what the card then holds, after what it holds
// now, as far as n cells have room for that.
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

// effect is what a row does, in a few words and n cells.
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
			text += "  the label is taken"
		}
		return text
	case state.UpdateCard:
		if in.Change.Label != nil {
			return strings.TrimSpace(arrow) + " " + *in.Change.Label
		}
		if in.Change.SpendingLimit != nil {
			return "limit $" + in.Change.SpendingLimit.Grouped() + " a month"
		}
	case state.FreezeCard:
		return "freeze"
	case state.UnfreezeCard:
		return "unfreeze"
	default:
	}
	return ""
}

// hints name the keys; e changes what is said of errors.
func (p *Plan) hints() []string {
	blocked := p.verdict().Reason != ""
	switch {
	case blocked && p.approval.typing():
		return []string{"esc back", "↑↓ rows"}
	case blocked:
		return []string{"esc back", "r refresh", "↑↓ rows"}
	case p.approval.typing():
		return []string{"tab choose", "esc back", "↑↓ rows"}
	}
	onError := "e on errors: go on"
	if p.plan.StopOnError {
		onError = "e on errors: stop"
	}
	return []string{"tab choose", "esc back", onError, "r refresh", "↑↓ rows"}
}
