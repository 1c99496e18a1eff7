package codes

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
)

// TestADeclineKeepsTheChallengesAboutItOnly: what a decline was caused by is held for as
// long as the decline, for each of many.
func TestADeclineKeepsTheChallengesAboutItOnly(t *testing.T) {
	s := New(&kernel.Core{}, Needs{})
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var gone []Code
	for i := range endedKept + 10 { // The oldest first, a quarter of an hour apart; the last ends at noon.
		end := noon.Add(time.Duration(i-endedKept-9) * 15 * time.Minute)
		gone = append(gone, Code{ID: api.ChallengeID(fmt.Sprint(i)), Card: "card_1", Merchant: "Meta", CreatedAt: end.Add(-time.Minute), ExpiresAt: end})
	}
	s.end(gone)
	for i := range s.codes.ended {
		s.codes.ended[i].Status = "failed"
		s.codes.ended[i].EndedAt = s.codes.ended[i].CreatedAt.Add(time.Minute)
	}
	about := func(at time.Time) int {
		return len(s.About(&api.Transaction{CardID: "card_1", CreatedAt: at}))
	}
	if n := about(noon.Add(10 * time.Second)); n != 1 {
		t.Errorf("a decline keeps %d challenges", n)
	}
	if n := about(noon.Add(7 * time.Minute)); n != 0 {
		t.Errorf("a decline without a challenge keeps %d", n)
	}
}
