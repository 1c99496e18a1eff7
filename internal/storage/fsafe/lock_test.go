package fsafe_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

func TestALockIsHeldByOne(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	mine, err := fsafe.Lock(path, 0)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	must(t, err)
	for _, wait := range []time.Duration{0, 10 * time.Millisecond} {
		if _, err := fsafe.Lock(path, wait); !errors.Is(err, fsafe.ErrBusy) {
			t.Errorf("after %v: %v", wait, err)
		}
	}
	waiting := make(chan error)
	go func() {
		f, err := fsafe.Lock(path, time.Minute)
		if err == nil {
			err = f.Close()
		}
		waiting <- err
	}()
	must(t, mine.Close())
	if err := <-waiting; err != nil {
		t.Errorf("the one that waited: %v", err)
	}
}

// TestPatienceIsTime holds that a wait ends when it said, however long its pauses take.
func TestPatienceIsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "lock")
		mine, err := fsafe.Lock(path, 0)
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip(err)
		}
		must(t, err)
		defer func() { _ = mine.Close() }()
		const wait = 1001 * time.Millisecond // Not a whole number of pauses.
		began := time.Now()                  //nolint:forbidigo // virtual
		if _, err := fsafe.Lock(path, wait); !errors.Is(err, fsafe.ErrBusy) {
			t.Error(err)
		}
		if took := time.Since(began); took != wait { //nolint:forbidigo // virtual
			t.Errorf("it took %v", took)
		}
	})
}

func TestOpenTakesOnlyWhatIsThere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	if _, err := fsafe.Open(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	must(t, os.WriteFile(path, []byte("old"), 0o600))
	f, err := fsafe.Open(path)
	must(t, err)
	if err := errors.Join(f.Truncate(0), f.Close()); err != nil {
		t.Error(err)
	}
	if err := os.Symlink(path, path+".link"); err != nil {
		t.Skip(err)
	}
	var distrust *fsafe.TrustError
	if _, err := fsafe.Open(path + ".link"); !errors.As(err, &distrust) {
		t.Errorf("a link: %v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
