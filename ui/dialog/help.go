package dialog

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// keyCells is the width of the keys' column. Below narrowHelp cells the help
// of a key goes on a line of its own.
const (
	keyCells   = 18
	narrowHelp = 56
)

// Help shows every key, made from the key table.
type Help struct {
	theme  *theme.Theme
	keys   *keymap.Map
	offset int
}

// NewHelp makes the dialog.
func NewHelp(t *theme.Theme, keys *keymap.Map) *Help { return &Help{theme: t, keys: keys} }

// Sync does nothing: the help does not depend on the store.
func (h *Help) Sync(*state.Store) {}

// Act closes the help.
func (h *Help) Act(a keymap.Action) Result {
	if a == keymap.Cancel || a == keymap.Confirm {
		return Result{Close: true}
	}
	return Result{}
}

// Type scrolls, or closes the help on the keys that open it or quit.
func (h *Help) Type(key, _ string) Result {
	switch a, _ := h.keys.Resolve(key, keymap.Lists, keymap.Global); a {
	case keymap.Down:
		h.offset++
	case keymap.Up:
		h.offset--
	case keymap.PageDown:
		h.offset += 10
	case keymap.PageUp:
		h.offset -= 10
	case keymap.First:
		h.offset = 0
	case keymap.Last:
		h.offset = len(h.keys.Groups()) * 100 // View stops at the end.
	case keymap.Help, keymap.Quit:
		return Result{Close: true}
	default:
	}
	return Result{}
}

// Question is false: nothing is answered here.
func (*Help) Question() bool { return false }

// Paste does nothing.
func (h *Help) Paste(string) {}

// View draws as many columns of groups as fit.
func (h *Help) View(w, height int) []string {
	w = min(w, 132)
	inner := w - 2
	columns := max(1, inner/62)
	rows := h.rows(inner / columns)
	tall := (len(rows) + columns - 1) / columns
	visible := min(tall, max(1, height-3))
	h.offset = max(0, min(h.offset, tall-visible))
	lines := make([]string, 0, visible+1)
	for y := h.offset; y < h.offset+visible; y++ {
		blocks := make([][]string, 0, columns)
		for c := range columns {
			line := ""
			if i := c*tall + y; i < len(rows) && y < tall {
				line = rows[i]
			}
			blocks = append(blocks, []string{widget.FitLine(line, inner/columns)})
		}
		lines = append(lines, widget.JoinHorizontal(blocks...)[0])
	}
	foot := " esc closes"
	if tall > visible {
		foot += fmt.Sprintf(", arrows scroll: %d-%d of %d", h.offset+1, h.offset+visible, tall)
	}
	lines = append(lines, widget.Spans(inner, widget.Span{Style: h.theme.Muted, Text: foot}))
	return box(h.theme, "Keys", lines, w)
}

func (h *Help) rows(w int) []string {
	t := h.theme
	var rows []string
	for _, g := range h.keys.Groups() {
		rows = append(rows, widget.Spans(w, widget.Span{Style: t.Strong, Text: " " + g.Name}))
		for _, b := range g.Rows {
			keys := widget.Span{Style: t.Key, Text: " " + strings.Join(b.Keys, " ")}
			text := widget.Span{Style: t.Text, Text: "   " + b.Help}
			if w < narrowHelp {
				rows = append(rows, widget.Spans(w, keys), widget.Spans(w, text))
				continue
			}
			keys.Text = widget.Fit(keys.Text, keyCells, widget.Left)
			rows = append(rows, widget.Spans(w, keys, text))
		}
	}
	rows = h.explained(rows, w, "Filter terms, all of which have to hold", terms())
	return h.explained(rows, w, "Signs", h.signs())
}

// explained adds a group of what stands without words.
func (h *Help) explained(rows []string, w int, name string, what [][2]string) []string {
	t := h.theme
	rows = append(rows, widget.Spans(w, widget.Span{Style: t.Strong, Text: " " + name}))
	for _, s := range what {
		rows = append(rows, widget.Spans(w, widget.Span{Style: t.Key, Text: widget.Fit(" "+s[0], keyCells, widget.Left)}, widget.Span{Style: t.Text, Text: "   " + s[1]}))
	}
	return rows
}

// terms explains what can be typed into a filter.
func terms() [][2]string {
	return [][2]string{
		{"spring 2039", "words to be found anywhere"},
		{"!test", "not this; also before a term"},
		{"bal<20 spent>=100", "card: USD by < <= > >= = !="},
		{"last<2h age>7d", "card: used, made: s m h d w ago"},
		{"status=frozen", "card: active, frozen or terminated"},
		{"label~fb net=visa", "card: ~ holds, = is; bin and card too"},
		{`label~"a b",fb`, "quotes keep blanks; commas: or"},
		{"amt>50 age<1h", "transaction: USD either way; how old"},
		{"type=declined", "hold, settled, refund or declined"},
		{"country=US,IE", "also merchant, card, label, mcc"},
	}
}

// signs explains the marks that stand without words.
func (h *Help) signs() [][2]string {
	g := h.theme.Glyphs
	return [][2]string{
		{g.Active, "card: active"},
		{g.Alert, "card: active with less than $10"},
		{g.Frozen, "card: frozen"},
		{g.Closed, "card: terminated"},
		{g.Pending + " hold", "authorized, not settled yet: no money moved"},
		{"24h -$1.00", "settled on all cards in 24 hours, less refunds"},
		{"1h 31%", "of the hour's requests used"},
		{"poll 3s", "asked every 3 s, the last answer is no older"},
		{"poll 3s · 7s", "asked every 3 s, the last answer is 7 s old"},
		{"superseded?", "the same merchant asked again since"},
		{"≥", "the past is still being read"},
		{g.Unknown + " unconfirmed", "sent, and nobody knows what came of it" + h.by(keymap.Evidence, "shows what tells")},
		{"DRY RUN", "writes are shown and not sent" + h.by(keymap.DryRun, "ends it")},
	}
}

// by tells what an action's key does; nothing when it has none.
func (h *Help) by(a keymap.Action, does string) string {
	if key := h.keys.Key(a); key != "" {
		return ": " + key + " " + does
	}
	return ""
}
