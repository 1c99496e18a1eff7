package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
)

const (
	listedName = "names.bin"
	// listedMagic is the magic of the file of names.
	listedMagic = "cardtop names 1\n"
	// leastName is fewer bytes than a name takes, nameSize about what one does.
	leastName = 6
	nameSize  = 60
)

// Listed is the file of what commands read of the names of cards, beside the cache of the
// dashboard: a command that reads no wallet and no transactions has nothing else to save.
// It may be used from several goroutines.
type Listed struct {
	path string
	seal seal

	mu    sync.Mutex
	cards []CardName
}

// OpenListed uses a folder. Nothing is read or made before Save.
func OpenListed(dir string, a Account) *Listed {
	return &Listed{path: filepath.Join(dir, listedName), seal: sealOf(a, listedMagic)}
}

// Add takes cards that were read.
func (l *Listed) Add(cards []api.CardItem) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range cards {
		c := &cards[i]
		l.cards = append(l.cards, CardName{c.ID, c.Label, c.Last4, c.BIN, c.Network, c.Status})
	}
}

// Save adds what was taken to what earlier commands have saved for the account. Without a
// card nothing is written.
func (l *Listed) Save(now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.cards) == 0 {
		return nil
	}
	data, err := read(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("save names: %w", err)
	}
	var before Names
	if records, err := l.seal.open(data); err == nil { // Else it is replaced.
		if before, err = decodeListed(records); err != nil {
			before = Names{}
		}
	}
	all := Names{At: now, Cards: merged(l.cards, before.Cards)}
	w := newWriter(append(make([]byte, 0, len(all.Cards)*nameSize), l.seal.header()...))
	codeListed(w, &all)
	if err := l.seal.write(l.path, l.seal.close(w.out)); err != nil {
		return fmt.Errorf("save names: %w", err)
	}
	l.cards = nil
	return nil
}

// codeListed codes the names of cards.
func codeListed(c coder, n *Names) {
	moment(c, &n.At)
	list(c, &n.Cards, leastName, func(c coder, r *CardName) {
		name(c, &r.ID)
		text(c, &r.Label)
		text(c, &r.Last4)
		word(c, &r.BIN)
		word(c, &r.Network)
		word(c, &r.Status)
	})
}

func decodeListed(records string) (Names, error) {
	var n Names
	r := &reader{rest: records}
	if codeListed(r, &n); r.bad || r.rest != "" {
		return Names{}, ErrDamaged
	}
	return n, nil
}

// merged are cards and, after them, those of an older list that are not among them.
func merged(cards, older []CardName) []CardName {
	there := make(map[api.CardID]bool, len(cards))
	out := make([]CardName, 0, len(cards)+len(older))
	for _, list := range [][]CardName{cards, older} {
		for i := range list {
			if !there[list[i].ID] {
				there[list[i].ID] = true
				out = append(out, list[i])
			}
		}
	}
	return out
}
