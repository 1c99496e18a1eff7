package tables

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// pair is a row of the tests.
type pair struct {
	n    int64
	text string
}

func codePair(c *Coder, p *pair) {
	c.Fields(&p.n, &p.text)
}

// world has a list, and a set in the order of its numbers.
type world struct {
	DB
	list  *List[pair]
	set   *Set[pair]
	moved int64 // the sum of the numbers that both have
}

func newWorld() *world {
	w := &world{}
	moved := func(before, after *pair) {
		if before != nil {
			w.moved -= before.n
		}
		if after != nil {
			w.moved += after.n
		}
	}
	w.list = NewList(&w.DB, codePair, moved)
	w.set = NewSet(&w.DB, func(a, b pair) int { return cmp.Compare(a.n, b.n) }, codePair, moved)
	return w
}

func (w *world) open(t *testing.T, path string) *world {
	t.Helper()
	fresh, err := w.Open(path)
	if err == nil && fresh {
		err = w.Fill(func(tx *Tx) error {
			w.list.Add(tx, pair{1, "first"})
			w.set.Insert(tx, pair{7, "seven"})
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// said is all that a world has.
func (w *world) said() string { return fmt.Sprint(w.list.Rows(), w.set.Rows, w.moved) }

// step changes a few rows at random.
func (w *world) step(tx *Tx, rng *rand.Rand) {
	for range 1 + rng.IntN(4) {
		row := pair{rng.Int64N(20), fmt.Sprint("text", rng.IntN(1000))}
		at := slices.IndexFunc(w.set.Rows, func(p pair) bool { return p.n == row.n })
		switch rng.IntN(3) {
		case 0:
			w.list.Add(tx, row)
		case 1:
			w.list.Set(tx, 1+rng.Int64N(w.list.Len()), row)
		case 2:
			if at < 0 {
				w.set.Insert(tx, row)
			} else {
				w.set.Remove(tx, w.set.Rows[at])
			}
		}
	}
}

var errRefused = errors.New("refused")

// TestWhatIsRefusedChangesNothing fails, panics or is cancelled in half of all transactions.
func TestWhatIsRefusedChangesNothing(t *testing.T) {
	for _, path := range []string{"", filepath.Join(t.TempDir(), "world")} {
		w := newWorld().open(t, path)
		rng := rand.New(rand.NewPCG(1, 1))
		for i := range 400 {
			before := w.said()
			ctx, cancel := context.WithCancel(t.Context())
			if i%4 == 3 {
				cancel()
			}
			err := func() (err error) {
				defer func() {
					if recover() != nil {
						err = errRefused
					}
				}()
				return w.Transact(ctx, func(tx *Tx) error {
					switch w.step(tx, rng); i % 4 {
					case 1:
						return errRefused
					case 2:
						panic("in the middle")
					}
					return nil
				})
			}()
			cancel()
			if refused := i%4 != 0; refused != (err != nil) || refused && w.said() != before {
				t.Fatalf("transaction %d: %v, from %s to %s", i, err, before, w.said())
			}
		}
		want := w.said()
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if path == "" {
			continue
		}
		if again := newWorld().open(t, path); again.said() != want {
			t.Errorf("opened again it has %s, want %s", again.said(), want)
		}
	}
}

// TestAFileThatIsCutAnywhereHasWholeTransactions opens each beginning of a file: it has what was committed up to there.
func TestAFileThatIsCutAnywhereHasWholeTransactions(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "world")
	w := newWorld().open(t, path)
	rng := rand.New(rand.NewPCG(2, 2))
	said := map[int64]string{w.log.size: w.said()} // by the size of the file
	for range 12 {
		if err := w.Transact(t.Context(), func(tx *Tx) error { w.step(tx, rng); return nil }); err != nil {
			t.Fatal(err)
		}
		said[w.log.size] = w.said()
	}
	base, whole := w.log.base, must(os.ReadFile(path))(t)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := ""
	for size := base; size <= int64(len(whole)); size++ {
		if now, is := said[size]; is {
			want = now
		}
		for name, end := range map[string][]byte{"cut": nil, "zeroes": make([]byte, 100)} {
			path := filepath.Join(dir, "part")
			ok(t, os.WriteFile(path, slices.Concat(whole[:size], end), 0o600))
			again := newWorld().open(t, path)
			if again.said() != want {
				t.Fatalf("%s at %d: %s, want %s", name, size, again.said(), want)
			}
			// What comes next is kept.
			ok(t, again.Transact(t.Context(), func(tx *Tx) error { again.list.Add(tx, pair{99, "next"}); return nil }))
			next := again.said()
			ok(t, again.Close())
			last := newWorld().open(t, path)
			if last.said() != next {
				t.Fatalf("%s at %d, then more: %s, want %s", name, size, last.said(), next)
			}
			ok(t, last.Close())
		}
	}
	for size := range base {
		path := filepath.Join(dir, "begun")
		ok(t, os.WriteFile(path, whole[:size], 0o600))
		if fresh, err := newWorld().Open(path); err == nil && (!fresh || size > 0) {
			t.Fatalf("%d bytes of the %d at the start were taken up", size, base)
		}
	}
}

// TestADamagedFileIsRefused changes one byte before the last transaction.
func TestADamagedFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "world")
	w := newWorld().open(t, path)
	for range 3 {
		ok(t, w.Transact(t.Context(), func(tx *Tx) error { w.list.Add(tx, pair{5, "five"}); return nil }))
	}
	at := w.log.base + frameHead
	ok(t, w.Close())
	whole := must(os.ReadFile(path))(t)
	whole[at]++
	ok(t, os.WriteFile(path, whole, 0o600))
	if _, err := newWorld().Open(path); err == nil {
		t.Error("it was taken up")
	}
}

// TestTheFileIsWrittenAnew when it has grown, and by the next process when that was killed at any byte of it.
func TestTheFileIsWrittenAnew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "world")
	w := newWorld().open(t, path)
	text := string(make([]byte, 1<<20))
	for i := range 20 {
		ok(t, w.Transact(t.Context(), func(tx *Tx) error { w.list.Set(tx, 1, pair{int64(i), text[i:]}); return nil }))
	}
	grown, want := w.log.size, w.said()
	ok(t, w.Tidy())
	if w.log.size > grown/10 || w.log.size != w.log.base || w.said() != want {
		t.Errorf("%d bytes, of %d before", w.log.size, grown)
	}
	ok(t, w.Transact(t.Context(), func(tx *Tx) error { w.list.Set(tx, 1, pair{3, "three"}); w.list.Add(tx, pair{4, "four"}); return nil }))
	want = w.said()
	ok(t, w.Close())
	before := must(os.ReadFile(path))(t)
	rows := filepath.Join(dir, "rows")
	ok(t, writeRows(rows, w.tables))
	after := must(os.ReadFile(rows))(t)
	for size := 0; size <= len(after); size++ {
		// While the rows are written beside the file it stays; while they are copied they stay.
		states := [][2][]byte{{before, after[:size]}, {after[:size], after}}
		for _, one := range states {
			ok(t, os.WriteFile(path, one[0], 0o600))
			ok(t, os.WriteFile(path+".new", one[1], 0o600))
			again := newWorld().open(t, path)
			if again.said() != want {
				t.Fatalf("killed at %d: %s, want %s", size, again.said(), want)
			}
			ok(t, again.Close())
			if _, err := os.Stat(path + ".new"); !errors.Is(err, os.ErrNotExist) {
				t.Fatalf("killed at %d: the rows stay beside the file", size)
			}
		}
	}
}

