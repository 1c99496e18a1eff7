package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/config/private"
)

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func fund(key api.IdempotencyKey) state.Op {
	return state.Op{ID: 3, Kind: state.OpFund, Card: "card_1", Amount: 25 * api.Dollar, Key: key, At: noon(), Tries: 1}
}

func write(t *testing.T) api.Write {
	t.Helper()
	w, err := api.FundWrite("card_1", 25*api.Dollar)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func open(t *testing.T, path string) *Journal {
	t.Helper()
	j, err := Open(path, noon)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	})
	return j
}

func place(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "profile", "operations.jsonl")
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// pendingKeys are what a new run finds at a path, in order.
func pendingKeys(t *testing.T, path string) string {
	t.Helper()
	var keys []string
	for _, op := range open(t, path).Pending() {
		keys = append(keys, string(op.Key))
	}
	return strings.Join(keys, " ")
}

func TestBeginIsOnDiskWhenItReturns(t *testing.T) {
	path := place(t)
	j := open(t, path)
	must(t, j.Begin(fund("key-1"), write(t)))
	text := content(t, path)
	for _, part := range []string{`"key":"key-1"`, `"what":"begin"`, `"card":"card_1"`, `"path":"/cards/card_1/fund"`, `"body":{"amount":25}`} {
		if !strings.Contains(text, part) {
			t.Errorf("%q lacks %s", text, part)
		}
	}
	if !strings.HasSuffix(text, "\n") {
		t.Error("the line has no end")
	}
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	info, err = os.Stat(filepath.Dir(path))
	must(t, err)
	if info.Mode().Perm() != 0o700 {
		t.Errorf("folder's mode %v", info.Mode())
	}
}

func TestARetryWritesNoSecondBeginning(t *testing.T) {
	path := place(t)
	j := open(t, path)
	must(t, j.Begin(fund("key-1"), write(t)))
	must(t, j.End(fund("key-1"), api.Unknown))
	must(t, j.Begin(fund("key-1"), write(t)))
	if n := strings.Count(content(t, path), `"begin"`); n != 1 {
		t.Errorf("%d beginnings", n)
	}
	// Nor does the retry of the next run.
	j = open(t, path)
	must(t, j.Begin(j.Pending()[0], write(t)))
	if n := strings.Count(content(t, path), `"begin"`); n != 1 {
		t.Errorf("%d beginnings after a restart", n)
	}
}

