package act

import (
	"context"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// readFor bounds how long what shows whether an operation acted is waited for.
const readFor = 15 * time.Second

// Settle settles an operation that an earlier run left without an answer: by
// asking again with its key while that is safe, else as the user says. Without
// their word it returns what was read since, which shows whether it acted: the cards that an
// issue may have made are among what is known. Their word has to be recorded; where it cannot
// be, that is the error, and the operation stays open.
func Settle(ctx context.Context, cfg Config, key api.IdempotencyKey, happened *bool) (Result, state.Evidence, error) {
	r := newRunner(cfg, rests{wallet: true})
	r.phase = acting
	var (
		res   = Result{Key: key}
		e     state.Evidence
		asked time.Time
		ruled bool
	)
	r.next = func() (want []kernel.Intent, over bool, err error) {
		op, open := r.find(key)
		if open {
			res.Op = op
		}
		switch {
		case !open || ruled:
			return nil, true, nil
		case op.Phase != state.Unsettled:
			return nil, false, nil
		case happened != nil:
			ruled = true
			return []kernel.Intent{state.Resolve{Op: op.ID, Happened: *happened}}, false, r.refused(state.Resolve{Op: op.ID, Happened: *happened})
		case asked.IsZero():
			asked = r.cfg.Now()
			return []kernel.Intent{state.ReadAgain{Op: op.ID}}, false, nil
		}
		e, _ = r.store.Ops.Evidence(op.ID)
		read := (!e.CardAt.IsZero() || op.Kind == state.OpIssue) && !e.WalletAt.IsZero() || !e.WebhooksAt.IsZero()
		return nil, read || r.cfg.Now().Sub(asked) > readFor, nil
	}
	err := r.run(ctx)
	r.mu.Lock()
	ev, forgotten := r.last[key], r.forgotten
	r.mu.Unlock()
	if err != nil && ev == nil {
		return res, e, err
	}
	if forgotten.Err != nil {
		return res, e, fmt.Errorf("it stays open, that cannot be recorded: %w", forgotten.Err)
	}
	r.judge(&res, ev)
	if ruled {
		res.Status, res.Err = state.OpStatusResolvedNotDone, nil
		if *happened {
			res.Status = state.OpStatusResolvedDone
		}
	}
	return res, e, nil
}
