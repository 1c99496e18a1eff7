package clipboard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"sync"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// restartLimit is how long starting another guard may take, maxRescues how
// often that is done unless a new copy asks for it. closeLimit is how long
// Close waits to hear that the clipboard is cleared; the guard goes on anyway.
const (
	closeLimit   = time.Second
	restartLimit = 5 * time.Second
	maxRescues   = 5
	// overdue is how long after a copy's time its guard is asked whether it is still there.
	overdue = time.Second
)

// Guarded is the board behind a guard process.
type Guarded struct {
	cfg Config
	key mark.Key
	box *mailbox
	// mode is the terminal's settings at the start.
	mode []byte

	mu     sync.Mutex
	link   *link // nil when the guard has ended
	info   Info
	live   map[uint64]copied // copies whose last report is not yet in
	last   uint64
	screen bool
	closed bool
	// rescues counts the guards started for the copies of one that has ended.
	rescues int
}

// copied is enough for another guard to take over a copy.
type copied struct {
	sum   []byte
	until time.Time
	on    *link // the guard that was sent the secret, nil before that
}

var _ Board = (*Guarded)(nil)

// Copy arms the guard, and sends the secret once that is acknowledged.
func (g *Guarded) Copy(ctx context.Context, it Item) (Report, error) {
	if err := it.check(); err != nil {
		return Report{}, err
	}
	id, until := g.register(it)
	l, err := g.arm(ctx, id, it.TTL)
	if err != nil {
		g.forget(id)
		return Report{ID: id, Err: err}, fmt.Errorf("copy to clipboard: %w", err)
	}
	g.assign(l, id)
	res, err := l.call(ctx, wire.Frame{Op: wire.Write, ID: id, Payload: it.Secret})
	switch {
	case err == nil && res.Outcome == wire.Copied:
		g.watch(l, id, it.TTL)
		return Report{ID: id, State: Copied, Until: until, Via: res.Via, Hinted: res.Hinted}, nil
	case err == nil && res.Outcome == wire.Sent:
		g.watch(l, id, it.TTL)
		return Report{ID: id, State: Sent, Until: until, Via: res.Via}, nil
	case res.Outcome == wire.NoTool:
		g.forget(id)
		err = fmt.Errorf("%w: %w", ErrNoTool, err)
		return Report{ID: id, State: NoTool, Err: err}, err
	case res.Op == wire.Done:
		g.forget(id)
	default:
		// No answer came. Should the copy still happen, it is taken back.
		g.recall(ctx, l, id)
	}
	if err == nil {
		err = errors.New("the guard answers something else")
	}
	return Report{ID: id, Err: err}, fmt.Errorf("copy to clipboard: %w", err)
}

// watch ends a guard that was due to clear a copy and does not answer, as one that was
// stopped: another then takes its place. One that still tries to clear answers.
func (g *Guarded) watch(l *link, id uint64, ttl time.Duration) {
	time.AfterFunc(ttl+overdue, func() {
		g.mu.Lock()
		c, waits := g.live[id]
		held := g.screen
		g.mu.Unlock()
		if !waits || c.on != l {
			return
		}
		if _, err := l.call(context.Background(), wire.Frame{Op: wire.Screen, Now: held}); err != nil {
			_ = l.kill() // What is left of it changes nothing.
		}
	})
}

// register numbers a copy and stores its mark.
func (g *Guarded) register(it Item) (uint64, time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last++
	until := g.cfg.Now().Add(it.TTL).UTC()
	g.live[g.last] = copied{sum: g.key.Sum(it.Secret), until: until}
	return g.last, until
}

// assign sets the guard of a copy.
func (g *Guarded) assign(l *link, id uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c, ok := g.live[id]; ok {
		c.on = l
		g.live[id] = c
	}
}

// arm announces the copy, to another guard if the one at hand has ended: the
// secret has not been sent yet, so nothing is in doubt.
func (g *Guarded) arm(ctx context.Context, id uint64, ttl time.Duration) (*link, error) {
	g.mu.Lock()
	f := wire.Frame{Op: wire.Arm, ID: id, TTL: ttl, Digests: [][]byte{g.live[id].sum}}
	g.mu.Unlock()
	for try := 0; ; try++ {
		l, err := g.running(ctx)
		if err != nil {
			return nil, err
		}
		if _, err = l.call(ctx, f); err == nil {
			return l, nil
		}
		if !errors.Is(err, errGone) || try > 0 {
			return nil, err
		}
		g.unlink(l)
	}
}

