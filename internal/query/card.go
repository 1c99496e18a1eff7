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

// The fields of transactions that the API can be asked as well.
const (
	AmountField   = "amt"
	TypeField     = "type"
	MerchantField = "merchant"
	CardField     = "card"
	LabelField    = "label"
	AgeField      = "age"
)

// Transactions is what a list of transactions is filtered by, on the screen and
// in commands. T is how the list holds a transaction.
type Transactions[T any] struct {
	// Holds reports whether a word is anywhere in a transaction.
	Holds func(t T, want *Needle) bool
	// Amount is USD, without its sign; false of one in another currency, which no comparison finds.
	Amount func(T) (amount api.USD, inUSD bool)
	// Type is a word of KindWord. Merchant, Label and Country are in lower case.
	Type, Merchant, Last4, Label, Country, MCC func(T) string
	// Campaign is that of the card, in lower case; nil where it is not known.
	Campaign func(T) string
	// Age is how long ago it was.
	Age func(T) (time.Duration, bool)
}

// Language returns the fields.
func (t Transactions[T]) Language() Language[T] {
	return Language[T]{
		Holds: t.Holds,
		Fields: known([]Field[T]{
			{Name: AmountField, Also: []string{"amount"}, Money: t.Amount},
			{Name: TypeField, Also: []string{"what"}, Word: t.Type, Words: []string{
				KindWord(api.TransactionAuthorization), KindWord(api.TransactionSettlement), KindWord(api.TransactionRefund), KindWord(api.TransactionDecline),
			}, Alike: func(value string) string { return KindWord(api.TransactionType(value)) }},
			{Name: MerchantField, Text: t.Merchant},
			{Name: CardField, Also: []string{"last4"}, Text: t.Last4},
			{Name: LabelField, Text: t.Label},
			{Name: CampaignField, Text: t.Campaign},
			{Name: "country", Text: t.Country},
			{Name: "mcc", Text: t.MCC},
			{Name: AgeField, Age: t.Age},
		}),
	}
}

// KindWord is the type of a transaction in a word; one that is not known stays
// as it was sent.
func KindWord(t api.TransactionType) string {
	switch t {
	case api.TransactionAuthorization:
		return "hold"
	case api.TransactionSettlement:
		return "settled"
	case api.TransactionRefund:
		return "refund"
	case api.TransactionDecline:
		return "declined"
	}
	return string(t)
}