// TestAFailedAppendIsUndone takes the file away.
func TestAFailedAppendIsUndone(t *testing.T) {
	w := newWorld().open(t, filepath.Join(t.TempDir(), "world"))
	want := w.said()
	ok(t, w.log.file.Close())
	if err := w.Transact(t.Context(), func(tx *Tx) error { w.list.Add(tx, pair{2, "two"}); return nil }); err == nil || w.said() != want {
		t.Errorf("%v: %s, want %s", err, w.said(), want)
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		ok(t, err)
		return value
	}
}

// TestRowsBesideTheFileDoNotOutliveAFailure fails to write all rows: what is appended later is not lost to them.
func TestRowsBesideTheFileDoNotOutliveAFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "world")
	w := newWorld().open(t, path)
	ok(t, os.Mkdir(path+".new", 0o700))
	ok(t, os.WriteFile(filepath.Join(path+".new", "full"), nil, 0o600))
	if err := w.log.rewrite(w.tables); err == nil {
		t.Fatal("rows were written to a folder")
	}
	if err := w.Transact(t.Context(), func(tx *Tx) error { w.list.Add(tx, pair{8, "eight"}); return nil }); err == nil {
		t.Error("something is appended while rows may lie beside the file")
	}
	ok(t, os.RemoveAll(path+".new"))
	want := w.said()
	ok(t, w.Close())
	if again := newWorld().open(t, path); again.said() != want {
		t.Errorf("%s, want %s", again.said(), want)
	}
}
