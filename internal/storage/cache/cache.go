// Package cache stores what is not sensitive of an account, so that
// the next run has a list before the API has answered, and need not read again
// what was bought on days that are over.
//
// A file is sealed with the account's key: one that is damaged, altered by
// a program without the key, or of another account, server or mode
// is not used. Nor is one of another format, or one that is not private to the
// user. The next save replaces it, but never one that a newer program wrote.
package cache

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
)

// Errors of a file that is not used. None has its content.
var (
	ErrDamaged = errors.New("it is damaged")
	ErrVersion = errors.New("an older version wrote it")
	ErrAccount = errors.New("it is of another account")
	ErrFuture  = errors.New("it is from the future")
	ErrShared  = errors.New("others may read it")
	ErrLarge   = errors.New("it would be too large")
)

const (
	fileName = "cache.bin"
	// magic begins each file. It ends in the version of the records, to be
	// raised when they change.
	magic = "cardtop cache 5\n"
	// maxFile bounds a file in bytes: it is what may be read of one, and holds
	// some 200,000 cards.
	maxFile = 16 << 20
	// ahead is how far a clock may have been set back since a file was written.
	ahead = time.Minute
)

// Cache is one profile's file. It may be used from several
// goroutines.
type Cache struct {
	path string
	seal seal

	mu    sync.Mutex
	saved time.Time // when what was saved last had been taken
}

// Open uses a folder. Nothing is read or made before Load and
// Save.
func Open(dir string, a Account) *Cache {
	return &Cache{path: filepath.Join(dir, fileName), seal: sealOf(a, magic)}
}

// Load returns what was saved last, with the first cards of it, and what reads
// the others; a screen needs few of them. The error is fs.ErrNotExist without a
// file, or why the file is not used.
func (c *Cache) Load(now time.Time, first int) (state.Snapshot, *Rest, error) {
	data, err := read(c.path)
	if err != nil {
		return state.Snapshot{}, nil, fmt.Errorf("load cache: %w", err)
	}
	snap, rest, err := c.unpack(data, now, first)
	if err != nil {
		return state.Snapshot{}, nil, fmt.Errorf("load cache: %w", named(c.path, err))
	}
	return snap, rest, nil
}

// Save replaces what is stored, unless the snapshot is older than the one saved
// last.
func (c *Cache) Save(snap state.Snapshot) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !snap.At.After(c.saved) {
		return nil
	}
	if err := c.seal.write(c.path, c.pack(snap)); err != nil {
		return fmt.Errorf("save cache: %w", err)
	}
	c.saved = snap.At
	return nil
}

// named says which file it is that the user may move away.
func named(path string, err error) error {
	if errors.Is(err, format.ErrNewer) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return err
}

// read returns the content of a file that is private to the user.
func read(path string) ([]byte, error) {
	file, err := fsafe.Read(path)
	if err != nil {
		return nil, err
	}
	if file.CheckSecret() != nil {
		return nil, ErrShared
	}
	return file.Data, nil
}

// write replaces a file and makes its folder.
func (s *seal) write(path string, data []byte) error {
	if len(data) > maxFile {
		return ErrLarge
	}
	if err := s.replaceable(path); err != nil {
		return err
	}
	if err := fsafe.MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	return fsafe.WriteFile(path, data)
}

// cardSize and transactionSize are about what a row takes in the file, in bytes.
const (
	cardSize        = 90
	transactionSize = 110
)

// pack writes the version, the account, the seal and the records.
func (c *Cache) pack(snap state.Snapshot) []byte {
	w := newWriter(slices.Grow(c.seal.header(), snap.Cards.Len()*cardSize+len(snap.Transactions)*transactionSize))
	snapshot(w, &snap)
	writeCards(w, &snap)
	return c.seal.close(w.out)
}

// unpack reads the records after it has verified the seal.
func (c *Cache) unpack(data []byte, now time.Time, first int) (state.Snapshot, *Rest, error) {
	records, err := c.seal.open(data)
	if err != nil {
		return state.Snapshot{}, nil, err
	}
	snap, rest, err := decode(records, first)
	if err == nil && snap.At.After(now.Add(ahead)) {
		return state.Snapshot{}, nil, ErrFuture
	}
	return snap, rest, err
}

// decode reads the records of a snapshot, and the first of its cards.
func decode(records string, first int) (state.Snapshot, *Rest, error) {
	r := &reader{rest: records}
	var snap state.Snapshot
	snapshot(r, &snap)
	rest := &Rest{reader: r, left: r.count(0, leastRecord)}
	snap.Total = rest.left
	snap.Cards, _ = rest.Next(first)
	if r.bad || rest.left == 0 && r.rest != "" {
		return state.Snapshot{}, nil, ErrDamaged
	}
	return snap, rest, nil
}

// Rest reads the cards that Load did not return.
type Rest struct {
	reader *reader
	left   int
}

// Next returns up to n more cards, and whether others follow. None follow what
// cannot be read.
func (r *Rest) Next(n int) (cards cardlist.List, more bool) {
	for range min(n, r.left) {
		var c cardlist.Card
		if card(r.reader, &c); r.reader.bad {
			r.left = 0
			break
		}
		cards.Add(c)
		r.left--
	}
	if r.left == 0 {
		r.reader = nil // It holds the file.
	}
	return cards, r.left > 0
}

// writeCards writes the cards of a snapshot in its order.
func writeCards(w *writer, s *state.Snapshot) {
	n := w.count(s.Cards.Len(), leastRecord)
	for i := range n {
		if len(s.Order) == n {
			i = int(s.Order[i])
		}
		c := s.Cards.At(i)
		card(w, &c)
	}
}
