package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/ui"
)

// TestTheSettingsSayWhereTheyComeFromAndWriteThere: what a flag chose is fixed.
func TestTheSettingsSayWhereTheyComeFromAndWriteThere(t *testing.T) {
	t.Parallel()
	source := config.Source{Path: filepath.Join(t.TempDir(), "config.toml")}
	source.Check = checked(source)
	must(t, os.WriteFile(source.Path, []byte("mouse = false\n[alerts.low]\n\"fb/*\" = \"5\"\n"), 0o600))
	rows := make(map[string]ui.Setting)
	for _, r := range settingRows(source, profileAsked(config.Env{Profile: "team"}, config.Flags{})) {
		rows[r.Name] = r
	}
	if r := rows["profile"]; r.From != config.EnvProfile || !r.Fixed {
		t.Errorf("%+v", r)
	}
	if r := rows["mouse"]; r.From != "line 1" || r.Value != "false" || r.Default != "true" || r.Fixed || r.Own {
		t.Errorf("%+v", r)
	}
	if r := rows["alerts.low.fb/*"]; r.From != "line 3" || !r.Own || r.Group != "alerts" {
		t.Errorf("%+v", r)
	}
	if r := rows["theme"]; r.From != "default" || len(r.Choices) == 0 {
		t.Errorf("%+v", r)
	}
	for name, want := range map[string]bool{"clipboard.osc52": false, "columns.cards": true, "log_level": true, "mouse": false, "theme": false} {
		if r, ok := rows[name]; !ok || r.Restart != want {
			t.Errorf("%s: %+v", name, r)
		}
	}
	file := SettingsFile{source}
	if err := file.Set("alerts.low.fb/*", "7"); err != nil {
		t.Error(err)
	}
	if err := file.Reset("mouse"); err != nil {
		t.Error(err)
	}
	if err := file.Set("profiles.team.base_url", "x"); err == nil {
		t.Error("an account is changed")
	}
	if r := rows["alerts.low.NAME"]; !r.New || r.Own || r.From != "default" || r.Value != "" {
		t.Errorf("%+v", r)
	}
	if r, ok := rows["commands.NAME.run"]; ok {
		t.Errorf("%+v", r)
	}
	for name, value := range map[string]string{"alerts.low.": "5", "alerts.low.gg/*": "much", "keys.fly": "alt+f", "keys.undo": "f", "columns.cards": "nothing"} {
		if err := file.Set(name, value); err == nil {
			t.Errorf("%s is added with %s", name, value)
		}
	}
	if text, err := os.ReadFile(source.Path); err != nil || string(text) != "[alerts.low]\n\"fb/*\" = \"7\"\n" {
		t.Errorf("%v\n%s", err, text)
	}
	for want, f := range map[string]config.Flags{"--profile": {Profile: "a"}, "--sandbox": {Sandbox: true}, "": {}} {
		if got := profileAsked(config.Env{}, f); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// TestAnEntryIsAddedUnderItsName whatever is in it.
func TestAnEntryIsAddedUnderItsName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"alerts.low.tt/x.y*":                      {"7", "[alerts.low]\n\"tt/x.y*\" = \"7\"\n"},
		"alerts.decline.tt":                       {"5, 9", "[alerts.decline]\ntt = [5, 9]\n"},
		"guardrails.live.labels.prod/x.y.max_day": {"100", "[guardrails.live.labels.\"prod/x.y\"]\nmax_day = \"100\"\n"},
		"keys.freeze":                             {"alt+f", "[keys]\nfreeze = [\"alt+f\"]\n"},
	} {
		source := config.Source{Path: filepath.Join(t.TempDir(), "config.toml")}
		source.Check = checked(source)
		if err := (SettingsFile{source}).Set(name, c[0]); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text, err := os.ReadFile(source.Path); err != nil || string(text) != c[1] {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}
