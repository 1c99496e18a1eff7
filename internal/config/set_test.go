package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state/settings"
)

func setting(value string, path ...string) settings.Setting {
	return settings.Setting{Path: path, Value: value}
}

func TestSaveSetsAllOrNothing(t *testing.T) {
	t.Parallel()
	low := setting(`"50"`, "alerts", "low", "fb/*")
	hours := setting("12", "alerts", "hours", "card_1")
	lines := setting("[10, 20]", "alerts", "decline_percent")
	for name, c := range map[string]struct {
		text    string
		set     []settings.Setting
		want    string // the file afterwards; empty for the same
		refused string
	}{
		"three kinds of values":       {"theme = 'dark' # mine\n\n[alerts]\ndeclines = true # yes\n", []settings.Setting{low, hours, lines}, "theme = 'dark' # mine\n\n[alerts]\ndeclines = true # yes\ndecline_percent = [10, 20]\n\n[alerts.low]\n\"fb/*\" = \"50\"\n\n[alerts.hours]\ncard_1 = 12\n", ""},
		"in place":                    {"[alerts]\nlow.\"fb/*\" = \"20\" # more\n", []settings.Setting{low}, "[alerts]\nlow.\"fb/*\" = \"50\" # more\n", ""},
		"a mistake in the file":       {"them = 'x'\n", []settings.Setting{low}, "", "unknown setting"},
		"the second out of range":     {"theme = 'dark'\n", []settings.Setting{low, setting("1000", "alerts", "card_hours")}, "", "alerts.card_hours must be 0 to 720"},
		"two lines for a value":       {"theme = 'dark'\n", []settings.Setting{setting("1\ntheme = 'light'", "alerts", "card_hours")}, "", "is no value"},
		"a list of what is no number": {"theme = 'dark'\n", []settings.Setting{setting(`["a"]`, "alerts", "decline_percent")}, "", "no list of numbers"},
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		must(t, os.WriteFile(path, []byte(c.text), 0o600))
		err := (config.Source{Path: path}).Save(c.set)
		if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: %v, want %q", name, err, c.refused)
		}
		want := c.want
		if want == "" {
			want = c.text
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: %v\n got %q\nwant %q", name, err, got, want)
		}
	}
}

func TestSaveMakesTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cardtop", "config.toml")
	s := config.Source{Path: path}
	for _, hours := range []string{"3", "5"} {
		must(t, s.Save([]settings.Setting{setting(hours, "alerts", "card_hours"), setting(`"20"`, "alerts", "cards_below")}))
	}
	text, err := os.ReadFile(path)
	if want := "[alerts]\ncard_hours = 5\ncards_below = \"20\"\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v", text, err)
	}
}
