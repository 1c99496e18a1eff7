package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
)

// reloader applies changes of the configuration file while the program runs. A
// file with a mistake changes nothing.
type reloader struct {
	paths  config.Paths
	source config.Source
	mode   config.Mode
	// asked is what chose the profile of the start instead of the file.
	asked string
	// profile is the one on the screen.
	profile string
	// start are the settings that the program started with: what needs a restart
	// is compared with them.
	start config.Settings
	// setBounds sets the guardrails and the rules of the engine, before the screen has
	// them.
	setBounds func(settings.Reloadable)
	// setHook sets the command of events.
	setHook func(line string)
	// allowOSC52 sets whether the terminal may be asked to copy.
	allowOSC52 func(bool)
	// accounts lists those of some settings.
	accounts func(config.Settings) []ui.Account
	// loaded is called with each valid configuration.
	loaded func(*Configuration)
	log    *slog.Logger
}

// follow sends the result of each change until the context ends.
func (r reloader) follow(ctx context.Context, send func(ui.ReloadMsg)) {
	changes, err := r.source.Watch(ctx)
	if err != nil {
		r.log.Warn("watch configuration", slog.Any("error", err))
		send(ui.ReloadMsg{Err: fmt.Errorf("%w; a change takes a restart", err)})
		return
	}
	for change := range changes {
		send(r.apply(change))
	}
}

// apply sets what is the engine's, the hook's and the clipboard's and returns the
// message for the screen.
func (r reloader) apply(change config.Reload) ui.ReloadMsg {
	keys, keyErr := keysOf(r.source, change.Settings)
	if err := joinMistakes(change.Err, checkColumns(change.Settings), keyErr); err != nil {
		wipeKeys(change.Settings)
		r.log.Warn("configuration", slog.Any("error", err))
		return ui.ReloadMsg{Err: summary(err), Mistakes: strings.Split(err.Error(), "\n")}
	}
	set := ui.Settings{Reloadable: change.Settings.For(r.mode), Keys: keys, Accounts: r.accounts(change.Settings), Listed: settingRows(r.source, r.asked)}
	// Another account is opened with it while the file has a mistake.
	r.loaded(&Configuration{paths: r.paths, source: r.source, settings: change.Settings, Keys: keys})
	r.setBounds(set.Reloadable)
	r.setHook(hookLine(set.Reloadable))
	r.allowOSC52(change.Settings.OSC52)
	return ui.ReloadMsg{Settings: set, Restart: needRestart(r.profile, r.start, change.Settings)}
}

// wipeKeys overwrites the API keys of settings that are not used.
func wipeKeys(s config.Settings) {
	for _, p := range s.Profiles {
		p.APIKey.Wipe()
	}
}

// summary returns the mistakes of a file as an error of one line.
func summary(err error) error {
	var all config.ProblemErrors
	if !errors.As(err, &all) || len(all) < 2 {
		return errors.New(oneLine(err))
	}
	return fmt.Errorf("%s: %d mistakes, the first at line %d: %s", all[0].File, len(all), all[0].Line, all[0].Text)
}

// needRestart names the changed settings that need a restart on a profile. The
// other profiles are read again when the user switches to them.
func needRestart(profile string, start, now config.Settings) []string {
	var names []string
	if !reflect.DeepEqual(withoutKey(start.Profiles[profile]), withoutKey(now.Profiles[profile])) {
		names = append(names, "profiles."+profile)
	}
	for _, s := range restarting() {
		if !reflect.DeepEqual(s.of(start), s.of(now)) {
			names = append(names, s.name)
		}
	}
	return names
}

// restartSetting is a setting, or a table of some, that needs a restart.
type restartSetting struct {
	name string
	of   func(config.Settings) any
}

func restarting() []restartSetting {
	return []restartSetting{
		{"columns", func(s config.Settings) any { return s.Columns }},
		{"log_level", func(s config.Settings) any { return s.LogLevel }},
	}
}

// restarts reports whether a setting needs a restart.
func restarts(name string) bool {
	return slices.ContainsFunc(restarting(), func(s restartSetting) bool { return name == s.name || strings.HasPrefix(name, s.name+".") })
}

// withoutKey returns a profile without its key, which is not compared: a
// changed key is used at the next start.
func withoutKey(p config.Profile) config.Profile {
	p.APIKey.Secret = api.Secret{}
	return p
}
