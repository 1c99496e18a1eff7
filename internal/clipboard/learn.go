package clipboard

import (
	"context"
	"maps"

	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// learn makes a report of a message of the guard.
func (g *Guarded) learn(f wire.Frame) {
	r := Report{ID: f.ID, Err: f.Failure()}
	switch f.Outcome {
	case wire.Cleared:
		r.State = Cleared
	case wire.Blanked:
		r.State = Blanked
	case wire.Other:
		r.State = Replaced
	default:
		r.State = CannotClear
	}
	if r.State.Final() {
		g.forget(f.ID)
	}
	g.box.put(r)
}

func (g *Guarded) forget(id uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.live, id)
}

// unlink forgets a guard that has ended.
func (g *Guarded) unlink(l *link) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.link == l {
		g.link = nil
	}
}

// gone starts another guard for the copies of one that has ended, and for
// the screen.
func (g *Guarded) gone(l *link) {
	g.unlink(l)
	ctx, cancel := context.WithTimeout(context.Background(), restartLimit)
	defer cancel()
	orphans := g.orphans(l)
	if len(orphans) == 0 && !g.exposed() {
		return
	}
	next, err := g.rescue(ctx)
	for id, c := range orphans {
		if err == nil {
			g.assign(next, id)
			ttl := max(c.until.Sub(g.cfg.Now()), 0)
			_, err = next.call(ctx, wire.Frame{Op: wire.Adopt, ID: id, TTL: ttl, Digests: [][]byte{c.sum}})
		}
		if err != nil {
			g.box.put(Report{ID: id, State: CannotClear, Err: err})
		}
	}
}

// rescue starts another guard, unless they keep ending.
func (g *Guarded) rescue(ctx context.Context) (*link, error) {
	g.mu.Lock()
	g.rescues++
	spent := g.rescues > maxRescues
	g.mu.Unlock()
	if spent {
		return nil, errGone
	}
	return g.running(ctx)
}

// exposed reports whether the dashboard is on a terminal without a guard.
func (g *Guarded) exposed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.closed && g.link == nil && g.cfg.TTY != nil && g.screen
}

// orphans are the copies of a guard that has ended; none after Close, when it
// ends because its work is done.
func (g *Guarded) orphans(l *link) map[uint64]copied {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil
	}
	out := maps.Clone(g.live)
	maps.DeleteFunc(out, func(_ uint64, c copied) bool { return c.on != l })
	return out
}
