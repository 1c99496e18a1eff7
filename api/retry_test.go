package api

import (
	"testing"
	"time"
)

func TestBackoff(t *testing.T) {
	most := func() float64 { return 1 }
	tests := []struct {
		failures int
		ceiling  time.Duration
		want     time.Duration
	}{
		{0, BackoffCap, 800 * time.Millisecond},
		{1, BackoffCap, 800 * time.Millisecond},
		{2, BackoffCap, 1600 * time.Millisecond},
		{5, BackoffCap, 12800 * time.Millisecond},
		{7, BackoffCap, 30 * time.Second},
		{1_000_000_000, BackoffCap, 30 * time.Second},
		{5, ChallengeBackoffCap, 10 * time.Second},
		{1, 100 * time.Millisecond, 100 * time.Millisecond},
	}
	for _, tt := range tests {
		if got := Backoff(tt.failures, tt.ceiling, most); got != tt.want {
			t.Errorf("%d: %v, want %v", tt.failures, got, tt.want)
		}
		if got := Backoff(tt.failures, tt.ceiling, func() float64 { return 0 }); got != 0 {
			t.Errorf("%d: no jitter: %v", tt.failures, got)
		}
	}
}
