package act

import (
	"cmp"
	"context"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// Batch is what became of the rows of a plan. What a guardrail splits into parts is
// a batch for each.
type Batch struct {
	Batches []*state.Batch
	// Answers are those of the rows that are done, by their keys.
	Answers map[api.IdempotencyKey]state.OpDone
	// Paused is why it does not go on by itself; empty when it is over.
	Paused string
}

// PlanOf returns the plan that Many would carry out, by what is known of the
// account, and the requests of its rows.
func PlanOf(ctx context.Context, cfg Config, in state.Writes) (*state.Plan, []Request, error) {
	r := newRunner(cfg, needs(in))
	var (
		plan     *state.Plan
		requests []Request
	)
	r.propose = func() (Proposal, error) {
		plan = r.store.Outline(in)
		for i := range plan.Rows {
			row := &plan.Rows[i]
			req := Request{Name: row.Name, Text: cmp.Or(row.Out, row.Skip)}
			if req.Text == "" {
				req.Method, req.Path, req.Body = r.store.Request(row.Write)
			}
			requests = append(requests, req)
		}
		return Proposal{}, errRehearsed
	}
	return plan, requests, rehearsed(r.run(ctx))
}

// Many carries an intent on many cards out: it plans the rows, has the plan
// confirmed, and runs it, part after part.
func Many(ctx context.Context, cfg Config, in state.Writes) (Batch, error) {
	r := newRunner(cfg, needs(in))
	return r.batch(ctx, func() *state.Plan { return r.store.Plan(in) })
}

// Resume goes on with a plan that an earlier run left: it is among what is known.
func Resume(ctx context.Context, cfg Config, id state.PlanID) (Batch, error) {
	r := newRunner(cfg, rests{wallet: true})
	first := true
	m := r.many(func() *state.Plan { return nil })
	propose, begin := r.propose, r.begin
	r.propose = func() (Proposal, error) {
		if !first {
			return propose()
		}
		b, ok := r.store.Bulk.Get(id)
		if !ok {
			return Proposal{}, &RefusedError{Reason: "no such plan is left: its rows have all begun, or another cardtop has it"}
		}
		if b.HasNext() { // All of this part was sent.
			first, m.make = false, func() *state.Plan { return r.store.PlanNext(id) }
			return propose()
		}
		in := state.ResumeBatch{ID: id}
		if err := r.refused(in); err != nil {
			return Proposal{}, err
		}
		p := Proposal{Plan: b.Plan, Verdict: r.store.Check(in)}
		p.Left, p.Sum = b.Left()
		m.plan = b.Plan
		return p, nil
	}
	r.begin = func() ([]kernel.Intent, error) {
		if !first {
			return begin()
		}
		first = false
		in := state.ResumeBatch{ID: id}
		return []kernel.Intent{in}, r.refused(in)
	}
	return m.run(ctx)
}

// many runs plans, one after the other.
type many struct {
	*runner
	plan *state.Plan
	make func() *state.Plan
	out  Batch
}

func (r *runner) batch(ctx context.Context, plan func() *state.Plan) (Batch, error) {
	return r.many(plan).run(ctx)
}

// many sets the runner up for plans.
func (r *runner) many(plan func() *state.Plan) *many {
	m := &many{runner: r, make: plan}
	r.propose, r.begin, r.next, r.halt = m.proposal, m.start, m.goOn, m.pause
	return m
}

func (m *many) run(ctx context.Context) (Batch, error) {
	err := m.runner.run(ctx)
	m.out.Answers = make(map[api.IdempotencyKey]state.OpDone)
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, ev := range m.last {
		if done, ok := ev.(state.OpDone); ok {
			m.out.Answers[key] = done
		}
	}
	return m.out, err
}

// proposal plans the rows.
func (m *many) proposal() (Proposal, error) {
	m.plan = m.make()
	if m.plan.Blocked != "" {
		return Proposal{}, &BlockedError{RefusedError{m.plan.Blocked, m.plan.Remedy}, m.plan}
	}
	if m.cfg.Keys != nil {
		m.cfg.Keys(m.plan)
	}
	in := state.RunPlan{Plan: m.plan}
	if err := m.refused(in); err != nil {
		return Proposal{}, err
	}
	return Proposal{Plan: m.plan, Verdict: m.store.Check(in)}, nil
}

func (m *many) start() ([]kernel.Intent, error) {
	in := state.RunPlan{Plan: m.plan}
	return []kernel.Intent{in}, m.refused(in)
}

// batchNow is the batch of the plan; false when it has not begun.
func (m *many) batchNow() (*state.Batch, bool) {
	b, ok := m.store.Bulk.Get(m.plan.ID)
	if n := len(m.out.Batches); ok && (n == 0 || m.out.Batches[n-1] != b) {
		m.out.Batches = append(m.out.Batches, b)
	}
	return b, ok
}

// pause keeps the rows that wait from being sent.
func (m *many) pause() []kernel.Intent {
	if b, ok := m.batchNow(); !ok || b.Phase != state.BatchRunning {
		return nil
	}
	return []kernel.Intent{state.PauseBatch{ID: m.plan.ID}}
}

// goOn follows the batch, and asks for the next part when it is over.
func (m *many) goOn() (want []kernel.Intent, over bool, err error) {
	b, ok := m.batchNow()
	if !ok {
		return nil, false, &RefusedError{Reason: "nothing was sent: the plan was refused when it was to begin"}
	}
	if m.cfg.Progress != nil {
		m.cfg.Progress(b)
	}
	switch {
	case b.Phase == state.BatchPaused:
		m.out.Paused = b.Reason
		return nil, true, nil
	case b.Phase != state.BatchOver:
		return nil, false, nil
	case b.Later() == 0 || b.Reason != "":
		return nil, true, nil
	}
	m.make = func() *state.Plan { return m.store.PlanNext(b.Plan.ID) }
	return nil, false, m.ask()
}

// BlockedError is why a plan cannot be carried out, with the plan, whose rows may
// say more.
type BlockedError struct {
	RefusedError
	Plan *state.Plan
}

// Unwrap returns the refusal.
func (e *BlockedError) Unwrap() error { return &e.RefusedError }
