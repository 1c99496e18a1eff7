package app

import (
	"bytes"
	"context"
	"encoding/json"
	"os"

	"github.com/cardtop/cardtop/internal/shell"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/settings"
)

// userCommands returns what runs a user command, and what ends those that run
// with all they started.
func userCommands(ctx context.Context) (execute func(commands.Execute) (string, error), end func()) {
	ctx, cancel := context.WithCancel(ctx)
	runner := shell.NewRunner(os.Environ())
	execute = func(e commands.Execute) (string, error) {
		fields := make(map[string]string)
		for _, f := range e.Vars.List() {
			fields[f.Name] = f.Text
		}
		input, err := commandInput(e.Input)
		if err != nil {
			return "", err
		}
		return runner.Run(ctx, e.Line, fields, input)
	}
	return execute, func() { cancel(); runner.Wait() }
}

// commandInput returns the standard input of a command: a JSON object a line.
// What is not known is left out.
func commandInput(rows []commands.Vars) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, row := range rows {
		object := make(map[string]any)
		for _, f := range row.List() {
			switch {
			case f.Number:
				object[f.Name] = json.Number(f.Text)
			case f.Text != "":
				object[f.Name] = f.Text
			}
		}
		if err := enc.Encode(object); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// contextsOf returns where the key of a user command is bound.
func contextsOf(w settings.Where) []keymap.Context {
	switch w {
	case settings.OnTransaction:
		return []keymap.Context{keymap.Feed, keymap.Charge, keymap.Inspector}
	case settings.Anywhere:
		return []keymap.Context{keymap.Global}
	default:
		return []keymap.Context{keymap.Card}
	}
}
