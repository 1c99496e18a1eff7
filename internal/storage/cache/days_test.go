package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
)

// someDay is a day of so many transactions.
func someDay(day time.Time, n int) ledger.Closed {
	c := ledger.Closed{Day: day}
	for i := range 10 {
		c.Cards = append(c.Cards, api.CardID(fmt.Sprintf("card_%020d", i)))
		c.Merchants = append(c.Merchants, api.Text(fmt.Sprintf("Merchant %d", i)))
	}
	c.Countries = []api.Text{"DE", "US"}
	for i := range n {
		c.Rows = append(c.Rows, ledger.ClosedRow{
			ID: uint64(i) * 0x9e3779b97f4a7c15, At: int64(i) * 1_000_003, Amount: -api.USD(i) * api.Cent, Card: int32(i % 10), Merchant: int32(i%11) - 1, Country: int32(i % 3),
			Type: []api.TransactionType{api.TransactionSettlement, api.TransactionDecline}[i%2], Cause: decline.Cause(i % 7),
		})
	}
	return c
}

func theDay() time.Time { return time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC) }

func TestADayIsLoadedAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	for _, want := range []ledger.Closed{
		someDay(theDay(), 5000),
		{Day: theDay().AddDate(0, 0, -1)},
		{Day: theDay().AddDate(0, 0, -2), Cards: []api.CardID{""}, Merchants: []api.Text{""}, Rows: []ledger.ClosedRow{{Type: api.TransactionRefund}}},
	} {
		must(t, OpenDays(dir, account(testKey)).Save(want))
		if got, err := OpenDays(dir, account(testKey)).Load(want.Day); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v\n got %+v\nwant %+v", err, got, want)
		}
	}
	days, err := OpenDays(dir, account(testKey)).List(taken())
	if want := []time.Time{theDay(), theDay().AddDate(0, 0, -1), theDay().AddDate(0, 0, -2)}; err != nil || !slices.Equal(days, want) {
		t.Errorf("days %v, %v", days, err)
	}
	if days, err := OpenDays(t.TempDir(), account(testKey)).List(taken()); err != nil || len(days) != 0 {
		t.Errorf("days %v of no folder, %v", days, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]fs.FileMode{"days": 0o700, "days/2026-02-28.bin": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, path)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
}

// TestOldDaysAreRemoved with the first that is saved after them, and other files are
// left alone.
func TestOldDaysAreRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := OpenDays(dir, account(testKey))
	for n := range 33 {
		must(t, d.Save(someDay(theDay().AddDate(0, 0, -n), 3)))
	}
	for _, name := range []string{"2025-01-01.txt", "notes.bin"} {
		must(t, os.WriteFile(filepath.Join(dir, daysFolder, name), nil, 0o600))
	}
	if days, err := d.List(taken()); err != nil || len(days) != ledger.Days {
		t.Errorf("%d days, %v", len(days), err)
	}
	must(t, d.Save(someDay(theDay().AddDate(0, 0, 1), 3)))
	entries, err := os.ReadDir(filepath.Join(dir, daysFolder))
	if err != nil || len(entries) != ledger.Days+2 {
		t.Errorf("%d files, %v: %v", len(entries), err, entries)
	}
}

// TestTheRowsOfADayAreThoseOfTheVersion fails when what a file holds changes: the
// version in daysMagic has to be raised then, and the digest replaced.
func TestTheRowsOfADayAreThoseOfTheVersion(t *testing.T) {
	t.Parallel()
	c := someDay(theDay(), 25)
	w := newWriter([]byte(daysMagic))
	closed(w, &c)
	sum := sha256.Sum256(w.out)
	if got := hex.EncodeToString(sum[:8]); got != "0a23cead74a285c2" {
		t.Errorf("the rows of version %q have the digest %s", daysMagic, got)
	}
}

func TestWhatIsNoDay(t *testing.T) {
	t.Parallel()
	file := func(a Account) []byte {
		dir := t.TempDir()
		must(t, OpenDays(dir, a).Save(someDay(theDay(), 25)))
		data, err := os.ReadFile(OpenDays(dir, a).path(theDay()))
		must(t, err)
		return data
	}
	good := file(account(testKey))
	edit := func(at int, b byte) []byte {
		data := bytes.Clone(good)
		data[at] ^= b
		return data
	}
	server := account(testKey)
	server.Origin = "https://b.example.com:443"
	dir := t.TempDir()
	d := OpenDays(dir, account(testKey))
	put := func(day time.Time, data []byte, mode fs.FileMode) {
		must(t, d.Save(someDay(day, 1)))
		must(t, errors.Join(os.WriteFile(d.path(day), data, mode), os.Chmod(d.path(day), mode)))
	}
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"empty": {nil, ErrDamaged}, "a cache": {Open("", account(testKey)).pack(sample(3, 5)), ErrDamaged},
		"another version": {append([]byte("cardtop day 1\n"), good[len(daysMagic):]...), ErrVersion},
		"another key":     {file(account("sk_test_other")), ErrAccount}, "another server": {file(server), ErrAccount},
		"a flipped bit": {edit(len(good)-9, 4), ErrDamaged}, "a flipped bit of the seal": {edit(len(daysMagic)+tagSize+3, 1), ErrDamaged},
		"cut": {good[:len(good)-1], ErrDamaged}, "more behind": {append(bytes.Clone(good), 0), ErrDamaged},
	} {
		put(theDay(), c.data, 0o600)
		if got, err := d.Load(theDay()); !errors.Is(err, c.want) || len(got.Rows) > 0 {
			t.Errorf("%s: %v, %d rows", name, err, len(got.Rows))
		}
	}
	other := theDay().AddDate(0, 0, -1)
	if put(other, good, 0o600); true {
		if _, err := d.Load(other); !errors.Is(err, ErrDamaged) {
			t.Errorf("a day under another name: %v", err)
		}
	}
	if _, err := d.Load(theDay().AddDate(0, 0, -2)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	put(theDay(), good, 0o644)
	if _, err := d.Load(theDay()); !errors.Is(err, ErrShared) {
		t.Errorf("a file that others may read: %v", err)
	}
}

// FuzzDay reads anything that is sealed, as only a fault of ours would be.
func FuzzDay(f *testing.F) {
	w := newWriter(nil)
	c := someDay(theDay(), 5)
	closed(w, &c)
	f.Add(string(w.out))
	f.Fuzz(func(t *testing.T, records string) {
		var c ledger.Closed
		r := &reader{rest: records}
		closed(r, &c)
		if len(c.Rows) > len(records) || len(c.Cards) > len(records) || len(c.Merchants) > len(records) {
			t.Errorf("%d rows of %d bytes", len(c.Rows), len(records))
		}
		l := ledger.New()
		l.Restore(taken(), c)
	})
}
