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
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
)

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// expected is what a funding of $25 leaves.
func expected() state.Preview {
	return state.Preview{
		CardBefore: 10 * api.Dollar, CardAfter: 35 * api.Dollar, WalletBefore: 100 * api.Dollar, WalletAfter: 75 * api.Dollar,
	}
}

func fund(key api.IdempotencyKey) state.Op {
	return state.Op{ID: 3, Kind: state.OpFund, Card: "card_1", Amount: 25 * api.Dollar, Key: key, At: noon(), Tries: 1, Expected: expected(), Label: "fb/01"}
}

func write(t *testing.T) api.Write {
	t.Helper()
	w, err := api.FundWrite("card_1", 25*api.Dollar)
	must(t, err)
	return w
}

func opened(t *testing.T, dir string) *Journal {
	t.Helper()
	j, err := Open(dir, noon)
	must(t, err)
	t.Cleanup(func() { must(t, j.Close()) })
	return j
}

// kill ends a run as SIGKILL does: nothing is said, the lock is gone.
func kill(t *testing.T, j *Journal) {
	t.Helper()
	must(t, j.file.Close())
	j.file = nil
}

func place(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "profile")
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return string(data)
}

// files are the names of the runs' files below a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, folder, "*"+suffix))
	must(t, err)
	return paths
}

// fill makes the file of a run that is over.
func fill(t *testing.T, dir, name, text string) string {
	t.Helper()
	must(t, os.MkdirAll(filepath.Join(dir, folder), 0o700))
	path := filepath.Join(dir, folder, name+suffix)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func keysOf(ops []state.Op) string {
	var keys []string
	for _, op := range ops {
		keys = append(keys, string(op.Key))
	}
	return strings.Join(keys, " ")
}

// pendingKeys are what a new run finds, in order. It ends and leaves it.
func pendingKeys(t *testing.T, dir string) string {
	t.Helper()
	j := opened(t, dir)
	defer func() { must(t, j.Close()) }()
	return keysOf(j.Pending())
}

func TestBeginIsOnDiskWhenItReturns(t *testing.T) {
	dir := place(t)
	j := opened(t, dir)
	must(t, j.Begin(fund("key-1"), write(t)))
	text := content(t, j.path)
	for _, part := range []string{`"key":"key-1"`, `"what":"begin"`, `"card":"card_1"`, `"path":"/cards/card_1/fund"`, `"body":{"amount":25}`} {
		if !strings.Contains(text, part) {
			t.Errorf("%q lacks %s", text, part)
		}
	}
	if !strings.HasSuffix(text, "\n") {
		t.Error("the line has no end")
	}
	for path, want := range map[string]os.FileMode{j.path: 0o600, dir: 0o700, j.dir: 0o700} {
		info, err := os.Stat(path)
		must(t, err)
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
	}
}

func TestARetryWritesNoSecondBeginning(t *testing.T) {
	dir := place(t)
	j := opened(t, dir)
	must(t, j.Begin(fund("key-1"), write(t)))
	must(t, j.End(fund("key-1"), api.Unknown))
	must(t, j.Begin(fund("key-1"), write(t)))
	if n := strings.Count(content(t, j.path), `"begin"`); n != 1 {
		t.Errorf("%d beginnings", n)
	}
	// Nor does the retry of the next run.
	kill(t, j)
	j = opened(t, dir)
	must(t, j.Begin(j.Pending()[0], write(t)))
	if text := content(t, j.path); strings.Count(text, `"begin"`) != 1 || !strings.Contains(text, `"unknown"`) {
		t.Errorf("after a restart: %s", text)
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
		{"dismissed", func(t *testing.T, j *Journal) { t.Helper(); must(t, j.Dismiss(fund("key-1"), state.OpStatusDismissed)) }, ""},
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
		for _, killed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, killed %v", tt.name, killed), func(t *testing.T) {
				dir := place(t)
				j := opened(t, dir)
				if tt.name != "nothing" {
					must(t, j.Begin(fund("key-1"), write(t)))
				}
				tt.play(t, j)
				if killed {
					kill(t, j)
				} else {
					must(t, j.Close())
				}
				if n := len(files(t, dir)); !killed && (n > 0) != (tt.want != "") {
					t.Errorf("%d files after the end", n)
				}
				// It goes from run to run until it is settled.
				for range 2 {
					if got := pendingKeys(t, dir); got != tt.want {
						t.Errorf("left %q, want %q", got, tt.want)
					}
				}
				if n := len(files(t, dir)); n != min(1, len(tt.want)) {
					t.Errorf("%d files are left", n)
				}
			})
		}
	}
}

