package wire

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

func TestHourlyLimit(t *testing.T) {
	l, now := NewLimiter(false), unit.Instant(1_000_000)
	take := func() bool { return l.Take("a", CostNone, now) == nil }
	granted := 0
	for range 11 {
		for range 1010 { // What is refused does not count.
			if take() {
				granted++
			}
		}
		now += unit.Minute
	}
	if granted != RequestsPerHour {
		t.Errorf("%d requests in an hour", granted)
	}
	if f := l.Take("a", CostNone, now); f == nil || f.RetryAfter != 49*time.Minute {
		t.Errorf("refused with %v", f)
	}
	now += 49*unit.Minute - 1
	if take() {
		t.Error("granted within the hour")
	}
	now++
	if !take() {
		t.Error("refused after the hour")
	}
}
