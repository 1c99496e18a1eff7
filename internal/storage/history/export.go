package history

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/state"
)

// Filter selects records. Empty fields match all.
type Filter struct {
	// Text are words that all have to be there.
	Text            string
	Action, Outcome string
	// Card is an id, or a part of the label or of the last digits.
	Card  string
	Since time.Time
}

// Matches reports whether a record matches.
func (f Filter) Matches(r state.Record) bool {
	switch {
	case f.Action != "" && r.Action != f.Action, f.Outcome != "" && r.Outcome != f.Outcome, r.At.Before(f.Since):
		return false
	case f.Card != "" && string(r.Card) != f.Card && !strings.Contains(strings.ToLower(r.Name), strings.ToLower(f.Card)):
		return false
	}
	words := strings.Fields(strings.ToLower(f.Text))
	if len(words) == 0 {
		return true
	}
	text := r.Text()
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}
