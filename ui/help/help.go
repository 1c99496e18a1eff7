// Package help has the help: keys, signs and figures.
package help

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// keyCells is the width of the keys' column, helpCells the least width of a
// column of the help. Below narrowHelp cells the text of a key has its own line.
const (
	keyCells   = 18
	helpCells  = 66
	narrowHelp = 56
)

// Help shows every key of the key table, the filter terms and the symbols. It can
// be filtered.
type Help struct {
	dialog.Inert
	theme  *theme.Theme
	keys   *keymap.Map
	filter *dialog.TextEntry
	typing bool
	dialog.Scroller
}

// NewHelp makes the dialog.
func NewHelp(t *theme.Theme, keys *keymap.Map) *Help {
	h := &Help{theme: t, keys: keys, filter: dialog.NewText()}
	h.filter.SetPlaceholder(t.Words.T("a key or words"))
	return h
}

// Traits implements Dialog.
func (h *Help) Traits() dialog.Traits {
	if h.typing {
		return dialog.Traits{Context: keymap.Form, Typing: true, Public: true, Move: h.Move}
	}
	return dialog.Traits{Public: true, Move: h.Move}
}

// Act scrolls while the filter is typed, closes the filter, or the help.
func (h *Help) Act(a keymap.Action) dialog.Result {
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
		return dialog.Result{Close: true}
	}
	return dialog.Result{}
}

// Type edits the filter, or closes the help on the keys that open it or quit.
func (h *Help) Type(key, text string) dialog.Result {
	if h.typing {
		h.filter.Key(key, text)
		h.Offset = 0
		return dialog.Result{}
	}
	if a, _ := h.keys.Resolve(key, keymap.Cards); a == keymap.OpenFilter {
		h.typing = true
		return dialog.Result{}
	}
	a, _ := h.keys.Resolve(key, keymap.Global)
	return dialog.Result{Close: a == keymap.Help || a == keymap.Quit}
}

// Paste filters by the pasted text.
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
		rows = []string{widget.Spans(cells, widget.Span{Style: t.Muted, Text: " " + t.Words.T("no match")})}
	}
	tall := (len(rows) + columns - 1) / columns
	var lines []string
	if h.typing || h.filter.Value() != "" {
		h.filter.SetStyles(dialog.InputStyles(t))
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
	lines = append(lines, h.Part(body, height-3-len(lines))...)
	return dialog.Scrolled(t, t.Words.T("Keys"), append(lines, h.foot(inner)), w, h.Scroll)
}

// foot draws the keys of the dialog and which part of the help is shown.
func (h *Help) foot(w int) string {
	t := h.theme
	key := func(k, does string) []widget.Span {
		return []widget.Span{{Style: t.Key, Text: " " + k}, {Style: t.KeyText, Text: " " + does + " "}}
	}
	var spans []widget.Span
	switch {
	case h.typing:
		spans = append(spans, slices.Concat(key("enter", t.Words.T("done")), key("esc", t.Words.T("clear")))...)
	case h.filter.Value() != "":
		spans = append(spans, key("esc", t.Words.T("clear"))...)
	default:
		spans = append(spans, slices.Concat(key("/", t.Words.T("filter")), key("esc", t.Words.T("close")))...)
	}
	if s := h.Scroll; s.Total > s.Visible {
		spans = append(spans, widget.Span{Style: t.Muted, Text: " " + t.Words.Tf("%d-%d of %d", s.Offset+1, s.Offset+s.Visible, s.Total)})
	}
	return widget.Spans(w, spans...)
}

// topic is a part of the help: keys, terms or symbols with their meaning.
type topic struct {
	name string
	rows []explained
}

type explained struct {
	keys []string
	text string
	also string // further words that find it
}

func (h *Help) topics() []topic {
	var all []topic
	w := h.theme.Words
	for _, g := range h.keys.Groups() {
		part := topic{name: w.T(g.Name)}
		for _, b := range g.Rows {
			keys := b.Keys
			if len(keys) == 0 { // The palette has it.
				keys = []string{h.keys.Key(keymap.Palette) + " " + string(b.Action)}
			}
			part.rows = append(part.rows, explained{keys, w.T(b.Help), strings.Join([]string{w.T(b.Short), w.T(b.Words), b.Help, b.Short, b.Words, string(b.Action)}, " ")})
		}
		all = append(all, part)
	}
	return append(all, topic{w.T("Filter terms, all must match"), terms(w)}, topic{w.T("Symbols"), h.signs()})
}

// found reports whether each word is a key of the row or in its text. A single
// letter is a key.
func (e explained) found(name string, words []string) bool {
	text := strings.ToLower(strings.Join(e.keys, " ") + " " + e.text + " " + e.also + " " + name)
	for _, word := range words {
		if !slices.Contains(e.keys, word) && (len(word) < 2 || !strings.Contains(text, strings.ToLower(word))) {
			return false
		}
	}
	return true
}

