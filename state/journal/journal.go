// Package journal keeps operations on disk: each is there, with its
// idempotency key, before the first byte of its request leaves, so that a
// restart asks with the same key again instead of acting twice.
package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// record is one line of the file. It holds no secret: no write of a card
// carries one.
type record struct {
	At      time.Time          `json:"at"`
	Key     api.IdempotencyKey `json:"key"`
	What    string             `json:"what"` // begin, done, refused, unknown, dismissed
	Kind    state.OpKind       `json:"kind,omitempty"`
	Card    api.CardID         `json:"card,omitempty"`
	Amount  api.USD            `json:"amount,omitempty"`
	Name    string             `json:"name,omitempty"`
	Method  string             `json:"method,omitempty"`
	Route   string             `json:"route,omitempty"`
	Path    string             `json:"path,omitempty"`
	Body    json.RawMessage    `json:"body,omitempty"`
	Started time.Time          `json:"started,omitzero"`
}

// Words of a record besides the outcomes of a try.
const (
	// begun: its request may have been sent.
	begun = "begin"
	// dismissed: nobody waits for an answer any more.
	dismissed = "dismissed"
)

// file is what a journal needs of its file.
type file interface {
	Write(line []byte) (int, error)
	Sync() error
	Close() error
}

// Journal is an append-only file. It may be used from several goroutines.
type Journal struct {
	now func() time.Time

	mu   sync.Mutex
	file file      // nil: in memory only
	lock io.Closer // held as long as the file is open; nil: none
	open map[api.IdempotencyKey]bool
	ops  []state.Op
	torn bool // the last line has no end yet
}

// Pending lists the operations that an earlier run left without an answer.
func (j *Journal) Pending() []state.Op { return j.ops }

// Begin returns when the write is on disk. Beginning again, for another try
// of the same operation, changes nothing.
func (j *Journal) Begin(op state.Op, w api.Write) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.open[op.Key] {
		return nil
	}
	err := j.append(record{
		At: j.now().UTC(), Key: op.Key, What: begun, Kind: op.Kind, Card: op.Card, Amount: op.Amount, Name: op.Name,
		Method: w.Method, Route: w.Route, Path: w.Path, Body: w.Body, Started: op.At.UTC(),
	})
	if err != nil {
		// What is not sent must not be resumed, should the line be there after
		// all.
		return errors.Join(err, j.append(record{At: j.now().UTC(), Key: op.Key, What: api.Refused.String()}))
	}
	j.open[op.Key] = true
	return nil
}

// End notes what came of an operation. An unknown outcome leaves it open.
func (j *Journal) End(op state.Op, outcome api.Result) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if outcome != api.Unknown {
		delete(j.open, op.Key)
	}
	return j.append(record{At: j.now().UTC(), Key: op.Key, What: outcome.String()})
}

// Dismiss notes that nobody waits for an operation's answer any more.
func (j *Journal) Dismiss(op state.Op) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.open, op.Key)
	return j.append(record{At: j.now().UTC(), Key: op.Key, What: dismissed})
}

func (j *Journal) append(r record) error {
	if j.file == nil {
		return nil
	}
	line, err := r.line()
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	if j.torn {
		line = append([]byte{'\n'}, line...)
	}
	if n, err := j.file.Write(line); err != nil {
		j.torn = j.torn || n > 0
		return fmt.Errorf("write journal: %w", err)
	}
	j.torn = false
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	return nil
}

// line is how a record stands in the file.
func (r record) line() ([]byte, error) {
	line, err := json.Marshal(r)
	return append(line, '\n'), err
}

// Close closes the file.
func (j *Journal) Close() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
	}
	if j.lock != nil {
		err = errors.Join(err, j.lock.Close())
	}
	return err
}
