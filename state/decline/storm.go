package decline

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

const (
	// StormCount is how many declines of one card and merchant are a storm of retries.
	StormCount = 3
	// StormWithin is how close they are.
	StormWithin = 10 * time.Minute
)

// Try is a declined transaction.
type Try struct {
	ID       api.TransactionID
	Card     api.CardID
	Merchant api.Text
	At       time.Time
}

// Storm is declines of one card and merchant that follow each other closely.
type Storm struct {
	Card     api.CardID
	Merchant api.Text
	Tries    []Try // oldest first
}

// Storms returns the storms among declines, by their first one. The declines of a storm
// are all that are one of StormCount within StormWithin.
func Storms(all []Try) []Storm {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Try) int {
		return cmp.Or(cmp.Compare(a.Card, b.Card), strings.Compare(fold(a.Merchant), fold(b.Merchant)), a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	all = slices.CompactFunc(all, func(a, b Try) bool { return a.ID == b.ID })
	var out []Storm
	end := -1 // the last of the storm under way
	for i := range all {
		last := i + StormCount - 1
		if last >= len(all) || !together(&all[i], &all[last]) {
			continue
		}
		if i > end {
			out = append(out, Storm{Card: all[i].Card, Merchant: all[i].Merchant})
			end = i - 1
		}
		s := &out[len(out)-1]
		s.Tries = append(s.Tries, all[end+1:last+1]...)
		end = last
	}
	slices.SortStableFunc(out, func(a, b Storm) int { return a.Tries[0].At.Compare(b.Tries[0].At) })
	return out
}

func together(a, b *Try) bool {
	return a.Card == b.Card && fold(a.Merchant) == fold(b.Merchant) && b.At.Sub(a.At) <= StormWithin
}

func fold(name api.Text) string { return strings.ToLower(string(name)) }
