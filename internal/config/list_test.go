package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/config"
)

// sourceOf is a configuration file with a text.
func sourceOf(t *testing.T, text string) config.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return config.Source{Path: path, Home: filepath.Dir(path)}
}

func textOf(t *testing.T, s config.Source) string {
	t.Helper()
	text, err := os.ReadFile(s.Path)
	must(t, err)
	return string(text)
}

// listedAs finds a setting by its name in the file.
func listedAs(t *testing.T, s config.Source, name string) config.Listed {
	t.Helper()
	all, err := s.List()
	must(t, err)
	for _, l := range all {
		if strings.Join(l.Path, ".") == name {
			return l
		}
		if named, ok := l.Named(name); ok {
			return named
		}
	}
	t.Fatalf("%s is not listed", name)
	return config.Listed{}
}

func TestTheListHasEverySettingAndNoKeyOfAnAccount(t *testing.T) {
	t.Parallel()
	s := sourceOf(t, "theme = \"dark\"\nprofile = \"a\"\n[profiles.a]\nbase_url = \"https://a.example/v1\"\napi_key = \"sk_test_secret\"\n[fund]\npresets = [\"1\", \"2.50\"]\n[alerts]\nlow = { \"x.y\" = \"5\" }\n[guardrails.labels.\"p.q\"]\nmax_day = \"7\"\n")
	for name, want := range map[string][3]string{ // Value, default, choices.
		"theme":                         {"dark", "auto", strings.Join(config.Themes(), " ")},
		"mouse":                         {"true", "true", "true false"},
		"fund.presets":                  {"1, 2.50", "25, 50, 100, 250", ""},
		"reveal.seconds":                {"15", "15", ""},
		"columns.cards":                 {"", "", ""},
		"alerts.low.x.y":                {"5", "", ""},
		"guardrails.labels.p.q.max_day": {"7", "0", ""},
	} {
		l := listedAs(t, s, name)
		if l.Value != want[0] || l.Standard != want[1] || strings.Join(l.Choices, " ") != want[2] {
			t.Errorf("%s: %q, %q, %q", name, l.Value, l.Standard, l.Choices)
		}
	}
	if l := listedAs(t, s, "fund.presets"); l.Line != 7 || listedAs(t, s, "mouse").Line != 0 {
		t.Errorf("line %d", l.Line)
	}
	all, err := s.List()
	if err != nil || len(all) < 30 {
		t.Fatalf("%d, %v", len(all), err)
	}
	for _, l := range all {
		if l.Path[0] == "profiles" || strings.Contains(l.Value, "secret") {
			t.Errorf("%v is listed", l.Path)
		}
	}
	if _, err := sourceOf(t, "theme = ").List(); err == nil {
		t.Error("a broken file is listed")
	}
}

func TestASettingIsWrittenAsItWasTypedOrSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	const text = "# mine\ntheme = \"dark\" # night\n"
	for _, c := range []struct{ name, typed, file, says string }{
		{"theme", "light", "# mine\ntheme = \"light\" # night\n", ""},
		{"theme", "pink", text, "theme"},
		{"mouse", "false", text + "mouse = false\n", ""},
		{"mouse", "no", text, "true or false"},
		{"reveal.seconds", " 20 ", text + "\n[reveal]\nseconds = 20\n", ""},
		{"reveal.seconds", "x", text, "whole number"},
		{"reveal.seconds", "100000", text, "must be 1 to 120"},
		{"fund.presets", "5, 10", text + "\n[fund]\npresets = [\"5\", \"10\"]\n", ""},
		{"fund.presets", "x", text, "amount in USD"},
		{"alerts.limit_percent", "80,100", text + "\n[alerts]\nlimit_percent = [80, 100]\n", ""},
		{"alerts.limit_percent", "a", text, "whole number"},
		{"keys.columns", ",", text + "\n[keys]\ncolumns = [\",\"]\n", ""},
		{"keys.columns", ",, alt+c", text + "\n[keys]\ncolumns = [\",\", \"alt+c\"]\n", ""},
		{"keys.columns", "alt+c, ,", text + "\n[keys]\ncolumns = [\"alt+c\", \",\"]\n", ""},
		{"keys.columns", "", text + "\n[keys]\ncolumns = []\n", ""},
		{"copy.template", "{pan}", text, "unknown field"},
	} {
		s := sourceOf(t, text)
		err := s.Set(listedAs(t, s, c.name), c.typed)
		if got := textOf(t, s); got != c.file || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s = %s: %v\n%s", c.name, c.typed, err, got)
		}
		if err != nil && (strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "config.toml")) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	s := sourceOf(t, text)
	if err := s.Reset(listedAs(t, s, "theme")); err != nil || textOf(t, s) != "# mine\n" {
		t.Errorf("%v\n%s", err, textOf(t, s))
	}
}

// TestEveryExampleCanBeTyped: the form accepts what the documentation shows.
func TestEveryExampleCanBeTyped(t *testing.T) {
	t.Parallel()
	s := sourceOf(t, "[profiles.team]\nbase_url = \"https://a.example/v1\"\n")
	all, err := s.List()
	must(t, err)
	for _, l := range all {
		if l.New {
			l, _ = l.Named(strings.Replace(strings.Join(l.Path, "."), "*", "freeze", 1))
		}
		name := strings.Join(l.Path, ".")
		example := listedAs(t, sourceOf(t, name+" = "+l.Example+"\n[profiles.team]\nbase_url = \"https://a.example/v1\"\n"), name)
		if err := s.Set(l, example.Value); err != nil {
			// The level command needs a second setting, which comes after it.
			if l.Name != "notifications.level" {
				t.Errorf("%s = %s: %v", l.Name, example.Value, err)
			}
			continue
		}
		if now := listedAs(t, s, name); now.Value != example.Value || now.Line == 0 {
			t.Errorf("%s = %q, typed %q", l.Name, now.Value, example.Value)
		}
	}
}

// TestAChangeIsNotMadeOverAnother: what an editor saved meanwhile stays.
func TestAChangeIsNotMadeOverAnother(t *testing.T) {
	t.Parallel()
	s := sourceOf(t, "theme = \"dark\"\n")
	err := s.Change(func([]byte) ([]byte, error) {
		return []byte("theme = \"light\"\n"), os.WriteFile(s.Path, []byte("mouse = false\n"), 0o600)
	})
	if err == nil || textOf(t, s) != "mouse = false\n" {
		t.Errorf("%v\n%s", err, textOf(t, s))
	}
	missing := config.Source{Path: filepath.Join(t.TempDir(), "new", "config.toml")}
	if err := missing.Change(func([]byte) ([]byte, error) { return []byte("mouse = false\n"), nil }); err != nil || textOf(t, missing) != "mouse = false\n" {
		t.Errorf("%v", err)
	}
	entries, err := os.ReadDir(filepath.Dir(missing.Path))
	if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != "config.toml" }) {
		t.Errorf("%v, %v", entries, err)
	}
}
