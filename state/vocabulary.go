package state

import "github.com/cardtop/cardtop/api"

// The words of the contract, for those who read the store: views import the
// store and never the client.
type (
	CardID        = api.CardID
	ChallengeID   = api.ChallengeID
	TransactionID = api.TransactionID
	Text          = api.Text
	USD           = api.USD
	Secret        = api.Secret
	Transaction   = api.Transaction
	Deposit       = api.Deposit
	CardStatus    = api.CardStatus
)

// States and kinds that views tell apart.
const (
	CardActive     = api.CardActive
	CardFrozen     = api.CardFrozen
	CardTerminated = api.CardTerminated

	DepositPending   = api.DepositPending
	DepositConfirmed = api.DepositConfirmed
	DepositExpired   = api.DepositExpired

	Authorization = api.TransactionAuthorization
	Settlement    = api.TransactionSettlement
	Refund        = api.TransactionRefund
	Decline       = api.TransactionDecline

	Dollar = api.Dollar
	Cent   = api.Cent
)

// NewSecret holds text that must not be printed.
func NewSecret(text string) Secret { return api.NewSecret(text) }

// ParseUSD reads an amount in USD, decimal text as in JSON.
func ParseUSD(text string) (USD, error) { return api.ParseUSD(text) }
