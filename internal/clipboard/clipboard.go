// Package clipboard puts a secret on the clipboard for a short time and takes it off
// again, whatever happens to the program that asked.
//
// A guard, which is this same binary started as a hidden subcommand, does all
// the work: it is armed with a keyed digest and a time to live and has said so
// before it is given the secret, and it clears the clipboard when the time is
// up, when the pipe to the dashboard closes without a goodbye, or when it is
// told to terminate. The secret travels through that pipe and through the
// standard input of a clipboard tool; it is never an argument, an environment
// variable or, with one exception that Info warns of, a file.
//
// Where the platform allows it (X11, and Wayland from wl-clipboard 2.3.0) the
// guard owns the selection through a child that dies with it, so that clearing
// survives the guard's own death and never touches what the user copied since.
// Elsewhere the guard compares, clears and reads back: a copy that the user
// makes within those few milliseconds is lost, and killing dashboard and guard
// together leaves the secret in place.
//
// Not covered: root, a malicious terminal, and clipboard managers that ignore
// the hints to look away.
package clipboard

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// MaxTTL is the longest a secret may stay on the clipboard.
const MaxTTL = 2 * time.Minute

// ErrNoTool means that no clipboard is within reach; the error that wraps it
// says what to install or to allow.
var ErrNoTool = errors.New("no clipboard")

// ErrClosed is returned by the calls on a board after Close.
var ErrClosed = errors.New("clipboard is closed")

// State is what is known about one copy.
type State int

// The states of a copy. Sent and Blanked are what Copied and Cleared become
// when the terminal is the clipboard (OSC 52), which answers nothing.
const (
	// Idle: nothing was put on a clipboard.
	Idle State = iota
	// Copied: read back from the clipboard; it is cleared at Report.Until.
	Copied
	// Sent: written to the terminal, which may or may not have taken it.
	Sent
	// Cleared: read back, the clipboard no longer holds it.
	Cleared
	// Blanked: the terminal was sent a blank in its place.
	Blanked
	// Replaced: the clipboard holds something else, which was left alone.
	Replaced
	// CannotClear: the clipboard could not be cleared or does not answer; the
	// guard goes on trying and a later report may say Cleared or Replaced.
	CannotClear
	// NoTool: no clipboard is within reach.
	NoTool
)

// String returns the words for the status line.
func (s State) String() string {
	switch s {
	case Copied:
		return "copied"
	case Sent:
		return "sent to terminal, clearing cannot be verified"
	case Cleared:
		return "cleared"
	case Blanked:
		return "blank sent to terminal, clearing cannot be verified"
	case Replaced:
		return "replaced by other content"
	case CannotClear:
		return "cannot clear"
	case NoTool:
		return "no clipboard in reach"
	default:
		return "nothing copied"
	}
}

// Final reports whether no later report about the same copy is to be expected.
func (s State) Final() bool {
	return s != Copied && s != Sent && s != CannotClear
}

// Report is one thing learnt about a copy. Err holds no secret and is set with
// CannotClear and NoTool. Until is the deadline (UTC), set with Copied and Sent.
type Report struct {
	ID    uint64
	State State
	Until time.Time
	// Via names the way the copy took, set with Copied and Sent. Hinted says that
	// clipboard managers were asked to keep nothing of it.
	Via    string
	Hinted bool
	Err    error
}

// Item is a secret to copy. The board keeps no reference to Secret after Copy
// returns, so the caller may wipe it. TTL is at most MaxTTL.
type Item struct {
	Secret []byte
	TTL    time.Duration
}

// Info describes the clipboard for the doctor command.
type Info struct {
	// Mode is owner, compare, tmux, terminal or none.
	Mode string
	// Tool is the program behind it, with its version where that matters.
	Tool string
	// Promise is one sentence about what happens when programs are killed.
	Promise string
	// Warnings name what the user should know before copying.
	Warnings []string
}

// String is the line that doctor prints.
func (i Info) String() string {
	parts := append([]string{i.Promise}, i.Warnings...)
	if i.Tool == "" {
		return i.Mode + ": " + strings.Join(parts, "; ")
	}
	return fmt.Sprintf("%s (%s): %s", i.Mode, i.Tool, strings.Join(parts, "; "))
}

// Board is a clipboard that clears itself. Its calls block, at most for a few
// seconds and never past the context: they belong in a command, not in the loop
// that draws the screen. A Board is safe for concurrent use.
type Board interface {
	// Copy replaces the clipboard by the item. The report says Copied or Sent;
	// with an error it says Idle or NoTool and nothing is left on the clipboard
	// (were that in doubt, a later report says so).
	Copy(ctx context.Context, it Item) (Report, error)
	// Clear removes every copy now, without waiting for its time.
	Clear(ctx context.Context) error
	// HoldScreen sets whether the terminal shows the dashboard. While it does,
	// the guard erases and restores it should the dashboard be killed. Call it
	// with false around anything that hands the terminal to someone else.
	HoldScreen(ctx context.Context, held bool) error
	// AllowOSC52 sets whether copies may go to the terminal, from the next copy on. What
	// was copied before is cleared then.
	AllowOSC52(allowed bool)
	// Reports delivers what is learnt after Copy has returned. The channel is
	// never closed; the oldest report is dropped when none is read.
	Reports() <-chan Report
	// Info describes the clipboard in use.
	Info() Info
	// Close ends the session with the guard: it leaves the screen alone and clears
	// either now or at the time set. The program may exit at once.
	Close(clearNow bool) error
}

// MaxBytes bounds a copy.
const MaxBytes = wire.MaxPayload

// check refuses items that cannot be copied. Its errors do not quote them.
func (it Item) check() error {
	switch {
	case len(it.Secret) == 0:
		return errors.New("copy item: nothing to copy")
	case len(it.Secret) > MaxBytes:
		return fmt.Errorf("copy item: longer than %d bytes", MaxBytes)
	case it.TTL <= 0:
		return errors.New("copy item: its time is over")
	case it.TTL > MaxTTL:
		return fmt.Errorf("copy item: longer than %s", MaxTTL)
	}
	return nil
}

// Off is a board without a clipboard, for when the guard cannot be started:
// copying without one would leave secrets behind.
type Off struct {
	reason error
	box    *mailbox
}

var _ Board = (*Off)(nil)

// NewOff returns a board that refuses every copy with the reason.
func NewOff(reason error) *Off {
	return &Off{reason: reason, box: newMailbox()}
}

// Copy refuses.
func (o *Off) Copy(context.Context, Item) (Report, error) {
	err := fmt.Errorf("%w: %w", ErrNoTool, o.reason)
	return Report{State: NoTool, Err: err}, err
}

// Clear has nothing to clear.
func (o *Off) Clear(context.Context) error { return nil }

// HoldScreen does nothing: there is no guard to restore the terminal.
func (o *Off) HoldScreen(context.Context, bool) error { return nil }

// AllowOSC52 does nothing: without a guard nothing is copied.
func (o *Off) AllowOSC52(bool) {}

// Reports never delivers.
func (o *Off) Reports() <-chan Report { return o.box.ch }

// Info returns why there is no clipboard.
func (o *Off) Info() Info {
	return Info{Mode: "none", Promise: "nothing is copied", Warnings: []string{o.reason.Error()}}
}

// Close does nothing.
func (o *Off) Close(bool) error { return nil }
