package guard

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

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
		err = g.write(ctx, f, &res)
	case wire.Clear:
		err = g.clear(ctx, f.ID)
	case wire.Screen:
		g.held = f.Now
	case wire.Bye:
		g.held = false
		g.leaving, g.parted = true, true
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

// send sends to the dashboard. One that is gone gets nothing, and the
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

// adopt takes over a copy of a guard that has ended.
func (g *Guard) adopt(ctx context.Context, id uint64) {
	if e := g.find(id); e != nil && len(g.ways) > 0 {
		e.on = g.ways[0]
		e.on.claim.Adopt()
		g.look(ctx, id)
		// The tool of a guard that was killed may still be ending.
		again := g.clock().after(lookAgain)
		e.again = &again
	}
}

// write copies the secret of an armed entry by the first way that works, and
// says which that was.
func (g *Guard) write(ctx context.Context, f wire.Frame, res *wire.Frame) error {
	e := g.find(f.ID)
	if e == nil {
		return errors.New("copy: the guard is not armed for it")
	}
	if len(g.ways) == 0 {
		g.drop(e)
		res.Outcome = wire.NoTool
		return errors.New(g.hint)
	}
	var errs []error
	var failed []*entry
	defer func() { g.entries = append(g.entries, failed...) }()
	for _, w := range g.ways {
		e.on = w
		outcome, err := w.copy(ctx, e.id, f.Payload, g.set(e))
		if err == nil {
			e.blind = outcome == wire.Sent
			g.supersedeOthers(e)
			silence(failed)
			res.Outcome, res.Via, res.Hinted = outcome, w.Name, w.Hints
			return nil
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
	return errors.Join(errs...)
}

// silence removes failed tries from the reports of the one that worked.
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

// clear ends one copy now, or all of them for id 0, and returns why it cannot.
func (g *Guard) clear(ctx context.Context, id uint64) error {
	for _, e := range g.entries {
		if id == 0 || e.id == id {
			e.expire(g.clock())
		}
	}
	return g.sweep(ctx)
}
