// Package cardlist holds many cards in little memory, in the order they were
// first seen. A List can be read and shared, a Table also finds cards by their
// ids and records which of them changed.
package cardlist

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Card is what the list knows of one card.
type Card struct {
	ID        api.CardID
	BIN       api.BINID
	Network   api.Text
	Last4     api.Text
	Label     api.Text
	Status    api.CardStatus
	Balance   api.USD
	CreatedAt time.Time
	// Spent24h is what settled on the card in the last 24 hours, net of
	// refunds, as far as it was read. LastUsed is when its latest transaction was made
	// that is no refund, of all that this run or an earlier one read.
	Spent24h api.USD
	LastUsed time.Time
	// Month is what settled in the calendar month, net of refunds, as far as it
	// was read, and Limit the monthly limit, USD; both 0 while nothing shows
	// them, and the limit while it was not read.
	Month, Limit api.USD
	// ExpiresAt is on the server's clock; zero while it was not read: lists do not
	// have it. Expired reports whether it has passed.
	ExpiresAt time.Time
	Expired   bool
	// Cached reports whether all this is from an earlier run, and no answer of
	// this one was about the card yet.
	Cached bool

	number int32 // Row.Number
}

// Shown returns the status that people, filters and other programs get of a card: one
// that the API calls active has expired when its expiry has passed (ASSUMED 34).
// Card.Status is the API's, which operations are resolved by.
func Shown(status api.CardStatus, expired bool) api.CardStatus {
	if expired && status == api.CardActive {
		return api.CardExpired
	}
	return status
}

// Shown returns the status to show of the card.
func (c *Card) Shown() api.CardStatus { return Shown(c.Status, c.Expired) }

// ExpiresIn returns how long the card is valid, less than zero for one that has
// expired; false when that is not known, and where the card has ended before.
func (c *Card) ExpiresIn(now time.Time) (time.Duration, bool) {
	return c.ExpiresAt.Sub(now), !c.ExpiresAt.IsZero() && c.Status != api.CardTerminated
}

// Name returns the card's label and last digits.
func (c Card) Name() string { return Name(c.Label, c.Last4) }

// Alias stands for the name where names are hidden.
func (c Card) Alias() string { return fmt.Sprintf("card %d", c.number) }

// LimitUse returns how much of its monthly limit the card has used, in percent;
// false when that is not known.
func (c *Card) LimitUse() (percent int, known bool) {
	switch {
	case c.Month <= 0:
		return 0, true
	case c.Limit <= 0:
		return 0, false
	}
	return int(c.Month * 100 / c.Limit), true
}

// Name returns the name of a card with a label and last digits.
func Name(label, last4 api.Text) string {
	if label == "" {
		return "••" + string(last4)
	}
	return string(label) + " ••" + string(last4)
}
