package addresses_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/state/wallets"
)

func pin(currency, address string, day int) wallets.Pin {
	return wallets.Pin{
		Currency: api.Currency(currency), Address: api.Text(address), Network: "net",
		Since: time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC),
	}
}

func TestWhatWasSeenIsThereInTheNextRun(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "profile")
	p := addresses.Open(dir)
	if seen, err := p.Load(); err != nil || len(seen) != 0 {
		t.Fatalf("at first %v, %v", seen, err)
	}
	if stay, err := p.Keep([]wallets.Pin{pin("btc", "bc1a", 1), pin("eth", "0xa", 1)}, false); err != nil || len(stay) > 0 {
		t.Fatal(stay, err)
	}
	// In another dashboard a person takes another one for right.
	if stay, err := addresses.Open(dir).Keep([]wallets.Pin{pin("btc", "bc1b", 2)}, true); err != nil || len(stay) > 0 {
		t.Fatal(stay, err)
	}
	seen, err := p.Load()
	if err != nil || !slices.Equal(seen, []wallets.Pin{pin("eth", "0xa", 1), pin("btc", "bc1b", 2)}) {
		t.Errorf("kept %v, %v", seen, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "addresses.json")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
}

func TestWhatAnotherDashboardKeptIsNotReplacedUnasked(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "profile")
	if _, err := addresses.Open(dir).Keep([]wallets.Pin{pin("btc", "bc1a", 1)}, false); err != nil {
		t.Fatal(err)
	}
	stay, err := addresses.Open(dir).Keep([]wallets.Pin{pin("btc", "bc1evil", 2), pin("eth", "0xa", 2)}, false)
	if err != nil || !slices.Equal(stay, []wallets.Pin{pin("btc", "bc1a", 1)}) {
		t.Errorf("what stays is %v, %v", stay, err)
	}
	seen, err := addresses.Open(dir).Load()
	if err != nil || !slices.Equal(seen, []wallets.Pin{pin("btc", "bc1a", 1), pin("eth", "0xa", 2)}) {
		t.Errorf("kept %v, %v", seen, err)
	}
}

func TestAFileThatCannotBeTrustedIsNeitherReadNorReplaced(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, data, want string }{
		{"damaged", "{", "damaged"},
		{"of another version", `{"version":2}`, "update cardtop"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "addresses.json")
			if err := os.Chmod(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(tt.data), 0o600); err != nil {
				t.Fatal(err)
			}
			p := addresses.Open(dir)
			if _, err := p.Load(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("load: %v", err)
			}
			if _, err := p.Keep([]wallets.Pin{pin("btc", "bc1a", 1)}, false); err == nil {
				t.Error("it was replaced")
			}
			if data, err := os.ReadFile(path); err != nil || string(data) != tt.data {
				t.Errorf("the file is %q, %v", data, err)
			}
		})
	}
}

func TestWhatIsReadIsSanitised(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	data := `{"version":1,"addresses":[{"currency":"btc","address":"bc1\u001b[31ma","network":"n","since":"2026-03-01T00:00:00Z"}]}`
	if err := os.WriteFile(filepath.Join(dir, "addresses.json"), []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	if seen, err := addresses.Open(dir).Load(); err != nil || len(seen) != 1 || seen[0].Address != "bc1a" {
		t.Errorf("read %q, %v", seen, err)
	}
}

func TestWithoutAFolderNothingIsKept(t *testing.T) {
	t.Parallel()
	p := addresses.Open("")
	if _, err := p.Keep([]wallets.Pin{pin("btc", "bc1a", 1)}, false); err != nil {
		t.Fatal(err)
	}
	if seen, err := p.Load(); err != nil || len(seen) != 0 {
		t.Errorf("kept %v, %v", seen, err)
	}
}
