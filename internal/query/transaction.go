package query

import (
	"time"

	"github.com/cardtop/cardtop/api"
)

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
