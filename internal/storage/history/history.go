// Package history stores the results of all operations for good: user, time, amounts
// and the server's answer.
//
// It is append-only and shared by all dashboards of a profile. Each line has the
// SHA-256 of the one before, so that a changed, added or removed line is found; lines
// missing at the end are not. It holds no secret: messages of the API are redacted as in the
// log. Labels are no secret, and stay as they are.
package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config/redact"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
)

// Config is what a history is opened with.
type Config struct {
	// Dir is the profile's folder. Without one nothing is stored.
	Dir string
	// User is the user of this machine, Mode and Profile the account; they are in every
	// line.
	User, Mode, Profile string
	// Via is how operations are asked for; see state.Record.
	Via string
	// Now is this machine's clock.
	Now func() time.Time
}

// rotateFrom is the size in bytes from which the next line starts a new file.
const rotateFrom = 5 << 20

// patience bounds the wait for another process's write.
const patience = 5 * time.Second

// Log is the history of a profile. It may be used from several goroutines.
type Log struct {
	cfg    Config
	mask   *redact.Redactor
	rotate int64 // bytes
	// damaged are the lines that Open found.
	damaged []state.Damage

	// turn holds one value while it is taken. It is no mutex: its holder may wait for
	// another process, and virtual time advances only where waits are on channels.
	turn chan struct{}
	tail tail
	kept []state.Record // without a folder, the oldest first
}

// Open opens the history. It reads no more than whether it can be read.
func Open(cfg Config) (*Log, error) {
	l := &Log{cfg: cfg, mask: redact.New(), rotate: rotateFrom, turn: make(chan struct{}, 1)}
	if cfg.Dir == "" {
		return l, nil
	}
	if err := fsafe.MkdirAll(cfg.Dir); err != nil {
		return nil, fmt.Errorf("open history: %w", err)
	}
	var err error
	if l.damaged, err = checkNewest(cfg.Dir); err != nil {
		return nil, fmt.Errorf("open history: %w", err)
	}
	return l, nil
}

// Damage returns the damaged lines among the newest as Open found them: guardrails do not
// count what they held. Verify finds all.
func (l *Log) Damage() []state.Damage { return l.damaged }

// ReadDamage returns the damaged lines of the whole history below a folder. It writes and
// locks nothing.
func ReadDamage(dir string) (all []state.Damage, err error) {
	paths, err := parts(dir)
	for _, path := range paths {
		file, failed := fsafe.Read(path)
		lines, wrong := split(file.Data)
		for i := range lines {
			if s := &lines[i]; s.damaged {
				all = append(all, s.damage(path))
			}
		}
		err = errors.Join(err, failed, wrong)
	}
	if err != nil {
		return all, fmt.Errorf("read history: %w", err)
	}
	return all, nil
}

// alone waits until no other goroutine uses the history, and returns what releases
// it.
func (l *Log) alone() (done func()) {
	l.turn <- struct{}{}
	return func() { <-l.turn }
}

// Add appends a record and returns when it is on disk. It returns the record as
// it was written, with the time, the user and the account.
func (l *Log) Add(r state.Record) (state.Record, error) {
	r.At = l.cfg.Now().UTC()
	r.User, r.Mode, r.Profile, r.Via = l.cfg.User, l.cfg.Mode, l.cfg.Profile, l.cfg.Via
	// A label is no secret, and caps count by it: what it looks like does not change it.
	r.Name, r.Label = string(api.Clean(r.Name)), string(api.Clean(r.Label))
	r.Err, r.Mismatch = l.masked(r.Err), l.masked(r.Mismatch)
	r.RequestID = api.Text(l.masked(string(r.RequestID)))
	defer l.alone()()
	if l.cfg.Dir == "" {
		l.kept = append(l.kept, r)
		l.kept = l.kept[max(0, len(l.kept)-state.HistoryShown):]
		return r, nil
	}
	err := l.locked(func() error { return l.append(r) })
	if err != nil {
		return r, fmt.Errorf("write history: %w", err)
	}
	return r, nil
}

// masked returns text from outside as one line, redacted.
func (l *Log) masked(s string) string { return l.mask.Text(string(api.Clean(s))) }

// append writes a line at the end of the chain.
func (l *Log) append(r state.Record) error {
	if err := l.tail.catchUp(l.cfg.Dir); err != nil {
		return err
	}
	if l.tail.size >= l.rotate {
		if err := l.tail.turn(l.cfg.Dir); err != nil {
			return err
		}
	}
	data, err := json.Marshal(lineOf(r, l.tail.last))
	if err != nil {
		return err
	}
	data = format.Seal(data, "")
	if l.tail.torn {
		data = append([]byte{'\n'}, data...)
	}
	f, err := fsafe.OpenAppend(filepath.Join(l.cfg.Dir, active))
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil && l.tail.size == 0 {
		err = fsafe.SyncDir(l.cfg.Dir)
	}
	return err
}

