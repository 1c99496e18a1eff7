package shell

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of the command of events.
const (
	hookTimeout = 10 * time.Second
	hooksAtOnce = 4
	hooksWait   = 64
)

// Hook runs a shell line for each event, which is its standard input. Runs
// start in the order of the events and may overlap; each event has its time. A
// run that takes too long is killed with all it started. Events that come
// faster than runs end are dropped and counted.
type Hook struct {
	line    atomic.Pointer[string]
	environ []string
	timeout time.Duration
	failed  func(error)
	events  chan []byte
	dropped atomic.Int64
	cancel  context.CancelFunc
	wg      sync.WaitGroup
}

// StartHook starts a hook, which calls failed, from several goroutines, for
// each run that fails. Close ends it.
func StartHook(ctx context.Context, environ []string, failed func(error)) *Hook {
	return startHook(ctx, environ, hookTimeout, failed)
}

func startHook(ctx context.Context, environ []string, timeout time.Duration, failed func(error)) *Hook {
	ctx, cancel := context.WithCancel(ctx)
	h := &Hook{environ: environ, timeout: timeout, failed: failed, events: make(chan []byte, hooksWait), cancel: cancel}
	for range hooksAtOnce {
		h.wg.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case event := <-h.events:
					h.run(ctx, event)
				}
			}
		})
	}
	return h
}

// SetLine sets the shell line that runs from now on; empty is none.
func (h *Hook) SetLine(line string) { h.line.Store(&line) }

// Send queues an event, or drops it when too many wait. It never blocks.
func (h *Hook) Send(event []byte) {
	if line := h.line.Load(); line == nil || *line == "" {
		return
	}
	select {
	case h.events <- event:
	default:
		h.dropped.Add(1)
	}
}

// Dropped returns how many events were dropped.
func (h *Hook) Dropped() int { return int(h.dropped.Load()) }

// Close kills the runs under way and drops what waits.
func (h *Hook) Close() {
	h.cancel()
	h.wg.Wait()
}

func (h *Hook) run(ctx context.Context, event []byte) {
	err := run(ctx, h.timeout, *h.line.Load(), commandEnv(h.environ), func(cmd *exec.Cmd) {
		cmd.Stdin = bytes.NewReader(event)
	})
	if err != nil && ctx.Err() == nil {
		h.failed(fmt.Errorf("run notifications.on_event: %w", err))
	}
}
