package e2e

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// timed lets two codes come, of which the second is copied.
func (d *driver) timed() {
	d.t.Helper()
	c := d.pick()
	d.challenge(c.id, "Acme Store", "482913", 1)
	d.wait(3 * time.Second)
	d.challenge(c.id, "Google Ads", "593024", 1)
	d.wait(2 * time.Second)
	d.press("o", "O")
	d.wait(time.Second)
}

func TestCodeTimesScreens(t *testing.T) {
	t.Parallel()
	atEachSize(t, sized, func(d *driver) {
		d.press("O")
		d.see("no codes since the start")
		d.timed()
		d.drawn("code-times")
	})
}

func TestHowLongEachCodeTookIsShownAndExported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	story(t, options{exports: dir}, func(d *driver) {
		d.timed()
		d.see("Code times  2", "API", "poll", "copied", "p50", "p95", "Google Ads", "Acme Store")
		text := d.exported(dir, "code times")
		if n := strings.Count(text, "\n"); n != 3 || !strings.HasPrefix(text, "created_at,seen_at,copied_at,api_ms,poll_ms,seen_ms,copied_ms,merchant,card,name,challenge\n") {
			t.Errorf("%d lines: %s", n, text)
		}
		copied := regexp.MustCompile(`Z,[0-9-]+T[0-9:]+\.\d{3}Z,0,\d+,\d+,\d+,Google Ads,card_`)
		if !copied.MatchString(text) || !strings.Contains(text, ",,Acme Store,card_") || strings.Contains(text, "482913") {
			t.Errorf("exported: %s", text)
		}
		d.press("P")
		d.wait(time.Second)
		d.seeNot("00:00:06  Google Ads", "fb/")
	})
}
