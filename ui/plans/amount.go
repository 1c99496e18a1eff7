package plans

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/cards"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Many asks for the amount, limit or label of a bulk operation, and opens its
// plan.
type Many struct {
	theme *theme.Theme
	store *state.Store
	kind  state.BulkKind
	cards []api.CardID
	// unseen is how many of the cards, the last of them, the filter hides.
	unseen int
	modes  []mode
	at     int

	amount *widget.Amount
	label  widget.Input
	// outline is the plan for what is typed, and ok whether there is one. They are
	// out of date until the next validate.
	outline  *state.Plan
	ok       bool
	outdated bool
	err      string
}

// mode is one way to apply what is typed.
type mode struct {
	name  string
	help  string
	share state.Share
	text  bool // a template is typed
	bare  bool // nothing is typed
}

// NewMany makes the dialog for an intent without its particulars. unseen is how
// many of its cards, the last of them, the filter hides.
func NewMany(t *theme.Theme, s *state.Store, in state.Writes, unseen int) *Many {
	m := &Many{theme: t, store: s, kind: in.Kind, cards: in.Cards, unseen: unseen}
	m.amount = widget.NewAmount(dialog.InputStyles(t))
	m.label = widget.Input{Placeholder: "fb/spring/{n:02}", Limit: templateLimit}
	switch in.Kind {
	case state.BulkFund:
		m.modes = []mode{
			{name: t.Words.T("Add each"), help: t.Words.T("adds this amount to every card")},
			{name: t.Words.T("Top up to"), help: t.Words.T("tops every card up to this balance"), share: state.ShareLevel},
			{name: t.Words.T("Split total"), help: t.Words.T("splits this total between the cards"), share: state.ShareSplit},
		}
		m.at = slices.IndexFunc(m.modes, func(mo mode) bool { return mo.share == in.Share })
	case state.BulkWithdraw:
		m.modes = []mode{
			{name: t.Words.T("Take each"), help: t.Words.T("withdraws this amount from every card")},
			{name: t.Words.T("Leave each"), help: t.Words.T("leaves this balance on every card"), share: state.ShareLevel},
			{name: t.Words.T("Take all"), share: state.ShareAll, bare: true},
		}
	default:
		m.modes = []mode{
			{name: t.Words.T("Monthly limit"), help: t.Words.T("sets the monthly limit of every card")},
			{name: t.Words.T("Label"), help: t.Words.T("{n} counts up, {n:02} as 01; also {label} and {last4}"), text: true},
		}
	}
	m.outdated = true
	return m
}

// templateLimit bounds a template, in code points: labels have 64 of them.
const templateLimit = 120

// intent returns what is asked for so far, and false while something is missing.
func (m *Many) intent() (state.Writes, bool) {
	mode := m.modes[m.at]
	cents, typed := m.amount.Cents()
	amount := api.USD(cents) * api.Cent
	if mode.text {
		return state.Writes{Kind: state.BulkLabel, Cards: m.cards, Template: m.label.Value(), First: 1}, m.label.Value() != ""
	}
	return state.Writes{Kind: m.kind, Cards: m.cards, Share: mode.share, Amount: amount}, typed || mode.bare
}

// validate outlines the plan for what is typed, if something changed since.
func (m *Many) validate() {
	if !m.outdated {
		return
	}
	m.outdated = false
	var in state.Writes
	if in, m.ok = m.intent(); m.ok {
		m.outline = m.store.Outline(in)
	}
}

// Traits implements Dialog.
func (m *Many) Traits() dialog.Traits {
	return dialog.Traits{Typing: m.modes[m.at].text}
}

// Sync makes the dialog read the store again.
func (m *Many) Sync(s *state.Store, changed kernel.Topic) {
	m.store = s
	m.outdated = m.outdated || changed&^dialog.Unrelated != 0
}

// Paste inserts text; pasting never sends it.
func (m *Many) Paste(text string) {
	m.err = ""
	if m.modes[m.at].text {
		m.label.Insert(text)
	} else {
		m.amount.Paste(text)
	}
	m.outdated = true
}

// Act switches the mode, or opens the plan.
func (m *Many) Act(a keymap.Action) dialog.Result {
	switch a {
	case keymap.Cancel:
		return dialog.Result{Close: true}
	case keymap.Switch:
		m.at, m.err, m.outdated = m.next(), "", true
	case keymap.Confirm:
		return m.review()
	default:
	}
	return dialog.Result{}
}

func (m *Many) review() dialog.Result {
	m.validate()
	if m.err = m.missing(); m.err != "" {
		return dialog.Result{}
	}
	if blocked := m.outline.Blocked; blocked != "" && m.outline.Totals().Out == 0 {
		m.err = blocked
		return dialog.Result{}
	}
	in, _ := m.intent()
	plan := NewPlan(m.theme, m.store, 1, func(s *state.Store) *state.Plan { return s.Plan(in) })
	return dialog.Result{Push: plan.Unseen(m.unseen)}
}

