package pane

import (
	"fmt"
	"slices"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// RangeName is what a range is called, in English.
func RangeName(over ledger.Range) string {
	switch over {
	case ledger.Today:
		return lang.N("today")
	case ledger.Last24h:
		return lang.N("24 h")
	case ledger.Last7d:
		return lang.N("7 d")
	case ledger.Last14d:
		return lang.N("14 d")
	default:
		return lang.N("30 d")
	}
}

// TurnRange returns the next longer one of some ranges, or for -1 the next shorter one, the other end after the last.
func TurnRange(all []ledger.Range, over ledger.Range, by int) ledger.Range {
	return all[(slices.Index(all, over)+by+len(all))%len(all)]
}

// RangeTabs names ranges in a title and marks the one that is shown, which stands alone where there is no room.
func RangeTabs(t *theme.Theme, all []ledger.Range, over ledger.Range, room bool) []widget.Span {
	tabs := []widget.Span{{Text: "  "}}
	for _, r := range all {
		switch {
		case r == over:
			tabs = append(tabs, widget.Span{Style: t.Selection, Text: " " + t.Words.T(RangeName(r)) + " "})
		case room:
			tabs = append(tabs, widget.Span{Style: t.Muted, Text: " " + t.Words.T(RangeName(r)) + " "})
		}
	}
	return tabs
}

// DeclineRate is a decline rate. Level is that of the alert that it raises, which its mark stands for; 0 for none.
func DeclineRate(t *theme.Theme, declined, attempts, level int) (text, style string) {
	percent, known := decline.Rate(declined, attempts)
	if !known {
		return "–", t.Faint
	}
	text = t.Words.Number(fmt.Sprintf("%.1f %%", percent))
	switch level {
	case 0:
		return text, t.Text
	case 1:
		return text + " " + t.Glyphs.Alert, t.Warn
	}
	return text + " " + t.Glyphs.Alert, t.Bad
}
