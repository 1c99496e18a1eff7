package cards

import (
	"fmt"
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
	add := func(format string, values ...any) { parts = append(parts, fmt.Sprintf(format, values...)) }
	if sum.SpendingLimit != nil && *sum.SpendingLimit > 0 {
		add("limit %s per month", d.Dollars(*sum.SpendingLimit))
	}
	if sum.TotalSpent != nil {
		add("spent %s total", d.Dollars(*sum.TotalSpent))
	}
	if n := sum.TransactionCount; n != nil && *n == 1 {
		add("1 transaction")
	} else if n != nil {
		add("%d transactions", *n)
	}
	return []string{widget.Spans(w, widget.Span{Style: p.theme.Faint, Text: " " + strings.Join(parts, " · ")})}
}
