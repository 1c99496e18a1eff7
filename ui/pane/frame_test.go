package pane

import (
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/ui/theme"
)

func TestASlowedLaneSaysWhoSharesTheHour(t *testing.T) {
	th, err := theme.New(theme.Plain, colorprofile.NoTTY)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	src := poll.Source{Every: 20 * time.Second, OKAt: now.Add(-2 * time.Second), Slowed: true, Windows: 1}
	for windows, want := range map[int]string{1: "slowed · every 20s", 2: "2 windows, slowed · every 20s"} {
		src.Windows = windows
		if got := Source(&th, src, now)[0].Text; got != want {
			t.Errorf("%d windows: %q", windows, got)
		}
	}
}
