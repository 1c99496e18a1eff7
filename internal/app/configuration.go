package app

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui"
	"github.com/cardtop/cardtop/ui/settings"
)

// Configuration is the configuration file as it was read.
type Configuration struct {
	paths    config.Paths
	source   config.Source
	settings config.Settings
	language string // that the environment asks for
	// Keys are the shipped keys with the changes of the file.
	Keys *keymap.Map
}

// Load reads the configuration. Its errors are UsageErrors.
func (p Program) Load(flags config.Flags) (Configuration, error) {
	c := Configuration{paths: p.paths(), language: p.Env.Language}
	var err error
	if c.source, err = c.paths.Source(p.Env, flags); err != nil {
		return c, Usage(err)
	}
	c.source.Check = checked(c.source)
	c.paths.Config = c.source.Path
	c.settings, err = c.source.Load()
	var keyErr error
	c.Keys, keyErr = keysOf(c.source, c.settings)
	if err = joinMistakes(err, checkColumns(c.settings), keyErr); err != nil {
		return c, Usage(err)
	}
	return c, nil
}

// checked returns what refuses keys and columns that there are not.
func checked(source config.Source) func(config.Settings) error {
	return func(s config.Settings) error {
		_, err := keysOf(source, s)
		return joinMistakes(checkColumns(s), err)
	}
}

// Profiles returns the names of the profiles, sorted.
func (c Configuration) Profiles() []string { return slices.Sorted(maps.Keys(c.settings.Profiles)) }

// joinMistakes joins the mistakes of a file in the order of its lines, so that
// the user can fix all at once.
func joinMistakes(errs ...error) error {
	var placed config.ProblemErrors
	var rest []error
	for _, err := range errs {
		var some config.ProblemErrors
		switch {
		case errors.As(err, &some):
			placed = append(placed, some...)
		case err != nil:
			rest = append(rest, err)
		}
	}
	slices.SortStableFunc(placed, func(a, b *config.ProblemError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if len(placed) > 0 {
		rest = append([]error{placed}, rest...)
	}
	return errors.Join(rest...)
}

// Resolve joins configuration, environment and flags.
func (p Program) Resolve(flags config.Flags) (config.Paths, config.Resolved, error) {
	c, err := p.Load(flags)
	if err != nil {
		return c.paths, config.Resolved{}, err
	}
	run, err := config.Resolve(c.settings, p.Env, flags)
	if err != nil {
		return c.paths, config.Resolved{}, Usage(err)
	}
	return c.paths, run, nil
}

// checkColumns refuses columns that a list does not have.
func checkColumns(s config.Settings) error {
	var errs []error
	for list, chosen := range s.Columns {
		errs = append(errs, ui.CheckColumns(list, chosen))
	}
	return errors.Join(errs...)
}

// settingRows lists the settings for the screen; none while the file cannot be
// read. asked is what chose the profile of the start instead of the file, empty
// for nothing.
func settingRows(source config.Source, asked string) []ui.Setting {
	all, err := source.List()
	if err != nil {
		return nil
	}
	rows := make([]ui.Setting, 0, len(all))
	for _, l := range all {
		r := ui.Setting{
			Name: strings.Join(l.Path, "."), Group: l.Path[0], Value: l.Value, Default: l.Standard, From: settings.FromDefault,
			About: l.Doc, Choices: l.Choices, Own: strings.Contains(l.Name, "*") && !l.New, New: l.New,
		}
		r.Restart = restarts(r.Name)
		if l.New {
			r.Name = strings.Replace(r.Name, "*", settings.NewName, 1)
		}
		if l.Line > 0 {
			r.From, r.Line = fmt.Sprintf("line %d", l.Line), l.Line
		}
		if r.Name == "profile" && asked != "" {
			r.From, r.Fixed = asked, true
		}
		rows = append(rows, r)
	}
	return rows
}

// named are the names of settings.
func named(all []config.Listed) (names []string) {
	for _, l := range all {
		if !l.New {
			names = append(names, strings.Join(l.Path, "."))
		}
	}
	return names
}

// profileAsked is what chooses the profile instead of the file; empty for
// nothing.
func profileAsked(env config.Env, flags config.Flags) string {
	switch {
	case flags.Profile != "":
		return "--profile"
	case flags.Sandbox:
		return "--sandbox"
	case env.Profile != "":
		return config.EnvProfile
	}
	return ""
}

// SettingsFile is the configuration file as a screen or a command changes it, its settings one by one. A file with a
// mistake can be changed so that it has none.
type SettingsFile struct{ source config.Source }

// SettingsFile returns the file that the flags name.
func (p Program) SettingsFile(flags config.Flags) (SettingsFile, error) {
	source, err := p.paths().Source(p.Env, flags)
	if err != nil {
		return SettingsFile{}, Usage(err)
	}
	source.Check = checked(source)
	return SettingsFile{source}, nil
}

// Path is where the file is, or would be.
func (f SettingsFile) Path() string { return f.source.Path }

// List lists the settings but accounts and rules.
func (f SettingsFile) List() ([]config.Listed, error) { return f.source.List() }

// Get returns a setting by its dotted name.
func (f SettingsFile) Get(name string) (config.Listed, error) {
	var found config.Listed
	err := f.change(name, func(l config.Listed) error { found = l; return nil })
	return found, err
}

// Set implements settings.File.
func (f SettingsFile) Set(name, text string) error {
	return f.change(name, func(l config.Listed) error { return f.source.Set(l, text) })
}

// Reset implements settings.File.
func (f SettingsFile) Reset(name string) error { return f.change(name, f.source.Reset) }

func (f SettingsFile) change(name string, change func(config.Listed) error) error {
	all, err := f.source.List()
	if err != nil {
		return err
	}
	for _, l := range all {
		if !l.New && strings.Join(l.Path, ".") == name {
			return change(l)
		}
	}
	for _, l := range all {
		if entry, ok := l.Named(name); ok {
			return change(entry)
		}
	}
	return fmt.Errorf("%s is no setting%s", name, config.DidYouMean(name, named(all)))
}
