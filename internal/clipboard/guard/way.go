package guard

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/cardtop/cardtop/internal/clipboard/backend"
	"github.com/cardtop/cardtop/internal/clipboard/claim"
	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// way is one way to a clipboard, and who copied to that last.
type way struct {
	backend.Way
	claim *claim.Claim
}

// choose takes the ways to the clipboard. The guards of one dashboard have its
// key, and with it one name.
func (g *Guard) choose(c backend.Choice, claims string) {
	g.info, g.hint = c.Info, c.Hint
	name := hex.EncodeToString(g.key.Sum([]byte("claim"))[:16])
	for _, w := range c.Ways {
		g.ways = append(g.ways, &way{Way: w, claim: claim.New(claims, w.Place, name)})
	}
}

// copy replaces the clipboard, while no other guard copies or clears.
func (w *way) copy(ctx context.Context, id uint64, text []byte, set mark.Set) (wire.Outcome, error) {
	hold := w.claim.Hold()
	outcome, err := w.Copy(ctx, id, text, set)
	if err == nil {
		// Other guards that cannot know of it clear what they recognise.
		_ = hold.Take()
	}
	_ = hold.Release() // It ends with the process at the latest.
	return outcome, err
}

// clear removes texts from the clipboard, unless another guard has copied since:
// then all of it is that guard's to clear.
func (w *way) clear(ctx context.Context, set mark.Set) (found wire.Outcome, newer bool, err error) {
	hold := w.claim.Hold()
	if newer = hold.Newer(); newer {
		found, err = wire.Other, w.Release(ctx, set)
	} else {
		found, err = w.Clear(ctx, set)
	}
	return found, newer, errors.Join(err, hold.Release())
}

// sweep clears what is due, each way to the clipboard once.
func (g *Guard) sweep(ctx context.Context) error {
	var errs []error
	for _, w := range g.ways {
		due := g.due(w, g.clock())
		if len(due) == 0 {
			continue
		}
		found, newer, err := w.clear(ctx, g.set(due...))
		errs = append(errs, err)
		now := g.clock()
		for _, e := range due {
			over, report := e.settle(now, found, err)
			if report != "" {
				g.report(e.id, report, err)
			}
			if over || newer && err == nil {
				g.drop(e)
			}
		}
	}
	g.dropUnwritten()
	return errors.Join(errs...)
}

func (g *Guard) due(w *way, now Instant) []*entry {
	var due []*entry
	for _, e := range g.entries {
		if e.on == w && e.due(now) {
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
