package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
)

func adopted(t *testing.T, j *Journal) string {
	t.Helper()
	ops, err := j.Adopt()
	must(t, err)
	return keysOf(ops)
}

func fates(t *testing.T, j *Journal, keys ...api.IdempotencyKey) string {
	t.Helper()
	got, err := j.Fates(keys)
	must(t, err)
	var out []string
	for _, key := range keys {
		if f, ok := got[key]; ok {
			out = append(out, string(key)+" "+f.Status)
		}
	}
	return strings.Join(out, ", ")
}

func TestWhatALivingRunHasIsLeftToIt(t *testing.T) {
	dir := place(t)
	a, b := opened(t, dir), opened(t, dir)
	must(t, a.Begin(fund("key-1"), write(t)))
	must(t, errors.Join(b.Begin(fund("key-2"), write(t)), b.End(fund("key-2"), api.Unknown)))
	if got := adopted(t, b) + adopted(t, a) + keysOf(opened(t, dir).Pending()); got != "" {
		t.Errorf("took %q from the living", got)
	}
	if got := fates(t, a, "key-1", "key-2", "key-3"); got != "key-1 begun, key-2 unknown" {
		t.Errorf("fates: %s", got)
	}
	if ops, err := b.UnderWay(); err != nil || keysOf(ops) != "key-1 key-2" {
		t.Errorf("under way: %v, %v", ops, err)
	}
	before := len(files(t, dir))
	if ops, err := ReadUnderWay(dir); err != nil || len(ops) != 2 || len(files(t, dir)) != before {
		t.Errorf("read under way: %v, %v", ops, err)
	}
	if ops, err := ReadUnderWay(filepath.Join(dir, "none")); err != nil || len(ops) != 0 {
		t.Errorf("read under way of nothing: %v, %v", ops, err)
	}
}

func TestWhatAKilledRunLeftIsTakenOnce(t *testing.T) {
	dir := place(t)
	a, b, c := opened(t, dir), opened(t, dir), opened(t, dir)
	must(t, errors.Join(a.Begin(fund("key-1"), write(t)), a.Begin(fund("key-2"), write(t)), a.End(fund("key-2"), api.Done)))
	must(t, errors.Join(a.Begin(fund("key-3"), write(t)), a.End(fund("key-3"), api.Unknown)))
	kill(t, a)
	if got := fates(t, c, "key-1", "key-2", "key-3"); got != "key-1 begun, key-2 done, key-3 unknown" {
		t.Errorf("fates before: %s", got)
	}
	if got := adopted(t, b) + "|" + adopted(t, b) + "|" + adopted(t, c); got != "key-1 key-3||" {
		t.Errorf("taken: %s", got)
	}
	if got := fates(t, c, "key-1", "key-3"); got != "key-1 begun, key-3 unknown" {
		t.Errorf("fates after: %s", got)
	}
	if n := len(files(t, dir)); n != 2 {
		t.Errorf("%d files", n)
	}
	must(t, errors.Join(b.End(fund("key-1"), api.Done), b.Dismiss(fund("key-3"), state.OpStatusDismissed)))
	kill(t, b)
	if got := adopted(t, c); got != "" {
		t.Errorf("settled ones came back: %s", got)
	}
}

// TestAnAdopterKilledHalfwayDoublesNothing leaves an operation in two files.
func TestAnAdopterKilledHalfwayDoublesNothing(t *testing.T) {
	// file has a beginning for each key, refused first or done after it where the key says so.
	file := func(keys ...string) string {
		d := &device{}
		j := &Journal{now: noon, own: newTable(""), output: output{file: d}}
		for _, said := range keys {
			key, done := strings.CutSuffix(said, " done")
			op := fund(api.IdempotencyKey(strings.TrimPrefix(key, "refused ")))
			if op.Key != api.IdempotencyKey(key) {
				must(t, j.End(op, api.Refused))
			}
			must(t, j.Begin(op, write(t)))
			if done {
				must(t, j.End(op, api.Done))
			}
		}
		return strings.Join(d.lines, "")
	}
	for _, tt := range []struct {
		name, first, second, want string
	}{
		{"in both", file("key-1"), file("key-1"), "key-1"},
		{"settled by the adopter", file("key-1"), file("key-1 done"), ""},
		{"settled in the other", file("key-1 done"), file("key-1"), ""},
		{"not synced yet", file("key-1", "key-2"), file("key-1"), "key-1 key-2"},
		{"refused before it began", file("refused key-1"), "", "key-1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := place(t)
			fill(t, dir, "1", tt.first)
			fill(t, dir, "2", tt.second)
			if got := pendingKeys(t, dir); got != tt.want {
				t.Errorf("left %q, want %q", got, tt.want)
			}
		})
	}
	t.Run("the adopter lives", func(t *testing.T) {
		dir := place(t)
		a := opened(t, dir)
		must(t, a.Begin(fund("key-1"), write(t)))
		fill(t, dir, "1", file("key-1", "key-2"))
		if got := keysOf(opened(t, dir).Pending()); got != "key-2" {
			t.Errorf("took %q", got)
		}
		fill(t, dir, "2", file("key-1"))
		if got := adopted(t, a); got != "" {
			t.Errorf("took its own: %q", got)
		}
	})
}

