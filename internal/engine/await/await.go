// Package await finds the one-time code that a checkout waits for, without a
// screen: it runs a store on the codes, by the dashboard's own schedule and
// budget, until a code of the card is there.
package await

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
)

// ErrCard means that no card goes by a name, or several do, or one that gets
// no more codes.
var ErrCard = errors.New("no such card")

// Error is why there is no code, in a line for the user. Its kind is ErrCard,
// context.DeadlineExceeded when none is waiting or none came in time, or one
// of api.ErrWithheld, api.ErrUnauthorized, api.ErrUnreachable and api.ErrRateLimited, the last
// also when this machine has used the limit up; nil for what else can fail.
type Error struct {
	Kind error
	Text string
}

// Error returns the line.
func (e *Error) Error() string { return e.Text }

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }

// Config is whose code is waited for, and how.
type Config struct {
	// Do runs an effect to its event, as in loop.Config.
	Do func(context.Context, kernel.Effect) kernel.Event
	// Now is this machine's clock, Rand a number in [0, 1) for the jitter of
	// retries.
	Now  func() time.Time
	Rand func() float64
	// Card is the id, the last four digits or the label of a card; empty for
	// any card.
	Card string
	// Wait waits for a code when none is pending, and for an API that does not
	// answer. Without it the first answer decides.
	Wait bool
	// Timeout bounds it all.
	Timeout time.Duration
	// Tell prints lines for the user; nil prints none.
	Tell func(string)
}

// Result is a code and its card.
type Result struct {
	// Digits is the code as it is typed: no blanks, nothing a terminal acts on.
	Digits api.Secret
	Code   codes.Code
	// Card is what is known of the card, at least its id; its status is empty
	// when that is all.
	Card cardlist.Card
	// Left is how long the code still holds, by the server's clock.
	Left time.Duration
}

// Code returns the newest pending code of a card. One that is listed already
// counts, however old: the user presses "pay" first and asks then. One past its
// time does not, nor one that the same merchant replaced by asking again. The
// error is an *Error, or the context's when that ended it.
func Code(ctx context.Context, cfg Config) (Result, error) {
	limited, cancel := context.WithTimeout(ctx, cfg.Timeout)
	defer cancel()
	w := &watch{cfg: cfg, began: cfg.Now()}
	err := w.run(limited)
	var decided *Error
	switch {
	case err == nil:
		return w.result, nil
	case errors.As(err, &decided):
		return Result{}, decided
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	default:
		return Result{}, w.late()
	}
}

// failure returns the text of an API error.
func failure(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	e = &Error{Text: errtext.Explain(nil, err)}
	for _, kind := range [...]error{api.ErrUnauthorized, api.ErrRateLimited, api.ErrUnreachable} {
		if errors.Is(err, kind) {
			e.Kind = kind
			break
		}
	}
	return e
}

// usedUp reports whether the local budget refused a request.
func usedUp() *Error {
	return &Error{Kind: api.ErrRateLimited, Text: "the request limit is used up by this machine's programs"}
}

// looksLikeID reports whether a name has the prefix of card ids in the contract.
func looksLikeID(name string) bool { return strings.HasPrefix(name, "card_") }

// Card reads one card.
func Card(ctx context.Context, do func(context.Context, kernel.Effect) kernel.Event, id api.CardID) (cardlist.Card, error) {
	switch ev := do(ctx, state.FetchSummary{Card: id}).(type) {
	case state.SummaryLoaded:
		s := ev.Summary
		return cardlist.Card{
			ID: id, BIN: s.BIN, Network: s.Network, Last4: s.Last4, Label: s.Label,
			Status: s.Status, Balance: s.Balance, CreatedAt: s.CreatedAt,
		}, nil
	case state.FetchFailed:
		return cardlist.Card{}, ev.Err
	case state.Deferred:
		return cardlist.Card{}, usedUp()
	default:
		return cardlist.Card{}, fmt.Errorf("read card: %T is no answer", ev)
	}
}

// alive refuses a card that gets no more codes.
func alive(c cardlist.Card) error {
	if c.Status == api.CardTerminated {
		return &Error{Kind: ErrCard, Text: c.Name() + " is terminated: no code comes for it"}
	}
	return nil
}

// choose finds the one card that the user means: by its id, its last four
// digits or its whole label, else by a part of its label in whatever case.
// Terminated cards count only when no other does.
func choose(cards *cardlist.List, name string) (cardlist.Card, error) {
	said := string(api.Clean(name))
	part := strings.ToLower(said)
	exact := func(c cardlist.Card) bool {
		return string(c.ID) == said || string(c.Last4) == said || string(c.Label) == said
	}
	within := func(c cardlist.Card) bool { return strings.Contains(strings.ToLower(string(c.Label)), part) }
	for _, gone := range [...]bool{false, true} {
		for _, fits := range [...]func(cardlist.Card) bool{exact, within} {
			var found []cardlist.Card
			for _, c := range cards.All() {
				if said != "" && (c.Status == api.CardTerminated) == gone && fits(c) {
					found = append(found, c)
				}
			}
			switch len(found) {
			case 0:
			case 1:
				return found[0], alive(found[0])
			default:
				return cardlist.Card{}, ambiguous(found)
			}
		}
	}
	// What was said is not repeated: it may be a whole card number.
	return cardlist.Card{}, &Error{Kind: ErrCard, Text: "no card has that id, last four digits or label"}
}

// ambiguous names those that could be meant, the first few of them.
func ambiguous(cards []cardlist.Card) error {
	const named = 5
	var names []string
	for _, c := range cards[:min(len(cards), named)] {
		names = append(names, c.Name())
	}
	more := ""
	if n := len(cards) - named; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return &Error{Kind: ErrCard, Text: "that can be " + strings.Join(names, ", ") + more + ": say the last four digits or the id"}
}
