// Package guard is the process that outlives the dashboard and takes its
// secrets off the clipboard and off the screen.
//
// It is one loop. A call to a clipboard ends within a few seconds whatever the
// clipboard does, and nothing else in the loop waits.
package guard

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// tick is how often deadlines are looked at, at least. It is short because
// timers stop while the machine sleeps, and the first tick after waking clears.
const tick = 100 * time.Millisecond

// Restorer is the terminal that the dashboard draws on.
type Restorer interface {
	// Restore erases the dashboard and restores the terminal.
	Restore() error
}

// Guard holds what is on the clipboard and until when.
type Guard struct {
	clock   Clock
	key     mark.Key
	ways    []*way
	info    wire.Info
	hint    string   // why there is no way
	screen  Restorer // nil when the terminal is not ours to restore
	held    bool     // the dashboard is on the screen
	out     *wire.Writer
	entries []*entry
	leaving bool // take nothing more, stay until nothing is left
	parted  bool // the dashboard has said goodbye
	restore chan struct{}
}

// input is a frame from the dashboard, or the end of its pipe.
type input struct {
	frame wire.Frame
	err   error
}

// run serves frames until the dashboard is gone and nothing of it is left.
func (g *Guard) run(ctx context.Context, in <-chan input, term <-chan os.Signal) {
	t := time.NewTimer(tick)
	defer t.Stop()
	lost := g.lost()
	for !g.leaving || len(g.entries) > 0 {
		select {
		case i := <-in:
			if i.err != nil {
				g.abandoned()
				in = nil
				break
			}
			g.handle(ctx, i.frame)
			clear(i.frame.Payload)
		case id := <-lost:
			g.look(ctx, id)
		case <-term:
			g.expireAll()
			g.leaving = true
		case <-t.C:
		}
		g.lookAgain(ctx)
		// Each failure has been reported under its copy.
		_ = g.sweep(ctx)
		t.Reset(g.pause())
	}
	g.waitScreen()
}

// pause is how long nothing has to be looked at: a tick, or less when an entry
// is due before that. With nothing to hold the guard sleeps until it is asked.
func (g *Guard) pause() time.Duration {
	if len(g.entries) == 0 {
		return time.Hour
	}
	now, d := g.clock(), tick
	for _, e := range g.entries {
		d = min(d, max(e.deadline.Boot, e.next.Boot)-now.Boot)
	}
	return max(d, time.Millisecond)
}

func (g *Guard) lost() <-chan uint64 {
	if len(g.ways) == 0 {
		return nil
	}
	return g.ways[0].Lost()
}

// look finds out whether a copy that the clipboard gave up is really gone: a
// clipboard manager may have taken it over.
func (g *Guard) look(ctx context.Context, id uint64) {
	e := g.find(id)
	if e == nil || e.on == nil || e.final || e.deadline.reached(g.clock()) {
		return
	}
	found, err := e.on.Check(ctx, g.set(e))
	e.blind = found == wire.Sent
	if err != nil || found == wire.Ours || e.blind {
		return // its deadline decides
	}
	e.final = true
	if found != wire.Other {
		found = wire.Cleared
	}
	g.report(id, found, nil)
}

// lookAgain looks for copies that were taken over a moment ago.
func (g *Guard) lookAgain(ctx context.Context) {
	for _, e := range slices.Clone(g.entries) {
		if e.again != nil && e.again.reached(g.clock()) {
			e.again = nil
			g.look(ctx, e.id)
		}
	}
}

// abandoned is the end of the pipe without a goodbye, unless there was one.
func (g *Guard) abandoned() {
	if g.parted {
		return
	}
	g.leaving = true
	g.expireAll()
	if g.screen == nil || !g.held {
		return
	}
	// A terminal whose output is stopped would hold up the clipboard.
	g.restore = make(chan struct{})
	go func() {
		defer close(g.restore)
		// The terminal may be gone with the dashboard.
		_ = g.screen.Restore()
	}()
}

func (g *Guard) waitScreen() {
	if g.restore == nil {
		return
	}
	select {
	case <-g.restore:
	case <-time.After(giveUp):
	}
}

func (g *Guard) expireAll() {
	now := g.clock()
	for _, e := range g.entries {
		e.expire(now)
	}
}

func (g *Guard) report(id uint64, outcome wire.Outcome, err error) {
	f := wire.Frame{Op: wire.Report, ID: id, Outcome: outcome}
	if err != nil {
		f.Err = err.Error()
	}
	g.send(f)
}

func (g *Guard) set(es ...*entry) mark.Set {
	s := mark.Set{Key: g.key}
	for _, e := range es {
		s.Sums = append(s.Sums, e.sum)
	}
	return s
}

func (g *Guard) find(id uint64) *entry {
	i := slices.IndexFunc(g.entries, func(e *entry) bool { return e.id == id && !e.final && !e.quiet })
	if i < 0 {
		return nil
	}
	return g.entries[i]
}

func (g *Guard) drop(e *entry) {
	g.entries = slices.DeleteFunc(g.entries, func(o *entry) bool { return o == e })
}

// Instant is a moment on two clocks: one that runs on while the machine sleeps
// but is never set, and the wall clock, which may be set but is right again
// after sleep even where the first one stops.
type Instant struct {
	Boot time.Duration
	Wall time.Time
}

// Clock returns the time.
type Clock func() Instant

// after returns the moment d later.
func (i Instant) after(d time.Duration) Instant {
	return Instant{Boot: i.Boot + d, Wall: i.Wall.Add(d)}
}

// reached reports whether either clock has come to the moment. A wall clock
// that is set forward ends a copy early, one that is set back changes nothing.
func (i Instant) reached(now Instant) bool {
	return now.Boot >= i.Boot || !now.Wall.Before(i.Wall)
}
