package cards

import (
	"strings"

	"github.com/cardtop/cardtop/ui/widget"
)

// previewFrom is the height from which a line is spent on the card under the
// cursor.
const previewFrom = 12

func (p *Pane) previewLines() int {
	if p.h >= previewFrom {
		return 1
	}
	return 0
}

// preview draws of the card under the cursor what the list does not know,
// once its summary is read.
func (p *Pane) preview() []string {
	if p.previewLines() == 0 {
		return nil
	}
	w := p.w - 2
	sum, _, ok := p.store.Info.Summary(p.cursor)
	if !ok {
		return []string{widget.Spans(w)}
	}
	var parts []string
	d := p.store.Privacy.Display()
	words := p.theme.Words
	if sum.SpendingLimit != nil && *sum.SpendingLimit > 0 {
		parts = append(parts, words.Tf("limit %s per month", d.Dollars(*sum.SpendingLimit)))
	}
	if sum.TotalSpent != nil {
		parts = append(parts, words.Tf("spent %s total", d.Dollars(*sum.TotalSpent)))
	}
	if n := sum.TransactionCount; n != nil {
		parts = append(parts, words.Tn(*n, "%d transaction", "%d transactions"))
	}
	text := strings.Join(parts, " · ")
	for len(parts) > 1 && widget.Width(text) > w-1 { // The last says least.
		parts = parts[:len(parts)-1]
		text = strings.Join(parts, " · ")
	}
	return []string{widget.Spans(w, widget.Span{Style: p.theme.Faint, Text: " " + text})}
}
