// Package addresses stores the deposit addresses that a profile has seen, so that a
// change is noticed, also after a restart. An address is no secret, but a change of
// the file could hide one: the file is private to the user.
package addresses

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state/wallets"
)

const (
	fileName = "addresses.json"
	// LockName is the file that is locked while others are written.
	LockName = "addresses.lock"
	// version is that of the file, to be raised when its meaning changes.
	version = 1
	// lockWait bounds the wait for another dashboard's write.
	lockWait = 2 * time.Second
)

// Pins is one profile's file. It may be used from several goroutines.
type Pins struct{ dir string }

// Open uses the folder of a profile. Without one nothing is stored.
func Open(dir string) Pins { return Pins{dir} }

// document is the file.
type document struct {
	Version   int   `json:"version"`
	Addresses []pin `json:"addresses"`
}

// pin is an address in the file. Text is sanitised again when it is read.
type pin struct {
	Currency api.Currency `json:"currency"`
	Address  api.Text     `json:"address"`
	Network  api.Text     `json:"network"`
	Since    time.Time    `json:"since"`
}

// Load returns the addresses that were seen; none when there are none.
func (p Pins) Load() ([]wallets.Pin, error) {
	if p.dir == "" {
		return nil, nil
	}
	doc, err := p.read()
	if err != nil {
		return nil, fmt.Errorf("read the addresses seen before: %w", err)
	}
	seen := make([]wallets.Pin, 0, len(doc.Addresses))
	for _, a := range doc.Addresses {
		seen = append(seen, wallets.Pin(a))
	}
	return seen, nil
}

// Keep returns when the addresses are on disk. Where another one of the same currency
// is stored, that one stays and is returned, unless the user trusts these: then they
// replace it.
func (p Pins) Keep(seen []wallets.Pin, trusted bool) (stay []wallets.Pin, err error) {
	if p.dir == "" {
		return nil, nil
	}
	if stay, err = p.keep(seen, trusted); err != nil {
		return nil, fmt.Errorf("keep the addresses seen: %w", err)
	}
	return stay, nil
}

func (p Pins) keep(seen []wallets.Pin, trusted bool) (stay []wallets.Pin, err error) {
	if err := fsafe.MkdirAll(p.dir); err != nil {
		return nil, err
	}
	lock, err := fsafe.Lock(filepath.Join(p.dir, LockName), lockWait)
	switch {
	case errors.Is(err, errors.ErrUnsupported): // Then the last word counts.
	case err != nil:
		return nil, err
	default:
		defer func() { err = errors.Join(err, lock.Close()) }()
	}
	doc, err := p.read()
	if err != nil {
		return nil, err // It may hold what must not be forgotten.
	}
	for _, s := range seen {
		same := func(a pin) bool { return a.Currency == s.Currency }
		if i := slices.IndexFunc(doc.Addresses, same); i >= 0 && !trusted {
			stay = append(stay, wallets.Pin(doc.Addresses[i]))
			continue
		}
		doc.Addresses = slices.DeleteFunc(doc.Addresses, same)
		s.Since = s.Since.UTC()
		doc.Addresses = append(doc.Addresses, pin(s))
	}
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, err
	}
	return stay, fsafe.WriteFile(filepath.Join(p.dir, fileName), append(data, '\n'))
}

func (p Pins) read() (document, error) {
	path := filepath.Join(p.dir, fileName)
	doc := document{Version: version}
	file, err := fsafe.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return doc, nil
	}
	if err != nil {
		return doc, err
	}
	if err := file.CheckSecret(); err != nil {
		return doc, err
	}
	if err := json.Unmarshal(file.Data, &doc); err != nil {
		return doc, fmt.Errorf("%s is damaged: %w", path, err)
	}
	if err := format.Check(doc.Version, version); err != nil {
		return doc, fmt.Errorf("%s: %w", path, err)
	}
	return doc, nil
}
