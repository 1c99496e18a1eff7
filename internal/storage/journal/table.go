package journal

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// table is the operations of some files. Those that are open are found without those
// that are settled, which become ever more in a run that stays.
type table struct {
	account string // of the folder that the files are in
	entries map[api.IdempotencyKey]entry
	open    []api.IdempotencyKey // as they were first heard of
}

type entry struct {
	begin *record // what was begun, while it is open; nil when that is not known
	fate  state.OpStatus
	at    time.Time // when it last began, or was settled by an answer
}

func newTable(account string) *table {
	return &table{account: account, entries: make(map[api.IdempotencyKey]entry)}
}

// note adds a record that follows those before.
func (t *table) note(r record) {
	e := t.entries[r.Key]
	switch r.What {
	case begun:
		e = entry{begin: &r, fate: state.OpStatusBegun, at: r.At}
	case state.OpStatusUnknown:
		e.fate = r.What
	case state.OpStatusDone, state.OpStatusRefused:
		e = entry{fate: r.What, at: r.At}
	case state.OpStatusDismissed:
		e = entry{fate: r.What, at: e.at}
	default:
		return
	}
	t.set(r.Key, e)
}

func (t *table) set(key api.IdempotencyKey, e entry) {
	was, is := t.isOpen(key), !state.Settled(e.fate)
	t.entries[key] = e
	switch {
	case is && !was:
		t.open = append(t.open, key)
	case was && !is:
		i := slices.Index(t.open, key)
		t.open = slices.Delete(t.open, i, i+1)
	}
}

// join adds another file.
func (t *table) join(other *table) {
	for _, key := range other.open {
		t.merge(key, other.entries[key])
	}
	for key, e := range other.entries {
		if state.Settled(e.fate) {
			t.merge(key, e)
		}
	}
}

// joinOpen adds what another file has of the operations that are open in either.
func (t *table) joinOpen(other *table) {
	for _, key := range slices.Clone(t.open) {
		if e, known := other.entries[key]; known && state.Settled(e.fate) {
			t.merge(key, e)
		}
	}
	for _, key := range other.open {
		t.merge(key, other.entries[key])
	}
}

// merge adds what another file has of an operation. It moves from file to file while
// it is open, so it is settled when one of them has that.
func (t *table) merge(key api.IdempotencyKey, o entry) {
	e, known := t.entries[key]
	at := later(e.at, o.at)
	switch {
	case !known, state.Settled(o.fate):
		e = o
	case state.Settled(e.fate):
	case e.begin == nil, o.fate == state.OpStatusUnknown:
		begin := e.begin
		if e = o; e.begin == nil {
			e.begin = begin
		}
	}
	e.at = at
	t.set(key, e)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (t *table) isOpen(key api.IdempotencyKey) bool {
	e, known := t.entries[key]
	return known && !state.Settled(e.fate)
}

// left returns the open operations in the order they began.
func (t *table) left() []record {
	var out []record
	for _, key := range t.open {
		if e := t.entries[key]; e.begin != nil {
			out = append(out, *e.begin)
		}
	}
	sortByTime(out)
	return out
}

// lines returns the records of open operations for a new file.
func (t *table) lines(begins []record) []record {
	out := make([]record, 0, len(begins))
	for _, r := range begins {
		out = append(out, r)
		if t.entries[r.Key].fate == state.OpStatusUnknown {
			out = append(out, record{At: r.At, Key: r.Key, What: state.OpStatusUnknown})
		}
	}
	return out
}

// ops returns the open operations.
func (t *table) ops() []state.Op { return opsOf(t.left()) }

func opsOf(begins []record) []state.Op {
	ops := make([]state.Op, 0, len(begins))
	for _, r := range begins {
		by := state.Actor{}
		if r.By != nil {
			by = *r.By
		}
		ops = append(ops, state.Op{
			By:   by,
			Kind: r.Kind, Card: r.Card, Amount: r.Amount, Name: r.Name, Label: r.Label, Bulk: r.Plan, Rule: r.Rule, Key: r.Key, At: r.Started, Tries: 1, Expected: r.Expected,
			Write: &api.Write{Method: r.Method, Route: r.Route, Path: r.Path, Body: r.Body, Sensitive: r.Sensitive},
		})
	}
	return ops
}
