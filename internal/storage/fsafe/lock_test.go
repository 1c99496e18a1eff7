package fsafe_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
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
	if err != nil {
		t.Fatal(err)
	}
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
	if err := mine.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-waiting; err != nil {
		t.Errorf("the one that waited: %v", err)
	}
}

func TestOpenTakesOnlyWhatIsThere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	if _, err := fsafe.Open(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := fsafe.Open(path)
	if err != nil {
		t.Fatal(err)
	}
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
