package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/theme"
)

// watched is a file that is followed as the dashboard does.
type watched struct {
	t      *testing.T
	path   string
	guards chan guard.Guard
	hooks  chan string
	osc52  chan bool
	msgs   chan ui.ReloadMsg
	kept   chan *Configuration
}

func watch(t *testing.T, start string) watched {
	t.Helper()
	w := watched{t: t, path: filepath.Join(t.TempDir(), "cardtop.toml"), guards: make(chan guard.Guard, 9), hooks: make(chan string, 9), osc52: make(chan bool, 9), kept: make(chan *Configuration, 9), msgs: make(chan ui.ReloadMsg)}
	w.write(start)
	source := config.Source{Path: w.path}
	set, err := source.Load()
	must(t, err)
	r := reloader{
		source: source, mode: config.ModeLive, start: set, log: slog.New(slog.DiscardHandler),
		setBounds: func(r settings.Reloadable) { w.guards <- r.Guard }, setHook: func(line string) { w.hooks <- line }, allowOSC52: func(allowed bool) { w.osc52 <- allowed },
		accounts: func(s config.Settings) []ui.Account { return (&sessionLoop{}).accounts(s, "", "") },
		loaded:   func(c *Configuration) { w.kept <- c },
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	ready := make(chan struct{})
	go func() {
		defer close(done)
		close(ready)
		r.follow(ctx, func(m ui.ReloadMsg) {
			select {
			case w.msgs <- m:
			case <-ctx.Done():
			}
		})
	}()
	<-ready
	t.Cleanup(func() { cancel(); <-done })
	return w
}

func (w watched) write(text string) {
	w.t.Helper()
	must(w.t, os.WriteFile(w.path, []byte(text), 0o600))
}

// change writes until the change is seen: the watch may begin after the first.
func (w watched) change(text string) ui.ReloadMsg {
	w.t.Helper()
	for range 50 {
		w.write(text)
		select {
		case m := <-w.msgs:
			return m
		case <-time.After(time.Second):
		}
	}
	w.t.Fatal("no change was seen")
	return ui.ReloadMsg{}
}

func TestAChangedFileComesIntoForce(t *testing.T) {
	w := watch(t, "theme = 'dark'\n")
	m := w.change("theme = 'light'\nmotion = 'reduced'\nlog_level = 'debug'\n[keys]\nfreeze = 'f8'\n[fund]\npresets = [5]\n[guardrails]\nmax_operation = 7\nlabels.'fb/*'.max_day = 8\nlive.labels.gg.max_hour = 9\n[reveal]\nseconds = 3\n[clipboard]\nosc52 = true\ncvv_seconds = 6\ncopy_armed = false\n[notifications]\nlevel = 'command'\non_event = 'cat'\n[alerts]\nwallet_below = 9\ndeclines = false\n[alerts.low]\n'fb/*' = '12.50'\n2039 = 4\n[commands.ads]\nrun = 'cat'\nkey = 'alt+o'\nwhere = 'transactions'\nconfirm = true\n")
	if m.Err != nil {
		t.Fatal(m.Err)
	}
	s := m.Settings
	own := settings.Command{Name: "ads", Line: "cat", Where: settings.OnTransaction, Confirm: true}
	if c := s.Commands; len(c) != 1 || c[0] != own || s.Keys.Key("run-ads") != "alt+o" {
		t.Errorf("commands %+v", c)
	}
	if s.Theme != "light" || s.Motion != settings.MotionReduced || s.Keys.Key("freeze") != "f8" || len(s.Presets) != 1 || s.Presets[0] != 5*api.Dollar {
		t.Errorf("settings %+v", s)
	}
	if s.Reveal != 3*time.Second || s.CopyCVV != 6*time.Second || s.CopyArmed || s.Guard.MaxOperation != 7*api.Dollar || !s.Guard.Live {
		t.Errorf("store %+v", s.Reloadable)
	}
	if a := s.Alerts; a.Wallet != 9*api.Dollar || a.Cards != 10*api.Dollar || a.Declines || a.Deposit != time.Hour || len(a.Low) != 2 ||
		a.Low[0] != (alert.Own[api.USD]{Of: "fb/*", Line: 1250 * api.Cent}) || a.Low[1].Of != "2039" {
		t.Errorf("alerts %+v", a)
	}
	labels := []guard.LabelCap{{Labels: "fb/*", MaxDay: 8 * api.Dollar}, {Labels: "gg", MaxHour: 9 * api.Dollar}}
	if g := <-w.guards; g.MaxOperation != 7*api.Dollar || !slices.Equal(g.Labels, labels) || !slices.Equal(s.Guard.Labels, labels) {
		t.Errorf("the engine has %+v", g)
	}
	if line := <-w.hooks; line != "cat" || s.Notify != settings.NotifyCommand {
		t.Errorf("the hook runs %q, notify %s", line, s.Notify)
	}
	if !<-w.osc52 {
		t.Error("the clipboard is not allowed the terminal")
	}
	if c := <-w.kept; c.settings.Theme != "light" || c.Keys != s.Keys {
		t.Errorf("another account is opened with %+v", c.settings)
	}
	if m := w.change("theme = 'no'\n"); m.Err == nil || len(w.kept) > 0 {
		t.Errorf("kept although wrong: %v", m.Err)
	}
	if got := strings.Join(m.Restart, " "); got != "log_level" {
		t.Errorf("restart for %q", got)
	}
}

func TestAWrongFileChangesNothingAndNamesItsLine(t *testing.T) {
	w := watch(t, "theme = 'dark'\n")
	for text, want := range map[string]string{
		"theme = 'dark'\n\ncolour = 3\n":     `cardtop.toml:3:1: unknown setting "colour"`,
		"theme = 'darc'\n":                   `cardtop.toml:1:9: theme must be one of auto, auto-colorblind, dark`,
		"[keys]\nundo = 'q'\n":               `cardtop.toml:2:1: keys.undo: "q" is the key of global.quit already`,
		"[keys]\nundo = 'q'\nfreeze = 'q'\n": `cardtop.toml: 2 mistakes, the first at line 2: keys.undo: "q" is`,
		"theme = 'x'\n[keys]\nundo = 'q'\n":  `cardtop.toml: 2 mistakes, the first at line 1: theme must`,
		"theme = \n":                         `cardtop.toml:1:9: read TOML`,
		"[webhook]\nheader = 'X-Sig'\n":      `cardtop.toml:1:2: unknown table "webhook"`,
	} {
		m := w.change(text)
		for m.Err == nil || !strings.Contains(m.Err.Error(), want) {
			// An event of the file before may still come.
			select {
			case m = <-w.msgs:
			case <-time.After(5 * time.Second):
				t.Fatalf("%q: %v, want %s", text, m.Err, want)
			}
		}
		if several := strings.Contains(want, "2 mistakes"); len(m.Mistakes) == 0 || several != (len(m.Mistakes) == 2) {
			t.Errorf("%q: mistakes %q", text, m.Mistakes)
		}
		if strings.Contains(m.Err.Error(), "\n") {
			t.Errorf("more than a line: %q", m.Err)
		}
	}
	if len(w.guards) > 0 {
		t.Error("the engine got guardrails of a wrong file")
	}
}

func TestADirectoryThatCannotBeWatchedIsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	r := reloader{source: config.Source{Path: filepath.Join(file, "sub", "x.toml")}, log: slog.New(slog.DiscardHandler)}
	var got error
	r.follow(t.Context(), func(m ui.ReloadMsg) { got = m.Err })
	if got == nil || !strings.Contains(got.Error(), "takes a restart") {
		t.Errorf("told %v", got)
	}
}

