package usage

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
)

func open(t *testing.T, dir, key string, pid int) *Share {
	t.Helper()
	s, err := Open(dir, "https://a:443", api.NewAPIKey(key), pid, time.Now()) //nolint:forbidigo // names a real file
	if err != nil {
		t.Fatal(err)
	}
	s.Alive = func(pid int) bool { return pid < killed }
	return s
}

// killed is the first of the numbers of processes that were killed.
const killed = 1000

func total(entries []budget.Entry) (n int) {
	for _, e := range entries {
		n += e.Count
	}
	return n
}

func TestProcessesOfOneKeySeeEachOther(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Now() //nolint:forbidigo // compared with the times of real files
	a, b, other := open(t, dir, "sk_test_1", 1), open(t, dir, "sk_test_1", 2), open(t, dir, "sk_test_2", 3)
	if _, _, err := a.Sync(now, []budget.Entry{{Start: now, Lane: "codes", Count: 40}}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := other.Sync(now, []budget.Entry{{Start: now, Lane: "codes", Count: 7}}); err != nil {
		t.Fatal(err)
	}
	seen, programs, err := b.Sync(now, []budget.Entry{{Start: now, Lane: "codes", Count: 2}})
	if err != nil || total(seen) != 40 || programs != 1 {
		t.Errorf("the second process sees %d by %d, %v", total(seen), programs, err)
	}
	seen, _, err = a.Sync(now, nil)
	if err != nil || total(seen) != 2 {
		t.Errorf("the first process sees %d, %v", total(seen), err)
	}
}

func TestOneThatWasKilledRunsNoMore(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Now() //nolint:forbidigo // compared with the times of real files
	if _, _, err := open(t, dir, "k", killed).Sync(now, []budget.Entry{{Start: now, Lane: "codes", Count: 100}}); err != nil {
		t.Fatal(err)
	}
	seen, programs, err := open(t, dir, "k", 5).Sync(now, nil)
	if err != nil || total(seen) != 100 || programs != 0 {
		t.Errorf("%d are known, %d programs run, %v", total(seen), programs, err)
	}
	if !alive(os.Getpid()) {
		t.Error("this process does not run")
	}
}

func TestARestartRemembersAlsoWhenTheNumberIsUsedAgain(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Now() //nolint:forbidigo // compared with the times of real files
	if _, _, err := open(t, dir, "k", 5).Sync(now, []budget.Entry{{Start: now, Lane: "codes", Count: 100}}); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir, "k", 5)
	seen, _, err := again.Sync(now, []budget.Entry{{Start: now, Lane: "codes", Count: 1}})
	if err != nil || total(seen) != 100 {
		t.Errorf("after the restart %d are known, %v", total(seen), err)
	}
}

func TestOldAndBrokenFilesCountNothing(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Now() //nolint:forbidigo // compared with the times of real files
	a, b := open(t, dir, "k", 1), open(t, dir, "k", 2)
	if _, _, err := a.Sync(now, []budget.Entry{{Start: now, Lane: "codes", Count: 9}}); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(a.dir, "77.json")
	if err := os.WriteFile(broken, []byte("[{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if seen, _, err := b.Sync(now, nil); err != nil || total(seen) != 9 {
		t.Errorf("beside a broken file %d are seen, %v", total(seen), err)
	}
	if seen, _, err := b.Sync(now.Add(2*time.Hour), nil); err != nil || total(seen) != 0 {
		t.Errorf("two hours later %d are seen, %v", total(seen), err)
	}
	if _, err := os.Stat(broken); !os.IsNotExist(err) {
		t.Errorf("an old file is still there: %v", err)
	}
}

// TestWhatAnotherWritesAnewIsReadAnew although files that stay are read once.
func TestWhatAnotherWritesAnewIsReadAnew(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Now() //nolint:forbidigo // compared with the times of real files
	a, b := open(t, dir, "k", 1), open(t, dir, "k", 2)
	for n := 1; n < 9; n++ { // The same size, and often the same time.
		if _, _, err := a.Sync(now, []budget.Entry{{Start: now, Lane: "codes", Count: n}}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if seen, _, err := b.Sync(now, nil); err != nil || total(seen) != n {
				t.Fatalf("%d are seen, not %d, %v", total(seen), n, err)
			}
		}
	}
	if err := a.Leave(); err != nil {
		t.Fatal(err)
	}
	if seen, _, err := b.Sync(now, nil); err != nil || total(seen) != 8 || len(b.seen) != 1 {
		t.Errorf("after it left %d are seen in %d files, %v", total(seen), len(b.seen), err)
	}
}

func TestAProcessThatLeftDoesNotRun(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Now() //nolint:forbidigo // compared with the times of real files
	a, b := open(t, dir, "k", 1), open(t, dir, "k", 2)
	if _, _, err := a.Sync(now, []budget.Entry{{Start: now, Lane: "codes", Count: 9}}); err != nil {
		t.Fatal(err)
	}
	if err := a.Leave(); err != nil {
		t.Fatal(err)
	}
	if err := b.Leave(); err != nil {
		t.Errorf("leaving before anything was written: %v", err)
	}
	if seen, programs, err := b.Sync(now, nil); err != nil || total(seen) != 9 || programs != 0 {
		t.Errorf("%d by %d programs, %v", total(seen), programs, err)
	}
	c := open(t, dir, "k", 3)
	if _, programs, err := c.Sync(now.Add(time.Minute), nil); err != nil || programs != 0 {
		t.Errorf("a program that was silent for a minute counts: %d, %v", programs, err)
	}
}

// TestAgesAreByTheClockOfTheProcesses whatever time the disk gives to what is written.
func TestAgesAreByTheClockOfTheProcesses(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	a, b := open(t, dir, "k", 1), open(t, dir, "k", 2)
	if _, _, err := a.Sync(now, []budget.Entry{{Start: now, Lane: "codes", Count: 9}}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		after           time.Duration
		count, programs int
	}{{0, 9, 1}, {running, 9, 0}, {remembered + time.Second, 0, 0}} {
		if seen, programs, err := b.Sync(now.Add(tt.after), nil); err != nil || total(seen) != tt.count || programs != tt.programs {
			t.Errorf("after %s: %d by %d programs, %v", tt.after, total(seen), programs, err)
		}
	}
}

// TestARequestOfAProcessThatSendsNoOtherCounts for the others, and it runs no more.
func TestARequestOfAProcessThatSendsNoOtherCounts(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Now() //nolint:forbidigo // compared with the times of real files
	if err := open(t, dir, "sk_test_1", 1).Once(now, "wallet"); err != nil {
		t.Fatal(err)
	}
	seen, programs, err := open(t, dir, "sk_test_1", 2).Sync(now, nil)
	if err != nil || len(seen) != 1 || seen[0].Lane != "wallet" || seen[0].Count != 1 || !seen[0].User || programs != 0 {
		t.Errorf("%+v by %d, %v", seen, programs, err)
	}
}
