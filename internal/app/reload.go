package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui"
)

// reloader brings changes of the configuration file to the screen while it
// runs. A file that is wrong changes nothing.
type reloader struct {
	paths  config.Paths
	source config.Source
	mode   config.Mode
	// noMotion says that the environment asks for reduced motion.
	noMotion bool
	// profile is the one on the screen.
	profile string
	// start is what was in force when the program began: what cannot change
	// while it runs is compared with that.
	start config.Settings
	// guard hands the engine new guardrails; it has them before the screen does.
	guard func(state.Guard)
	// hook hears which command gets the events.
	hook func(line string)
	// others are the accounts that settings tell of.
	others func(config.Settings) []ui.Account
	// keep hears of each configuration that is right.
	keep func(*Configuration)
	log  *slog.Logger
}

// follow sends what becomes of each change until the context ends.
func (r reloader) follow(ctx context.Context, send func(ui.ReloadMsg)) {
	changes, err := r.source.Watch(ctx)
	if err != nil {
		r.log.Warn("watch configuration", slog.Any("error", err))
		send(ui.ReloadMsg{Err: fmt.Errorf("%w; a change takes a restart", err)})
		return
	}
	for change := range changes {
		send(r.message(change))
	}
}

// message puts a change in force, as far as it is the engine's, and tells the
// screen of the rest.
func (r reloader) message(change config.Reload) ui.ReloadMsg {
	keys, wrong := keysOf(r.source, change.Settings)
	if err := everyMistake(change.Err, checkColumns(change.Settings), wrong); err != nil {
		wipeKeys(change.Settings)
		r.log.Warn("configuration", slog.Any("error", err))
		return ui.ReloadMsg{Err: firstOf(err), Mistakes: strings.Split(err.Error(), "\n")}
	}
	settings := screenSettings(change.Settings, r.mode, r.noMotion)
	settings.Keys, settings.Accounts = keys, r.others(change.Settings)
	// Another account is opened with it while the file is wrong.
	r.keep(&Configuration{paths: r.paths, source: r.source, settings: change.Settings, Keys: keys})
	r.guard(settings.Store.Guard)
	r.hook(hookLine(change.Settings.Notifications))
	return ui.ReloadMsg{Settings: settings, Restart: needRestart(r.profile, r.start, change.Settings)}
}

// wipeKeys overwrites the keys that a file was read with again: the program
// has its own.
func wipeKeys(s config.Settings) {
	for _, p := range s.Profiles {
		p.APIKey.Wipe()
	}
}

// firstOf makes one line of what is wrong in a file.
func firstOf(err error) error {
	var all config.ProblemErrors
	if !errors.As(err, &all) || len(all) < 2 {
		return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return fmt.Errorf("%s: %d mistakes, the first at line %d: %s", all[0].File, len(all), all[0].Line, all[0].Text)
}

// screenSettings are those that may change while the screen is open. noMotion is
// what the environment asks for.
func screenSettings(s config.Settings, mode config.Mode, noMotion bool) ui.Settings {
	return ui.Settings{
		Theme: themeName(s.Theme), ReducedMotion: s.Reduced(noMotion), Presets: s.Fund.Presets, NoMouse: !s.Mouse, Notify: NotifyOf(s.Notifications.Level),
		Store: state.Config{
			Guard: guardOf(s, mode), CopyArmed: s.Clipboard.Armed, Reveal: s.Reveal,
			Alerts: AlertRules(s.Alerts), Commands: commandsOf(s),
			CopyNumber: s.Clipboard.Number, CopyCVV: s.Clipboard.CVV, CopyCode: s.Clipboard.Code,
			CopyTemplate: s.Copy.Template, IdleMask: s.Idle.Mask, IdleLock: s.Idle.Lock,
		},
	}
}

func AlertRules(a config.Alerts) state.AlertRules {
	rules := state.AlertRules{Wallet: a.Wallet, Cards: a.Cards, Declines: a.Declines, Deposit: a.Deposit, Limit: a.Limit}
	for _, l := range a.Low {
		rules.Low = append(rules.Low, state.LowRule{Cards: l.Cards, Below: l.Below})
	}
	return rules
}

// needRestart names what has changed and cannot while the program runs on a
// profile. The others are read anew when a person turns to them.
func needRestart(profile string, start, now config.Settings) []string {
	var names []string
	for _, s := range []struct {
		name     string
		old, new any
	}{
		{"profiles." + profile, withoutKey(start.Profiles[profile]), withoutKey(now.Profiles[profile])},
		{"columns", start.Columns, now.Columns},
		{"log_level", start.LogLevel, now.LogLevel},
		{"clipboard.osc52", start.Clipboard.OSC52, now.Clipboard.OSC52},
	} {
		if !reflect.DeepEqual(s.old, s.new) {
			names = append(names, s.name)
		}
	}
	return names
}

// withoutKey is a profile but for its key: whether a key in a file was changed is
// nobody's business but the next start's.
func withoutKey(p config.Profile) config.Profile {
	p.APIKey.Secret = state.Secret{}
	return p
}
