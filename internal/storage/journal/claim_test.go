package journal_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
)

// TestAKeyIsOneRunsAtATime, and leaves nothing behind.
func TestAKeyIsOneRunsAtATime(t *testing.T) {
	dir := t.TempDir()
	run := func() *journal.Journal {
		j, err := journal.Open(dir, time.Now) //nolint:forbidigo // it names files by it
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		})
		return j
	}
	one, two := run(), run()
	release, err := one.Claim("key-1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.Claim("key-1"); !errors.Is(err, state.ErrKeyClaimed) {
		t.Errorf("claimed twice: %v", err)
	}
	other, err := two.Claim("key-2")
	if err != nil {
		t.Fatal(err)
	}
	other()
	release()
	again, err := two.Claim("key-1")
	if err != nil {
		t.Fatalf("not released: %v", err)
	}
	again()
	if left, err := filepath.Glob(filepath.Join(dir, "operations", "key-*")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
