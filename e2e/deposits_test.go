package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// changedAddress opens the address that is another than the one that was seen
// before.
func changedAddress(t *testing.T, w, h int, tell func(d *driver)) {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o700))
	seen := `{"version":1,"addresses":[{"currency":"btc","address":"tb1qbefore","network":"bitcoin","since":"2026-01-02T00:00:00Z"}]}`
	must(t, os.WriteFile(filepath.Join(dir, "addresses.json"), []byte(seen), 0o600))
	story(t, options{dir: dir, w: w, h: h}, func(d *driver) {
		d.press("d")
		d.see("BTC ADDRESS CHANGED")
		d.press("enter", "tab", "tab", "tab")
		for range 4 {
			if strings.Contains(d.screen(), "STOP") {
				break
			}
			d.press("tab")
		}
		d.see("STOP: THE ADDRESS HAS CHANGED")
		tell(d)
	})
}
