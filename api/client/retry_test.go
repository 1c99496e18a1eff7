package client

import (
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		in   string
		want time.Duration
		ok   bool
	}{
		{"", 0, false},
		{"0", 0, true},
		{" 37 ", 37 * time.Second, true},
		{"86400", 15 * time.Minute, true},
		{"99999999999999999999", 15 * time.Minute, true},
		{"-5", 0, false},
		{"soon", 0, false},
		{"1.5", 2 * time.Second, true},
		{"0.25", time.Second, true},
		{"1.5s", 0, false},
		{".5", 0, false},
		{"1.2.3", 0, false},
		{"Sun, 01 Mar 2026 12:00:30 GMT", 30 * time.Second, true},
		{"Sun, 01 Mar 2026 11:00:00 GMT", 0, true},
		{"Mon, 02 Mar 2026 12:00:00 GMT", 15 * time.Minute, true},
	}
	for _, tt := range tests {
		if got, ok := ParseRetryAfter(tt.in, now); got != tt.want || ok != tt.ok {
			t.Errorf("%q: %v, %v", tt.in, got, ok)
		}
	}
	if _, ok := ParseRetryAfter("Sun, 01 Mar 2026 12:00:30 GMT", time.Time{}); ok {
		t.Error("a date without a clock was measured")
	}
}
