package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/ui/tty"
)

// Exit codes, fixed for scripts.
const (
	ExitDone    = 0
	ExitFailed  = 1
	ExitUsage   = 2
	ExitTimeout = 3
	ExitAuth    = 4
	ExitLimit   = 5
	ExitUnknown = 6
	// ExitIncomplete is that something was printed that is not all, or not certain, or that what was done was not printed.
	ExitIncomplete = 7
	// ExitInterrupted is that of shells for a program that ctrl+c ended.
	ExitInterrupted = 130
	// exitUnread is that of a program whose output nobody reads any more, as a shell has it for SIGPIPE.
	exitUnread = 141
)

// Exit is an exit code, its name in error objects and what it means.
type Exit struct {
	Code        int
	Name, About string
}

// Exits lists the exit codes of every command.
func Exits() []Exit {
	return []Exit{
		{ExitDone, "done", "done, or done before"},
		{ExitFailed, "failed", "failed or refused; with many cards some may be done, and the rows say which"},
		{ExitUsage, "usage", "wrong usage or configuration, or nothing has that id"},
		{ExitTimeout, "timeout", "it did not come in time"},
		{ExitAuth, "auth", "no API key, its command failed, or the API refused it"},
		{ExitLimit, "limit", "the request limit is used up"},
		{ExitUnknown, "unknown", "it may have acted: the error has the command that settles it"},
		{ExitIncomplete, "incomplete", "printed, but an item of the answer cannot be read or may be missing, or a code has an unknown status; or done, but not printed: the error says which"},
		{ExitInterrupted, "interrupted", "interrupted"},
	}
}

// UnknownError is that a write may or may not have acted.
type UnknownError struct {
	// Text says what, and why that is not known.
	Text string
	// Settle is the command that settles it.
	Settle string
	// Err is what became of the last request; nil where that is not known.
	Err error
}

func (e *UnknownError) Error() string { return e.Text + "; settle it with: " + e.Settle }

// Unwrap returns what became of the last request.
func (e *UnknownError) Unwrap() error { return e.Err }

// UnprintedError is that something was done and its outcome could not be printed: sent again it might be done twice.
type UnprintedError struct {
	// What was done, in words.
	What string
	Err  error
}

func (e *UnprintedError) Error() string {
	return e.What + ", but not printed, cardtop history has it: " + e.Err.Error()
}

// Unwrap returns why it was not printed.
func (e *UnprintedError) Unwrap() error { return e.Err }

// ExitCode returns the exit code of an error.
func ExitCode(err error) int {
	var misuse app.UsageError
	var unknown *UnknownError
	var open app.UnconfirmedError
	var incomplete *app.IncompleteError
	var unprinted *UnprintedError
	var command *config.KeyCommandError
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &unknown), errors.As(err, &open):
		return ExitUnknown
	case errors.As(err, &incomplete):
		return ExitIncomplete
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.Is(err, syscall.EPIPE):
		return exitUnread
	case errors.As(err, &unprinted):
		return ExitIncomplete
	case errors.As(err, &misuse), errors.Is(err, config.ErrKeyPlace):
		return ExitUsage
	case errors.Is(err, api.ErrUnauthorized), errors.Is(err, config.ErrNoKey), errors.As(err, &command):
		return ExitAuth
	case errors.Is(err, api.ErrRateLimited), errors.Is(err, errtext.ErrLimitUsed):
		return ExitLimit
	case errors.Is(err, context.DeadlineExceeded):
		return ExitTimeout
	}
	return ExitFailed
}

// Report prints an error and returns the exit code. An interruption is not
// printed: the user asked for it. Nor is it that nobody reads the output.
func Report(w io.Writer, err error) int {
	code := ExitCode(err)
	if code == ExitDone || code == ExitInterrupted || code == exitUnread {
		return code
	}
	if _, werr := fmt.Fprintln(w, "cardtop: "+message(err)); werr != nil {
		return ExitFailed
	}
	return code
}

// Failure is an error as programs read it.
type Failure struct {
	Code      string   `json:"code"` // A name of Exits.
	Message   string   `json:"message"`
	Exit      int      `json:"exit"`
	RequestID api.Text `json:"request_id,omitempty"`
	Settle    string   `json:"settle,omitempty"`
	// RetryAfter is after how many seconds it may be tried again, where that is known.
	RetryAfter int `json:"retry_after,omitempty"`
}

// FailureOf describes an error; its code is "done" for none.
func FailureOf(err error) Failure {
	f := Failure{Exit: ExitCode(err)}
	for _, e := range Exits() {
		if e.Code == f.Exit {
			f.Code = e.Name
		}
	}
	if err == nil {
		return f
	}
	f.Message = message(err)
	var unknown *UnknownError
	if errors.As(err, &unknown) {
		f.Message, f.Settle = Printable(unknown.Text), unknown.Settle
	}
	var failed *api.Error
	if errors.As(err, &failed) {
		f.RequestID = failed.RequestID
	}
	var used *errtext.LimitError
	wait := errtext.RetryAfter(err)
	if errors.As(err, &used) {
		wait = used.Wait
	}
	f.RetryAfter = seconds(wait)
	return f
}

// seconds rounds up: sooner than that nothing is answered.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// ReportJSON prints an error as an object and returns the exit code.
func ReportJSON(w io.Writer, err error) int {
	f := FailureOf(err)
	if f.Exit == ExitDone || f.Exit == exitUnread {
		return f.Exit
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if enc.Encode(map[string]Failure{"error": f}) != nil {
		return ExitFailed
	}
	return f.Exit
}

// message returns the text of an error, fit for a terminal.
func message(err error) string {
	text := err.Error()
	var crash *tty.CrashError
	switch {
	case errors.As(err, &crash):
		text = app.Build() + ": " + text
	case ExitCode(err) == ExitAuth && errors.Is(err, api.ErrUnauthorized):
		text = errtext.Explain(nil, err)
	case ExitCode(err) == ExitInterrupted:
		text = strings.Replace(text, context.Canceled.Error(), "interrupted", 1)
	case errors.Is(err, api.ErrRateLimited) && errtext.RetryAfter(err) > 0:
		text += fmt.Sprintf(": try again in %d s", seconds(errtext.RetryAfter(err)))
	}
	lines := strings.Split(text, "\n") // Several are the mistakes of a file.
	for i, line := range lines {
		lines[i] = Printable(line)
	}
	return strings.Join(lines, "\n")
}

// Printable returns a text without control characters, at any length: the user
// may have to copy a command out of it.
func Printable(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		words[i] = string(api.Clean(w))
	}
	return strings.Join(words, " ")
}

// FailedError is that something could not be done, with what the API said in
// plain words.
type FailedError struct {
	// What was to be done.
	What string
	Err  error
}

func (e *FailedError) Error() string { return e.What + ": " + errtext.Explain(nil, e.Err) }

// Unwrap returns the error of the API.
func (e *FailedError) Unwrap() error { return e.Err }

// Failed says what could not be done; nil for no error.
func Failed(what string, err error) error {
	if err == nil {
		return nil
	}
	return &FailedError{what, err}
}
