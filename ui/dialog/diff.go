package dialog

import (
	"maps"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// diff shows a change of a card: what it was and what it will be.
func diff(t *theme.Theme, k state.Known, c state.CardChange, w int) []string {
	lines := []string{widget.Spans(w)}
	add := func(name, before, after string) {
		arrow := " " + t.Glyphs.Arrow + " "
		if widget.Width(before+arrow+after) < w-factCells(w)-1 {
			lines = append(lines, fact(t, w, name, widget.Span{Style: t.Muted, Text: before},
				widget.Span{Style: t.Accent, Text: arrow}, widget.Span{Style: t.Strong, Text: after}))
			return
		}
		lines = append(lines, facts(t, w, name, t.Muted, before)...)
		lines = append(lines, facts(t, w, "", t.Strong, strings.TrimSpace(arrow)+" "+after)...)
	}
	if c.Label != nil {
		add("label", or(string(k.Label), "none"), or(*c.Label, "none"))
	}
	if c.SpendingLimit != nil {
		add("limit", or(perMonth(k.Limit), "unknown"), perMonth(c.SpendingLimit))
	}
	if c.AllowedCategories != nil {
		before := "unknown"
		if k.Categories != nil {
			before = or(strings.Join(plain(*k.Categories), ", "), "all")
		}
		add("categories", before, or(strings.Join(*c.AllowedCategories, ", "), "all"))
	}
	if c.AutoFreezeAt != nil {
		before := "unknown"
		if k.AutoFreeze != nil {
			before = or(below(k.AutoFreeze), "never")
		}
		add("auto-freeze", before, or(below(c.AutoFreezeAt), "never"))
	}
	name := "metadata"
	for _, key := range slices.Sorted(maps.Keys(c.Metadata)) {
		before, had := k.Metadata[state.Text(key)]
		switch {
		case had:
			add(name, key+"="+string(before), c.Metadata[key])
		case k.Metadata == nil:
			add(name, key+": unknown", c.Metadata[key])
		default:
			add(name, "new", key+"="+c.Metadata[key])
		}
		name = ""
	}
	return lines
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
