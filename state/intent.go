package state

import "github.com/cardtop/cardtop/api"

// Intent is something the user wants done, bound to the id it was asked for
// and never to a position on the screen. Each intent says beside its type
// whether it can be done, and does it; the interfaces below are what some say
// besides.
//
//sumtype:decl
type Intent interface {
	// check reports whether the intent can be done now.
	check(s *Store) Verdict
	// start does it. An intent that is only a question for particulars does
	// nothing.
	start(s *Store) (Topic, []Effect)
}

type (
	// writer is an intent that sends a request as an operation.
	writer interface {
		Intent
		// build makes the request. It leaves name and label to buildRequest
		// unless they are not those of the card.
		build(we *WebhooksTable) (request, error)
	}
	// asker is an intent that can be asked for before its particulars are known.
	asker interface{ ask(s *Store) Verdict }
	// bound is an intent about one card.
	bound interface{ card() api.CardID }
	// mover is an intent that moves an amount, USD.
	mover interface{ amount() api.USD }
	// labelled is an intent whose label guardrails look at.
	labelled interface{ labelIn(ca *CardsTable) string }
	// waiter is an intent that may be refused while the API does not answer: it
	// must not act later. Freezing may: it only makes cards safer.
	waiter interface{ waitsForAPI() bool }
	// lockable is an intent that a locked screen allows.
	lockable interface{ whileLocked() }
	// shower is an intent that would show what a private screen hides; hidden is
	// the reason, empty when it is shown already.
	shower interface{ hidden(s *Store) string }
)

// FreezeCard asks to suspend a card's transactions.
type FreezeCard struct{ Card api.CardID }

// UnfreezeCard asks to enable a card's transactions again.
type UnfreezeCard struct{ Card api.CardID }

// FundCard asks to move Amount (USD) from the wallet to a card.
type FundCard struct {
	Card   api.CardID
	Amount api.USD
}

// FillCard asks for the balance that a card is to be funded up to. What that
// takes is a FundCard.
type FillCard struct{ Card api.CardID }

// WithdrawCard asks to move Amount (USD) from a card to the wallet.
type WithdrawCard struct {
	Card   api.CardID
	Amount api.USD
}

// IssueCard asks for a new card, funded from the wallet.
type IssueCard struct{ Request api.CreateCardRequest }

// UpdateCard asks to change a card's label, limit, categories, automatic
// freeze or metadata: only what the change names.
type UpdateCard struct {
	Card   api.CardID
	Change api.UpdateCardRequest
}

// TerminateCard asks to end a card for good. What is on it goes back to the
// wallet.
type TerminateCard struct{ Card api.CardID }

// LoadBINs asks for the BINs that cards can be issued from, unless they were
// read lately; Anew asks whenever they were.
type LoadBINs struct{ Anew bool }

// LoadAddresses asks where deposits go, and what was seen of that before.
type LoadAddresses struct{}

// ShowAddress asks to show where deposits of a currency go; empty: any.
type ShowAddress struct{ Currency api.Currency }

// CopyAddress asks to copy where deposits of a currency go.
type CopyAddress struct{ Currency api.Currency }

// TrustAddress takes an address that changed for right. The pin is the one
// that was shown.
type TrustAddress struct{ Pin Pin }

// LoadWebhooks asks for the registered endpoints.
type LoadWebhooks struct{}

// CreateWebhook asks to register an endpoint for events; "*" alone is all. The
// service makes the signing secret. An empty intent asks for the particulars.
type CreateWebhook struct {
	URL    string
	Events []string
}

// DeleteWebhook asks to remove an endpoint for good.
type DeleteWebhook struct{ Webhook api.WebhookID }

// ShowSigning puts the held signing secret on the screen, or takes it off.
type ShowSigning struct{}

// CopySigningSecret asks to copy the held signing secret.
type CopySigningSecret struct{}

// DropSigning forgets the held signing secret.
type DropSigning struct{}

// LoadHistory asks for the history of what was done.
type LoadHistory struct{}

// InspectCard asks for a card's summary and its own transactions. An empty
// id closes the inspector.
type InspectCard struct {
	Card api.CardID
	// Passing says that a person goes through cards: it is read where they stay.
	Passing bool
}

