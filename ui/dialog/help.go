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

// keyCells is the width of the keys' column, helpCells what a column of the
// help has at least. Below narrowHelp cells the help of a key goes on a line
// of its own.
const (
	keyCells   = 18
	helpCells  = 66
	narrowHelp = 56
)

// Help shows every key, made from the key table, and what stands without
// words. What is typed after the filter's key finds some of it.
type Help struct {
	theme  *theme.Theme
	keys   *keymap.Map
	filter *textEntry
	typing bool
	scroller
}

// NewHelp makes the dialog.
func NewHelp(t *theme.Theme, keys *keymap.Map) *Help {
	h := &Help{theme: t, keys: keys, filter: newText()}
	h.filter.SetPlaceholder("a key, or words of what it does")
	return h
}

// Context is where the dialog's keys are looked up.
func (h *Help) Context() keymap.Context {
	if h.typing {
		return keymap.Form
	}
	return keymap.Dialog
}

// Typing tells whether letters go to the filter.
func (h *Help) Typing() bool { return h.typing }

// Sync does nothing: the help does not depend on the store.
func (h *Help) Sync(*state.Store) {}

// Act scrolls while the filter is typed, leaves the filter, or closes the help.
func (h *Help) Act(a keymap.Action) Result {
	switch {
	case a == keymap.NextField && h.typing:
		h.Move(keymap.Down)
	case a == keymap.PrevField && h.typing:
		h.Move(keymap.Up)
	case a == keymap.Confirm && h.typing:
		h.typing = false
	case a == keymap.Cancel && (h.typing || h.filter.Value() != ""):
		h.typing, h.Offset = false, 0
		h.filter.SetValue("")
	case a == keymap.Cancel, a == keymap.Confirm:
		return Result{Close: true}
	}
	return Result{}
}

// Type edits the filter, or closes the help on the keys that open it
// or quit.
func (h *Help) Type(key, text string) Result {
	if h.typing {
		h.filter.Key(key, text)
		h.Offset = 0
		return Result{}
	}
	if a, _ := h.keys.Resolve(key, keymap.Cards); a == keymap.OpenFilter {
		h.typing = true
		return Result{}
	}
	a, _ := h.keys.Resolve(key, keymap.Global)
	return Result{Close: a == keymap.Help || a == keymap.Quit}
}

// Question is false: nothing is answered here.
func (*Help) Question() bool { return false }

// Paste finds what is pasted.
func (h *Help) Paste(text string) {
	if h.typing {
		h.filter.Paste(text)
		h.Offset = 0
	}
}

// View draws as many columns as fit.
func (h *Help) View(w, height int) []string {
	t, inner := h.theme, w-2
	columns := max(1, inner/helpCells)
	cells := inner / columns
	rows := h.rows(cells)
	if len(rows) == 0 {
		rows = []string{widget.Spans(cells, widget.Span{Style: t.Muted, Text: " nothing here is called that"})}
	}
	tall := (len(rows) + columns - 1) / columns
	var lines []string
	if h.typing || h.filter.Value() != "" {
		h.filter.SetStyles(inputStyles(t))
		lines = append(lines, widget.FitLine(widget.Spans(3, widget.Span{Style: t.Accent, Text: " / "})+h.filter.View(max(1, inner-4), h.typing), inner))
	}
	body := make([]string, 0, tall)
	for y := range tall {
		line := ""
		for c := range columns {
			cell := ""
			if i := c*tall + y; i < len(rows) {
				cell = rows[i]
			}
			line += widget.FitLine(cell, cells)
		}
		body = append(body, widget.FitLine(line, inner))
	}
	lines = append(lines, h.part(body, height-3-len(lines))...)
	return scrolled(t, "Keys", append(lines, h.foot(inner)), w, h.Scroll)
}

// foot tells the keys of the dialog, and which part of the help is shown.
func (h *Help) foot(w int) string {
	t := h.theme
	key := func(k, does string) []widget.Span {
		return []widget.Span{{Style: t.Key, Text: " " + k}, {Style: t.KeyText, Text: " " + does + " "}}
	}
	var spans []widget.Span
	switch {
	case h.typing:
		spans = append(spans, slices.Concat(key("enter", "keep"), key("esc", "clear"))...)
	case h.filter.Value() != "":
		spans = append(spans, key("esc", "clear")...)
	default:
		spans = append(spans, slices.Concat(key("/", "find"), key("esc", "close"))...)
	}
	if s := h.Scroll; s.Total > s.Visible {
		spans = append(spans, widget.Span{Style: t.Muted, Text: fmt.Sprintf(" %d-%d of %d", s.Offset+1, s.Offset+s.Visible, s.Total)})
	}
	return widget.Spans(w, spans...)
}

// topic is a part of the help: what to press or to see, and what it means.
type topic struct {
	name string
	rows []explained
}

type explained struct {
	keys []string
	text string
	also string // what else it is found by
}

func (h *Help) topics() []topic {
	var all []topic
	for _, g := range h.keys.Groups() {
		part := topic{name: g.Name}
		for _, b := range g.Rows {
			keys := b.Keys
			if len(keys) == 0 { // The list of commands has it all the same.
				keys = []string{h.keys.Key(keymap.Palette) + " " + string(b.Action)}
			}
			part.rows = append(part.rows, explained{keys, b.Help, b.Short + " " + string(b.Action)})
		}
		all = append(all, part)
	}
	return append(all, topic{"Filter terms; all have to hold", terms()}, topic{"Signs", h.signs()})
}