func TestAnOperationComesBackAsItWas(t *testing.T) {
	dir := place(t)
	j := opened(t, dir)
	must(t, j.Begin(fund("key-1"), write(t)))
	kill(t, j)
	ops := opened(t, dir).Pending()
	sent := write(t)
	want := state.Op{Kind: state.OpFund, Card: "card_1", Amount: 25 * api.Dollar, Key: "key-1", At: noon(), Tries: 1, Expected: expected(), Label: "fb/01", Write: &sent}
	if len(ops) != 1 || !reflect.DeepEqual(ops[0], want) {
		t.Errorf("came back as %+v", ops)
	}
}

func TestATornLastLineIsPassedOver(t *testing.T) {
	dir := place(t)
	j := opened(t, dir)
	must(t, j.Begin(fund("key-1"), write(t)))
	must(t, j.Begin(fund("key-2"), write(t)))
	whole := content(t, j.path)
	kill(t, j)
	must(t, os.Remove(j.path))
	for cut := 1; cut < len(whole)/2-1; cut += 7 {
		dir := place(t)
		fill(t, dir, "1", whole[:len(whole)-1-cut])
		if got := pendingKeys(t, dir); got != "key-1" {
			t.Fatalf("%d bytes short: %q", cut, got)
		}
	}
}

func TestAWriteThatMayBeThereIsNotSaidToBeUnsent(t *testing.T) {
	full := errors.New("disk full")
	d := &device{syncErr: full}
	j := &Journal{now: noon, own: newTable(""), output: output{file: refusesSecond{d, full}}}
	if err := j.Begin(fund("key-1"), write(t)); !errors.Is(err, state.ErrMaybeBegun) || !errors.Is(err, full) {
		t.Errorf("the line is there and could not be refused: %v", err)
	}
	d = &device{writeErr: full, short: 40}
	j = &Journal{now: noon, own: newTable(""), output: output{file: d}}
	if err := j.Begin(fund("key-1"), write(t)); err == nil || errors.Is(err, state.ErrMaybeBegun) || strings.Join(d.lines, "") != "" {
		t.Errorf("the line was cut off again: %v, %q", err, d.lines)
	}
}

// refusesSecond is a device whose second write and those after it fail, and are not cut off.
type refusesSecond struct {
	*device
	err error
}

func (d refusesSecond) Truncate(int64) error { return d.err }

func (d refusesSecond) Write(line []byte) (int, error) {
	if len(d.lines) > 0 {
		return 0, d.err
	}
	return d.device.Write(line)
}

func TestAClosedJournalBeginsAndEndsNothing(t *testing.T) {
	for _, dir := range []string{"", place(t)} {
		j := opened(t, dir)
		must(t, j.Begin(fund("key-1"), write(t)))
		must(t, j.Close())
		for what, err := range map[string]error{
			"begin": j.Begin(fund("key-2"), write(t)), "retry": j.Begin(fund("key-1"), write(t)), "end": j.End(fund("key-1"), api.Done),
		} {
			if err == nil {
				t.Errorf("%s in %q: no error", what, dir)
			}
		}
	}
}

// device is a file that fails when it is told to.
type device struct {
	lines    []string
	short    int // bytes of the next write that arrive before it fails
	writeErr error
	syncErr  error
	cutErr   error // of Truncate
	synced   int
}

func (d *device) Truncate(size int64) error {
	if d.cutErr == nil {
		d.lines = []string{strings.Join(d.lines, "")[:size]}
	}
	return d.cutErr
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
	j := &Journal{now: noon, own: newTable(""), output: output{file: d}}
	for name, step := range map[string]func() error{
		"begin":   func() error { return j.Begin(fund("key-1"), write(t)) },
		"end":     func() error { return j.End(fund("key-1"), api.Unknown) },
		"dismiss": func() error { return j.Dismiss(fund("key-1"), state.OpStatusDismissed) },
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
		"and stays":            {writeErr: full, short: 40, cutErr: full},
		"the sync is not done": {syncErr: full},
	} {
		t.Run(name, func(t *testing.T) {
			j := &Journal{now: noon, own: newTable(""), output: output{file: d}}
			if err := j.Begin(fund("key-1"), write(t)); !errors.Is(err, full) {
				t.Fatalf("begin: %v", err)
			}
			must(t, j.Begin(fund("key-2"), write(t)))
			dir := place(t)
			fill(t, dir, "1", strings.Join(d.lines, ""))
			if got := pendingKeys(t, dir); got != "key-2" {
				t.Errorf("left %q of %q", got, d.lines)
			}
			// It was not begun: another try writes it.
			before := strings.Join(d.lines, "")
			must(t, j.Begin(fund("key-1"), write(t)))
			if strings.Join(d.lines, "") == before {
				t.Error("a beginning that failed counts as one")
			}
		})
	}
}