func TestAKeyInTheFileIsNotComparedOrKept(t *testing.T) {
	parse := func(key string) config.Settings {
		s, err := config.Parse("x", []byte("[profiles.a]\nbase_url = 'https://x.example/v1'\napi_key = '"+key+"'\n"))
		must(t, err)
		return s
	}
	one, two := parse("sk_test_"+strings.Repeat("a", 24)), parse("sk_test_"+strings.Repeat("b", 24))
	if names := needRestart("a", one, two); len(names) > 0 {
		t.Errorf("restart for %v", names)
	}
	wipeKeys(two)
	if !bytesAreZero(two.Profiles["a"].APIKey.Bytes()) {
		t.Error("the key is still there")
	}
	if one.Profiles["a"].APIKey.IsZero() {
		t.Error("comparing took the key away")
	}
	if err := summary(errors.Join(errors.New("a"), errors.New("b"))); err.Error() != "a; b" {
		t.Errorf("%q", err)
	}
}

// TestOnlyTheProfileOnTheScreenTakesARestart: the others are read when a person
// turns to them.
func TestOnlyTheProfileOnTheScreenTakesARestart(t *testing.T) {
	start, now := profilesOf(t), profilesOf(t)
	now.DefaultProfile = "agency"
	now.Profiles["agency"] = config.Profile{Name: "agency", BaseURL: "https://elsewhere.example/v1"}
	now.Profiles["new"] = config.Profile{Name: "new"}
	if names := needRestart("team", start, now); len(names) > 0 {
		t.Errorf("restart for %v", names)
	}
	if names := needRestart("agency", start, now); strings.Join(names, " ") != "profiles.agency" {
		t.Errorf("restart for %v", names)
	}
}

func bytesAreZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

func TestEveryThemeOfTheConfigurationIsOne(t *testing.T) {
	if !slices.Equal(config.Themes(), theme.Choices()) {
		t.Errorf("the key goes through %v", theme.Choices())
	}
	for _, name := range config.Themes() {
		if _, err := ui.New(ui.Config{Store: state.New(settings.Config{Screen: &settings.Screen{}}), Settings: ui.Settings{Reloadable: settings.Reloadable{Theme: name}}}); err != nil {
			t.Error(err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
