package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/state/ledger"
)

const (
	daysFolder = "days"
	daysEnding = ".bin"
	// daysMagic is the magic of the files of days.
	daysMagic = "cardtop day 3\n"
	// leastRow is fewer bytes than a row of a day takes, rowSize about what one does.
	leastRow = 8
	rowSize  = 24
	dayLong  = 24 * time.Hour
)

// Days are the days of one profile's ledger that are over, a file each. It may be used
// from several goroutines.
type Days struct {
	dir  string
	seal seal

	mu sync.Mutex // held while a file is written
}

// OpenDays uses a folder. Nothing is read or made before List and Save.
func OpenDays(dir string, a Account) *Days {
	return &Days{dir: filepath.Join(dir, daysFolder), seal: sealOf(a, daysMagic)}
}

// List returns the days that are stored and that a ledger still holds, latest first.
func (d *Days) List(now time.Time) ([]time.Time, error) {
	all, err := d.list()
	if err != nil {
		return nil, fmt.Errorf("list days: %w", err)
	}
	slices.Reverse(all)
	return slices.DeleteFunc(all, func(day time.Time) bool { return now.Sub(day) > (ledger.Days+1)*dayLong }), nil
}

// list returns all days that there are files of, oldest first.
func (d *Days) list() ([]time.Time, error) {
	entries, err := os.ReadDir(d.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var days []time.Time
	for _, e := range entries { // In the order of their names.
		name, ok := strings.CutSuffix(e.Name(), daysEnding)
		if day, err := time.Parse(time.DateOnly, name); ok && err == nil {
			days = append(days, day)
		}
	}
	return days, nil
}

// Load returns a day. The error is why its file is not used.
func (d *Days) Load(day time.Time) (ledger.Closed, error) {
	c, err := d.load(day)
	if err != nil {
		return ledger.Closed{}, fmt.Errorf("load %s: %w", day.Format(time.DateOnly), err)
	}
	return c, nil
}

func (d *Days) load(day time.Time) (ledger.Closed, error) {
	data, err := read(d.path(day))
	if err != nil {
		return ledger.Closed{}, err
	}
	records, err := d.seal.open(data)
	if err != nil {
		return ledger.Closed{}, named(d.path(day), err)
	}
	var c ledger.Closed
	r := &reader{rest: records}
	if closed(r, &c); r.bad || r.rest != "" || !c.Day.Equal(day) {
		return ledger.Closed{}, ErrDamaged
	}
	return c, nil
}

// Save stores a day in place of what is stored of it, and removes those that no ledger
// of that day or a later one holds.
func (d *Days) Save(c ledger.Closed) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := newWriter(slices.Grow(d.seal.header(), len(c.Rows)*rowSize))
	closed(w, &c)
	if err := d.seal.write(d.path(c.Day), d.seal.close(w.out)); err != nil {
		return fmt.Errorf("save %s: %w", c.Day.Format(time.DateOnly), err)
	}
	all, err := d.list()
	for _, day := range all {
		if c.Day.Sub(day) >= ledger.Days*dayLong && d.seal.replaceable(d.path(day)) == nil {
			err = errors.Join(err, os.Remove(d.path(day)))
		}
	}
	if err != nil {
		return fmt.Errorf("remove old days: %w", err)
	}
	return nil
}

func (d *Days) path(day time.Time) string {
	return filepath.Join(d.dir, day.UTC().Format(time.DateOnly)+daysEnding)
}

// closed codes a day of the ledger.
func closed(c coder, d *ledger.Closed) {
	moment(c, &d.Day)
	list(c, &d.Cards, 1, text)
	list(c, &d.Merchants, 1, text)
	list(c, &d.Countries, 1, text)
	list(c, &d.Rows, leastRow, closedRow)
}

func closedRow(c coder, r *ledger.ClosedRow) {
	r.ID = uint64(c.number(int64(r.ID)))
	number(c, &r.At)
	number(c, &r.Amount)
	number(c, &r.Card)
	number(c, &r.Merchant)
	number(c, &r.Country)
	word(c, &r.Type)
	number(c, &r.Cause)
}
