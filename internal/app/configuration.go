package app

import (
	"cmp"
	"errors"
	"slices"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui"
)

// Configuration is the configuration file as it was read.
type Configuration struct {
	paths    config.Paths
	source   config.Source
	settings config.Settings
	// Keys are the shipped keys with the changes of the file.
	Keys *keymap.Map
}

// Load reads the configuration. Its errors are UsageErrors.
func (p Program) Load(flags config.Flags) (Configuration, error) {
	c := Configuration{paths: config.DefaultPaths()}
	var err error
	if c.source, err = c.paths.Source(p.Env, flags); err != nil {
		return c, Usage(err)
	}
	c.paths.Config = c.source.Path
	c.settings, err = c.source.Load()
	var keyErr error
	c.Keys, keyErr = keysOf(c.source, c.settings)
	if err = joinMistakes(err, checkColumns(c.settings), keyErr); err != nil {
		return c, Usage(err)
	}
	return c, nil
}

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
