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
	"github.com/cardtop/cardtop/internal/config/redact"
	"github.com/cardtop/cardtop/state"
)

// shownArguments bounds what is recorded of the arguments, in bytes.
const shownArguments = 500

// recordOf is what the history of the calls has of one: the tool, its arguments and what
// became of it.
func recordOf(tool string, given map[string]json.RawMessage, err error, took time.Duration) state.Record {
	r := state.Record{Action: tool, Name: argumentsText(given), Took: took, Outcome: state.OpStatusDone}
	if err == nil {
		return r
	}
	r.Outcome, r.Err = state.OpStatusRefused, err.Error()
	switch code := cli.ExitCode(err); {
	case errors.Is(err, errCrashed), code == cli.ExitUnknown, code == cli.ExitInterrupted, code == cli.ExitTimeout:
		r.Outcome = state.OpStatusUnknown
	}
	return r
}

// argumentsText has the arguments in the order of their names. An assistant may put anything into them, a card
// number too: they are redacted.
func argumentsText(given map[string]json.RawMessage) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		parts = append(parts, name+"="+string(given[name]))
	}
	text := redact.New().Text(strings.Join(parts, " "))
	if len(text) > shownArguments {
		text = strings.ToValidUTF8(text[:shownArguments], "") + "…"
	}
	return text
}

// errCrashed is that a call did not return.
var errCrashed = errors.New("it crashed")

// recorded runs a tool and records the call, also when it crashes. A call that cannot be
// recorded is an error, and says whether it was done.
func (s *server) recorded(tool string, given map[string]json.RawMessage, do func() (data, error)) (d data, err error) {
	began := s.now()
	err = errCrashed
	defer func() {
		_, failed := s.record(recordOf(tool, given, err, s.now().Sub(began)))
		if failed == nil {
			return
		}
		if err == nil {
			failed = fmt.Errorf("done, but not recorded: %w", failed)
		}
		d, err = data{}, errors.Join(err, failed)
	}()
	return do()
}