// next is the mode that the switch goes to.
func (m *Many) next() int { return (m.at + 1) % len(m.modes) }

// missing returns why there is no plan yet.
func (m *Many) missing() string {
	switch {
	case m.ok:
		return ""
	case m.modes[m.at].text:
		return m.theme.Words.T("enter a label, such as fb/spring/{n:02}")
	case m.amount.Err() != "":
		return m.amount.Err()
	}
	return m.theme.Words.T("enter an amount, such as 50 or 12.50")
}

// Type edits the field.
func (m *Many) Type(key, text string) dialog.Result {
	m.err = ""
	level := slices.IndexFunc(m.modes, func(mo mode) bool { return mo.share == state.ShareLevel })
	switch {
	case m.modes[m.at].text:
		m.label.Key(key, text)
	case key == cards.TopUpKey && level == m.at:
		m.at = 0
	case key == cards.TopUpKey && level >= 0:
		m.at = level
	default:
		m.amount.Key(key, text)
	}
	m.outdated = true
	return dialog.Result{}
}

// View draws the box.
func (m *Many) View(w, h int) []string {
	m.validate()
	t := m.theme
	w = min(w, 62)
	inner := w - 2
	about := append(dialog.Paragraph(inner, t.Muted, m.summary()), dialog.ErrorLines(t, inner, m.problem())...)
	for len(about) < 3 { // The box does not change its height while typing.
		about = append(about, widget.Spans(inner))
	}
	keys := dialog.KeyLines(t, inner, "enter "+t.Words.T("review"), "tab "+strings.ToLower(m.modes[m.next()].name), "esc "+t.Words.T("back"))
	about = about[:max(1, min(len(about), h-4-len(keys)))]
	lines := slices.Concat([]string{widget.Spans(inner), widget.Spans(inner, m.tabs()...), m.field(inner)}, about, keys)
	if h < len(lines)+2 {
		lines = lines[1:]
	}
	title := bulkTitle(t.Words, m.kind, len(m.cards))
	if m.kind == state.BulkLimit {
		title = t.Words.Tn(len(m.cards), "Edit %d card", "Edit %d cards")
	}
	if m.unseen > 0 {
		title += ", " + t.Words.Tf("%d hidden", m.unseen)
	}
	return dialog.Box(t, title, lines, w)
}

// tabs are the modes, one of them chosen.
func (m *Many) tabs() []widget.Span {
	spans := make([]widget.Span, 0, len(m.modes))
	for i, mode := range m.modes {
		style, mark := m.theme.Muted, " "
		if i == m.at {
			style, mark = m.theme.Selection, "▸"
		}
		spans = append(spans, widget.Span{Style: style, Text: mark + mode.name + " "})
	}
	return spans
}

func (m *Many) field(w int) string {
	mode := m.modes[m.at]
	if mode.bare {
		return widget.Spans(w)
	}
	name, view := " "+m.theme.Words.T("amount $")+" ", m.amount.View
	if mode.text {
		m.label.Styles = dialog.InputStyles(m.theme)
		name, view = " "+m.theme.Words.T("label")+" ", m.label.View
	}
	cells := widget.Width(name)
	head := widget.Spans(cells, widget.Span{Style: m.theme.Muted, Text: name})
	return widget.FitLine(head+view(max(1, w-cells-1), true), w)
}

// summary sums the plan up, or says what the mode does.
func (m *Many) summary() string {
	if !m.ok {
		return m.modes[m.at].help
	}
	n := m.outline.Totals()
	parts := []string{countCards(m.theme.Words, n.Cards)}
	if n.Sum > 0 {
		parts = append(parts, m.theme.Words.Dollars(n.Sum))
	}
	if m.outline.WalletKnown && m.outline.Wallet != m.outline.WalletEnd {
		parts = append(parts, m.theme.Words.Tf("wallet after: %s", m.theme.Words.Dollars(m.outline.WalletEnd)))
	}
	if n.Out > 0 {
		parts = append(parts, m.theme.Words.Tf("%d skipped", n.Out))
	}
	if n.Later > 0 {
		parts = append(parts, m.theme.Words.Tf("%d later", n.Later))
	}
	if n.Frozen > 0 {
		parts = append(parts, m.theme.Words.Tf("%d frozen", n.Frozen))
	}
	return strings.Join(parts, " · ")
}

// problem returns what is wrong with what is typed.
func (m *Many) problem() string {
	mode := m.modes[m.at]
	switch {
	case m.err != "":
		return m.err
	case !mode.text && !mode.bare && m.amount.Err() != "":
		return m.amount.Err()
	case m.ok:
		return m.outline.Blocked
	}
	return ""
}
