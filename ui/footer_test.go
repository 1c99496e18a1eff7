package ui

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
)

// TestTheFootTellsNoMomentThatIsPast says when the API is asked again as long
// as that is to come, and that it is being asked once it is not.
func TestTheFootTellsNoMomentThatIsPast(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 14, 10, 18, 40, 0, time.Local)
	began := now.Add(-10 * time.Second)
	for want, until := range map[string]time.Time{
		" (since 10:18:30)":                 {},
		" (since 10:18:30, retry 10:18:44)": now.Add(4 * time.Second),
		" (since 10:18:30, retrying now)":   now.Add(-4 * time.Second),
	} {
		if got := since(state.Health{Since: began, Until: until}, now); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got := since(state.Health{Since: began, Until: now}, now); got != " (since 10:18:30, retrying now)" {
		t.Errorf("due this moment: %q", got)
	}
}
