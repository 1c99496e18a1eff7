package inspect

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/ui/pane"
)

// movedShown bounds how many movements of a card are named.
const movedShown = 4

// moved names what was moved to and from a card from this machine, the newest
// first, by the history; empty when nothing was.
func moved(w *lang.Words, d display.Display, rows []state.Record, card api.CardID, now time.Time) string {
	var parts []string
	for i := len(rows) - 1; i >= 0; i-- {
		r := &rows[i]
		sign := signOf(r)
		if r.Card != card || sign == "" {
			continue
		}
		if len(parts) == movedShown {
			return strings.Join(append(parts, "…"), "  ")
		}
		parts = append(parts, sign+d.Dollars(r.Amount)+" "+pane.When(w, r.At, now))
	}
	return strings.Join(parts, "  ")
}

// signOf returns which way a record's amount went; empty when none moved.
func signOf(r *state.Record) string {
	switch {
	case r.Outcome != state.OpStatusDone && r.Outcome != state.OpStatusResolvedDone:
		return ""
	case r.Action == state.OpFund.Verb(), r.Action == state.OpIssue.Verb():
		return "+"
	case r.Action == state.OpWithdraw.Verb(), r.Action == state.OpTerminate.Verb():
		return "-"
	}
	return ""
}
