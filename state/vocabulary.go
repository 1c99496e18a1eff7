package state

import "github.com/cardtop/cardtop/api"

// Words of the contract, for those who read the store: views import the
// store and never the client.
type (
	// CardID identifies a card.
	CardID = api.CardID
	// ChallengeID identifies a 3DS challenge.
	ChallengeID = api.ChallengeID
	// TransactionID identifies a transaction.
	TransactionID = api.TransactionID
	// Text is sanitised text of the server's.
	Text = api.Text
	// USD is an amount in US dollars.
	USD = api.USD
	// Secret holds bytes that must not be printed.
	Secret = api.Secret
	// TransactionType is the kind of a transaction.
	TransactionType = api.TransactionType
	// Transaction is a row of the feed.
	Transaction = api.Transaction
	// ChallengeStatus is the state of a 3DS challenge.
	ChallengeStatus = api.ChallengeStatus
	// TransactionDetail is a transaction in full.
	TransactionDetail = api.TransactionDetail
	// WebhookID identifies a webhook.
	WebhookID = api.WebhookID
	// SigningSecret is the secret a webhook's deliveries are signed with.
	SigningSecret = api.SigningSecret
	// DepositID identifies a deposit.
	DepositID = api.DepositID
	// Deposit is a crypto deposit.
	Deposit = api.Deposit
	// Currency is the code of a crypto currency.
	Currency = api.Currency
	// Crypto is an amount in the unit of a crypto currency.
	Crypto = api.Crypto
	// CardRequest is what a new card is asked for with.
	CardRequest = api.CreateCardRequest
	// CardChange is what is changed of a card.
	CardChange = api.UpdateCardRequest
	// BIN is a range of card numbers that cards can be issued from.
	BIN = api.BIN
	// BINID identifies a BIN.
	BINID = api.BINID
	// CardStatus is the state of a card.
	CardStatus = api.CardStatus
)

// States and kinds that views tell apart.
const (
	CardActive     = api.CardActive
	CardFrozen     = api.CardFrozen
	CardTerminated = api.CardTerminated

	DepositPending   = api.DepositPending
	DepositConfirmed = api.DepositConfirmed
	DepositExpired   = api.DepositExpired

	ChallengePending   = api.ChallengePending
	ChallengeCompleted = api.ChallengeCompleted
	ChallengeExpired   = api.ChallengeExpired

	Authorization = api.TransactionAuthorization
	Settlement    = api.TransactionSettlement
	Refund        = api.TransactionRefund
	Decline       = api.TransactionDecline

	MinFunding  = api.MinFunding
	MaxFunding  = api.MaxFunding
	MaxLabel    = api.MaxLabel
	MaxMetadata = api.MaxMetadata

	Dollar = api.Dollar
	Cent   = api.Cent
)

// NewSecret holds text that must not be printed.
func NewSecret(text string) Secret { return api.NewSecret(text) }
