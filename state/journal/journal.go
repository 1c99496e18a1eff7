// Package journal keeps operations on disk: each is there, with its
// idempotency key, before the first byte of its request leaves, so that a
// restart asks with the same key again instead of acting twice.
package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	file file // nil: in memory only
	open map[api.IdempotencyKey]bool
	ops  []state.Op
	torn bool // the last line has no end yet
}

// Open reads the journal at path and is ready to append to it. With an empty
// path nothing is kept: for a world that ends with the program.
func Open(path string, now func() time.Time) (*Journal, error) {
	j := &Journal{now: now, open: make(map[api.IdempotencyKey]bool)}
	if path == "" {
		return j, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	if err := j.load(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600) //nolint:gosec // the path is ours, under the state folder
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	j.file = f
	return j, nil
}

// load finds the operations that have no answer. A torn last line, from a
// crash in the middle of a write, is a record that was never acted on: its
// request is sent only after the line is whole on disk.
func (j *Journal) load(path string) error {
	data, err := os.ReadFile(path) //nolint:gosec // the path is ours, under the state folder
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	j.torn = len(data) > 0 && data[len(data)-1] != '\n'
	pending := make(map[api.IdempotencyKey]record)
	var order []api.IdempotencyKey
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var r record
		if json.Unmarshal(lines.Bytes(), &r) != nil {
			continue
		}
		switch r.What {
		case begun:
			pending[r.Key] = r
			order = append(order, r.Key)
		case api.Done.String(), api.Refused.String(), dismissed:
			delete(pending, r.Key)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	for _, key := range order {
		if r, ok := pending[key]; ok {
			j.open[key] = true
			j.ops = append(j.ops, state.Op{Kind: r.Kind, Card: r.Card, Amount: r.Amount, Name: r.Name, Key: key, At: r.Started, Tries: 1})
			delete(pending, key)
		}
	}
	return nil
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
		Method: w.Method, Path: w.Path, Body: w.Body, Started: op.At.UTC(),
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
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	line = append(line, '\n')
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

// Close closes the file.
func (j *Journal) Close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
