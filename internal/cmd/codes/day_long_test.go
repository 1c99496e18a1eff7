//go:build long

package codes

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/nighttest"
)

// A program lives some hours; at night a whole day.
var day = nighttest.Times(4, 24)

// TestOTPWaitsADay for a code.
func TestOTPWaitsADay(t *testing.T) {
	story(t, options{wait: true, timeout: time.Duration(day+1) * time.Hour}, func(s *till) {
		s.After(time.Duration(day)*time.Hour, func() { s.Challenge("482913", "12.5") })
		if code := s.End(s.print(s.T.Context())); code != cli.ExitDone {
			t.Errorf("exit code %d: %s", code, s.Told.String())
		}
		s.Wants("482913\n")
	})
}