// found tells whether each word is a key of the row, or in what is said of it.
// A single letter is a key.
func (e explained) found(name string, words []string) bool {
	text := strings.ToLower(strings.Join(e.keys, " ") + " " + e.text + " " + e.also + " " + name)
	for _, word := range words {
		if !slices.Contains(e.keys, word) && (len(word) < 2 || !strings.Contains(text, strings.ToLower(word))) {
			return false
		}
	}
	return true
}

// rows draws the topics in w cells: those rows that were asked for.
func (h *Help) rows(w int) []string {
	words := strings.Fields(h.filter.Value())
	var rows []string
	for _, part := range h.topics() {
		head := false
		for _, e := range part.rows {
			if !e.found(part.name, words) {
				continue
			}
			if !head {
				head = true
				rows = append(rows, widget.Spans(w, widget.Span{Style: h.theme.Strong, Text: " " + part.name}))
			}
			rows = append(rows, h.row(e, w)...)
		}
	}
	return rows
}

// row draws the keys beside what they do, or over it where it is narrow.
func (h *Help) row(e explained, w int) []string {
	t := h.theme
	text := func(s string) widget.Span { return widget.Span{Style: t.Text, Text: "   " + s} }
	if w < narrowHelp {
		rows := []string{widget.Spans(w, widget.Span{Style: t.Key, Text: " " + strings.Join(e.keys, " ")})}
		for _, line := range widget.Wrap(e.text, w-4) {
			rows = append(rows, widget.Spans(w, text(line)))
		}
		return rows
	}
	keys, help := widget.Wrap(strings.Join(e.keys, " "), keyCells-1), widget.Wrap(e.text, w-keyCells-4)
	rows := make([]string, 0, max(len(keys), len(help)))
	for i := range cap(rows) {
		key, what := "", ""
		if i < len(keys) {
			key = keys[i]
		}
		if i < len(help) {
			what = help[i]
		}
		rows = append(rows, widget.Spans(w, widget.Span{Style: t.Key, Text: widget.Fit(" "+key, keyCells, widget.Left)}, text(what)))
	}
	return rows
}

// terms explains what can be typed into a filter.
func terms() []explained {
	return []explained{
		{keys: []string{"spring 2039"}, text: "words to be found anywhere"},
		{keys: []string{"!test"}, text: "not this; also before a term"},
		{keys: []string{"/fb.*0[1-3]/"}, text: "an expression; fields: label~/^fb/"},
		{keys: []string{"bal<20 spent>=100"}, text: "card: USD by < <= > >= = !="},
		{keys: []string{"last<2h age>7d"}, text: "card: used, made: s m h d w ago"},
		{keys: []string{"status=frozen"}, text: "card: active, frozen or terminated"},
		{keys: []string{"label~fb net=visa"}, text: "card: ~ holds, = is; bin and card too"},
		{keys: []string{`label~"a b",fb`}, text: "quotes keep blanks; commas: or"},
		{keys: []string{"amt>50 age<1h"}, text: "transaction: USD either way; how old"},
		{keys: []string{"type=declined"}, text: "hold, settled, refund or declined"},
		{keys: []string{"country=US,IE"}, text: "also merchant, card, label, mcc"},
	}
}

// signs explains the marks that stand without words.
func (h *Help) signs() []explained {
	g := h.theme.Glyphs
	return []explained{
		{keys: []string{g.Active}, text: "card: active"},
		{keys: []string{g.Alert}, text: "card: active with less than $10"},
		{keys: []string{g.Frozen}, text: "card: frozen"},
		{keys: []string{g.Closed}, text: "card: terminated"},
		{keys: []string{g.Pending + " hold"}, text: "authorized, not settled yet: no money moved"},
		{keys: []string{"24h -$1.00"}, text: "settled on all cards in 24 hours, less refunds"},
		{keys: []string{"API 31%"}, text: "of the hour's requests used"},
		{keys: []string{"every 3s"}, text: "asked every 3 s, the last answer is no older"},
		{keys: []string{"every 3s · 7s"}, text: "asked every 3 s, the last answer is 7 s old"},
		{keys: []string{"cached 4m"}, text: "as of 4 minutes ago, from the last run: not read since"},
		{keys: []string{"replaced"}, text: "the same merchant asked again since"},
		{keys: []string{"≥"}, text: "at least: the past is still being read; of an alert: it was so when this program began"},
		{keys: []string{"last ?"}, text: "not used as far as is known: the past is still being read"},
		{keys: []string{g.Unknown + " unconfirmed"}, text: "sent, and nobody knows what came of it" + h.by(keymap.Evidence, "shows what tells")},
		{keys: []string{"DRY RUN"}, text: "writes are shown and not sent" + h.by(keymap.DryRun, "ends it")},
	}
}

// by tells what an action's key does; nothing when it has none.
func (h *Help) by(a keymap.Action, does string) string {
	if key := h.keys.Key(a); key != "" {
		return ": " + key + " " + does
	}
	return ""
}
