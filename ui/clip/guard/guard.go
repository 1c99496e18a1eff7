// Package guard is the process that outlives the dashboard and takes its
// secrets off the clipboard and off the screen.
//
// It is one loop. A call to a clipboard ends within a few seconds whatever the
// clipboard does, and nothing else in the loop waits.
package guard

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/cardtop/cardtop/ui/clip/backend"
	"github.com/cardtop/cardtop/ui/clip/mark"
	"github.com/cardtop/cardtop/ui/clip/wire"
)

// tick is how often deadlines are looked at. It is short because timers stop
// while the machine sleeps, and the first tick after waking clears.
const tick = 100 * time.Millisecond

// Restorer is the terminal that the dashboard draws on.
type Restorer interface {
	// Restore erases the dashboard and gives the terminal back as it was.
	Restore() error
}

// Guard holds what is on the clipboard and until when.
type Guard struct {
	clock   Clock
	key     mark.Key
	choice  backend.Choice
	screen  Restorer // nil when the terminal is not ours to restore
	held    bool     // the dashboard is on the screen
	out     *wire.Writer
	entries []*entry
	leaving bool // the dashboard is gone; stay until nothing is left
	restore chan struct{}
}

// input is a frame from the dashboard, or the end of its pipe.
type input struct {
	frame wire.Frame
	err   error
}

// run serves frames until the dashboard is gone and nothing of it is left.
func (g *Guard) run(ctx context.Context, in <-chan input, term <-chan os.Signal) {
	t := time.NewTicker(tick)
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
		// Each failure has been reported under its copy.
		_ = g.sweep(ctx)
	}
	g.waitScreen()
}

func (g *Guard) lost() <-chan uint64 {
	if len(g.choice.Backends) == 0 {
		return nil
	}
	return g.choice.Backends[0].Lost()
}

// handle does one request and answers it.
func (g *Guard) handle(ctx context.Context, f wire.Frame) {
	res := wire.Frame{Op: wire.Done, Seq: f.Seq, ID: f.ID}
	var err error
	switch f.Op {
	case wire.Arm:
		err = g.arm(f)
	case wire.Adopt:
		if err = g.arm(f); err == nil {
			g.adopt(ctx, f.ID)
		}
	case wire.Write:
		res.Outcome, err = g.write(ctx, f)
	case wire.Clear:
		err = g.clear(ctx, f.ID)
	case wire.Screen:
		g.held = f.Now
	case wire.Bye:
		g.held = false
		g.leaving = true
		if f.Now {
			err = g.clear(ctx, 0)
		}
	default:
		err = errors.New("guard: unknown request")
	}
	if err != nil {
		res.Err = err.Error()
	}
	g.send(res)
}

// send tells the dashboard. A dashboard that is gone cannot be told, and the
// end of its pipe says so to the loop.
func (g *Guard) send(f wire.Frame) { _ = g.out.Write(f) }

// arm prepares to recognise a secret before it is sent.
func (g *Guard) arm(f wire.Frame) error {
	if g.leaving {
		return errors.New("arm guard: it is about to end")
	}
	if len(f.Digests) != 1 || f.TTL < 0 {
		return errors.New("arm guard: malformed request")
	}
	// The same secret copied again: its earlier end would cut this one short.
	for _, old := range g.entries {
		if bytes.Equal(old.sum, f.Digests[0]) {
			g.supersede(old)
		}
	}
	g.entries = slices.DeleteFunc(g.entries, func(e *entry) bool { return bytes.Equal(e.sum, f.Digests[0]) })
	end := g.clock().after(f.TTL)
	g.entries = append(g.entries, &entry{id: f.ID, sum: f.Digests[0], deadline: end, next: end})
	return nil
}

// adopt takes over a copy that a guard made which is no more.
func (g *Guard) adopt(ctx context.Context, id uint64) {
	if e := g.find(id); e != nil && len(g.choice.Backends) > 0 {
		e.on = g.choice.Backends[0]
		g.look(ctx, id)
	}
}

// write copies the secret of an armed entry by the first way that works.
func (g *Guard) write(ctx context.Context, f wire.Frame) (wire.Outcome, error) {
	e := g.find(f.ID)
	if e == nil {
		return "", errors.New("copy: the guard is not armed for it")
	}
	if len(g.choice.Backends) == 0 {
		g.drop(e)
		return wire.NoTool, errors.New(g.choice.Hint)
	}
	var errs []error
	var failed []*entry
	defer func() { g.entries = append(g.entries, failed...) }()
	for _, b := range g.choice.Backends {
		e.on = b
		outcome, err := b.Copy(ctx, e.id, f.Payload, g.set(e))
		if err == nil {
			e.blind = outcome == wire.Sent
			g.supersedeOthers(e)
			silence(failed)
			return outcome, nil
		}
		errs = append(errs, err)
		// The tool may have taken the text before it failed, so it is looked
		// for, while the way that is tried next keeps the entry.
		gone := *e
		gone.quiet = true
		gone.expire(g.clock())
		failed = append(failed, &gone)
	}
	g.drop(e)
	return "", errors.Join(errs...)
}

// silence keeps failed tries out of the reports of the one that worked.
func silence(failed []*entry) {
	for _, e := range failed {
		e.final = true
	}
}

// supersedeOthers reports earlier copies as replaced by this one. They are
// still looked for at their deadline, in case a tool was late to take the
// clipboard; not so where nothing can be read back, because a blank would hit
// the newer copy.
func (g *Guard) supersedeOthers(e *entry) {
	g.entries = slices.DeleteFunc(g.entries, func(old *entry) bool {
		if old == e || old.on == nil {
			return false
		}
		g.supersede(old)
		return old.blind && old.on == e.on
	})
}

func (g *Guard) supersede(old *entry) {
	if !old.final && !old.quiet && old.on != nil {
		old.final = true
		g.report(old.id, wire.Other, nil)
	}
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

// clear ends one copy now, or all of them for id 0, and returns why it cannot.
func (g *Guard) clear(ctx context.Context, id uint64) error {
	for _, e := range g.entries {
		if id == 0 || e.id == id {
			e.expire(g.clock())
		}
	}
	return g.sweep(ctx)
}

// abandoned is the end of the pipe without a goodbye, unless there was one.
func (g *Guard) abandoned() {
	if g.leaving {
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
		// The terminal may be gone with the dashboard; nobody is left to tell.
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

// sweep clears what is due, each way to the clipboard once.
func (g *Guard) sweep(ctx context.Context) error {
	var errs []error
	for _, b := range g.choice.Backends {
		now := g.clock()
		due := g.due(b, now)
		if len(due) == 0 {
			continue
		}
		found, err := b.Clear(ctx, g.set(due...))
		errs = append(errs, err)
		now = g.clock()
		for _, e := range due {
			over, report := e.settle(now, found, err)
			if report != "" {
				g.report(e.id, report, err)
			}
			if over {
				g.drop(e)
			}
		}
	}
	g.dropUnwritten()
	return errors.Join(errs...)
}

func (g *Guard) due(b backend.Backend, now Instant) []*entry {
	var due []*entry
	for _, e := range g.entries {
		if e.on == b && e.due(now) {
			due = append(due, e)
		}
	}
	return due
}

// dropUnwritten forgets entries whose secret never came.
func (g *Guard) dropUnwritten() {
	now := g.clock()
	g.entries = slices.DeleteFunc(g.entries, func(e *entry) bool {
		return e.on == nil && e.deadline.reached(now)
	})
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
