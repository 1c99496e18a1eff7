// Package journal stores operations on disk: each is there, with its idempotency
// key, before the first byte of its request is sent, so that a restart retries with
// the same key instead of acting twice.
//
// Every run writes a file of its own and locks it for as long as it lives. What a run
// leaves open when it ends, in whatever way, another takes over: at its start, or
// while it runs. So no operation is ever settled by two.
package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
)

// record is one line of a file. It holds no secret: no write of a card has one, and
// the body of one that may is left out.
type record struct {
	Version int `json:"v,omitempty"`
	// Number counts the lines of the file from 1; 0 in those of a release that wrote none.
	Number int                `json:"n,omitempty"`
	At     time.Time          `json:"at"`
	Key    api.IdempotencyKey `json:"key"`
	What   string             `json:"what"` // begin, done, refused, unknown, dismissed
	Kind   state.OpKind       `json:"kind,omitempty"`
	Card   api.CardID         `json:"card,omitempty"`
	Amount api.USD            `json:"amount,omitempty"`
	Name   string             `json:"name,omitempty"`
	Label  string             `json:"label,omitempty"`
	Plan   state.PlanID       `json:"plan,omitempty"`
	Rule   string             `json:"rule,omitempty"`
	By     *state.Actor       `json:"by,omitempty"`
	Method string             `json:"method,omitempty"`
	Route  string             `json:"route,omitempty"`
	Path   string             `json:"path,omitempty"`
	Body   json.RawMessage    `json:"body,omitempty"`
	// Sensitive reports that the request is not stored, because it may hold a secret.
	// It cannot be sent again.
	Sensitive bool      `json:"sensitive,omitempty"`
	Started   time.Time `json:"started,omitzero"`
	// Expected are the balances before and after, to resolve it by hand.
	Expected state.Preview `json:"expected,omitzero"`
}

// version is that of the records, to be raised when an older program would misread them.
const version = 1

// begun is What of a record whose request may have been sent; the others are fates.
const begun = "begin"

// file is what a journal needs of its file.
type file interface {
	Write(line []byte) (int, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

// Journal is a run's own append-only file and its view of the others'. It may
// be used from several goroutines.
type Journal struct {
	dir string // of all runs' files; empty: in memory only
	// account is whose folder it is: what another account's file says is not sent.
	account string
	now     func() time.Time
	// readOnly reads the files of others and takes none over.
	readOnly bool

	mu sync.Mutex
	output
	full    int    // the size from which the file is written again
	own     *table // of this run, also what the file does not hold any more
	pending []state.Op
	closed  bool
	reading func(path string) // before a file of another run is read; nil but in tests
}

// output is the file of this run and how far it is written.
type output struct {
	file  file
	path  string
	size  int
	lines int
	torn  bool // the last line has no end yet
}

// Pending returns the operations that earlier runs left without an answer, as of
// Open.
func (j *Journal) Pending() []state.Op { return j.pending }

// Begin returns when the write is on disk. For a retry of the operation it does
// nothing.
func (j *Journal) Begin(op state.Op, w api.Write) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.closed:
		return errClosed
	case j.own.isOpen(op.Key):
		return nil
	}
	body := w.Body
	if w.Sensitive {
		body = nil
	}
	err := j.append(record{
		At: j.now().UTC(), Key: op.Key, What: begun, Kind: op.Kind, Card: op.Card, Amount: op.Amount, Name: op.Name, Label: op.Label, Plan: op.Bulk, Rule: op.Rule, By: actor(op.By),
		Method: w.Method, Route: w.Route, Path: w.Path, Body: body, Sensitive: w.Sensitive, Started: op.At.UTC(), Expected: op.Expected,
	})
	if err == nil || errors.Is(err, errNotWritten) {
		return err
	}
	// What is not sent must not be resumed, should the line be there after all.
	if failed := j.append(record{At: j.now().UTC(), Key: op.Key, What: state.OpStatusRefused}); failed != nil {
		return fmt.Errorf("%w: %w", state.ErrMaybeBegun, errors.Join(err, failed))
	}
	return err
}

// errClosed is that a journal is closed: nothing is written any more.
var errClosed = errors.New("write journal: it is closed")

// errNotWritten is that nothing of a record is on disk.
var errNotWritten = errors.New("nothing was written")

// actor is a person in a record; nil for nobody.
func actor(by state.Actor) *state.Actor {
	if by == (state.Actor{}) {
		return nil
	}
	return &by
}

// End stores the result of an operation. An unknown one leaves it open.
func (j *Journal) End(op state.Op, outcome api.Result) error { return j.word(op.Key, outcome.String()) }

// Dismiss stores that an operation's answer is no longer waited for. What it is taken for is
// in the history, which is beside this journal.
func (j *Journal) Dismiss(op state.Op, _ state.OpStatus) error {
	return j.word(op.Key, state.OpStatusDismissed)
}

// word stores a fate. This run acts on it even when it cannot be written.
func (j *Journal) word(key api.IdempotencyKey, fate state.OpStatus) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return errClosed // What is open is another run's by now.
	}
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

