package uitest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// exported writes what is shown to a file, and gives it.
func (d *driver) exported(dir, what string) string {
	d.t.Helper()
	d.press("E")
	d.see(" of the " + what)
	d.press("1")
	d.see("written to "+dir, " of the "+what)
	paths, err := filepath.Glob(filepath.Join(dir, "cardtop-"+what+"-*.csv"))
	if err != nil || len(paths) != 1 {
		d.t.Fatalf("%v, %v", paths, err)
	}
	data, err := os.ReadFile(paths[0])
	if err != nil {
		d.t.Fatal(err)
	}
	return string(data)
}

func TestEveryScreenIsExportedAsShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys []string
		what string
		// lines is how many there are, 0 for any; holds what they hold.
		lines int
		holds []string
	}{
		{[]string{"d"}, "deposits", 9, []string{"time,id,currency,amount,", ",usdt,252.52,", "confirmed"}},
		{[]string{"b", "/", "v", "i", "s", "a", "enter"}, "BINs", 0, []string{"bin,network,", ",visa,"}},
		{[]string{"ctrl+r", "/", "b", "a", "l", "a", "n", "c", "e", "enter"}, "requests", 0, []string{"time,method,route,", ",GET,/wallet/balance,200,"}},
		{[]string{"A"}, "alerts", 0, []string{"since,alert,card,", ",wallet low,", ",low balance,card_"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			story(t, options{exports: dir, change: alerting}, func(d *driver) {
				d.press(c.keys...)
				d.wait(time.Second)
				text := d.exported(dir, c.what)
				if n := strings.Count(text, "\n"); n < 2 || c.lines > 0 && n != c.lines {
					t.Errorf("%d lines", n)
				}
				for _, part := range c.holds {
					if !strings.Contains(text, part) {
						t.Errorf("it lacks %q: %s", part, text)
					}
				}
				if c.what == "BINs" && strings.Contains(text, "mastercard") || c.what == "requests" && strings.Contains(text, "/cards") {
					t.Errorf("it holds what is not shown: %s", text)
				}
			})
		})
	}
}

func TestWebhooksAreExportedWithoutTheirSecrets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	story(t, options{exports: dir}, func(d *driver) {
		d.press("w", "E")
		d.see("nothing to export")
		d.register("https://hooks.example.com/a")
		d.press("y")
		secret := d.board.Text()
		d.press("esc")
		text := d.exported(dir, "webhooks")
		if !strings.HasPrefix(text, "id,url,events,active,created\n") || !strings.Contains(text, ",https://hooks.example.com/a,deposit.confirmed,true,") {
			t.Errorf("wrote %s", text)
		}
		if secret == "" || strings.Contains(text, secret) || strings.Contains(text, "whsec_") {
			t.Errorf("%q is in it: %s", secret, text)
		}
	})
}
