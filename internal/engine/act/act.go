// Package act carries intents out without a screen: it runs a store on what they
// rest on, asks whether to go on, dispatches, and waits until the outcome is known
// or nobody can know it. What is checked, stored, sent and sent again is the
// store's and the engine's, as on the screen.
package act

import (
	"context"
	"errors"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// ErrNotConfirmed is that the user said no, or nobody could be asked.
var ErrNotConfirmed = errors.New("not confirmed: nothing was sent")

// RefusedError is why an intent cannot be done; nothing was sent.
type RefusedError struct {
	// Reason and Remedy are each one line; the remedy may be empty.
	Reason, Remedy string
}

func (e *RefusedError) Error() string {
	if e.Remedy == "" {
		return e.Reason
	}
	return e.Reason + ": " + e.Remedy
}

// Config is what intents are carried out with.
type Config struct {
	// Run runs an effect to its event; it is Engine.Run.
	Run func(context.Context, kernel.Effect) kernel.Event
	// Now is this machine's clock, Rand a number in [0, 1).
	Now  func() time.Time
	Rand func() float64
	// Store are the settings of the store. Its keys are minted here.
	Store settings.Config
	// Pending are operations that earlier runs left without an answer.
	Pending []state.Op
	// Known are events that the store begins with: cards and plans that were read.
	Known []kernel.Event
	// Key is the idempotency key of the one operation; empty mints one.
	Key api.IdempotencyKey
	// Confirm asks whether to go on. It may block.
	Confirm func(context.Context, Proposal) (bool, error)
	// Keys sets the keys of a plan, from one that the user chose; nil leaves the
	// plan those it has.
	Keys func(*state.Plan)
	// Progress is called when a batch has changed; nil for nobody.
	Progress func(*state.Batch)
	// Tell prints a line for the user; nil prints none.
	Tell func(string)
}

// Proposal is what would be done, for a confirmation. It has either a plan or a
// single intent.
type Proposal struct {
	Intent  kernel.Intent
	Verdict kernel.Verdict
	// Preview are the balances before and after, nil where they do not matter or
	// are not known.
	Preview *state.Preview
	Plan    *state.Plan
	// Left and Sum, USD, are what a batch that goes on still does; of a new plan
	// they are 0.
	Left int
	Sum  api.USD
}

// Request is what would be sent.
type Request struct {
	Method, Path, Body string
	// Name is that of a row's card, Text why nothing would be sent for it: then Method is empty.
	Name, Text string
}

// Result is what became of one operation.
type Result struct {
	// Status is done, refused, not-sent or unknown.
	Status state.OpStatus
	Key    api.IdempotencyKey
	Op     state.Op
	// Done is the answer of one that is done.
	Done state.OpDone
	// Err is why it is not done, or not known.
	Err error
}
