package dialog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Many asks how many cards are to be funded, drawn, limited or named, and
// goes on to the plan.
type Many struct {
	theme *theme.Theme
	store *state.Store
	kind  state.BulkKind
	cards []state.CardID
	// unseen is how many of the cards, the last of them, the list below does not
	// show.
	unseen int
	ways   []way
	at     int

	amount *widget.Amount
	label  widget.Input
	err    string
}

// way is one way to do it; does says what becomes of what is typed.
type way struct {
	name  string
	does  string
	share state.Share
	text  bool // a template is typed
	bare  bool // nothing is typed
}

// NewMany makes the dialog for an intent that lacks its particulars. unseen is
// how many of its cards, the last of them, the list below does not show.
func NewMany(t *theme.Theme, s *state.Store, in state.Many, unseen int) *Many {
	m := &Many{theme: t, store: s, kind: state.BulkOf(in), unseen: unseen}
	m.amount = widget.NewAmount(inputStyles(t))
	m.label = widget.Input{Placeholder: "fb/spring/{n:02}", Limit: templateLimit}
	switch in := in.(type) {
	case state.FundMany:
		m.cards = in.Cards
		m.ways = []way{
			{name: "to each", does: "every card gets this much"},
			{name: "up to", does: "every card is filled up to this balance", share: state.ShareLevel},
			{name: "divided", does: "this sum is divided among the cards", share: state.ShareSplit},
		}
		m.at = slices.IndexFunc(m.ways, func(w way) bool { return w.share == in.Share })
	case state.WithdrawMany:
		m.cards = in.Cards
		m.ways = []way{
			{name: "from each", does: "every card gives back this much"},
			{name: "down to", does: "every card keeps this much and gives back the rest", share: state.ShareLevel},
			{name: "everything", share: state.ShareAll, bare: true},
		}
	case state.LimitMany:
		m.cards = in.Cards
		m.ways = []way{
			{name: "monthly limit", does: "the most that every card may spend a month"},
			{name: "label", does: "{n} counts up, {n:02} as 01; also {label} and {last4}", text: true},
		}
	}
	return m
}

// templateLimit bounds a template, in code points: labels have 64 of them.
const templateLimit = 120

// intent is what is asked for so far; false while something is missing.
func (m *Many) intent() (state.Many, bool) {
	w := m.ways[m.at]
	cents, typed := m.amount.Cents()
	amount := state.USD(cents) * state.Cent
	switch {
	case w.text:
		return state.LabelMany{Cards: m.cards, Template: m.label.Value(), Start: 1}, m.label.Value() != ""
	case m.kind == state.BulkLimit:
		return state.LimitMany{Cards: m.cards, Limit: amount}, typed
	case m.kind == state.BulkFund:
		return state.FundMany{Cards: m.cards, Share: w.share, Amount: amount}, typed
	default:
		return state.WithdrawMany{Cards: m.cards, Share: w.share, Amount: amount}, typed || w.bare
	}
}

// Sync makes the dialog look at the store again.
func (m *Many) Sync(s *state.Store) { m.store = s }

// Paste puts text into the field; it is never sent by pasting.
func (m *Many) Paste(text string) {
	m.err = ""
	if m.ways[m.at].text {
		m.label.Insert(text)
	} else {
		m.amount.Paste(text)
	}
}

// Traits tells what the stack needs to know of the dialog.
func (m *Many) Traits() Traits {
	return Traits{Typing: m.ways[m.at].text}
}

// Act chooses the way, or goes on to the plan.
func (m *Many) Act(a keymap.Action) Result {
	switch a {
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.Switch:
		m.at, m.err = m.next(), ""
	case keymap.Confirm:
		in, ok := m.intent()
		if m.err = m.wrong(ok); m.err != "" {
			return Result{}
		}
		if blocked := m.store.Outline(in).Blocked; blocked != "" && m.store.Outline(in).Totals().Out == 0 {
			m.err = blocked
			return Result{}
		}
		plan := NewPlan(m.theme, m.store, 1, func(s *state.Store) *state.Plan { return s.Plan(in) })
		return Result{Push: plan.Unseen(m.unseen)}
	default:
	}
	return Result{}
}

