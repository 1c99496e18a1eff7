package dialog

import (
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// keyCells is the width of the keys' column. Below narrowHelp cells the help
// of a key goes on a line of its own.
const (
	keyCells   = 15
	narrowHelp = 60
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
	case keymap.Help, keymap.Quit:
		return Result{Close: true}
	default:
	}
	return Result{}
}

// Paste does nothing.
func (h *Help) Paste(string) {}

// View draws as many columns of groups as fit.
func (h *Help) View(w, height int) []string {
	w = min(w, 132)
	inner := w - 2
	columns := max(1, inner/64)
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
		foot += ", arrows scroll"
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
	return rows
}
