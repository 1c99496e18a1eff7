package ui

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/label"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/theme"
)

// others are settings that differ from those shipped in every field.
func others() settings.Reloadable {
	return settings.Reloadable{
		Theme: theme.Light, Motion: settings.MotionReduced, NoMouse: true, Presets: []api.USD{api.Dollar}, Notify: settings.NotifyCommand, OnEvent: "cat",
		Guard: guard.Guard{MaxDay: api.Dollar}, Templates: []label.CardTemplate{{Name: "spring"}},
		Alerts: alert.Rules{Wallet: api.Dollar}, Commands: []settings.Command{{Name: "x"}},
		Rules:    []rule.Rule{{Name: "r", When: "bal<1", Action: rule.Alert}},
		Campaign: "*-*", CopyTemplate: "{cvv}", IdleMask: time.Minute, IdleLock: time.Hour,
		Reveal: time.Second, CopyNumber: 2 * time.Second, CopyCVV: 3 * time.Second, CopyCode: 4 * time.Second,
	}
}

// TestAReloadChangesEverySetting of a running program and of its store.
func TestAReloadChangesEverySetting(t *testing.T) {
	t.Parallel()
	a, _ := begun(t, func(c *settings.Config) { c.Reloadable = settings.Defaults() })
	a.cfg.Reloadable = settings.Defaults()
	keys := keymap.New(keymap.Defaults())
	accounts := []Account{{Name: "team"}}
	a.Update(ReloadMsg{Settings: Settings{Reloadable: others(), Keys: keys, Accounts: accounts}})
	want, before := reflect.ValueOf(others()), reflect.ValueOf(settings.Defaults())
	for where, got := range map[string]settings.Reloadable{"the screen": a.cfg.Reloadable, "the store": a.store.Reloadable()} {
		for i := range want.NumField() {
			name, w, g := want.Type().Field(i).Name, want.Field(i).Interface(), reflect.ValueOf(got).Field(i).Interface()
			if reflect.DeepEqual(w, before.Field(i).Interface()) {
				t.Errorf("the test changes no %s", name)
			}
			if !reflect.DeepEqual(g, w) {
				t.Errorf("%s has %s %+v, want %+v", where, name, g, w)
			}
		}
	}
	if !reflect.DeepEqual(a.cfg.Accounts, accounts) || a.mouse.ours || !a.theme.Still {
		t.Errorf("accounts %v, mouse %v, still %v", a.cfg.Accounts, a.mouse.ours, a.theme.Still)
	}
}

// TestMotionIsReduced by the configuration, or by the environment where the
// configuration leaves it open.
func TestMotionIsReduced(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		motion   settings.Motion
		noMotion bool
		want     bool
	}{
		{settings.MotionAuto, false, false}, {settings.MotionAuto, true, true}, {settings.MotionFull, true, false}, {settings.MotionReduced, false, true},
	} {
		cfg := Config{Store: state.New(settings.Config{Screen: &settings.Screen{}}), Settings: Settings{Reloadable: settings.Reloadable{Motion: c.motion}}, NoMotion: c.noMotion}
		a, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if a.theme.Still != c.want {
			t.Errorf("%s, NO_MOTION %v: %v", c.motion, c.noMotion, a.theme.Still)
		}
	}
}

// TestAReloadLeavesTheNoticeOnTheScreen: what a form has just stored says more than that
// its file was read again.
func TestAReloadLeavesTheNoticeOnTheScreen(t *testing.T) {
	t.Parallel()
	a, _ := begun(t, func(c *settings.Config) { c.Reloadable = settings.Defaults() })
	a.sync(a.store.Notices.Say(kernel.Info, "removed two, but its key may still be in the keyring"))
	a.Update(ReloadMsg{Settings: Settings{Reloadable: settings.Defaults(), Keys: keymap.New(keymap.Defaults())}})
	if n := a.store.Notice().Text; n != "removed two, but its key may still be in the keyring" {
		t.Errorf("shows %q", n)
	}
}

// TestAMendedConfigurationReplacesItsError: the line about the mistakes is no longer true.
func TestAMendedConfigurationReplacesItsError(t *testing.T) {
	t.Parallel()
	a, _ := begun(t, func(c *settings.Config) { c.Reloadable = settings.Defaults() })
	a.Update(ReloadMsg{Err: errors.New("config.toml:3:1: one"), Mistakes: []string{"config.toml:3:1: one"}})
	if n := a.store.Notice().Text; !strings.Contains(n, "config.toml:3:1: one") {
		t.Fatalf("shows %q", n)
	}
	a.Update(ReloadMsg{Settings: Settings{Reloadable: settings.Defaults(), Keys: keymap.New(keymap.Defaults())}})
	if n := a.store.Notice().Text; n != "configuration reloaded" {
		t.Errorf("shows %q", n)
	}
}
