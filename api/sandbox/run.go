package sandbox

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// maxWait bounds how long the world sleeps: its clock may be another than that
// of the timers.
const maxWait = unit.Minute

// Run lets the world live until ctx is done: simulated traffic unless the
// world is quiet, what was scheduled, and the delivery of webhooks. It is called
// once, and always gives nil; trouble is logged and tried again.
func (s *Server) Run(ctx context.Context) error {
	var running sync.WaitGroup
	mail := make(chan struct{}, 1)
	running.Go(func() { s.deliver(ctx, mail) })
	traffic := s.newTraffic(s.clock.Now())
	for ctx.Err() == nil {
		next, err := s.catchUp(ctx)
		if err == nil && !s.quiet {
			var soon unit.Instant
			soon, err = traffic.step(ctx, s.clock.Now())
			next = min(next, soon)
		}
		if err != nil {
			if ctx.Err() == nil {
				s.log.LogAttrs(ctx, slog.LevelError, "world stalled", slog.Any("error", err))
			}
			next = s.clock.Now() + unit.Second
		}
		select {
		case mail <- struct{}{}:
		default:
		}
		timer := time.NewTimer(time.Duration(max(1, min(next-s.clock.Now(), maxWait))) * time.Millisecond)
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
	running.Wait()
	return nil
}
