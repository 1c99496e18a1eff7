package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// longestLine is more than any record: a request's body is at most 1 MiB
// (ASSUMED 24).
const longestLine = 2 << 20

// book is what files tell of operations.
type book struct {
	entries map[api.IdempotencyKey]entry
	order   []api.IdempotencyKey // as they were first heard of
}

type entry struct {
	begin record // what was begun, while it is open
	fate  state.Fate
	at    time.Time // when it last began, or was settled by an answer
}

func newBook() *book { return &book{entries: make(map[api.IdempotencyKey]entry)} }

// note takes a record that follows those before.
func (b *book) note(r record) {
	e := b.entries[r.Key]
	switch r.What {
	case begun:
		e = entry{begin: r, fate: state.FateBegun, at: r.At}
	case state.FateUnknown:
		e.fate = r.What
	case state.FateDone, state.FateRefused:
		e = entry{fate: r.What, at: r.At}
	case state.FateDismissed:
		e = entry{fate: r.What, at: e.at}
	default:
		return
	}
	b.set(r.Key, e)
}

func (b *book) set(key api.IdempotencyKey, e entry) {
	if _, known := b.entries[key]; !known {
		b.order = append(b.order, key)
	}
	b.entries[key] = e
}

// read takes the lines of a file. Those that are no records are passed over:
// a torn last line, from a crash in the middle of a write, is a record that
// was never acted on, since its request is sent only after the line is whole
// on disk.
func (b *book) read(data []byte) error {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		var r record
		if json.Unmarshal(lines.Bytes(), &r) == nil && r.Key != "" {
			b.note(r)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read lines: %w", err)
	}
	return nil
}

// join takes what another file holds. An operation goes from file to file
// while it is open, so that it is settled when one of them says so.
func (b *book) join(other *book) {
	for _, key := range other.order {
		e, known := b.entries[key]
		o := other.entries[key]
		at := o.at
		if e.at.After(at) {
			at = e.at
		}
		switch {
		case !known, state.Settled(o.fate):
			e = o
		case state.Settled(e.fate):
		case e.begin.Key == "", o.fate == state.FateUnknown:
			begin := e.begin
			if e = o; e.begin.Key == "" {
				e.begin = begin
			}
		}
		e.at = at
		b.set(key, e)
	}
}

func (b *book) isOpen(key api.IdempotencyKey) bool {
	e, known := b.entries[key]
	return known && !state.Settled(e.fate)
}

// left gives the beginnings without an end, in the order they were made.
func (b *book) left() []record {
	var out []record
	for _, key := range b.order {
		if e := b.entries[key]; !state.Settled(e.fate) && e.begin.Key != "" {
			out = append(out, e.begin)
		}
	}
	sortByTime(out)
	return out
}

// lines gives what a new file needs to hold of some beginnings.
func (b *book) lines(begins []record) []record {
	out := make([]record, 0, len(begins))
	for _, r := range begins {
		out = append(out, r)
		if b.entries[r.Key].fate == state.FateUnknown {
			out = append(out, record{At: r.At, Key: r.Key, What: state.FateUnknown})
		}
	}
	return out
}

// ops gives what is left as operations.
func (b *book) ops() []state.Op { return opsOf(b.left()) }

func opsOf(begins []record) []state.Op {
	ops := make([]state.Op, 0, len(begins))
	for _, r := range begins {
		ops = append(ops, state.Op{
			Kind: r.Kind, Card: r.Card, Amount: r.Amount, Name: r.Name, Label: r.Label, Key: r.Key, At: r.Started, Tries: 1, Expected: r.Expected,
			Write: &api.Write{Method: r.Method, Route: r.Route, Path: r.Path, Body: r.Body, Sensitive: r.Sensitive},
		})
	}
	return ops
}
