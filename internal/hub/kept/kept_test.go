package kept_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