// encode returns a record as a line. The bytes of a request stay as they are: with
// others, the same key would be refused.
func encode(r record, account string) ([]byte, error) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	r.Version = version
	enc.SetEscapeHTML(false)
	err := enc.Encode(r)
	return format.Seal(line.Bytes(), account), err
}

// write writes all records or, where the file can be cut back, none. The error is
// errNotWritten when none can be there.
func (j *Journal) write(records []record) error {
	var data []byte
	if j.torn {
		data = append(data, '\n')
	}
	for i, r := range records {
		r.Number = j.lines + i + 1
		line, err := encode(r, j.account)
		if err != nil {
			return fmt.Errorf("%w: %w", errNotWritten, err)
		}
		data = append(data, line...)
	}
	n, err := j.file.Write(data)
	if err != nil {
		if failed := j.file.Truncate(int64(j.size)); failed == nil || n == 0 {
			return fmt.Errorf("%w: %w", errNotWritten, err)
		}
		j.size += n
		j.lines += len(records)
		j.torn = n < len(data)
		return err
	}
	j.size += n
	j.lines += len(records)
	j.torn = false
	return j.file.Sync()
}

// UnderWay lists the operations of all runs that have no answer, also of runs that
// ended.
func (j *Journal) UnderWay() ([]state.Op, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	all, err := j.others(nil)
	if err != nil {
		return nil, fmt.Errorf("read journals: %w", err)
	}
	all.joinOpen(j.own)
	return all.ops(), nil
}

// ReadUnderWay lists the same below the folder of a profile without a file of its own:
// it writes nothing. Without a folder there are none.
func ReadUnderWay(dir string) ([]state.Op, error) {
	j := &Journal{dir: filepath.Join(dir, folder), own: newTable("")}
	_, err := os.Stat(j.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if j.account, err = accounts.ID(dir); err != nil {
		return nil, err
	}
	return j.UnderWay()
}

// Fates returns what is known of operations by their keys, from the files of all
// runs. One that is not in the result was not begun, or was settled by a run that
// ended: the history has it.
func (j *Journal) Fates(keys []api.IdempotencyKey) (map[api.IdempotencyKey]state.StatusAt, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	all, err := j.others(nil)
	if err != nil {
		return nil, fmt.Errorf("read journals: %w", err)
	}
	fates := make(map[api.IdempotencyKey]state.StatusAt, len(keys))
	for _, key := range keys {
		if e, ok := j.own.entries[key]; ok {
			all.merge(key, e)
		}
		if e, ok := all.entries[key]; ok {
			fates[key] = state.StatusAt{Status: e.fate, At: e.at}
		}
	}
	return fates, nil
}

// Close unlocks the run's file. What is open in it is for another run; a file
// without open operations is removed.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	if j.file == nil {
		return nil
	}
	f := j.file
	j.file = nil
	// A read-only run may have dismissed what is in the files of others.
	if len(j.own.left()) > 0 || j.readOnly && j.size > 0 {
		return f.Close()
	}
	return discard(f, j.path)
}

// sortByTime sorts by the time they began.
func sortByTime(records []record) {
	slices.SortStableFunc(records, func(a, b record) int { return a.At.Compare(b.At) })
}

// Claim makes a key that the user chose this run's until it is released or the run
// ends in any way, so that two runs with it do not both find that nothing was
// begun. Where files cannot be locked it does not claim: then the server alone
// holds that the key acts once.
func (j *Journal) Claim(key api.IdempotencyKey) (release func(), err error) {
	release, mine, err := j.lockName("key-", string(key))
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return release, nil
	case err != nil:
		return nil, fmt.Errorf("claim the key: %w", err)
	case !mine:
		return nil, state.ErrKeyClaimed
	}
	return release, nil
}

// ClaimRule makes a rule this run's until it is released or the run ends in any way;
// false when it is another's. Where files cannot be locked nobody can know, and the
// error is errors.ErrUnsupported.
func (j *Journal) ClaimRule(name string) (release func(), mine bool, err error) {
	release, mine, err = j.lockName("rule-", name)
	if err != nil {
		if release != nil {
			release()
		}
		return nil, false, fmt.Errorf("lock the rule: %w", err)
	}
	return release, mine, nil
}

// lockName locks the file of a name; false when another run has it locked. Where
// files cannot be locked it returns errors.ErrUnsupported and what removes the file.
func (j *Journal) lockName(kind, name string) (release func(), mine bool, err error) {
	if j.dir == "" {
		return func() {}, true, nil
	}
	sum := sha256.Sum256([]byte(name))
	path := filepath.Join(j.dir, kind+hex.EncodeToString(sum[:16])+".lock")
	for range names {
		f, err := fsafe.OpenAppend(path)
		if err != nil {
			return nil, false, err
		}
		got, err := fsafe.TryLock(f)
		release = func() { _ = discard(f, path) } // Nothing is in it.
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			return release, false, err
		case err != nil:
			return nil, false, errors.Join(err, f.Close())
		case !got:
			return nil, false, f.Close()
		case isAt(f, path):
			return release, true, nil
		}
		// Its run has just removed it.
		if err := f.Close(); err != nil {
			return nil, false, err
		}
	}
	return nil, false, nil
}
