package app

import (
	"bytes"
	"context"
	"encoding/json"
	"os"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/shell"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
)

// ownCommands runs commands of a person's own until they are ended, with all
// they started.
func ownCommands(ctx context.Context) (execute func(state.Execute) (string, error), end func()) {
	ctx, cancel := context.WithCancel(ctx)
	runner := shell.NewRunner(os.Environ())
	execute = func(e state.Execute) (string, error) {
		fields := make(map[string]string)
		for _, f := range e.Facts.List() {
			fields[f.Name] = f.Text
		}
		input, err := inputOf(e.Input)
		if err != nil {
			return "", err
		}
		return runner.Run(ctx, e.Line, fields, input)
	}
	return execute, func() { cancel(); runner.Wait() }
}

// inputOf is what a command reads: an object on each line. What is not known is
// left out.
func inputOf(rows []state.Facts) ([]byte, error) {
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

// commandsOf are a person's own commands for the store.
func commandsOf(s config.Settings) []state.Command {
	out := make([]state.Command, 0, len(s.Commands))
	for _, c := range s.Commands {
		out = append(out, state.Command{Name: c.Name, Line: c.Run, Where: whereOf(c.Where), Confirm: c.Confirm, Reads: c.Reads})
	}
	return out
}

func whereOf(w config.Where) state.Where {
	switch w {
	case config.OnTransactions:
		return state.OnTransaction
	case config.Anywhere:
		return state.Anywhere
	default:
		return state.OnCard
	}
}

// contextsOf are where the key of a command holds.
func contextsOf(w config.Where) []keymap.Context {
	switch w {
	case config.OnTransactions:
		return []keymap.Context{keymap.Feed, keymap.Charge, keymap.Inspector}
	case config.Anywhere:
		return []keymap.Context{keymap.Global}
	default:
		return []keymap.Context{keymap.Card}
	}
}
