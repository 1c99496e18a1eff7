// Package cache stores what is not sensitive of an account, so that
// the next run has a list before the API has answered.
//
// A file is sealed with the account's key: one that is damaged, altered by
// a program without the key, or of another account, server or mode
// is not used. Nor is one of another format, or one that is not private to the
// user. The next save replaces it.
package cache

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
)

// Errors of a file that is not used. None has its content.
var (
	ErrDamaged = errors.New("it is damaged")
	ErrVersion = errors.New("another version wrote it")
	ErrAccount = errors.New("it is of another account")
	ErrFuture  = errors.New("it is from the future")
	ErrShared  = errors.New("others may read it")
	ErrLarge   = errors.New("it would be too large")
)

const (
	fileName = "cache.bin"
	// magic begins each file. It ends in the version of the records, to be
	// raised when they change.
	magic   = "cardtop cache 2\n"
	tagSize = 16
	// maxFile bounds a file in bytes: it is what may be read of one, and holds
	// some 200,000 cards.
	maxFile = 16 << 20
	// ahead is how far a clock may have been set back since a file was written.
	ahead = time.Minute
)

// Account is the account of a cache.
type Account struct {
	Origin string // scheme, host and port of the server
	Mode   string
	Key    api.APIKey
}

// Cache is one profile's file. It may be used from several
// goroutines.
type Cache struct {
	path string
	tag  []byte // tells accounts apart
	seal []byte // the key of the seal, made of the account's

	mu    sync.Mutex
	saved time.Time // when what was saved last had been taken
}

// Open uses a folder. Nothing is read or made before Load and
// Save.
func Open(dir string, a Account) *Cache {
	derive := func(purpose string) []byte {
		mac := hmac.New(sha256.New, a.Key.Bytes())
		mac.Write([]byte("cardtop cache " + purpose + "\n" + a.Origin + "\n" + a.Mode))
		return mac.Sum(nil)
	}
	return &Cache{path: filepath.Join(dir, fileName), tag: derive("tag")[:tagSize], seal: derive("seal")}
}

// Load returns what was saved last, with the first cards of it, and what reads
// the others; a screen needs few of them. The error is fs.ErrNotExist without a
// file, or why the file is not used.
func (c *Cache) Load(now time.Time, first int) (state.Snapshot, *Rest, error) {
	file, err := fsafe.Read(c.path)
	if err != nil {
		return state.Snapshot{}, nil, fmt.Errorf("load cache: %w", err)
	}
	if file.CheckSecret() != nil {
		return state.Snapshot{}, nil, fmt.Errorf("load cache: %w", ErrShared)
	}
	snap, rest, err := c.unpack(file.Data, now, first)
	if err != nil {
		return state.Snapshot{}, nil, fmt.Errorf("load cache: %w", err)
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
	data := c.pack(snap)
	if len(data) > maxFile {
		return fmt.Errorf("save cache: %w", ErrLarge)
	}
	if err := fsafe.MkdirAll(filepath.Dir(c.path)); err != nil {
		return fmt.Errorf("save cache: %w", err)
	}
	if err := fsafe.WriteFile(c.path, data); err != nil {
		return fmt.Errorf("save cache: %w", err)
	}
	c.saved = snap.At
	return nil
}

// cardSize and transactionSize are about what a row takes in the file, in bytes.
const (
	cardSize        = 90
	transactionSize = 110
)

// pack writes the version, the account, the seal and the records.
func (c *Cache) pack(snap state.Snapshot) []byte {
	header := append(append([]byte(magic), c.tag...), make([]byte, sha256.Size)...)
	w := newWriter(slices.Grow(header, snap.Cards.Len()*cardSize+len(snap.Transactions)*transactionSize))
	snapshot(w, &snap)
	writeCards(w, &snap)
	copy(w.out[len(magic)+tagSize:], c.sum(w.out[len(header):]))
	return w.out
}

func (c *Cache) sum(records []byte) []byte {
	mac := hmac.New(sha256.New, c.seal)
	mac.Write([]byte(magic))
	mac.Write(records)
	return mac.Sum(nil)
}

// unpack reads the records after it has verified the seal.
func (c *Cache) unpack(data []byte, now time.Time, first int) (state.Snapshot, *Rest, error) {
	version, ok := take(&data, len(magic))
	if !ok || !bytes.Equal(version[:len(magic)-2], []byte(magic)[:len(magic)-2]) {
		return state.Snapshot{}, nil, ErrDamaged
	}
	if !bytes.Equal(version, []byte(magic)) {
		return state.Snapshot{}, nil, ErrVersion
	}
	tag, _ := take(&data, tagSize)
	seal, ok := take(&data, sha256.Size)
	switch {
	case !ok:
		return state.Snapshot{}, nil, ErrDamaged
	case !hmac.Equal(tag, c.tag):
		return state.Snapshot{}, nil, ErrAccount
	case !hmac.Equal(seal, c.sum(data)):
		return state.Snapshot{}, nil, ErrDamaged
	}
	snap, rest, err := decode(string(data), first)
	if err == nil && snap.At.After(now.Add(ahead)) {
		return state.Snapshot{}, nil, ErrFuture
	}
	return snap, rest, err
}

func take(data *[]byte, n int) ([]byte, bool) {
	if len(*data) < n {
		return nil, false
	}
	front := (*data)[:n]
	*data = (*data)[n:]
	return front, true
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
