package query

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Fields of cards. SpentField and LastField are known from transactions: a list
// of the API does not have them.
const (
	StatusField = "status"
	SpentField  = "spent"
	LastField   = "last"
	// ExpiresField is known of cards that were read by themselves.
	ExpiresField = "expires"
)

// Fields of cards that are figures of the ledger.
const (
	LeftField     = "left"
	BurnField     = "burn"
	DeclinesField = "decl7"
	IdleField     = "idle"
)

// CampaignField is the field of a card's campaign, also of that of a
// transaction's card.
const CampaignField = "campaign"

// Cards is what a list of cards is filtered by, on the screen and in commands.
// T is how the list holds a card.
type Cards[T any] struct {
	// Holds reports whether a word is anywhere in a card.
	Holds func(card T, want *Needle) bool
	// Balance and Spent, in the last 24 hours, are USD.
	Balance, Spent func(T) api.USD
	// Label, BIN and Network are in lower case.
	Status, Label, Last4, BIN, Network func(T) string
	// Campaign is in lower case; nil where it is not known.
	Campaign func(T) string
	// Last is how long ago it was used, Age how long ago it was issued; false
	// for never.
	Last, Age func(T) (time.Duration, bool)
	// Expires is how long until it expires, less than zero afterwards; false where that
	// is not known. Nil where no card is known to.
	Expires func(T) (time.Duration, bool)
	// Left is how long the balance lasts, Burn what is spent an hour, Declines how
	// many of 100 payments were declined in 7 days, Idle how long an active card
	// with a balance was not used; nil where they are not known.
	Left, Burn, Declines, Idle func(T) Figure
}

// Language returns the fields.
func (c Cards[T]) Language() Language[T] {
	return Language[T]{
		Holds: c.Holds,
		Fields: known([]Field[T]{
			{Name: "bal", Also: []string{"balance"}, Money: always(c.Balance)},
			{Name: SpentField, Money: always(c.Spent)},
			{Name: StatusField, Word: c.Status, Words: []string{string(api.CardActive), string(api.CardFrozen), string(api.CardTerminated), string(api.CardExpired)}},
			{Name: "label", Text: c.Label},
			{Name: CampaignField, Text: c.Campaign},
			{Name: "card", Also: []string{"last4"}, Text: c.Last4},
			{Name: "bin", Text: c.BIN},
			{Name: "net", Also: []string{"network"}, Text: c.Network},
			{Name: LastField, Age: c.Last},
			{Name: "age", Age: c.Age},
			{Name: ExpiresField, Age: c.Expires},
			{Name: LeftField, Figure: c.Left, Unit: Nanoseconds},
			{Name: BurnField, Figure: c.Burn, Unit: Dollars},
			{Name: DeclinesField, Figure: c.Declines, Unit: Percent},
			{Name: IdleField, Figure: c.Idle, Unit: Nanoseconds},
		}),
	}
}

// always returns a field of amounts that are all in USD.
func always[T any](of func(T) api.USD) func(T) (api.USD, bool) {
	if of == nil {
		return nil
	}
	return func(row T) (api.USD, bool) { return of(row), true }
}

// known returns the fields that are read from something.
func known[T any](all []Field[T]) []Field[T] {
	return slices.DeleteFunc(all, func(f Field[T]) bool {
		return f.Text == nil && f.Word == nil && f.Money == nil && f.Age == nil && f.Figure == nil
	})
}
