package engine

import (
	"context"
	"errors"
	"fmt"
	mrand "math/rand/v2"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
)

const (
	// readTries bounds how often a read is sent that fails for a reason that will
	// pass.
	readTries = 4
	// longestWait bounds how long a read waits for the budget, or as the server
	// asks, also without a deadline: a minute's window and what the budget rounds it up by, far less than the rest of
	// an hour that is used up.
	longestWait = time.Minute + 15*time.Second
	// silent is how long a wait may be that nobody is told of.
	silent = 2 * time.Second
	// waitsEvery is how far apart two lines about waits are at least.
	waitsEvery = 10 * time.Second
)

// Read sends a read that no lane of a store polls. It counts in the budget under
// a lane, waits for it, and sends the read again when that failed for a reason
// that will pass. Its errors are the client's, or of errtext.LimitUsed.
func Read[T any](ctx context.Context, e *Engine, lane string, send func(context.Context, *client.Client) (T, error)) (T, error) {
	return read(ctx, e, budget.Bulk, lane, send)
}

// ReadLow is Read for what ranks behind the polls.
func ReadLow[T any](ctx context.Context, e *Engine, lane string, send func(context.Context, *client.Client) (T, error)) (T, error) {
	return read(ctx, e, budget.Low, lane, send)
}

func read[T any](ctx context.Context, e *Engine, at budget.Priority, lane string, send func(context.Context, *client.Client) (T, error)) (T, error) {
	for try := 1; ; try++ {
		if err := e.allow(ctx, at, lane); err != nil {
			var none T
			return none, err
		}
		answered := e.waitForAnswer()
		out, err := send(ctx, e.cfg.Client)
		answered()
		asked := errtext.RetryAfter(err)
		wait := max(asked, api.Backoff(try, api.BackoffCap, mrand.Float64))
		if !passes(err) || try == readTries || e.tooLong(ctx, wait) {
			return out, err
		}
		why := "waiting %.0f s to ask again: the API does not answer"
		if asked > 0 {
			why = "waiting %.0f s: the API asks for it"
		}
		e.tellWait(why, wait)
		if err := pause(ctx, wait); err != nil {
			return out, err
		}
	}
}

// allow waits until the budget allows a read.
func (e *Engine) allow(ctx context.Context, at budget.Priority, lane string) error {
	for {
		now := e.cfg.Now()
		e.wake(now)
		// Without the usage of the others the server refuses what is too much.
		_ = e.share(shareFresh)
		wait := e.admit(kernel.Cost{Priority: at, Lane: lane}, now)
		switch {
		case wait == 0:
			return nil
		case e.tooLong(ctx, wait):
			return errtext.LimitUsed(wait)
		}
		e.tellWait("waiting %.0f s for the request limit", wait)
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// tellWait tells of a wait that begins, with how long it takes.
func (e *Engine) tellWait(format string, wait time.Duration) {
	if wait > silent {
		e.tell(fmt.Sprintf(format, wait.Seconds()))
	}
}

// tell tells of a wait, unless it has told of one just now: pages are read side by side.
func (e *Engine) tell(line string) {
	if e.cfg.Waits == nil {
		return
	}
	e.mu.Lock()
	now := e.cfg.Now()
	tell := e.toldWait.IsZero() || now.Sub(e.toldWait) >= waitsEvery
	if tell {
		e.toldWait = now
	}
	e.mu.Unlock()
	if tell {
		e.cfg.Waits(line)
	}
}

// waitForAnswer tells of an answer that does not come, until it is told that it has.
func (e *Engine) waitForAnswer() (answered func()) {
	if e.cfg.Waits == nil {
		return func() {}
	}
	timer := time.AfterFunc(silent, func() { e.tell("waiting for the API, which has not answered yet") })
	return func() { timer.Stop() }
}

// tooLong reports whether who asked would have gone before a wait is over: the reason for
// it says more than that their time is up.
func (e *Engine) tooLong(ctx context.Context, wait time.Duration) bool {
	until, limited := ctx.Deadline()
	return wait > longestWait || limited && wait >= until.Sub(e.cfg.Now())
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// passes reports whether a read may succeed when it is sent again.
func passes(err error) bool {
	return errors.Is(err, api.ErrRateLimited) || errors.Is(err, api.ErrServer) || errors.Is(err, api.ErrUnreachable)
}
