package write

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/state"
)

// TestARunWaitsForAnotherWithItsKey, says so once, and does not wait for ever.
func TestARunWaitsForAnotherWithItsKey(t *testing.T) {
	for _, tt := range []struct {
		name        string
		ends, stops time.Duration // After how long the other run ends, and this one is interrupted.
		want        error
		waits       time.Duration
	}{
		{"none", 0, 0, nil, 0},
		{"it ends", 3 * time.Second, 0, nil, 3 * time.Second},
		{"it does not", time.Hour, 0, state.ErrKeyClaimed, claimFor},
		{"interrupted", time.Hour, time.Second, context.DeadlineExceeded, time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var errs bytes.Buffer
				c := Command{Program: cli.Program{Program: app.Program{Errs: &errs}}}
				ctx := t.Context()
				if tt.stops > 0 {
					var stop func()
					ctx, stop = context.WithTimeout(ctx, tt.stops)
					defer stop()
				}
				begun := time.Now()                                         //nolint:forbidigo // the bubble's clock
				passed := func() time.Duration { return time.Since(begun) } //nolint:forbidigo // the same
				release, err := c.waitFor(ctx, func() (func(), error) {
					if passed() < tt.ends {
						return nil, state.ErrKeyClaimed
					}
					return func() {}, nil
				})
				if !errors.Is(err, tt.want) || (release == nil) != (tt.want != nil) || passed() != tt.waits {
					t.Errorf("%v after %s", err, passed())
				}
				if said := strings.Count(errs.String(), "waiting for its outcome"); said != min(1, int(tt.ends)) {
					t.Errorf("says it %d times: %s", said, errs.String())
				}
			})
		})
	}
}
