package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestNothingIsClaimedBeforeItWasRead starts without a server: what was never
// read is said to be so, in every pane and at every width.
func TestNothingIsClaimedBeforeItWasRead(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 45}, {80, 24}} {
		story(t, options{w: size[0], h: size[1], down: true}, func(d *driver) {
			d.wait(3 * time.Second)
			d.see("OFFLINE", "wallet not read yet", "1 Cards  not read yet", "not read yet: the API does not answer")
			if n := strings.Count(d.screen(), " not read yet: the API does not answer"); size[0] == 160 && n != 4 {
				t.Errorf("%d panes say that they were not read:\n%s", n, d.screen())
			}
			for _, key := range []string{"1", "2", "3", "4", "A", "d"} {
				d.press(key)
				for _, never := range []string{"0.00", "loading", "no deposits", "no pending codes", "0 active", "no alerts", "Alerts  0", "Deposits  0"} {
					if strings.Contains(d.screen(), never) {
						t.Errorf("%dx%d, pane %s: %q is claimed:\n%s", size[0], size[1], key, never, d.screen())
					}
				}
			}
		})
	}
}

// TestWhatNeverLeftIsNotRefused writes while no connection can be made.
func TestWhatNeverLeftIsNotRefused(t *testing.T) {
	t.Parallel()
	story(t, options{through: unlessWrite}, func(d *driver) {
		d.pick()
		d.press("f")
		d.wait(time.Second)
		d.see("freeze of", "not sent")
		d.press("H")
		d.see("✗ not sent", "not reached, not sent")
		d.seeNot("✗ refused")
	})
}

type readsOnly struct{ http.RoundTripper }

func unlessWrite(rt http.RoundTripper) http.RoundTripper { return readsOnly{rt} }

func (r readsOnly) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		return nil, errRefused
	}
	return r.RoundTripper.RoundTrip(req)
}

// TestTheLabelStaysReadableBesideAnUnconfirmedWrite holds at 80 columns.
func TestTheLabelStaysReadableBesideAnUnconfirmedWrite(t *testing.T) {
	t.Parallel()
	story(t, options{w: 80, h: 24}, func(d *driver) {
		c := d.pick()
		d.fault(fundRoute, "server_error", 100)
		d.press("+", "5", "0", "enter")
		d.confirmed()
		d.wait(time.Second)
		if row := d.cursor(); !strings.Contains(row, c.label) {
			t.Errorf("no label: %s", row)
		}
		d.see("unconfirmed")
	})
}

// TestSpendingIsMarkedUntilAllOfItIsRead looks while the past is read.
func TestSpendingIsMarkedUntilAllOfItIsRead(t *testing.T) {
	t.Parallel()
	story(t, options{through: func(rt http.RoundTripper) http.RoundTripper { return noPast{rt} }}, func(d *driver) {
		d.see("24h ≥")
		if row := d.cursor(); !strings.Contains(row, "≥") {
			t.Errorf("the figure looks whole: %s", row)
		}
	})
}

// noPast answers no page of transactions but the first.
type noPast struct{ http.RoundTripper }

func (n noPast) RoundTrip(req *http.Request) (*http.Response, error) {
	if strings.HasSuffix(req.URL.Path, "/transactions") && req.URL.Query().Get("page") != "1" && req.URL.Query().Get("page") != "" {
		return nil, errRefused
	}
	return n.RoundTripper.RoundTrip(req)
}
