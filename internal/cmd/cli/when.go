package cli

import (
	"errors"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/query"
)

// When is a flag that takes a time: a date, a date with a time of day, or how
// long ago it was.
type When struct {
	To *time.Time
	// Now is this machine's clock.
	Now func() time.Time
}

// Set implements pflag.Value.
func (w When) Set(text string) error {
	if ago, ok := query.ParseAge(strings.ToLower(text)); ok {
		*w.To = w.Now().Add(-ago)
		return nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil && at.Year() >= 1 {
			*w.To = at
			return nil
		}
	}
	return errors.New("not a time")
}

// String implements pflag.Value; empty for none.
func (w When) String() string {
	if w.To == nil || w.To.IsZero() {
		return ""
	}
	return w.To.UTC().Format(time.RFC3339)
}

// Type is its name in the help.
func (When) Type() string { return "time" }

// Takes describes its values.
func (When) Takes() string {
	return "a date such as 2026-03-01 (UTC), 2026-03-01T12:00:00Z, or how long ago such as 24h or 7d"
}