func TestHalfALineDoesNotSwallowTheNext(t *testing.T) {
	d := &device{}
	j := &Journal{now: noon, own: newTable(""), output: output{file: d}}
	must(t, j.Begin(fund("key-1"), write(t)))
	d.writeErr, d.short = errors.New("disk full"), 20
	if err := j.End(fund("key-1"), api.Done); err == nil {
		t.Fatal("no error")
	}
	must(t, j.Begin(fund("key-2"), write(t)))
	dir := place(t)
	fill(t, dir, "1", strings.Join(d.lines, ""))
	if got := pendingKeys(t, dir); got != "key-1 key-2" {
		t.Errorf("left %q", got)
	}
}

func TestWithoutAFolderNothingIsKept(t *testing.T) {
	j := opened(t, "")
	must(t, j.Begin(fund("key-1"), write(t)))
	if ops, err := j.UnderWay(); err != nil || keysOf(ops) != "key-1" {
		t.Errorf("under way: %v, %v", ops, err)
	}
	must(t, j.End(fund("key-1"), api.Done))
	must(t, j.Dismiss(fund("key-1"), state.OpStatusDismissed))
	if ops, err := j.Adopt(); err != nil || len(ops)+len(j.Pending()) != 0 {
		t.Errorf("something is pending: %v, %v", ops, err)
	}
	if fates, err := j.Fates([]api.IdempotencyKey{"key-1", "key-2"}); err != nil || len(fates) != 1 || fates["key-1"].Status != state.OpStatusDismissed {
		t.Errorf("fates %v, %v", fates, err)
	}
}

func TestOpenTellsWhyItCannot(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"a file where a folder is needed": func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"a folder where a file is needed": func(dir string) error {
			return os.MkdirAll(filepath.Join(dir, folder, "1"+suffix), 0o700)
		},
		"a line without end": func(dir string) error {
			return errors.Join(os.MkdirAll(filepath.Join(dir, folder), 0o700),
				os.WriteFile(filepath.Join(dir, folder, "1"+suffix), []byte(strings.Repeat("x", longestLine+1)), 0o600))
		},
	} {
		dir := place(t)
		must(t, spoil(dir))
		if _, err := Open(dir, noon); err == nil || !strings.Contains(err.Error(), "journal: ") {
			t.Errorf("%s: %v", name, err)
		}
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
			dir := place(t)
			j := opened(t, dir)
			must(t, errors.Join(j.Begin(fund("key-1"), write(t)), j.Close()))
			must(t, spoil(j.path))
			var distrust *fsafe.TrustError
			if _, err := Open(dir, noon); !errors.As(err, &distrust) {
				t.Errorf("opened: %v", err)
			}
		})
	}
}

func TestSeveralGoroutinesMayWrite(t *testing.T) {
	j := opened(t, place(t))
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
	if ops, err := j.UnderWay(); err != nil || len(ops) != 0 {
		t.Errorf("left %v, %v", ops, err)
	}
	if n := strings.Count(content(t, j.path), "\n"); n != 16 {
		t.Errorf("%d lines", n)
	}
}

func TestTheBodyOfASensitiveWriteIsNotKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	j, err := Open(dir, noon)
	must(t, err)
	w := api.Write{Method: "POST", Route: "/webhooks", Path: "/webhooks", Body: []byte(`{"secret":"NOTTOBESEEN"}`), Sensitive: true}
	must(t, j.Begin(state.Op{Kind: state.OpSubscribe, Key: "key-1", At: noon(), Write: &w}, w))
	must(t, j.Close())
	files, err := filepath.Glob(filepath.Join(dir, "operations", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	if data, err := os.ReadFile(files[0]); err != nil || strings.Contains(string(data), "NOTTOBESEEN") {
		t.Errorf("kept %s, %v", data, err)
	}
	next, err := Open(dir, noon)
	must(t, err)
	defer func() { _ = next.Close() }()
	left := next.Pending()
	if len(left) != 1 || left[0].Write == nil || !left[0].Write.Sensitive || len(left[0].Write.Body) != 0 {
		t.Errorf("left %+v", left)
	}
}

// TestTheBytesOfARequestStay holds that what is sent again is what was sent: a service
// refuses the same key with other bytes.
func TestTheBytesOfARequestStay(t *testing.T) {
	dir := place(t)
	a := opened(t, dir)
	for i, body := range []string{`{"label":"A&B <x> \u2028"}`, `{"label":"a\u2028b","n":1e2}`, `{"label":"\u003c"}`} {
		op := fund(api.IdempotencyKey(fmt.Sprint("key-", i)))
		must(t, a.Begin(op, api.Write{Method: "POST", Route: "/cards", Path: "/cards", Body: []byte(body)}))
		ops, err := a.UnderWay()
		must(t, err)
		if got := string(ops[i].Write.Body); got != body {
			t.Errorf("%s became %s", body, got)
		}
	}
	kill(t, a)
	for i, op := range opened(t, dir).Pending() {
		if op.Key != api.IdempotencyKey(fmt.Sprint("key-", i)) || strings.Contains(string(op.Write.Body), "\\u0026") {
			t.Errorf("%s: %s", op.Key, op.Write.Body)
		}
	}
}
