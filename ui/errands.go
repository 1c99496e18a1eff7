package ui

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/widget"
)

// unseenFor is how long a read is not told of: what comes sooner would only
// flicker. spinEvery is how often its sign moves from then on.
const (
	unseenFor = 300 * time.Millisecond
	spinEvery = 120 * time.Millisecond
)

// errand is something under way that a person waits for.
type errand struct {
	n     int
	what  string
	since time.Time
}

// errands are those under way, the oldest first.
type errands struct {
	open []errand
	n    int
}

// awaited tells what a person waits for when an effect runs; empty for what
// goes on by itself, as a card is read again that is looked at, and for writes,
// which are on their rows.
func awaited(e state.Effect, asked bool) string {
	switch e := e.(type) {
	case state.Execute:
		return "running " + e.Name
	case state.FetchSummary, state.FetchCardTransactions:
		if !asked {
			return ""
		}
		return "reading the card"
	case state.FetchTransaction:
		return "reading the transaction"
	case state.FetchDetails:
		return "reading the number"
	case state.FetchBINs:
		return "reading the BINs"
	case state.FetchAddresses:
		return "reading the addresses"
	case state.FetchWebhooks:
		return "reading the webhooks"
	case state.FetchHistory:
		return "reading the history"
	case state.SaveRows:
		return "writing the rows"
	default:
		return ""
	}
}

// begin notes what is waited for and gives its number; 0 for nothing.
func (s *errands) begin(what string, now time.Time) int {
	if what == "" {
		return 0
	}
	s.n++
	s.open = append(s.open, errand{s.n, what, now})
	return s.n
}

// end forgets the one of a number, and tells whether it had been shown.
func (s *errands) end(n int, now time.Time) (shown bool) {
	s.open = slices.DeleteFunc(s.open, func(e errand) bool {
		shown = shown || e.n == n && now.Sub(e.since) >= unseenFor
		return e.n == n
	})
	return shown
}

// next is when the sign moves, or appears where it is to stand still; zero when
// there is none.
func (s *errands) next(now time.Time, still bool) time.Time {
	if len(s.open) == 0 {
		return time.Time{}
	}
	since := s.open[0].since
	if first := since.Add(unseenFor); now.Before(first) {
		return first
	}
	if still {
		return time.Time{}
	}
	// In step with the sign, whatever else wakes the program meanwhile.
	return since.Add((now.Sub(since)/spinEvery + 1) * spinEvery)
}

// shown gives the one that a person has waited for longest, once it is worth
// telling.
func (s *errands) shown(now time.Time) (errand, bool) {
	if len(s.open) == 0 || now.Sub(s.open[0].since) < unseenFor {
		return errand{}, false
	}
	return s.open[0], true
}

// waitParts tell in the header what is waited for: the sign stays where there
// is no room for the words.
func (a *App) waitParts() []part {
	now := a.store.Now()
	e, ok := a.errands.shown(now)
	if !ok {
		return nil
	}
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	if a.theme.Still {
		frames = []rune("…")
	}
	frame := frames[int(now.Sub(e.since)/spinEvery)%len(frames)]
	return []part{
		{[]widget.Span{{Style: a.theme.Info, Text: string(frame)}}, 1},
		{[]widget.Span{{Style: a.theme.Info, Text: " " + e.what}}, 4},
		{[]widget.Span{{Text: "  "}}, 1},
	}
}
