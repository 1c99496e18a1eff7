// Package journal keeps operations on disk: each is there, with its
// idempotency key, before the first byte of its request leaves, so that a
// restart asks with the same key again instead of acting twice.
//
// Every run writes a file of its own and holds its lock for as long as it
// lives. What a run leaves open when it ends, however it ends, another takes
// over: at its start, or while it runs. So no operation is ever settled by
// two.
package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// record is one line of a file. It holds no secret: no write of a card
// carries one, and the body of one that may is left out.
type record struct {
	At     time.Time          `json:"at"`
	Key    api.IdempotencyKey `json:"key"`
	What   string             `json:"what"` // begin, done, refused, unknown, dismissed
	Kind   state.OpKind       `json:"kind,omitempty"`
	Card   api.CardID         `json:"card,omitempty"`
	Amount api.USD            `json:"amount,omitempty"`
	Name   string             `json:"name,omitempty"`
	Label  string             `json:"label,omitempty"`
	Method string             `json:"method,omitempty"`
	Route  string             `json:"route,omitempty"`
	Path   string             `json:"path,omitempty"`
	Body   json.RawMessage    `json:"body,omitempty"`
	// Sensitive says that the request is not kept: it may hold a secret. It
	// cannot be sent again then.
	Sensitive bool      `json:"sensitive,omitempty"`
	Started   time.Time `json:"started,omitzero"`
	// Expected are the balances before and after, for who has to judge it.
	Expected state.Preview `json:"expected,omitzero"`
}

// begun is the word of a record whose request may have been sent; the others
// are fates.
const begun = "begin"

// file is what a journal needs of its file.
type file interface {
	Write(line []byte) (int, error)
	Sync() error
	Close() error
}

// Journal is a run's own append-only file and its view of the others'. It may
// be used from several goroutines.
type Journal struct {
	dir string // of all runs' files; empty: in memory only
	now func() time.Time
	// looking: files of others are read and never taken over.
	looking bool

	mu      sync.Mutex
	file    file
	path    string
	size    int
	full    int   // the size from which the file is written anew
	own     *book // what the file holds
	pending []state.Op
	torn    bool              // the last line has no end yet
	reading func(path string) // before a file of another run is read; nil but in tests
}

// Pending lists the operations that earlier runs left without an answer, as
// they were found when the journal was opened.
func (j *Journal) Pending() []state.Op { return j.pending }

// Begin returns when the write is on disk. Beginning again, for another try
// of the same operation, changes nothing.
func (j *Journal) Begin(op state.Op, w api.Write) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.own.isOpen(op.Key) {
		return nil
	}
	body := w.Body
	if w.Sensitive {
		body = nil
	}
	err := j.append(record{
		At: j.now().UTC(), Key: op.Key, What: begun, Kind: op.Kind, Card: op.Card, Amount: op.Amount, Name: op.Name, Label: op.Label,
		Method: w.Method, Route: w.Route, Path: w.Path, Body: body, Sensitive: w.Sensitive, Started: op.At.UTC(), Expected: op.Expected,
	})
	if err != nil {
		// What is not sent must not be resumed, should the line be there after
		// all.
		return errors.Join(err, j.append(record{At: j.now().UTC(), Key: op.Key, What: state.FateRefused}))
	}
	return nil
}

// End notes what came of an operation. An unknown outcome leaves it open.
func (j *Journal) End(op state.Op, outcome api.Result) error { return j.word(op.Key, outcome.String()) }

// Dismiss notes that nobody waits for an operation's answer any more.
func (j *Journal) Dismiss(op state.Op) error { return j.word(op.Key, state.FateDismissed) }

// word notes a fate. This run acts on it even when it cannot be written.
func (j *Journal) word(key api.IdempotencyKey, fate state.Fate) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	r := record{At: j.now().UTC(), Key: key, What: fate}
	err := j.append(r)
	if err != nil {
		j.own.note(r)
	}
	return err
}

// append writes records and returns when they are on disk.
func (j *Journal) append(records ...record) error {
	if j.file != nil {
		if err := j.write(records); err != nil {
			return fmt.Errorf("write journal: %w", err)
		}
	}
	for _, r := range records {
		j.own.note(r)
	}
	return nil
}

func (j *Journal) write(records []record) error {
	var data []byte
	if j.torn {
		data = append(data, '\n')
	}
	for _, r := range records {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		data = append(append(data, line...), '\n')
	}
	n, err := j.file.Write(data)
	j.size += n
	if err != nil {
		j.torn = j.torn || n > 0
		return err
	}
	j.torn = false
	return j.file.Sync()
}

// UnderWay lists the operations of all runs that have no answer, this one's
// and those of runs that ended among them.
func (j *Journal) UnderWay() ([]state.Op, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	all, err := j.everyones()
	if err != nil {
		return nil, fmt.Errorf("read journals: %w", err)
	}
	return all.ops(), nil
}

// Fates tells what is known of operations by their keys, from the files of
// all runs. One that is not in the answer was not begun, or was settled by a
// run that is over: the history knows.
func (j *Journal) Fates(keys []api.IdempotencyKey) (map[api.IdempotencyKey]state.Word, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	all, err := j.everyones()
	if err != nil {
		return nil, fmt.Errorf("read journals: %w", err)
	}
	fates := make(map[api.IdempotencyKey]state.Word, len(keys))
	for _, key := range keys {
		if e, ok := all.entries[key]; ok {
			fates[key] = state.Word{Fate: e.fate, At: e.at}
		}
	}
	return fates, nil
}

// everyones joins what this run's file and those of the others hold.
func (j *Journal) everyones() (*book, error) {
	all, err := j.others(nil)
	if err != nil {
		return nil, err
	}
	all.join(j.own)
	return all, nil
}

// Close ends the run's hold on its file. What is open in it is for another
// run; a file without such goes.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	f := j.file
	j.file = nil
	// One that looks on may have dismissed what is in the files of others.
	if len(j.own.left()) > 0 || j.looking && j.size > 0 {
		return f.Close()
	}
	return discard(f, j.path)
}

// sortByTime orders beginnings as they were made; those of one time stay as
// they are.
func sortByTime(records []record) {
	slices.SortStableFunc(records, func(a, b record) int { return a.At.Compare(b.At) })
}
