package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/state"
)

// shownArguments bounds what is recorded of the arguments, in bytes.
const shownArguments = 500

// recordOf is what the history of the calls has of one: the tool, its arguments and what
// became of it.
func recordOf(tool string, given map[string]json.RawMessage, err error, took time.Duration) state.Record {
	r := state.Record{Action: tool, Name: argumentsText(given), Took: took, Outcome: state.OpStatusDone}
	if err != nil {
		r.Outcome, r.Err = state.OpStatusRefused, err.Error()
		if cli.ExitCode(err) == cli.ExitUnknown {
			r.Outcome = state.OpStatusUnknown
		}
	}
	return r
}

// argumentsText has the arguments in the order of their names.
func argumentsText(given map[string]json.RawMessage) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		parts = append(parts, name+"="+string(given[name]))
	}
	text := strings.Join(parts, " ")
	if len(text) > shownArguments {
		text = strings.ToValidUTF8(text[:shownArguments], "") + "…"
	}
	return text
}

// recorded runs a tool and records the call. A call that cannot be recorded is an error,
// and says whether it was done.
func (s *server) recorded(tool string, given map[string]json.RawMessage, do func() (data, error)) (data, error) {
	began := s.now()
	d, err := do()
	if _, failed := s.record(recordOf(tool, given, err, s.now().Sub(began))); failed != nil {
		if err == nil {
			failed = fmt.Errorf("done, but not recorded: %w", failed)
		}
		return data{}, errors.Join(err, failed)
	}
	return d, err
}
