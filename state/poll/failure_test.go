package poll_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

var (
	errUnreachable  = fmt.Errorf("dial: %w", api.ErrUnreachable)
	errRefused      = &api.Error{Status: 500, ID: "internal"}
	errUnauthorized = fmt.Errorf("refused: %w", api.ErrUnauthorized)
	errLimited      = fmt.Errorf("refused: %w", api.ErrRateLimited)
)

// TestFailuresBackOff fails a lane again and again. With the jitter at its
// middle a wait is half of the longest one.
func TestFailuresBackOff(t *testing.T) {
	t.Parallel()
	for lane, waits := range map[poll.Lane][]time.Duration{
		poll.Wallet: {400 * time.Millisecond, 800 * time.Millisecond, 1600 * time.Millisecond, 3200 * time.Millisecond, 6400 * time.Millisecond, 12800 * time.Millisecond, 15 * time.Second, 15 * time.Second},
		poll.Codes:  {400 * time.Millisecond, 800 * time.Millisecond, 1600 * time.Millisecond, 2 * time.Second, 2 * time.Second},
	} {
		p := started()
		for i, want := range waits {
			now := p.DueAt(lane)
			p.fail(lane, now, errRefused, 0)
			if got := p.DueAt(lane).Sub(now); got != want {
				t.Errorf("%s, failure %d: waits %v, want %v", lane, i+1, got, want)
			}
		}
		if src := p.Source(lane); !errors.Is(src.Err, error(errRefused)) || !src.Since.Equal(at(0)) {
			t.Errorf("%s: fails since %v with %v", lane, src.Since, src.Err)
		}
		now := p.DueAt(lane)
		p.succeed(lane, now)
		if src := p.Source(lane); src.Err != nil || !src.Since.IsZero() {
			t.Errorf("%s: after an answer it fails since %v with %v", lane, src.Since, src.Err)
		}
		p.fail(lane, now, errRefused, 0)
		if got := p.DueAt(lane).Sub(now); got != waits[0] {
			t.Errorf("%s: after an answer the backoff begins with %v", lane, got)
		}
	}
}

func TestTheBackoffRunsFromTheRequest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		failed time.Duration
		err    error
		retry  time.Duration
		want   time.Duration
	}{
		"failed at once":                  {0, errRefused, 0, 400 * time.Millisecond},
		"timed out":                       {10 * time.Second, errUnreachable, 0, 10*time.Second + 100*time.Millisecond},
		"the server says when":            {time.Second, errRefused, 7 * time.Second, 7 * time.Second},
		"too many requests, from now on":  {time.Second, errLimited, 0, 1400 * time.Millisecond},
		"too many, and until when":        {time.Second, errLimited, 9 * time.Second, 10 * time.Second},
		"longer than the longest backoff": {0, errRefused, time.Hour, time.Hour},
	} {
		p := started()
		p.ask(poll.Codes, at(0))
		p.Fail(poll.Codes, poll.Failure{Sent: at(0), At: at(c.failed), Err: c.err, RetryAfter: c.retry})
		if got := p.wait(poll.Codes); got != c.want {
			t.Errorf("%s: due after %v, want %v", name, got, c.want)
		}
	}
}

func TestNothingBringsALaneForwardOverAPauseTheServerAskedFor(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]func(*table){
		"making it due":     func(p *table) { p.MakeDue(poll.Wallet) },
		"due after a pause": func(p *table) { p.MakeDueAfter(poll.Wallet, time.Second) },
		"attention":         func(p *table) { p.SetAttention(poll.Awaiting, at(time.Second)) },
		"an outage's end":   func(p *table) { p.fail(poll.Codes, at(0), errUnreachable, 0); p.succeed(poll.Codes, at(time.Second)) },
		"a wake from sleep": func(p *table) { p.Wake(at(time.Second)); p.Wake(clocks(2*time.Second, 40*time.Second)) },
	} {
		p := started()
		p.succeedAll(at(0))
		p.fail(poll.Wallet, at(0), errUnreachable, time.Minute)
		p.SetNow(at(time.Second))
		try(p)
		if got := p.wait(poll.Wallet); got != time.Minute {
			t.Errorf("%s: due after %v, want a minute", name, got)
		}
	}
}

// TestALimitHoldsBackEveryLaneButTheCodes refuses one lane for too many
// requests: the others wait too, each a little longer than a more urgent one,
// unless they rest longer by themselves.
func TestALimitHoldsBackEveryLaneButTheCodes(t *testing.T) {
	t.Parallel()
	p := started()
	p.succeedAll(at(0))
	p.fail(poll.Feed, at(0), errLimited, 20*time.Second)
	for lane, want := range map[poll.Lane]time.Duration{
		poll.Codes: time.Second, poll.Feed: 20 * time.Second,
		poll.Wallet: 20*time.Second + 100*time.Millisecond, poll.Hot: 20*time.Second + 300*time.Millisecond,
		poll.Sweep: 5 * time.Minute, poll.Deposits: time.Minute,
	} {
		if got := p.wait(lane); got != want {
			t.Errorf("%s is due after %v, want %v", lane, got, want)
		}
	}
}

func TestAKeyIsRefusedOnlyAfterItWasAccepted(t *testing.T) {
	t.Parallel()
	p := started()
	p.fail(poll.Wallet, at(0), errUnauthorized, 0)
	if err := p.KeyRefused(); err != nil {
		t.Errorf("a key that was never accepted: %v", err)
	}
	p.succeed(poll.Wallet, at(time.Second))
	p.fail(poll.Wallet, at(2*time.Second), errUnauthorized, 0)
	if err := p.KeyRefused(); !errors.Is(err, api.ErrUnauthorized) {
		t.Errorf("a key that was accepted before: %v", err)
	}
	p.succeed(poll.Wallet, at(3*time.Second))
	if err := p.KeyRefused(); err != nil {
		t.Errorf("accepted again: %v", err)
	}
}
