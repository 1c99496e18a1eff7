package app

import (
	"cmp"
	"errors"
	"slices"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui"
)

// configuration is the file as it was read at the start.
type Configuration struct {
	paths    config.Paths
	source   config.Source
	settings config.Settings
	// Keys are those in force.
	Keys *keymap.Map
}

// load reads the configuration. Its errors are wrong usage.
func (p Program) Load(flags config.Flags) (Configuration, error) {
	c := Configuration{paths: config.DefaultPaths()}
	var err error
	if c.source, err = c.paths.Source(p.Env, flags); err != nil {
		return c, Usage(err)
	}
	c.paths.Config = c.source.Path
	c.settings, err = c.source.Load()
	var wrong error
	c.Keys, wrong = keysOf(c.source, c.settings)
	if err = everyMistake(err, checkColumns(c.settings), wrong); err != nil {
		return c, Usage(err)
	}
	return c, nil
}

// everyMistake joins what is wrong in a file, in the order of its lines: who
// mends it wants to know all at once.
func everyMistake(errs ...error) error {
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

// resolve joins configuration, environment and flags.
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

// checkColumns refuses columns that no list has.
func checkColumns(s config.Settings) error {
	var errs []error
	for list, chosen := range columnsOf(s) {
		errs = append(errs, ui.CheckColumns(list, chosen))
	}
	return errors.Join(errs...)
}

// columnsOf are the columns that the configuration chooses for lists.
func columnsOf(s config.Settings) map[state.ListName][]state.ShownColumn {
	out := make(map[state.ListName][]state.ShownColumn)
	for list, chosen := range map[state.ListName][]config.Column{state.CardList: s.Columns.Cards, state.FeedList: s.Columns.Transactions} {
		for _, c := range chosen {
			out[list] = append(out[list], state.ShownColumn(c))
		}
	}
	return out
}
