package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
)

// Event is something that has happened. Everything the store learns arrives
// as one, failures included.
//
// Each event says beside its type what it changes.
//
//sumtype:decl
type Event interface {
	// apply merges the event and returns which parts changed and what follows.
	apply(s *Store) (Topic, []Effect)
	// meta is when and how an answer came; zero for what is none.
	meta() Meta
}

// Meta tells when and how an answer came. Times are this machine's.
type Meta struct {
	Sent, At time.Time
	// Clock is what a recent answer told of the server's clock.
	Clock ClockSample
	// Budget is how the requests of the last hour were spent.
	Budget Budget
	// Requests are those that were over since the last event told of any.
	Requests []Request
}

func (m Meta) meta() Meta { return m }

// UseShared says that programs told each other what they spent, or why they
// could not.
type UseShared struct {
	Meta
	Err error
}

// CardsLoaded is a page of cards.
type CardsLoaded struct {
	FetchCards
	Meta
	Items      []api.CardItem
	TotalPages int
	Total      int
}

// ChallengesLoaded is the list of pending challenges.
type ChallengesLoaded struct {
	FetchChallenges
	Meta
	Items []api.Challenge
}

// ChallengeLoaded is one challenge.
type ChallengeLoaded struct {
	Meta
	Item api.Challenge
}

// TransactionsLoaded is a page of the feed. More says that it was full.
type TransactionsLoaded struct {
	FetchTransactions
	Meta
	Items []api.Transaction
	More  bool
}

// WalletLoaded is the wallet's balance.
type WalletLoaded struct {
	FetchWallet
	Meta
	Wallet api.Wallet
}

// DepositsLoaded is the list of deposits.
type DepositsLoaded struct {
	FetchDeposits
	Meta
	Items []api.Deposit
}

// SummaryLoaded is one card's summary.
type SummaryLoaded struct {
	FetchSummary
	Meta
	Summary api.CardSummary
}

// CardTransactionsLoaded is one card's latest transactions.
type CardTransactionsLoaded struct {
	FetchCardTransactions
	Meta
	Items []api.Transaction
	// More says that there may be older ones.
	More bool
}

// OlderLoaded is a page of the past. More says that it was full.
type OlderLoaded struct {
	FetchOlder
	Meta
	Items []api.Transaction
	More  bool
}

// TransactionLoaded is one transaction in full.
type TransactionLoaded struct {
	FetchTransaction
	Meta
	Detail api.TransactionDetail
}

// BINsLoaded are the BINs that cards can be issued from.
type BINsLoaded struct {
	Meta
	Items []api.BIN
}

// WebhooksLoaded are the registered endpoints.
type WebhooksLoaded struct {
	FetchWebhooks
	Meta
	Items []api.Webhook
}

// AddressesLoaded is where deposits go.
type AddressesLoaded struct {
	FetchAddresses
	Meta
	Addresses api.DepositAddresses
}

// PinsLoaded are the deposit addresses that were seen before, or why they
// could not be read.
type PinsLoaded struct {
	Meta
	Pins []Pin
	Err  error
}

// PinsKept says that addresses are on disk, or why they are not. Stay are those
// that another dashboard kept before, in whose place none was put.
type PinsKept struct {
	Meta
	Stay []Pin
	Err  error
}

// DetailsLoaded are a card's details, for the vault. They cannot be printed;
// whoever does not keep them wipes them.
type DetailsLoaded struct {
	FetchDetails
	Meta
	Details *api.CardDetails
}

// FetchFailed is a read that brought nothing.
type FetchFailed struct {
	Meta
	Effect Effect
	Err    error
}

// Deferred is a request that the request budget did not allow yet.
type Deferred struct {
	Meta
	Effect Effect
	Wait   time.Duration
}

// OpDone is an operation the server confirmed. Amounts and balances (USD) are
// the server's; nil where its answer did not tell.
type OpDone struct {
	Meta
	Op OpID
	// Card is whose card the answer is about; empty when it did not tell.
	Card   api.CardID
	Status api.CardStatus
	// Moved is what was funded or withdrawn, Before the card's balance before.
	Moved, Before *api.USD
	// CardBalance and WalletBalance are those after it.
	CardBalance, WalletBalance *api.USD
	// Returned is the whole card where the answer was one.
	Returned *api.Card
	// Webhook is the endpoint that was registered, with its secret, which cannot
	// be printed.
	Webhook *api.Webhook
	// Record is its line in the history, Lost why it is not there on disk.
	Record *Record
	Lost   string
	// Note tells why the journal did not take the outcome; empty when it did.
	Note string
}

// OpFailed is an operation that the server refused, or whose outcome is
// unknown, as api.Outcome of the error says. NotSent says that it never left
// this machine.
type OpFailed struct {
	Meta
	Op      OpID
	Err     error
	NotSent bool
	// Record is its line in the history, nil when there is no new one, and Lost
	// why it is not there on disk.
	Record *Record
	Lost   string
	// Note tells why the journal did not take the outcome; empty when it did.
	Note string
}

// OpForgotten says that the journal let go of an operation, or why it could
// not.
type OpForgotten struct {
	Meta
	Err error
	// Record is its line in the history, Lost why it is not there on disk.
	Record *Record
	Lost   string
}

// OperationsAdopted says what other dashboards left without an answer, now
// this one's, and what all dashboards of the profile took from the wallet in
// the last day, as far as guardrails look at that.
type OperationsAdopted struct {
	Meta
	Ops   []Op
	Moved []Moved
	Err   error
}

// HistoryLoaded is the history, the newest record first, or why it could not
// be read.
type HistoryLoaded struct {
	Meta
	Records []Record
	Err     error
}

// DryRunSet says that the engine has heard whether writes are sent.
type DryRunSet struct {
	Meta
	On bool
}

// PlanKept says that a plan is on disk, or why it is not.
type PlanKept struct {
	Meta
	ID  PlanID
	Err error
}

// PlanDropped says that a plan is off the disk, or why it is not.
type PlanDropped struct {
	Meta
	ID  PlanID
	Err error
}

// PlansFound are the plans that other runs left in the middle. They are this
// run's now, and told again each time until they are dropped.
type PlansFound struct {
	Meta
	Left []LeftPlan
	Err  error
}

// SheetLoaded is a file of cards to be issued, or why it could not be read.
type SheetLoaded struct {
	FetchSheet
	Meta
	Sheet cardcsv.File
	Err   error
}

// RecordingFound says what records the screen; nothing known when By is empty.
type RecordingFound struct {
	Meta
	By string
}

// ManagersFound names the clipboard managers that run; nothing where none is
// known to.
type ManagersFound struct {
	Meta
	Names []api.Text
}

// Copied says what came of putting something on the clipboard, or of taking
// it off again.
type Copied struct {
	// Seq is that of the copy's effect.
	Seq   Seq
	At    time.Time
	State ClipState
	Until time.Time
	// Via names the way it took. Hinted says that clipboard managers were asked
	// to keep nothing of it.
	Via    string
	Hinted bool
	// Hint tells in a line what to do when it could not be done.
	Hint string
}
