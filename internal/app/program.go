// Package app opens accounts: configuration, key, client, engine, files and
// screen are put together here, and nothing is decided.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub/cluster"
	"github.com/cardtop/cardtop/state/errtext"
)

// Program is what the commands share.
type Program struct {
	Env config.Env
	// Hardened says why the process could not be hardened; nil when it was.
	Hardened error
	// Errs is for messages beside the output.
	Errs io.Writer
	// Via marks in the history who asked for an operation; empty for a command.
	Via string
	// Ask asks the user a question with the answers yes and no; nil where nobody can be asked.
	Ask func(question string) (yes bool, err error)
	// Waits is told of waits that take longer than two seconds, in one line; nil is told nothing.
	Waits func(line string)
	// Answered is called when the API has answered a request, by any goroutine; nil for nobody.
	Answered func()
	// Now is this machine's clock.
	Now func() time.Time
	// Paths are the places of files; the zero value is those of the environment.
	Paths config.Paths
	// Transport sends requests to the API; nil is the network.
	Transport http.RoundTripper
	// Listen opens the listener of a hub on this machine alone, and of webhooks; nil is the network.
	Listen func(ctx context.Context, address string) (net.Listener, error)
	// Outside sends what is not for the API: heartbeats to the address of webhooks; nil is the network.
	Outside http.RoundTripper
	// Bus connects to what several hubs share; nil is NATS.
	Bus func() (shared cluster.Bus, disconnect func(), err error)
	// Screen is where a dashboard is shown; nil is the terminal of this process.
	Screen *Screen
}

// paths are the places of files.
func (p Program) paths() config.Paths { return cmp.Or(p.Paths, config.DefaultPaths()) }

// Say prints a line for the user beside the output. That it cannot be printed
// changes nothing.
func (p Program) Say(line string) { _, _ = fmt.Fprintln(p.Errs, "cardtop: "+line) }

// UsageError is an error of how the program was called or configured.
type UsageError struct{ error }

func (e UsageError) Unwrap() error { return e.error }

// Usage marks an error as a UsageError.
func Usage(err error) error { return UsageError{err} }

// IncompleteError is that something was printed that is not all, or not certain; its text
// says why.
type IncompleteError struct{ Text string }

func (e *IncompleteError) Error() string { return e.Text }

// Complete returns an IncompleteError when something of the lists that an engine read could
// not be read, or was missed because they changed.
func Complete(eng *engine.Engine) error {
	var texts []string
	if unread := eng.Unread(); len(unread) > 0 {
		texts = append(texts, errtext.Unread(nil, unread))
	}
	for _, list := range eng.Missed() {
		texts = append(texts, "some "+list+" may be missing: the list changed while it was read, or the API ended it early; run the command again")
	}
	if len(texts) == 0 {
		return nil
	}
	return &IncompleteError{strings.Join(texts, "; ")}
}

// warnIncomplete warns of what could not be read, for a command that did what it was asked
// for anyway.
func (p Program) warnIncomplete(eng *engine.Engine, err error) {
	var said *IncompleteError
	incomplete := Complete(eng)
	if incomplete != nil && (!errors.As(err, &said) || said.Text != incomplete.Error()) {
		p.Say("warning: " + incomplete.Error())
	}
}

// logHardening logs why the process could not be hardened.
func (p Program) logHardening(log *slog.Logger) {
	if p.Hardened != nil {
		log.Warn("hardening", slog.Any("error", p.Hardened))
	}
}