func TestOnlyOneTakesOverAtATime(t *testing.T) {
	dir := place(t)
	a := opened(t, dir)
	fill(t, dir, "1", "")
	mine, err := fsafe.Lock(filepath.Join(dir, folder, turn), 0)
	must(t, err)
	if got := adopted(t, a); got != "" || len(files(t, dir)) != 2 {
		t.Errorf("took %q while another took over", got)
	}
	must(t, mine.Close())
	if adopted(t, a); len(files(t, dir)) != 1 {
		t.Error("an empty file stays")
	}
}

func TestARunThatSendsNothingOnlyLooks(t *testing.T) {
	dir := place(t)
	a := opened(t, dir)
	must(t, errors.Join(a.Begin(fund("key-1"), write(t)), a.Begin(fund("key-2"), write(t))))
	living := opened(t, dir)
	must(t, living.Begin(fund("key-3"), write(t)))
	kill(t, a)
	look, err := OpenReadOnly(dir, noon)
	must(t, err)
	if got := keysOf(look.Pending()); got != "key-1 key-2" {
		t.Errorf("sees %q", got)
	}
	if got := adopted(t, look); got != "" {
		t.Errorf("takes %q", got)
	}
	// What a person dismissed there is dismissed for all, before and after its
	// end.
	must(t, look.Dismiss(fund("key-1"), state.OpStatusDismissed))
	if got := adopted(t, living); got != "key-2" {
		t.Errorf("the other takes %q", got)
	}
	must(t, look.Close())
	if got := adopted(t, living); got != "" || len(files(t, dir)) != 1 {
		t.Errorf("then %q, %v", got, files(t, dir))
	}
}

func TestWhatWasDismissedInAReadOnlyRunStaysSo(t *testing.T) {
	dir := place(t)
	a := opened(t, dir)
	must(t, errors.Join(a.Begin(fund("key-1"), write(t)), a.Begin(fund("key-2"), write(t))))
	kill(t, a)
	look, err := OpenReadOnly(dir, noon)
	must(t, err)
	must(t, errors.Join(look.Dismiss(fund("key-1"), state.OpStatusDismissed), look.Close()))
	if got := pendingKeys(t, dir); got != "key-2" {
		t.Errorf("left %q", got)
	}
}

func TestALongRunWritesItsFileAnew(t *testing.T) {
	dir := place(t)
	j := opened(t, dir)
	must(t, errors.Join(j.Begin(fund("key-1"), write(t)), j.Begin(fund("key-2"), write(t)), j.End(fund("key-2"), api.Unknown)))
	first := j.path
	before := j.size
	j.full = before + 1000
	for i := 0; j.size < j.full; i++ {
		op := fund(api.IdempotencyKey(fmt.Sprintf("old-%d", i)))
		must(t, errors.Join(j.Begin(op, write(t)), j.End(op, api.Done)))
	}
	if got := adopted(t, j); got != "" || j.path == first || j.size > before+10 || len(files(t, dir)) != 1 {
		t.Errorf("took %q; %d bytes of %d in %v", got, j.size, before, files(t, dir))
	}
	if got := fates(t, j, "key-1", "key-2", "old-0"); got != "key-1 begun, key-2 unknown, old-0 done" {
		t.Errorf("fates: %s", got)
	}
	if got := keysOf(opened(t, dir).Pending()); got != "" {
		t.Errorf("its lock is gone: %q", got)
	}
	must(t, j.End(fund("key-1"), api.Done))
	kill(t, j)
	if got := pendingKeys(t, dir); got != "key-2" {
		t.Errorf("left %q", got)
	}
}

func TestWhatCannotBeTakenOverStays(t *testing.T) {
	dir := place(t)
	a, b := opened(t, dir), opened(t, dir)
	must(t, a.Begin(fund("key-1"), write(t)))
	kill(t, a)
	whole := b.file
	b.file = &device{writeErr: errors.New("disk full")}
	if ops, err := b.Adopt(); err == nil || len(ops) != 0 || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("took %v, %v", ops, err)
	}
	b.file = whole
	if got := adopted(t, b); got != "key-1" {
		t.Errorf("then took %q", got)
	}
	if state.Settled(state.OpStatusBegun) || !state.Settled(state.OpStatusResolvedDone) {
		t.Error("fates are muddled")
	}
}

// TestWhatIsTakenOverMeanwhileIsNotMissed has a run read the file of the one
// that takes over before it does, and the file that is taken over after.
func TestWhatIsTakenOverMeanwhileIsNotMissed(t *testing.T) {
	dir := place(t)
	// The files are read in the order of their names, which are random.
	for range 8 {
		dead, taker, looker := opened(t, dir), opened(t, dir), opened(t, dir)
		must(t, dead.Begin(fund("key-1"), write(t)))
		gone := dead.path
		kill(t, dead)
		seen := 0
		looker.reading = func(path string) {
			if seen++; path != gone || seen == 1 {
				return
			}
			looker.reading = nil
			// What another run does, up to the moment before the file goes.
			must(t, taker.append(record{At: taker.now(), Key: "key-1", What: begun, Kind: state.OpFund, Card: "card_1", Amount: 5 * api.Dollar}))
			must(t, os.Truncate(gone, 0))
		}
		if ops, err := looker.UnderWay(); err != nil || keysOf(ops) != "key-1" {
			t.Errorf("under way: %v, %v", ops, err)
		}
		must(t, errors.Join(taker.End(fund("key-1"), api.Done), os.RemoveAll(gone), taker.Close(), looker.Close()))
	}
}