func TestWhatIsLeftForTheNextRun(t *testing.T) {
	for _, tt := range []struct {
		name string
		play func(t *testing.T, j *Journal)
		want string
	}{
		{"nothing", func(*testing.T, *Journal) {}, ""},
		{"begun", func(*testing.T, *Journal) {}, "key-1"},
		{"done", func(t *testing.T, j *Journal) { t.Helper(); must(t, j.End(fund("key-1"), api.Done)) }, ""},
		{"refused", func(t *testing.T, j *Journal) { t.Helper(); must(t, j.End(fund("key-1"), api.Refused)) }, ""},
		{"dismissed", func(t *testing.T, j *Journal) { t.Helper(); must(t, j.Dismiss(fund("key-1"))) }, ""},
		{"unknown", func(t *testing.T, j *Journal) { t.Helper(); must(t, j.End(fund("key-1"), api.Unknown)) }, "key-1"},
		{"unknown, then done", func(t *testing.T, j *Journal) {
			t.Helper()
			must(t, j.End(fund("key-1"), api.Unknown))
			must(t, j.End(fund("key-1"), api.Done))
		}, ""},
		{"several, in order", func(t *testing.T, j *Journal) {
			t.Helper()
			for _, key := range []api.IdempotencyKey{"key-0", "key-3", "key-2"} {
				must(t, j.Begin(fund(key), write(t)))
			}
			must(t, j.End(fund("key-3"), api.Done))
		}, "key-1 key-0 key-2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := place(t)
			j := open(t, path)
			if tt.name != "nothing" {
				must(t, j.Begin(fund("key-1"), write(t)))
			}
			tt.play(t, j)
			must(t, j.Close())
			if got := pendingKeys(t, path); got != tt.want {
				t.Errorf("left %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAnOperationComesBackAsItWas(t *testing.T) {
	path := place(t)
	must(t, open(t, path).Begin(fund("key-1"), write(t)))
	ops := open(t, path).Pending()
	sent := write(t)
	want := state.Op{Kind: state.OpFund, Card: "card_1", Amount: 25 * api.Dollar, Key: "key-1", At: noon(), Tries: 1, Write: &sent}
	if len(ops) != 1 || !reflect.DeepEqual(ops[0], want) {
		t.Errorf("came back as %+v", ops)
	}
}

func TestATornLastLineIsPassedOver(t *testing.T) {
	path := place(t)
	j := open(t, path)
	must(t, j.Begin(fund("key-1"), write(t)))
	must(t, j.Begin(fund("key-2"), write(t)))
	must(t, j.Close())
	whole := content(t, path)
	for cut := 1; cut < len(whole)/2-1; cut += 7 {
		must(t, os.WriteFile(path, []byte(whole[:len(whole)-1-cut]), 0o600))
		if got := pendingKeys(t, path); got != "key-1" {
			t.Fatalf("%d bytes short: %q", cut, got)
		}
		// What is written next is not joined to it.
		must(t, open(t, path).Begin(fund("key-3"), write(t)))
		if got := pendingKeys(t, path); got != "key-1 key-3" {
			t.Fatalf("%d bytes short, then one more: %q", cut, got)
		}
	}
}

func TestLinesThatAreNoRecordsArePassedOver(t *testing.T) {
	path := place(t)
	must(t, open(t, path).Begin(fund("key-1"), write(t)))
	must(t, os.WriteFile(path, []byte("\x00\x00\n{}\nnot json\n"+content(t, path)+"[]\n"), 0o600))
	if got := pendingKeys(t, path); got != "key-1" {
		t.Errorf("left %q", got)
	}
}

// device is a file that fails when it is told to.
type device struct {
	lines    []string
	short    int // bytes of the next write that arrive before it fails
	writeErr error
	syncErr  error
	synced   int
}

func (d *device) Write(line []byte) (int, error) {
	if d.writeErr != nil {
		err := d.writeErr
		d.writeErr = nil
		d.lines = append(d.lines, string(line[:d.short]))
		return d.short, err
	}
	d.lines = append(d.lines, string(line))
	d.synced = 0
	return len(line), nil
}

func (d *device) Sync() error {
	err := d.syncErr
	d.syncErr = nil
	d.synced++
	return err
}

func (d *device) Close() error { return nil }

func TestEveryRecordIsSynced(t *testing.T) {
	d := &device{}
	j := &Journal{now: noon, open: make(map[api.IdempotencyKey]bool), file: d}
	for name, step := range map[string]func() error{
		"begin":   func() error { return j.Begin(fund("key-1"), write(t)) },
		"end":     func() error { return j.End(fund("key-1"), api.Unknown) },
		"dismiss": func() error { return j.Dismiss(fund("key-1")) },
	} {
		must(t, step())
		if d.synced != 1 {
			t.Errorf("%s: synced %d times", name, d.synced)
		}
	}
}

// TestAWriteThatFailsIsNotBegun also loads what reached the disk.
func TestAWriteThatFailsIsNotBegun(t *testing.T) {
	full := errors.New("disk full")
	for name, d := range map[string]*device{
		"nothing arrives":      {writeErr: full},
		"half a line arrives":  {writeErr: full, short: 40},
		"the sync is not done": {syncErr: full},
	} {
		t.Run(name, func(t *testing.T) {
			j := &Journal{now: noon, open: make(map[api.IdempotencyKey]bool), file: d}
			if err := j.Begin(fund("key-1"), write(t)); !errors.Is(err, full) {
				t.Fatalf("begin: %v", err)
			}
			must(t, j.Begin(fund("key-2"), write(t)))
			path := place(t)
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			must(t, os.WriteFile(path, []byte(strings.Join(d.lines, "")), 0o600))
			if got := pendingKeys(t, path); got != "key-2" {
				t.Errorf("left %q of %q", got, d.lines)
			}
			// It was not begun: another try writes it.
			before := len(d.lines)
			must(t, j.Begin(fund("key-1"), write(t)))
			if len(d.lines) == before {
				t.Error("a beginning that failed counts as one")
			}
		})
	}
}

func TestHalfALineDoesNotSwallowTheNext(t *testing.T) {
	d := &device{}
	j := &Journal{now: noon, open: make(map[api.IdempotencyKey]bool), file: d}
	must(t, j.Begin(fund("key-1"), write(t)))
	d.writeErr, d.short = errors.New("disk full"), 20
	if err := j.End(fund("key-1"), api.Done); err == nil {
		t.Fatal("no error")
	}
	must(t, j.Begin(fund("key-2"), write(t)))
	path := place(t)
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(strings.Join(d.lines, "")), 0o600))
	if got := pendingKeys(t, path); got != "key-1 key-2" {
		t.Errorf("left %q", got)
	}
}

func TestWithoutAPathNothingIsKept(t *testing.T) {
	j := open(t, "")
	must(t, j.Begin(fund("key-1"), write(t)))
	must(t, j.End(fund("key-1"), api.Done))
	must(t, j.Dismiss(fund("key-1")))
	if len(j.Pending()) != 0 {
		t.Error("something is pending")
	}
}

func TestOpenTellsWhyItCannot(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	long := filepath.Join(dir, "long")
	must(t, os.WriteFile(long, []byte(strings.Repeat("x", 70_000)), 0o600))
	for name, path := range map[string]string{
		"a file where a folder is needed": filepath.Join(file, "operations.jsonl"),
		"a folder where a file is needed": dir,
		"a line without end":              long,
	} {
		if _, err := Open(path, noon); err == nil || !strings.Contains(err.Error(), "journal: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOpenTidies closes a run and opens the next.
func TestOpenTidies(t *testing.T) {
	fill := func(t *testing.T, j *Journal, size int) {
		t.Helper()
		d := &device{}
		whole := j.file
		j.file = d
		for i := 0; size > 0; i++ {
			op := fund(api.IdempotencyKey(fmt.Sprintf("old-%d", i)))
			must(t, errors.Join(j.Begin(op, write(t)), j.End(op, api.Done)))
			size -= len(d.lines[2*i]) + len(d.lines[2*i+1])
		}
		j.file = whole
		_, err := whole.Write([]byte(strings.Join(d.lines, "")))
		must(t, err)
	}
	for _, tt := range []struct {
		name    string
		size    int
		pending bool
		beside  bool
		tidied  bool
	}{
		{"all settled", 1000, false, false, true},
		{"a little is kept for what is pending", 1000, true, false, false},
		{"much is not", 1<<20 + 1, true, false, true},
		{"not while another run writes", 1<<20 + 1, true, true, false},
		{"nor when all is settled", 1000, false, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := place(t)
			j := open(t, path)
			want := ""
			if tt.pending {
				want = "key-1 key-2"
				must(t, j.Begin(fund("key-1"), write(t)))
			}
			fill(t, j, tt.size)
			if tt.pending {
				must(t, j.Begin(fund("key-2"), write(t)))
			}
			before := content(t, path)
			if !tt.beside {
				must(t, j.Close())
			}
			next := open(t, path)
			after := content(t, path)
			if tidied := len(after) < len(before); tidied != tt.tidied || tidied && strings.Contains(after, "old-") {
				t.Errorf("%d bytes of %d are left", len(after), len(before))
			}
			if tt.beside {
				must(t, j.Begin(fund("key-9"), write(t)))
				want = strings.TrimSpace(want + " key-9")
			}
			for _, op := range next.Pending() {
				must(t, next.Begin(op, write(t)))
			}
			if got := pendingKeys(t, path); got != want {
				t.Errorf("left %q, want %q", got, want)
			}
			if n := strings.Count(content(t, path), "begin") - strings.Count(content(t, path), "old-")/2; n != len(strings.Fields(want)) {
				t.Errorf("%d beginnings", n)
			}
			info, err := os.Stat(path)
			must(t, err)
			if info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v", info.Mode())
			}
		})
	}
}

func TestATornLineIsTidiedAway(t *testing.T) {
	path := place(t)
	j := open(t, path)
	must(t, errors.Join(j.Begin(fund("key-1"), write(t)), j.End(fund("key-1"), api.Done), j.Close()))
	must(t, os.WriteFile(path, []byte(content(t, path)+`{"key":"key-2","wh`), 0o600))
	must(t, open(t, path).Begin(fund("key-3"), write(t)))
	if text := content(t, path); strings.Contains(text, "key-2") || strings.HasPrefix(text, "\n") || pendingKeys(t, path) != "key-3" {
		t.Errorf("holds %q", text)
	}
}

func TestAJournalOfSomebodyElseIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"others may write": func(path string) error { return os.Chmod(path, 0o666) },
		"a link": func(path string) error {
			return errors.Join(os.Rename(path, path+".real"), os.Symlink(path+".real", path))
		},
		"a linked folder": func(path string) error {
			dir := filepath.Dir(path)
			return errors.Join(os.Rename(dir, dir+".real"), os.Symlink(dir+".real", dir))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := place(t)
			j := open(t, path)
			must(t, errors.Join(j.Begin(fund("key-1"), write(t)), j.Close()))
			must(t, spoil(path))
			var distrust *private.TrustError
			if _, err := Open(path, noon); !errors.As(err, &distrust) {
				t.Errorf("opened: %v", err)
			}
		})
	}
}

func TestSeveralGoroutinesMayWrite(t *testing.T) {
	path := place(t)
	j := open(t, path)
	w := write(t)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			op := fund(api.IdempotencyKey(strings.Repeat("k", i+1)))
			if err := errors.Join(j.Begin(op, w), j.End(op, api.Done)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := pendingKeys(t, path); got != "" {
		t.Errorf("left %q", got)
	}
	if n := strings.Count(content(t, path), "\n"); n != 16 {
		t.Errorf("%d lines", n)
	}
}