// rows draws the matching rows in w cells.
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

// row draws the keys beside their text, or above it where it is narrow.
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

// terms explains the filter language.
func terms(w *lang.Words) []explained {
	return []explained{
		{keys: []string{"spring 2039"}, text: w.T("words, anywhere")},
		{keys: []string{"!test"}, text: w.T("not; also before a term")},
		{keys: []string{"/fb.*0[1-3]/"}, text: w.T("regular expression; in a field: label~/^fb/")},
		{keys: []string{"bal<20 spent>=100"}, text: w.T("card: USD with < <= > >= = !=")},
		{keys: []string{"last<2h age>7d"}, text: w.T("card: last used, created; s m h d w ago")},
		{keys: []string{"status=expired"}, text: w.T("card: active, frozen, expired or terminated")},
		{keys: []string{"left<1d burn>5"}, text: w.T("card: how long its balance lasts; USD spent an hour")},
		{keys: []string{"idle>7d"}, text: w.T("card: active with a balance, not used for so long")},
		{keys: []string{"decl7>15"}, text: w.T("card: percent of its payments declined in 7 days")},
		{keys: []string{"label~fb net=visa"}, text: w.T("card: ~ contains, = equals; also bin, card")},
		{keys: []string{`label~"a b",fb`}, text: w.T("quotes keep spaces; commas mean or")},
		{keys: []string{"amt>50 age<1h"}, text: w.T("transaction: USD; age")},
		{keys: []string{"type=declined"}, text: w.T("hold, settled, refund or declined")},
		{keys: []string{"country=US,IE"}, text: w.T("also merchant, card, label, mcc")},
	}
}

// signs explains the symbols.
func (h *Help) signs() []explained {
	g, w := h.theme.Glyphs, h.theme.Words
	every := w.Tf("every %s", w.AgeCoarse(3*time.Second))
	return []explained{
		{keys: []string{g.Active}, text: w.T("card: active")},
		{keys: []string{g.Alert}, text: w.T("card: active with less than $10; of a figure: it alerts")},
		{keys: []string{g.Frozen}, text: w.T("card: frozen")},
		{keys: []string{g.Closed}, text: w.T("card: terminated")},
		{keys: []string{g.Stale}, text: w.T("card: expired; at the top right: the API has not answered for so long")},
		{keys: []string{g.Pending + " " + w.Tc("kind", "hold")}, text: w.T("authorized, not settled: no money moved")},
		{keys: []string{w.T("spent 24h")}, text: w.T("settled on all cards since the full hour 24 hours ago, minus refunds")},
		{keys: []string{w.Tc("header", "lasts")}, text: w.T("wallet plus the money on all cards, frozen ones too, minus holds, divided by the spend per hour (of 1, 6 and 24 h and 7 d)")},
		{keys: []string{w.T("wallet alone lasts")}, text: w.T("the wallet without the money on cards, divided by what is moved to cards per hour")},
		{keys: []string{"1.3 d (0.9–1.8)"}, text: w.T("a forecast, and the range that it is most likely in")},
		{keys: []string{w.Tc("column", "left")}, text: w.T("how long one active card lasts: its balance minus holds, divided by its spend per hour; the card's screen says why it is –")},
		{keys: []string{w.Tf("API %d%%", 31)}, text: w.T("of the hour's requests used")},
		{keys: []string{every}, text: w.T("polled every 3 s, up to date")},
		{keys: []string{every + " · " + w.AgeCoarse(7*time.Second)}, text: w.T("polled every 3 s, last response 7 s ago")},
		{keys: []string{w.T("push")}, text: w.T("the API says when something changes")},
		{keys: []string{w.T("cached 4m")}, text: w.T("from the last run, 4 minutes old: not read since")},
		{keys: []string{w.T("replaced")}, text: w.T("the merchant sent a newer challenge")},
		{keys: []string{"≥"}, text: w.T("at least, but for refunds: older data is still being read; of an alert: since before this program started")},
		{keys: []string{"≤"}, text: w.T("at most: what is paid in other currencies is not counted; of left: charges are too uneven, this is at the rate of the last 24 h")},
		{keys: []string{"?", "–"}, text: w.T("in a column of the cards: not read yet; none")},
		{keys: []string{g.Unknown + " " + w.T("unconfirmed")}, text: h.by(keymap.ResolveOp, lang.N("sent, outcome unknown"), lang.N("sent, outcome unknown: %s resolves it"))},
		{keys: []string{w.T("DRY RUN")}, text: h.by(keymap.DryRun, lang.N("requests are shown, not sent"), lang.N("requests are shown, not sent: %s ends it"))},
	}
}

// by explains a sign with the key of an action, or plainly when it has none.
func (h *Help) by(a keymap.Action, plain, keyed string) string {
	if key := h.keys.Key(a); key != "" {
		return h.theme.Words.Tf(keyed, key)
	}
	return h.theme.Words.T(plain)
}
