package api

import "context"

// Calls are the reads of the contract, and what a hub has besides. The client sends them; a hub answers those of its people from
// memory. Their errors are those of the client.
type Calls interface {
	ListCards(ctx context.Context, o ListCardsOptions) (Page[CardItem], error)
	GetCard(ctx context.Context, id CardID) (CardSummary, error)
	CardDetails(ctx context.Context, id CardID) (CardDetails, error)
	ListChallenges(ctx context.Context, o ListChallengesOptions) (Page[Challenge], error)
	GetChallenge(ctx context.Context, id ChallengeID) (Challenge, error)
	ListTransactions(ctx context.Context, o ListTransactionsOptions) (Page[Transaction], error)
	GetTransaction(ctx context.Context, id TransactionID) (TransactionDetail, error)
	WalletBalance(ctx context.Context) (Wallet, error)
	DepositAddresses(ctx context.Context, currency Currency) (DepositAddresses, error)
	ListDeposits(ctx context.Context, o ListDepositsOptions) (Page[Deposit], error)
	ListBINs(ctx context.Context) (Page[BIN], error)
	ListWebhooks(ctx context.Context) (Page[Webhook], error)
	HubCalls
}

// HubCalls are what only a hub answers.
type HubCalls interface {
	ClaimCode(ctx context.Context, id ChallengeID) error
	HubPeople(ctx context.Context) ([]HubPerson, error)
	HubApprovals(ctx context.Context) ([]HubApproval, error)
	HubOperations(ctx context.Context) ([]HubOperation, error)
	HubLeases(ctx context.Context) ([]HubLease, error)
	HubClaims(ctx context.Context) ([]HubClaim, error)
	HubOutcome(ctx context.Context, w Write, key IdempotencyKey) (HubOutcome, error)
	DecideHubApproval(ctx context.Context, a HubApproval, approve bool) error
	SettleHubOperation(ctx context.Context, id IdempotencyKey, as string) (HubOperation, error)
}
