package write

import (
	"context"
	"errors"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/state"
)

const (
	// claimFor is how long a run waits for another one with its key to end: longer than
	// a write is asked for.
	claimFor   = 2 * time.Minute
	claimEvery = 200 * time.Millisecond
)

// claimKey makes the key of the command line this run's. While another run has it, that
// one's outcome is waited for.
func (c *Command) claimKey(ctx context.Context, acc app.Account) (release func(), err error) {
	return c.waitFor(ctx, func() (func(), error) { return acc.Journal.Claim(api.IdempotencyKey(c.key)) })
}

func (c *Command) waitFor(ctx context.Context, claim func() (release func(), err error)) (release func(), err error) {
	for tries := 0; ; tries++ {
		release, err = claim()
		if !errors.Is(err, state.ErrKeyClaimed) || tries == int(claimFor/claimEvery) {
			return release, err
		}
		if tries == 0 {
			c.Say("another run with this key is under way: waiting for its outcome")
		}
		pause := time.NewTimer(claimEvery)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return nil, ctx.Err()
		}
	}
}
