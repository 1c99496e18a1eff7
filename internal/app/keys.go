package app

import (
	"path/filepath"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/keymap"
)

// keysOf returns the keys in force: the shipped ones, those of user commands,
// and the changes of the configuration. Its error has the place of each mistake.
func keysOf(source config.Source, s config.Settings) (*keymap.Map, error) {
	rows := keymap.Defaults()
	var (
		lines  []keymap.Line
		places []config.ProblemError // The place of each line, with its name.
	)
	for _, b := range s.Keys {
		lines = append(lines, keymap.Line{Name: b.Action, Keys: b.Keys})
		places = append(places, config.ProblemError{Line: b.Line, Column: b.Column, Text: "keys." + b.Action})
	}
	for i, c := range s.Commands {
		k := s.CommandKeys[i]
		rows = append(rows, keymap.UserCommand(c.Name, k.Help, !c.Reads, contextsOf(c.Where)...)...)
		if k.Line > 0 {
			lines = append(lines, keymap.Line{Name: string(keymap.UserCommandAction(c.Name)), Keys: k.Keys})
			places = append(places, config.ProblemError{Line: k.Line, Column: k.Column, Text: "commands." + c.Name + ".key"})
		}
	}
	rows, faults := keymap.Remap(rows, lines)
	if len(faults) == 0 {
		return keymap.New(rows), nil
	}
	problems := make(config.ProblemErrors, 0, len(faults))
	for _, f := range faults {
		at := places[f.Line]
		at.File = filepath.Base(source.Path)
		at.Text += ": " + f.Text + config.DidYouMean(f.Word, f.Known)
		problems = append(problems, &at)
	}
	return nil, problems
}
