package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/ui/tty"
)

// Exit codes, fixed for scripts.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitTimeout = 3
	exitAuth    = 4
	exitLimit   = 5
	// exitInterrupted is that of shells for a program that ctrl+c ended.
	exitInterrupted = 130
)

// report prints an error and returns the exit code. An interruption is not
// printed: the user asked for it.
func report(w io.Writer, err error) int {
	if err == nil {
		return exitDone
	}
	if errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	code, text := exitFailed, err.Error()
	var misuse app.UsageError
	var crash *tty.CrashError
	switch {
	case errors.As(err, &crash):
		text = app.Build() + ": " + text
	case errors.As(err, &misuse), errors.Is(err, config.ErrKeyPlace):
		code = exitUsage
	case errors.Is(err, api.ErrUnauthorized):
		code, text = exitAuth, "the API refused the key: set "+config.EnvAPIKey+" to a valid one"
	case errors.Is(err, config.ErrNoKey):
		code = exitAuth
	case errors.Is(err, api.ErrRateLimited):
		code = exitLimit
	case errors.Is(err, context.DeadlineExceeded):
		code = exitTimeout
	}
	lines := strings.Split(text, "\n") // Several are the mistakes of a file.
	for i, line := range lines {
		lines[i] = printable(line)
	}
	if _, werr := fmt.Fprintln(w, "cardtop: "+strings.Join(lines, "\n")); werr != nil {
		return exitFailed
	}
	return code
}

// printable returns a text without control characters, at any length: the user
// may have to copy a command out of it.
func printable(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		words[i] = string(api.Clean(w))
	}
	return strings.Join(words, " ")
}
