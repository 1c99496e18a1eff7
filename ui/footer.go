package ui

import (
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// mostFooter bounds the lines of what just happened.
const mostFooter = 3

// footer draws the last lines of the screen: a notice that stays, what the pane
// says of its filter, and the foot.
func (a *App) footer(w int) []string {
	return append(a.lastingNotice(w), a.footNow(w)...)
}

// tall is the height from which a notice that stays is shown in full.
const tall = 20

// lastingNotice draws the notice that stays until it is dismissed, unless it has
// just come: then the foot shows it.
func (a *App) lastingNotice(w int) []string {
	n, all := a.store.Lasting()
	if all == 0 || n.Text == a.store.Notice().Text || w < layout.MinWidth {
		return nil
	}
	t, more, esc := a.theme.Words, "", a.cfg.Keys.Key(keymap.Back)
	if all > 1 {
		more = " " + t.Tf("(+%d more)", all-1)
	}
	style, text := a.noticeStyle(n.Level), t.Tf("%s; %s dismisses it", n.Text+more, esc)
	if a.h < tall {
		text = t.Tf("%s: %s shows, %s dismisses", t.T("acted late")+more, a.cfg.Keys.Key(keymap.OpenHistory), esc)
		return []string{widget.Spans(w, widget.Span{Style: style, Text: " " + a.theme.Glyphs.Alert + " " + text})}
	}
	return widget.Paragraph(style, a.theme.Glyphs.Alert+" "+text, w, mostFooter)
}

// footNow draws the footer without the notice that stays. What the pane says of
// its filter is beside the keys where it has room.
func (a *App) footNow(w int) []string {
	if a.labels.shown() && a.box() == nil {
		return []string{widget.Spans(w, widget.Span{Style: a.theme.Info, Text: " " + a.theme.Words.T("jump: type a label, esc back")})}
	}
	advice := a.advice()
	if advice.Text == "" {
		return a.foot(w)
	}
	keys, free := "", 0
	if a.store.Notice().Text == "" && a.store.Poll.Health().Text == "" {
		keys = a.hints(w)
		free = w - widget.LineWidth(keys)
	}
	beside := widget.Span{Style: advice.Style, Text: hintGap + advice.Text}
	if widget.Width(beside.Text) <= free {
		return []string{keys + widget.Spans(free, beside)}
	}
	return append(widget.Paragraph(advice.Style, advice.Text, w, mostFooter), a.foot(w)...)
}

// advice is what the focused pane says of its filter. It may quote the filter,
// which may be a label.
func (a *App) advice() widget.Span {
	p, ok := a.pane(a.focus).(pane.Adviser)
	if !ok || a.store.Privacy.Display().Private() {
		return widget.Span{}
	}
	text, wrong := p.Advice()
	if wrong {
		return widget.Span{Style: a.theme.Bad, Text: text}
	}
	return widget.Span{Style: a.theme.Muted, Text: text}
}

// foot draws what just happened, else what is wrong, else the keys that
// count here; and at its right what is on the clipboard. Results of operations
// and warnings are never cut: they take up to three lines where one is too
// short, and hide the clipboard. Other notices that have no room beside it have
// a line of their own.
func (a *App) foot(w int) []string {
	right := a.clipLine(w)
	right = append(right, a.nextRevealLine(w-widget.SpansWidth(right)-a.helpRoom())...)
	if right == nil {
		right = a.chosenLine()
	}
	room := max(0, w-widget.SpansWidth(right))
	var left []widget.Span
	switch n, h := a.store.Notice(), a.store.Poll.Health(); {
	case n.Text != "" && (!n.Hint || h.Text == ""):
		left = []widget.Span{{Style: a.noticeStyle(n.Level), Text: " " + n.Text}}
		if (n.Result || n.Level > kernel.Info) && widget.SpansWidth(left) > room {
			return widget.Paragraph(a.noticeStyle(n.Level), n.Text, w, mostFooter)
		}
		if right != nil && widget.SpansWidth(left) > room {
			return []string{widget.Spans(w, left...), a.keysBeside(right, w)}
		}
	case h.Text != "":
		left = []widget.Span{{Style: a.theme.Bad, Text: " " + h.Text + since(a.theme.Words, h, a.store.Now())}}
		if widget.SpansWidth(left) > room {
			right, room = nil, w
		}
	default:
		return []string{a.keysBeside(right, w)}
	}
	return widget.JoinHorizontal([]string{widget.Spans(max(0, room), left...)}, []string{widget.Spans(w-max(0, room), right...)})
}

// keysBeside draws the keys that count here, and something at their right.
func (a *App) keysBeside(right []widget.Span, w int) string {
	room := max(0, w-widget.SpansWidth(right))
	free := room
	if right != nil {
		free--
	}
	keys := a.fittedHints(max(0, free), room)
	if right == nil {
		return keys
	}
	return keys + widget.Spans(w-room, right...)
}

func since(w *lang.Words, h kernel.Health, now time.Time) string {
	if h.Since.IsZero() {
		return ""
	}
	text := w.Tf("since %s", pane.When(w, h.Since, now))
	if !h.Until.IsZero() {
		text += ", " + again(w, h.Until, now)
	}
	return " (" + text + ")"
}

// again says when the next request is sent.
func again(w *lang.Words, until, now time.Time) string {
	if !until.After(now) {
		return w.T("retrying now")
	}
	return w.Tf("retry %s", pane.When(w, until, now))
}

func (a *App) noticeStyle(l kernel.Level) string {
	switch l {
	case kernel.Good:
		return a.theme.Good
	case kernel.Warn:
		return a.theme.Warn
	case kernel.Bad:
		return a.theme.Bad
	default:
		return a.theme.Info
	}
}

// chosenLine says which cards are selected, where there is nothing else to say.
func (a *App) chosenLine() []widget.Span {
	if text := a.panes.cards.Summary(); text != "" && a.w >= layout.Roomy {
		return []widget.Span{{Style: a.theme.Mark, Text: text + " "}}
	}
	return nil
}

// hints are the footer's keys, from the key table, as many as fit uncut. The
// help's key is always among them: it leads to all others.
func (a *App) hints(w int) string {
	switch {
	case a.store.Privacy.Locked():
		return ""
	case a.box() != nil: // A dialog names its own keys.
		return a.hintsFor(hintsOf{keys: a.cfg.Keys, context: keymap.Always, w: w})
	}
	focused := a.pane(a.focus)
	may := a.store.Team.May
	of := hintsOf{
		keys: a.cfg.Keys, context: focused.Context(), open: a.screens.openedBy(focused.Context()),
		readOnly: a.store.ReadOnly() || !may(team.Buyer), noLead: !may(team.Lead), noAdmin: !may(team.Admin), noReveal: a.store.NoReveal(), chosen: a.choosing(), w: w,
	}
	if t, ok := focused.(pane.Typist); ok && t.Typing() {
		of.context = keymap.Filter
	}
	if c, ok := focused.(pane.Carder); ok && c.Card() == "" && !of.chosen {
		of.noCard = true
	}
	if r, ok := focused.(pane.Rower); ok {
		of.noRow = !r.OnRow()
	}
	if p, ok := focused.(pane.Withholder); ok {
		of.withheld = p.Withholds()
	}
	of.fold = folds(focused)
	return a.hintsFor(of)
}

// folds says what enter does to the row of a pane that it folds; empty elsewhere.
func folds(p pane.Pane) string {
	if f, ok := p.(pane.Folder); ok {
		return f.Folds()
	}
	return ""
}

// hintsFor draws keys, unless they are those that were drawn last.
func (a *App) hintsFor(of hintsOf) string {
	if of != a.frame.hints.of {
		a.frame.hints = hintLine{of: of, text: a.drawHints(of)}
	}
	return a.frame.hints.text
}

// fittedHints draws the keys that have room in so many cells, in exactly room.
func (a *App) fittedHints(cells, room int) string {
	text, h := a.hints(cells), &a.frame.hints
	if text != h.text { // There are none.
		return widget.FitLine(text, room)
	}
	if h.fitted == "" || h.room != room {
		h.fitted, h.room = widget.FitLine(text, room), room
	}
	return h.fitted
}

// hintLine is the footer's keys as they were last drawn, and what for: lipgloss
// costs more than all the rest of a frame.
type hintLine struct {
	of     hintsOf
	text   string
	fitted string // text in exactly room cells; empty before it was asked for
	room   int
}

// hintsOf is what the footer's keys depend on, besides the theme.
type hintsOf struct {
	keys     *keymap.Map
	context  keymap.Context
	open     keymap.Action // opens the screen that is shown; empty for none
	readOnly bool          // nothing may be written, by the account or by the role
	noLead   bool          // the role is less than lead
	noAdmin  bool          // the role is less than admin
	noReveal bool
	chosen   bool   // cards are selected
	noCard   bool   // the cursor is on no card, where it could be
	noRow    bool   // the cursor is on no row
	withheld string // actions that the pane withholds
	fold     string // what enter does on a row that it folds; empty elsewhere
	w        int
}

func (a *App) drawHints(of hintsOf) string {
	keys, text := lipgloss.NewStyle().Foreground(a.theme.Colors.Accent).Bold(true), lipgloss.NewStyle().Foreground(a.theme.Colors.Muted)
	var contexts []keymap.Context
	switch of.context {
	case keymap.Always:
		contexts = []keymap.Context{keymap.Always}
	case keymap.Filter:
		contexts = []keymap.Context{keymap.Filter, keymap.Always}
	default:
		if of.w < a.helpRoom() {
			return " " + keys.Render(of.keys.Key(keymap.Help))
		}
		contexts = keymap.Chain(of.context)
	}
	rows := slices.DeleteFunc(of.keys.Footer(contexts...), of.cannot)
	if of.chosen { // What acts on a selection comes first.
		rows = slices.Concat(
			slices.DeleteFunc(slices.Clone(rows), func(b keymap.Binding) bool { return !b.Many }),
			slices.DeleteFunc(rows, func(b keymap.Binding) bool { return b.Many }),
		)
	}
	bindings := make([]key.Binding, 0, len(rows))
	room := of.w - 1 + len(hintGap) // A blank before the first, no gap behind the last.
	for i := range rows {
		b := &rows[i]
		if of.fold != "" && (b.Action == keymap.Inspect || b.Action == keymap.OpenTransaction) {
			b.Short = of.fold
		}
		b.Short = a.theme.Words.T(b.Short)
		if b.Action == keymap.Help {
			room -= hintWidth(*b)
		}
	}
	for _, b := range rows {
		if n := hintWidth(b); b.Action == keymap.Help || n <= room {
			if b.Action != keymap.Help {
				room -= n
			}
			bindings = append(bindings, key.NewBinding(key.WithKeys(b.Keys...), key.WithHelp(b.Keys[0], b.Short)))
		}
	}
	h := help.New()
	h.ShortSeparator = hintGap
	h.Styles = help.Styles{ShortKey: keys, ShortDesc: text, ShortSeparator: text}
	return " " + h.ShortHelpView(bindings)
}

// cannot reports whether a key has nothing to act on.
func (of *hintsOf) cannot(b keymap.Binding) bool {
	switch {
	case b.Action == of.open && of.open != "":
		return true
	case of.withheld != "" && b.Context == of.context && strings.Contains(of.withheld, " "+string(b.Action)+" "):
		return true
	case b.Has(keymap.NeedWrite) && of.readOnly, b.Has(keymap.NeedDetails) && of.noReveal:
		return true
	case b.Has(keymap.NeedLead) && of.noLead, b.Has(keymap.NeedAdmin) && of.noAdmin:
		return true
	case b.Has(keymap.NeedCard) && of.noCard: // The head of a group has cards, and enter folds it.
		return of.fold == "" || !b.Many && b.Action != keymap.Inspect
	}
	return of.noRow && b.Has(keymap.NeedRow)
}

// hintGap stands between two hints.
const hintGap = "  "

func hintWidth(b keymap.Binding) int {
	return widget.Width(b.Keys[0]) + 1 + widget.Width(b.Short) + len(hintGap)
}

// choosing reports whether keys act on a selection.
func (a *App) choosing() bool {
	return a.focus == layout.Main && !a.screens.any() && a.panes.cards.Summary() != ""
}
