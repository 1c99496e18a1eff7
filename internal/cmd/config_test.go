package cmd

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
)

// TestSettingsAreReadAndWrittenOneByOne: as the screen does it, and a file with a mistake can be mended.
func TestSettingsAreReadAndWrittenOneByOne(t *testing.T) {
	t.Parallel()
	paths := config.PathsUnder(t.TempDir())
	run := func(args ...string) (out, errs string, code int) {
		var o, e bytes.Buffer
		p := app.Program{Paths: paths, Errs: &e, Now: func() time.Time { return time.Time{} }}
		code = Run(t.Context(), p, append([]string{"config"}, args...), strings.NewReader(""), &o)
		return o.String(), e.String(), code
	}
	file := func() string {
		data, err := os.ReadFile(paths.Config)
		must(t, err)
		return string(data)
	}
	if out, _, code := run("path"); code != cli.ExitDone || out != paths.Config+"\n" {
		t.Errorf("%d %q", code, out)
	}
	if out, _, code := run("get", "theme"); code != cli.ExitDone || out != "auto\n" {
		t.Errorf("%d %q", code, out)
	}
	if _, errs, code := run("set", "theme", "light"); code != cli.ExitDone || file() != "theme = \"light\"\n" {
		t.Errorf("%d %s %q", code, errs, file())
	}
	if out, _, code := run("get", "theme"); code != cli.ExitDone || out != "light\n" {
		t.Errorf("%d %q", code, out)
	}
	if out, _, code := run("list", "--csv", "--fields", "name,value,default,line"); code != cli.ExitDone || !strings.Contains(out, "\ntheme,light,auto,1\n") || !strings.Contains(out, "\nmouse,true,true,\n") {
		t.Errorf("%d %s", code, out)
	}
	for line, says := range map[string]string{
		"set theme lightt":         `did you mean "light"?`,
		"set keys.freeze q":        "quit",
		"set them light":           `them is no setting (did you mean "theme"?)`,
		"set theme":                "a value of theme is missing",
		"set theme light dark":     "quotes",
		"get profiles.a.api_key":   "no setting",
		"set profiles.a.api_key x": "no setting",
		"unset":                    "cardtop config list prints them",
	} {
		if _, errs, code := run(strings.Fields(line)...); code != cli.ExitUsage || !strings.Contains(errs, says) || file() != "theme = \"light\"\n" {
			t.Errorf("%s: %d %s %q", line, code, errs, file())
		}
	}
	if _, _, code := run("unset", "theme"); code != cli.ExitDone || strings.Contains(file(), "theme") {
		t.Errorf("%d %q", code, file())
	}
	must(t, os.WriteFile(paths.Config, []byte("theme = \"lightt\"\n"), 0o600))
	if _, errs, code := run("set", "theme", "light"); code != cli.ExitDone || file() != "theme = \"light\"\n" {
		t.Errorf("a mistake is not mended: %d %s %q", code, errs, file())
	}
}
