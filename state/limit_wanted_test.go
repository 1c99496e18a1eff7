package state

import (
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
)

// TestAWantedLimitThatCannotBeReadKeepsNobodyWaiting: neither other wanted cards, nor what else is read.
func TestAWantedLimitThatCannotBeReadKeepsNobodyWaiting(t *testing.T) {
	l := &LimitsTable{Core: &kernel.Core{}}
	for _, id := range []api.CardID{"broken", "b", "c", "b"} {
		l.Want(id)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var read []api.CardID
	for range 9 {
		l.limits.turn++
		id, _, _ := l.nextCard(now)
		if read = append(read, id); id == "broken" {
			l.limits.asked = 7
			l.limitFailed(FetchSummary{Seq: 7, Card: id, Limit: true}, api.ErrWrongShape, now, 0)
		} else if id != "" {
			l.limitAsked(id, now)
		}
	}
	if want := []api.CardID{"broken", "b", "c", "", "broken", "broken", "broken", "", "broken"}; !slices.Equal(read, want) {
		t.Errorf("%v, want %v", read, want)
	}
}
