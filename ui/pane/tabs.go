package pane

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/views"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Tabs are the filters of a list that are saved under names, in one line above
// it. The tab whose filter is active is the chosen one; the first, without a
// filter, shows all.
type Tabs struct {
	List settings.ListName
	tabs []settings.Tab
	// private says that their names, which may be labels, are not shown.
	private bool
	// Counts are how many rows each shows, that of all first.
	Counts []int
	// Alerts says which of them show a card that has an open alert.
	Alerts []bool
}

// Set takes the tabs there are, and reports whether they are others.
func (b *Tabs) Set(tabs []settings.Tab, d display.Display) (changed bool) {
	b.private = d.Private()
	if slices.Equal(b.tabs, tabs) {
		return false
	}
	b.tabs = tabs
	b.Counts, b.Alerts = make([]int, len(tabs)+1), make([]bool, len(tabs)+1)
	return true
}

// Filters are those of the tabs, without the first.
func (b *Tabs) Filters() []string {
	out := make([]string, 0, len(b.tabs))
	for _, t := range b.tabs {
		out = append(out, t.Filter)
	}
	return out
}

// leastForTabs is the height of a pane from which a line of it is theirs.
const leastForTabs = 6

// Lines is how many lines the tabs take of a pane h lines high.
func (b *Tabs) Lines(h int) int {
	if len(b.tabs) > 0 && h >= leastForTabs {
		return 1
	}
	return 0
}

// at returns the tab of a filter, 0 for that of all; -1 when it has none.
func (b *Tabs) at(filter string) int {
	filter = strings.TrimSpace(filter)
	if filter == "" {
		return 0
	}
	if i := slices.IndexFunc(b.tabs, func(t settings.Tab) bool { return t.Filter == filter }); i >= 0 {
		return i + 1
	}
	return -1
}

// Act does what a key asks of the tabs: it changes the filter to that of
// another tab, or returns what is asked for. False when it asks for something
// else.
func (b *Tabs) Act(a keymap.Action, f *Filter) (intents []kernel.Intent, changed, done bool) {
	if (a == keymap.NextTab || a == keymap.PrevTab) && len(b.tabs) == 0 {
		return one(ChooseTab{List: b.List}), false, true
	}
	switch a {
	case keymap.NextTab:
		return nil, b.choose(b.at(f.Text())+1, f), true
	case keymap.PrevTab:
		at := b.at(f.Text())
		if at < 0 {
			at = 0 // From a filter without a tab to the last.
		}
		return nil, b.choose(at-1, f), true
	case keymap.KeepTab:
		return one(NameTab{List: b.List, Filter: strings.TrimSpace(f.Text())}), false, true
	case keymap.DropTab:
		name := ""
		if at := b.at(f.Text()); at > 0 {
			name = b.tabs[at-1].Name
		}
		return one(views.DeleteTab{List: b.List, Name: name}), false, true
	default:
		return nil, false, false
	}
}

// choose applies the filter of a tab; they go round.
func (b *Tabs) choose(i int, f *Filter) (changed bool) {
	n := len(b.tabs) + 1
	i = (i + n) % n
	text := ""
	if i > 0 {
		text = b.tabs[i-1].Filter
	}
	if f.Text() == text {
		return false
	}
	f.Set(text)
	return true
}

// Click chooses the tab at a cell of the line, and reports whether the filter
// is another.
func (b *Tabs) Click(t *theme.Theme, x, w int, f *Filter) (changed bool) {
	words, first := b.words(t.Words, w, f.Text())
	for i, word := range words {
		if x -= widget.Width(word); x < 0 {
			return b.choose(first+i, f)
		}
	}
	return false
}

// words are the tabs that have room, from the first on: the chosen one is
// among them.
func (b *Tabs) words(in *lang.Words, w int, filter string) (words []string, first int) {
	for i := range len(b.tabs) + 1 {
		name := in.Tc("tab", "all")
		if i > 0 {
			name = b.tabs[i-1].Name
		}
		if i > 0 && b.private {
			name = in.Tf("tab %d", i)
		}
		sign := ""
		if b.Alerts[i] {
			sign = "!"
		}
		words = append(words, fmt.Sprintf(" %s %d%s ", name, b.Counts[i], sign))
	}
	chosen := b.at(filter)
	for first < chosen && widget.Width(strings.Join(words[first:chosen+1], "")) > w {
		first++
	}
	return words[first:], first
}

// Draw returns the line.
func (b *Tabs) Draw(t *theme.Theme, w int, filter string) string {
	words, first := b.words(t.Words, w, filter)
	spans := make([]widget.Span, 0, len(words))
	for i, word := range words {
		style := t.Muted
		if first+i == b.at(filter) {
			style = t.Selection
		}
		spans = append(spans, widget.Span{Style: style, Text: word})
	}
	return widget.Spans(w, spans...)
}