// running returns the guard, started again if it has ended, and another if it was started
// with a setting that has changed since.
func (g *Guarded) running(ctx context.Context) (*link, error) {
	g.mu.Lock()
	old := g.link
	var l *link
	err := ErrClosed
	switch {
	case g.closed:
	case old != nil && old.osc52 == g.cfg.OSC52:
		l, old, err = old, nil, nil
	default:
		l, err = g.begin(ctx)
	}
	g.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if old != nil {
		g.retire(old)
	}
	return l, nil
}

// retire has a guard clear its copies and end: another may not reach the clipboard that
// they are on. One that does not answer is ended, and its copies are adopted.
func (g *Guarded) retire(l *link) {
	// Where clearing fails it goes on trying, and its reports say so.
	if err := bye(l, true); errors.Is(err, context.DeadlineExceeded) {
		_ = l.kill() // What is left of it changes nothing.
	}
}

// AllowOSC52 implements Board. The next call starts a guard that is allowed it or is not.
func (g *Guarded) AllowOSC52(allowed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cfg.OSC52 = allowed
}

// begin starts a guard. The caller holds the mutex.
func (g *Guarded) begin(ctx context.Context) (*link, error) {
	hello := wire.Frame{Op: wire.Hello, Key: g.key, Setup: &wire.Setup{
		Helper: append(append([]string{g.cfg.Executable}, g.cfg.Args...), helperArg),
		OSC52:  g.cfg.OSC52,
		Claims: g.cfg.Claims,
		Mode:   g.mode,
		Held:   g.screen,
	}}
	l, info, err := start(ctx, g.cfg, hello, g.learn, g.gone)
	if err != nil {
		return nil, err
	}
	l.osc52 = g.cfg.OSC52
	g.link, g.info = l, info
	return l, nil
}

// recall clears a copy without waiting for the answer.
func (g *Guarded) recall(ctx context.Context, l *link, id uint64) {
	go func() {
		// A guard that has ended took the request with it; gone sees to it.
		_, _ = l.call(context.WithoutCancel(ctx), wire.Frame{Op: wire.Clear, ID: id})
	}()
}

// Clear removes every copy now.
func (g *Guarded) Clear(ctx context.Context) error {
	l, err := g.running(ctx)
	if err != nil {
		return err
	}
	if _, err := l.call(ctx, wire.Frame{Op: wire.Clear}); err != nil {
		return fmt.Errorf("clear clipboard: %w", err)
	}
	return nil
}

// HoldScreen sets whether the guard restores the terminal.
func (g *Guarded) HoldScreen(ctx context.Context, held bool) error {
	l, err := g.running(ctx)
	if err != nil {
		return err
	}
	g.mu.Lock()
	g.screen = held
	g.mu.Unlock()
	if _, err := l.call(ctx, wire.Frame{Op: wire.Screen, Now: held}); err != nil {
		return fmt.Errorf("hold screen: %w", err)
	}
	return nil
}

// Reports delivers what the guard learns.
func (g *Guarded) Reports() <-chan Report { return g.box.ch }

// Info describes the clipboard that the guard chose.
func (g *Guarded) Info() Info {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.info
}

// Close ends the session. The guard stays until nothing is left to clear.
func (g *Guarded) Close(clearNow bool) error {
	g.mu.Lock()
	l, was := g.link, g.closed
	g.closed = true
	g.mu.Unlock()
	if was || l == nil {
		return nil
	}
	err := bye(l, clearNow)
	if err != nil && !errors.Is(err, errGone) {
		// It is there and does nothing, as one that was stopped.
		l, err = g.replace(l, clearNow)
	}
	if err != nil {
		err = fmt.Errorf("close clipboard: %w", err)
	}
	// A guard with nothing to clear may have ended, and its pipe with it.
	if end := l.end(); !errors.Is(end, os.ErrClosed) {
		err = errors.Join(err, end)
	}
	return err
}

// bye tells a guard that the session ends.
func bye(l *link, clearNow bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	_, err := l.call(ctx, wire.Frame{Op: wire.Bye, Now: clearNow})
	return err
}

// replace ends a guard that does not answer, has another take over its copies, and tells that
// one that the session ends.
func (g *Guarded) replace(l *link, clearNow bool) (*link, error) {
	if err := l.kill(); err != nil {
		return l, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	g.mu.Lock()
	left := maps.Clone(g.live)
	next, err := g.begin(ctx)
	g.mu.Unlock()
	if err != nil {
		return l, err
	}
	for id, c := range left {
		f := wire.Frame{Op: wire.Adopt, ID: id, TTL: max(c.until.Sub(g.cfg.Now()), 0), Digests: [][]byte{c.sum}}
		if _, err := next.call(ctx, f); err != nil {
			return next, err
		}
	}
	return next, bye(next, clearNow)
}
