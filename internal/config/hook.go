package config

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of the command that hears of events.
const (
	hookTimeout = 10 * time.Second
	hooksAtOnce = 4
	hooksWait   = 64
)

// Hook runs a shell line of the user's for each event, which it gets on
// standard input. It gets nothing else of this program: not its environment,
// its terminal or its files. Runs begin in the order of the events and may
// overlap; each event tells its time. Runs that take too long are killed with
// all they started, and what comes faster than runs end is dropped and counted.
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

// StartHook makes a hook that tells failed of each run that did not end well;
// failed is called from several goroutines. Close ends it.
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

// SetLine says which shell line runs from now on; empty is none.
func (h *Hook) SetLine(line string) { h.line.Store(&line) }

// Send has an event told, or drops it when too many wait. It never blocks.
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

// Dropped is how many events were dropped.
func (h *Hook) Dropped() int { return int(h.dropped.Load()) }

// Close kills the runs under way and drops what waits.
func (h *Hook) Close() {
	h.cancel()
	h.wg.Wait()
}

func (h *Hook) run(ctx context.Context, event []byte) {
	err := runLine(ctx, h.timeout, *h.line.Load(), func(cmd *exec.Cmd) {
		cmd.Env = hookEnv(h.environ)
		cmd.Stdin = bytes.NewReader(event)
	})
	if err != nil && ctx.Err() == nil {
		h.failed(fmt.Errorf("run notifications.on_event: %w", err))
	}
}
