package app

import (
	"path/filepath"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/keymap"
)

// keysOf gives the keys in force: those shipped, those of a person's own
// commands, and what the configuration changes. Its error names each line that
// is wrong.
func keysOf(source config.Source, s config.Settings) (*keymap.Map, error) {
	rows := keymap.Defaults()
	var (
		lines  []keymap.Line
		places []config.ProblemError // of the lines, with what they are called
	)
	for _, b := range s.Keys {
		lines = append(lines, keymap.Line{Name: b.Action, Keys: b.Keys})
		places = append(places, config.ProblemError{Line: b.Line, Column: b.Column, Text: "keys." + b.Action})
	}
	for _, c := range s.Commands {
		rows = append(rows, keymap.Own(c.Name, c.Help, !c.Reads, contextsOf(c.Where)...)...)
		if c.Line > 0 {
			lines = append(lines, keymap.Line{Name: string(keymap.OwnAction(c.Name)), Keys: c.Keys})
			places = append(places, config.ProblemError{Line: c.Line, Column: c.Column, Text: "commands." + c.Name + ".key"})
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
