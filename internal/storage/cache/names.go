package cache

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
)

// Names are what a cache calls things by: no amount, no merchant.
type Names struct {
	// At is when the cache was saved, UTC.
	At           time.Time
	Cards        []CardName // In the order of the cache.
	Transactions []api.TransactionID
}

// CardName is what a card is called.
type CardName struct {
	ID           api.CardID
	Label, Last4 api.Text
	BIN          api.BINID
	Network      api.Text
	Status       api.CardStatus
}

// ReadNames reads the names of the cache in a folder, and of what commands have listed,
// without the account's key: a shell that completes a word has none. The seals cannot be
// verified then, so names are only good for what a person still confirms by typing on. The
// errors are those of Load, where neither can be read.
func ReadNames(dir string) (Names, error) {
	saved, err := readNames(filepath.Join(dir, fileName))
	listed, lerr := readListed(filepath.Join(dir, listedName))
	if err != nil && lerr != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = lerr
		}
		return Names{}, fmt.Errorf("load cache: %w", err)
	}
	// What cannot be read has no names.
	if listed.At.After(saved.At) {
		return Names{At: listed.At, Cards: merged(listed.Cards, saved.Cards), Transactions: saved.Transactions}, nil
	}
	return Names{At: saved.At, Cards: merged(saved.Cards, listed.Cards), Transactions: saved.Transactions}, nil
}

func readListed(path string) (Names, error) {
	data, err := read(path)
	if err != nil {
		return Names{}, err
	}
	records, err := unverified(data, listedMagic)
	if err != nil {
		return Names{}, named(path, err)
	}
	return decodeListed(records)
}

func readNames(path string) (Names, error) {
	data, err := read(path)
	if err != nil {
		return Names{}, err
	}
	records, err := unverified(data, magic)
	if err != nil {
		return Names{}, named(path, err)
	}
	r := &reader{rest: records}
	var snap state.Snapshot
	snapshot(r, &snap)
	names := Names{At: snap.At, Transactions: make([]api.TransactionID, 0, len(snap.Transactions))}
	for i := range snap.Transactions {
		names.Transactions = append(names.Transactions, snap.Transactions[i].ID)
	}
	n := r.count(0, leastRecord)
	names.Cards = make([]CardName, 0, n)
	for range n {
		var c cardlist.Card
		if card(r, &c); r.bad {
			break
		}
		names.Cards = append(names.Cards, CardName{c.ID, c.Label, c.Last4, c.BIN, c.Network, c.Status})
	}
	if r.bad {
		return Names{}, ErrDamaged
	}
	return names, nil
}

// unverified returns the records of a file without a look at its seal.
func unverified(data []byte, magic string) (records string, err error) {
	text := string(data)
	head := len(magic) + tagSize + sha256.Size
	if err := sameVersion(data, magic); err != nil {
		return "", err
	}
	if len(text) < head {
		return "", ErrDamaged
	}
	return text[head:], nil
}
