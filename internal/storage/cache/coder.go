package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
)

// writer appends what it is passed.
type writer struct {
	out   []byte
	words map[string]uint64
}

func newWriter(header []byte) *writer {
	return &writer{out: header, words: make(map[string]uint64)}
}

func (w *writer) number(v int64) int64 {
	w.out = binary.AppendVarint(w.out, v)
	return v
}

func (w *writer) name(v string) string { return w.text(v) }

func (w *writer) text(v string) string {
	w.out = binary.AppendUvarint(w.out, uint64(len(v)))
	w.out = append(w.out, v...)
	return v
}

// word writes a text the first time and its number from then on.
func (w *writer) word(v string) string {
	n := w.words[v]
	w.out = binary.AppendUvarint(w.out, n)
	if n == 0 {
		w.words[v] = uint64(len(w.words)) + 1
		w.text(v)
	}
	return v
}

func (w *writer) count(n, _ int) int {
	w.out = binary.AppendUvarint(w.out, uint64(n))
	return n
}

// reader reads the values that a writer wrote. After the first
// invalid one it returns zeros.
type reader struct {
	rest  string
	words []string
	kept  strings.Builder
	bad   bool
}

func (r *reader) fail() { r.rest, r.bad = "", true }

// number undoes the zigzag that keeps small negative numbers short.
func (r *reader) number(int64) int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (r *reader) uvarint() uint64 {
	var v uint64
	for i := range min(len(r.rest), binary.MaxVarintLen64) {
		b := r.rest[i]
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.rest = r.rest[i+1:]
			return v
		}
	}
	r.fail()
	return 0
}

func (r *reader) raw() string {
	n := r.uvarint()
	if n > uint64(len(r.rest)) {
		r.fail()
		return ""
	}
	var s string
	s, r.rest = r.rest[:n], r.rest[n:]
	return s
}

// name accepts printable ASCII without blanks, as all identifiers are.
func (r *reader) name(string) string {
	s := r.raw()
	if s == "" || strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c > '~' }) {
		r.fail()
		return ""
	}
	return r.keep(s)
}

// keptTogether is how many bytes of text are one piece of memory: 100,000 identifiers and
// labels of their own would take the collector a third longer to look at.
const keptTogether = 4 << 10

// keep copies what stays when the rest of the file does not.
func (r *reader) keep(s string) string {
	if r.kept.Cap()-r.kept.Len() < len(s) {
		r.kept = strings.Builder{}
		r.kept.Grow(max(len(s), keptTogether))
	}
	from := r.kept.Len()
	r.kept.WriteString(s)
	return r.kept.String()[from:]
}

// text sanitises what it reads, like all text that is decoded.
func (r *reader) text(string) string { return r.keep(string(api.Clean(r.raw()))) }

func (r *reader) word(string) string {
	n := r.uvarint()
	switch {
	case n > uint64(len(r.words)):
		r.fail()
		return ""
	case n > 0:
		return r.words[n-1]
	}
	r.words = append(r.words, r.text(""))
	return r.words[len(r.words)-1]
}

// count refuses more records than the rest has bytes for.
func (r *reader) count(_, size int) int {
	n := r.uvarint()
	if n > uint64(len(r.rest)/size) {
		r.fail()
		return 0
	}
	return int(n)
}

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
