package kept_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub/kept"
)

func TestWhatIsSavedIsLoaded(t *testing.T) {
	t.Parallel()
	d := kept.Dir{Path: filepath.Join(t.TempDir(), "hub")}
	if data, err := d.Load("a.json"); err != nil || len(data) != 0 {
		t.Fatalf("before: %q, %v", data, err)
	}
	for _, text := range []string{`["one", "and more"]`, `["two"]`} {
		if err := d.Save("a.json", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if data, err := d.Load("a.json"); err != nil || string(data) != strings.ReplaceAll(text, ", ", ",") {
			t.Errorf("%q, %v", data, err)
		}
	}
	path := filepath.Join(d.Path, "a.json")
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Load("a.json"); err == nil {
		t.Error("what others may write is believed")
	}
}

func TestAFolderHasOneHub(t *testing.T) {
	t.Parallel()
	d := kept.Dir{Path: filepath.Join(t.TempDir(), "hub")}
	first := kept.Owner{PID: 4711, Host: "ship", Since: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	release, err := d.Lock(first)
	if err != nil {
		t.Fatal(err)
	}
	var taken *kept.TakenError
	if _, err := d.Lock(kept.Owner{PID: 1}); !errors.As(err, &taken) || taken.Owner != first || !strings.Contains(err.Error(), "process 4711 on ship, since 2026-03-01 12:00:00Z") {
		t.Errorf("the second: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	again, err := d.Lock(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := again(); err != nil {
		t.Error(err)
	}
}
