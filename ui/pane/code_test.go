package pane_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

func TestTheTimeACodeHasLeftIsMarkedAsItGetsShort(t *testing.T) {
	t.Parallel()
	th := theme.Theme{Glyphs: theme.UnicodeGlyphs()}
	th.Muted, th.Warn, th.Bad = "muted", "warn", "bad"
	for left, want := range map[time.Duration][2]string{
		5 * time.Minute:                  {"muted", "5:00"},
		time.Minute + time.Nanosecond:    {"muted", "1:00"},
		time.Minute:                      {"warn", "!1:00"},
		20*time.Second + time.Nanosecond: {"warn", "!0:20"},
		20 * time.Second:                 {"bad", "!!0:20"},
		-time.Second:                     {"bad", "!!0:00"},
	} {
		if got := pane.Left(&th, left); got.Style != want[0] || got.Text != want[1] {
			t.Errorf("%v: %+v", left, got)
		}
	}
}
