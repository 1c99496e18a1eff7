package node

import (
	"cmp"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub/cluster/journal"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
	"github.com/cardtop/cardtop/state"
)

// settled are the operations with an outcome that the hubs share.
type settled interface {
	Settled(since time.Time) []oplog.Record
}

// past is this machine's history and what other hubs did as leaders, which guardrails
// count too.
type past struct {
	engine.History
	log    settled
	clocks *clocks
}

// Shared says that the log of the hubs has what was done as well.
func (past) Shared() {}

// Hold calls a function with the records since a time, those of other leaders among
// them.
func (p past) Hold(since time.Time, use func([]state.Record) error) error {
	return p.History.Hold(since, func(own []state.Record) error {
		all := p.with(own, since)
		slices.SortStableFunc(all, func(a, b state.Record) int { return a.At.Compare(b.At) })
		return use(all)
	})
}

// Load returns the latest records, those of other leaders among them: rules count them
// too.
func (p past) Load(limit int) ([]state.Record, error) {
	own, err := p.History.Load(limit)
	if err != nil {
		return nil, err
	}
	all := p.with(own, time.Time{})
	slices.SortStableFunc(all, func(a, b state.Record) int { return b.At.Compare(a.At) })
	return all[:min(len(all), limit)], nil
}

// Fates returns the fates of operations by their keys, of those too that other leaders
// did.
func (p past) Fates(keys []api.IdempotencyKey, made time.Time) (map[api.IdempotencyKey]state.StatusAt, error) {
	fates, err := p.History.Fates(keys, made)
	if err != nil {
		return nil, err
	}
	if fates == nil {
		fates = make(map[api.IdempotencyKey]state.StatusAt)
	}
	for _, r := range p.settled(made) {
		if mine, known := fates[r.Op.Key]; known && (r.State.Undone() || !undone(mine.Status)) || !slices.Contains(keys, r.Op.Key) {
			continue
		}
		is := recordOf(r)
		fates[is.Key] = state.StatusAt{Status: is.Outcome, At: is.At}
	}
	return fates, nil
}

// settled returns the operations of the log that began at a time or later, all by this hub's clock: a cap's 24 hours
// are those of the hub that counts.
func (p past) settled(since time.Time) []oplog.Record {
	all := slices.Clone(p.log.Settled(p.clocks.earliest(since)))
	for i := range all {
		all[i].Op.Begun = p.clocks.here(all[i].Op.Lease, all[i].Op.Begun)
	}
	return slices.DeleteFunc(all, func(r oplog.Record) bool { return r.Op.Begun.Before(since) })
}

// with adds to this machine's records what other leaders did since a time.
func (p past) with(own []state.Record, since time.Time) []state.Record {
	last := make(map[api.IdempotencyKey]*state.Record, len(own))
	for i := range own {
		if known := last[own[i].Key]; known == nil || !own[i].At.Before(known.At) {
			last[own[i].Key] = &own[i]
		}
	}
	all := slices.Clone(own)
	for _, r := range p.settled(since) {
		mine := last[r.Op.Key]
		if mine != nil && (r.State.Undone() || !undone(mine.Outcome)) {
			continue
		}
		if mine != nil {
			// This hub gave it up, and another did it: its own record no longer holds.
			all = slices.DeleteFunc(all, func(o state.Record) bool { return o.Key == r.Op.Key })
		}
		all = append(all, recordOf(r))
	}
	return all
}

// undone reports whether a record says that nothing moved.
func undone(s state.OpStatus) bool {
	return s == state.OpStatusRefused || s == state.OpStatusNotSent || s == state.OpStatusResolvedNotDone
}

// recordOf is the record of an operation that another hub did.
func recordOf(r oplog.Record) state.Record {
	return state.Record{
		At: r.Op.Begun, Key: r.Op.Key, Action: r.Op.Kind, Card: r.Op.Card, Name: r.Op.Name, Label: r.Op.Label, Amount: cmp.Or(r.Moved, r.Op.Amount), Asked: r.Op.Amount, Rule: r.Op.Rule,
		By: state.Actor(r.Op.By), Outcome: journal.StatusOf(r.State), Tries: r.Tries,
	}
}