// Hold calls a function with the records since a time, the oldest first, while no
// dashboard adds a record and none is in Hold: the next one sees what it begins.
func (l *Log) Hold(since time.Time, use func([]state.Record) error) error {
	defer l.alone()()
	if l.cfg.Dir == "" {
		return use(after(l.kept, since))
	}
	return l.locked(func() error {
		if err := l.tail.catchUp(l.cfg.Dir); err != nil {
			return fmt.Errorf("read history: %w", err)
		}
		recent, err := l.tail.back(l.cfg.Dir, since)
		if err != nil {
			return fmt.Errorf("read history: %w", err)
		}
		return use(recent)
	})
}

// Load returns the latest records, the newest first, at most limit of them.
func (l *Log) Load(limit int) ([]state.Record, error) {
	defer l.alone()()
	if l.cfg.Dir == "" {
		records := slices.Clone(l.kept[max(0, len(l.kept)-limit):])
		slices.Reverse(records)
		return records, nil
	}
	var records []state.Record
	err := l.reading(func() (err error) {
		records, err = read(l.cfg.Dir, func(have []state.Record) bool { return len(have) >= limit })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	records = records[max(0, len(records)-limit):]
	slices.Reverse(records)
	return records, nil
}

// Fates returns the last fates of operations begun since a time, by their keys. One
// that is not in the result has none yet. Older records are not read, but for the
// day that clocks may differ.
func (l *Log) Fates(keys []api.IdempotencyKey, since time.Time) (map[api.IdempotencyKey]state.StatusAt, error) {
	records, err := l.back(since.Add(-guard.Day))
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	wanted := make(map[api.IdempotencyKey]bool, len(keys))
	for _, key := range keys {
		wanted[key] = true
	}
	fates := make(map[api.IdempotencyKey]state.StatusAt, len(keys))
	for _, r := range records { // The newest word counts.
		if wanted[r.Key] {
			fates[r.Key] = state.StatusAt{Status: r.Outcome, At: r.At}
		}
	}
	return fates, nil
}

// back returns at least the records since a time, the oldest first.
func (l *Log) back(since time.Time) (records []state.Record, err error) {
	defer l.alone()()
	if l.cfg.Dir == "" {
		return slices.Clone(l.kept), nil
	}
	err = l.reading(func() (err error) {
		records, err = read(l.cfg.Dir, func(have []state.Record) bool { return len(have) > 0 && have[0].At.Before(since) })
		return err
	})
	return records, err
}

// Everything is more records than any history has.
const Everything = math.MaxInt

// reading runs a function that only reads while no other dashboard of the profile writes. On a disk
// that cannot be written to none does.
func (l *Log) reading(do func() error) error {
	err := l.locked(do)
	if fsafe.Unwritable(err) {
		return do()
	}
	return err
}

// locked runs a function while no other dashboard of the profile writes. Where files
// cannot be locked it does not wait.
func (l *Log) locked(do func() error) error {
	lock, err := fsafe.Lock(filepath.Join(l.cfg.Dir, LockName), patience)
	if errors.Is(err, errors.ErrUnsupported) {
		return do()
	}
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // Nothing is written to it.
	return do()
}

// after returns the records from a time on; they are in order.
func after(records []state.Record, since time.Time) []state.Record {
	i := 0
	for i < len(records) && records[i].At.Before(since) {
		i++
	}
	return records[i:]
}

// Filter selects records. Empty fields match all.
type Filter struct {
	// Text are words that all have to be there.
	Text            string
	Action, Outcome string
	// Card is an id, or a part of the label or of the last digits.
	Card  string
	Since time.Time
}

// Matches reports whether a record matches.
func (f Filter) Matches(r state.Record) bool {
	switch {
	case f.Action != "" && r.Action != f.Action, f.Outcome != "" && r.Outcome != f.Outcome, r.At.Before(f.Since):
		return false
	case f.Card != "" && string(r.Card) != f.Card && !strings.Contains(strings.ToLower(r.Name), strings.ToLower(f.Card)):
		return false
	}
	words := strings.Fields(strings.ToLower(f.Text))
	if len(words) == 0 {
		return true
	}
	text := r.Text()
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}