// LoadOlder asks for the next page of the inspected card's past, or of all
// cards for an empty id, unless one is on its way or there is none. With a
// search only what it is for is asked for; what it finds is Store.Found's.
type LoadOlder struct {
	Card   api.CardID
	Search Search
}

// EndSearch lets go of what a search in the past has found.
type EndSearch struct{}

// InspectTransaction asks for a transaction in full. Next and previous go
// through Among, newest first; it is shared and not changed. An empty id
// closes it.
type InspectTransaction struct {
	Transaction api.TransactionID
	Among       []api.TransactionID
}

// StepTransaction asks for a transaction that is so many places older than
// the one looked at, or newer.
type StepTransaction struct{ By int }

// FollowLink asks for the next of the transactions that the one looked at
// belongs with.
type FollowLink struct{}

// RevealCard asks for the next step of showing a card's details: number and
// expiry, then the CVV as well, then hidden again.
type RevealCard struct{ Card api.CardID }

// HideSecrets asks that nothing sensitive is on the screen. Forget asks that
// nothing is in memory either, not even for a copy ring that is under way.
type HideSecrets struct{ Forget bool }

// CopyNext asks to copy the next field of a card's ring.
type CopyNext struct{ Card api.CardID }

// CopyField asks to copy one field of a card's ring.
type CopyField struct {
	Card  api.CardID
	Field Field
}

// CopyWhole asks to copy a card by the template of the configuration.
type CopyWhole struct{ Card api.CardID }

// ChooseField asks which field of a card is to be copied.
type ChooseField struct{ Card api.CardID }

// CopyCode asks to copy the code of a challenge, of the newest when empty.
type CopyCode struct{ Challenge api.ChallengeID }

// Examine asks to look at what tells whether a card's operation of unknown
// outcome acted; without one on the card, at that of an issue.
type Examine struct{ Card api.CardID }

// Judge says what became of an operation whose outcome nobody could tell.
type Judge struct {
	Op       OpID
	Happened bool
}

// LookAgain asks anew for what tells whether an operation acted.
type LookAgain struct{ Op OpID }

// ToggleDryRun begins a dry run, in which writes are shown and not sent, or
// ends it.
type ToggleDryRun struct{}

// CopyText asks to copy text that is no secret; What names it.
type CopyText struct{ What, Text string }

// Say tells the person what a pane has to say of a key.
type Say struct {
	Level Level
	Text  string
}

// TogglePrivacy hides what of the account can be read off the screen, or shows
// it again.
type TogglePrivacy struct{}

// LockScreen takes every secret away and refuses everything until
// UnlockScreen.
type LockScreen struct{}

// UnlockScreen ends it.
type UnlockScreen struct{}

// SelectCard says which card the cursor is on, so that its summary is there
// when it is looked at. An empty id is none.
type SelectCard struct{ Card api.CardID }

// TurnTo says which card keys are about from now on: what is revealed of
// another is hidden, and its copy ring begins anew.
type TurnTo struct{ Card api.CardID }

// Refresh asks for a card's and the wallet's balances anew, before money
// moves. An empty id is for many cards.
type Refresh struct{ Card api.CardID }

// ArmCheckout asks to wait for a card's next code, or no longer.
type ArmCheckout struct{ Card api.CardID }

// PutAway asks to take the large code off the screen.
type PutAway struct{}

// Danger grades what an intent can cost.
type Danger uint8

// The grades. Money and Permanent intents are confirmed before they are
// dispatched.
const (
	Harmless Danger = iota
	Reversible
	Money
	Permanent
)

// Verdict is what the store says of an intent before it is dispatched.
type Verdict struct {
	// Reason tells in a line why the intent cannot be done; empty when it can.
	Reason string
	// Remedy tells what would let it be done; empty where that is plain.
	Remedy string
	Danger Danger
	// Again tells why a second confirmation is asked for; empty when one is
	// enough.
	Again string
	// TypeTwice says that the amount has to be typed a second time.
	TypeTwice bool
	// Short is what the wallet lacks, USD, when that is the reason.
	Short USD
}