// next is the way that the switch goes to.
func (m *Many) next() int { return (m.at + 1) % len(m.ways) }

// wrong tells why there is no plan yet.
func (m *Many) wrong(complete bool) string {
	w := m.ways[m.at]
	switch {
	case complete:
		return ""
	case w.text:
		return "type a label, such as fb/spring/{n:02}"
	case m.amount.Err() != "":
		return m.amount.Err()
	}
	return "type an amount, such as 50 or 12.50"
}

// Type edits the field.
func (m *Many) Type(key, text string) Result {
	m.err = ""
	level := slices.IndexFunc(m.ways, func(w way) bool { return w.share == state.ShareLevel })
	switch {
	case m.ways[m.at].text:
		m.label.Key(key, text)
	case key == upToKey && level == m.at:
		m.at = 0
	case key == upToKey && level >= 0:
		m.at = level
	default:
		m.amount.Key(key, text)
	}
	return Result{}
}

// View draws the box.
func (m *Many) View(w, h int) []string {
	t := m.theme
	w = min(w, 62)
	inner := w - 2
	about := append(paragraph(inner, t.Muted, m.outline()), complaint(t, inner, m.problem())...)
	for len(about) < 3 { // The box keeps its height while somebody types.
		about = append(about, widget.Spans(inner))
	}
	keys := keyLines(t, inner, "enter review", "tab "+m.ways[m.next()].name, "esc back")
	about = about[:max(1, min(len(about), h-4-len(keys)))]
	lines := slices.Concat([]string{widget.Spans(inner), widget.Spans(inner, m.tabs()...), m.field(inner)}, about, keys)
	if h < len(lines)+2 {
		lines = lines[1:]
	}
	title := capital(m.kind.String()) + " " + cards(len(m.cards))
	if m.kind == state.BulkLimit {
		title = "Change " + cards(len(m.cards))
	}
	if m.unseen > 0 {
		title += ", " + notInSight(m.unseen)
	}
	return box(t, title, lines, w)
}

// tabs are the ways, of which one is chosen.
func (m *Many) tabs() []widget.Span {
	spans := []widget.Span{{Text: " "}}
	for i, w := range m.ways {
		style, mark := m.theme.Muted, " "
		if i == m.at {
			style, mark = m.theme.Selection, "▸"
		}
		spans = append(spans, widget.Span{Style: style, Text: mark + w.name + " "})
	}
	return spans
}

func (m *Many) field(w int) string {
	way := m.ways[m.at]
	if way.bare {
		return widget.Spans(w)
	}
	name, view := " amount $ ", m.amount.View
	if way.text {
		m.label.Styles = inputStyles(m.theme)
		name, view = " label ", m.label.View
	}
	head := widget.Spans(len(name), widget.Span{Style: m.theme.Muted, Text: name})
	return widget.FitLine(head+view(max(1, w-len(name)-1), true), w)
}

// outline sums up what the plan will be.
func (m *Many) outline() string {
	in, ok := m.intent()
	if !ok {
		return m.ways[m.at].does
	}
	p := m.store.Outline(in)
	n := p.Totals()
	parts := []string{cards(n.Cards)}
	if n.Sum > 0 {
		parts = append(parts, "$"+n.Sum.Grouped())
	}
	if p.WalletKnown && p.Wallet != p.WalletEnd {
		parts = append(parts, "wallet ends at "+dollars(p.WalletEnd))
	}
	if n.Out > 0 {
		parts = append(parts, fmt.Sprintf("%d kept out", n.Out))
	}
	if n.Later > 0 {
		parts = append(parts, fmt.Sprintf("%d later", n.Later))
	}
	if n.Frozen > 0 {
		parts = append(parts, fmt.Sprintf("%d frozen", n.Frozen))
	}
	return strings.Join(parts, " · ")
}

// problem tells what stands in the way of what is typed.
func (m *Many) problem() string {
	in, ok := m.intent()
	switch {
	case m.err != "":
		return m.err
	case !m.ways[m.at].text && !m.ways[m.at].bare && m.amount.Err() != "":
		return m.amount.Err()
	case ok:
		return m.store.Outline(in).Blocked
	}
	return ""
}
