package state

import (
	"errors"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
)

func (f FetchCards) lane() (Lane, Seq) {
	if f.Hot {
		return LaneHot, f.Seq
	}
	return LaneSweep, f.Seq
}
func (f FetchCards) page() int { return f.Page }

// Cost is that of a poll: later pages and the sweep can wait.
func (f FetchCards) Cost() Cost {
	if !f.Hot || f.Page > 1 {
		return polling(f, budget.Low)
	}
	return polling(f, budget.Middle)
}

func (f FetchChallenges) lane() (Lane, Seq) { return LaneCodes, f.Seq }

// Cost is that of codes, which come before the other polls. An armed checkout
// spends the user's own part, and they do other things meanwhile.
func (f FetchChallenges) Cost() Cost {
	if f.Armed {
		return polling(f, budget.Bulk)
	}
	return polling(f, budget.High)
}

func (f FetchTransactions) lane() (Lane, Seq) {
	if f.History {
		return LaneHistory, f.Seq
	}
	return LaneFeed, f.Seq
}
func (f FetchTransactions) page() int { return f.Page }

// Cost is that of a poll: later pages and the past can wait.
func (f FetchTransactions) Cost() Cost {
	if f.History || f.Page > 1 {
		return polling(f, budget.Low)
	}
	return polling(f, budget.Middle)
}

func (f FetchWallet) lane() (Lane, Seq) { return LaneWallet, f.Seq }

// Cost is that of a poll.
func (f FetchWallet) Cost() Cost { return polling(f, budget.Middle) }

func (f FetchDeposits) lane() (Lane, Seq) { return LaneDeposits, f.Seq }

// Cost is that of a poll.
func (f FetchDeposits) Cost() Cost { return polling(f, budget.Middle) }

// Cost is counted with the codes.
func (FetchChallenge) Cost() Cost { return Cost{Priority: budget.High, Lane: "codes"} }

func (f FetchChallenge) failed(s *Store, e failure) Topic {
	if e.deferred {
		s.Codes.askLater(f.Challenge, e.wait)
		return 0
	}
	s.Codes.askLater(f.Challenge, max(askFailed, e.wait))
	if errors.Is(e.err, api.ErrUnreachable) {
		s.Codes.codes.unasked(f.Challenge)
	}
	return 0
}

// Cost is counted with the card screen, or with the limits.
func (f FetchSummary) Cost() Cost {
	switch {
	case f.Limit:
		return Cost{Priority: budget.Low, Lane: "limits"}
	case f.Ahead:
		return Cost{Priority: budget.Low, Lane: "inspector"}
	}
	return Cost{Priority: budget.User, Lane: "inspector"}
}

// Label is what the user waits for.
func (FetchSummary) Label(asked bool) string { return readingCard(asked) }

func (f FetchSummary) failed(s *Store, e failure) Topic {
	s.Limits.limitFailed(f, e.at, e.wait)
	return s.Info.failed(f.Seq, e)
}

// Cost is counted with the card screen.
func (FetchCardTransactions) Cost() Cost { return Cost{Priority: budget.User, Lane: "inspector"} }

// Label is what the user waits for.
func (FetchCardTransactions) Label(asked bool) string { return readingCard(asked) }

func (f FetchCardTransactions) failed(s *Store, e failure) Topic { return s.Info.failed(f.Seq, e) }

// readingCard is empty where a card that is looked at is read again by itself.
func readingCard(asked bool) string {
	if !asked {
		return ""
	}
	return "reading the card"
}

// Cost is counted with the history.
func (f FetchOlder) Cost() Cost {
	if f.Rest {
		return Cost{Priority: budget.Bulk, Lane: "history"}
	}
	return Cost{Priority: budget.User, Lane: "history"}
}

func (f FetchOlder) failed(s *Store, e failure) Topic {
	return s.Older.failed(f, e.err, e.at, e.wait)
}

// Cost is counted with the limits.
func (FetchMonth) Cost() Cost { return Cost{Priority: budget.Low, Lane: "limits"} }

func (f FetchMonth) failed(s *Store, e failure) Topic {
	return s.Limits.monthFailed(f, e.err, e.at, e.wait)
}

// Cost is counted with the card screen.
func (FetchTransaction) Cost() Cost { return Cost{Priority: budget.User, Lane: "inspector"} }

// Label is what the user waits for.
func (FetchTransaction) Label(bool) string { return "reading the transaction" }

func (f FetchTransaction) failed(s *Store, e failure) Topic {
	if e.deferred {
		return s.Txns.detailFailed(f.Seq, e.err, e.at.Add(e.wait))
	}
	return s.Txns.detailFailed(f.Seq, e.err, e.at)
}

// Cost is a lane of its own.
func (FetchBINs) Cost() Cost { return Cost{Priority: budget.User, Lane: "BINs"} }

// Label is what the user waits for.
func (FetchBINs) Label(bool) string { return "reading the BINs" }

func (FetchBINs) failed(s *Store, e failure) Topic {
	s.BINs.failed(e.err)
	return TopicBINs
}

// Cost is a lane of its own.
func (FetchWebhooks) Cost() Cost { return Cost{Priority: budget.User, Lane: "webhooks"} }

// Label is what the user waits for.
func (FetchWebhooks) Label(bool) string { return "reading the webhooks" }

func (f FetchWebhooks) failed(s *Store, e failure) Topic { return s.Webhooks.failed(f.Seq, e.err) }

// Cost is counted with the deposits.
func (FetchAddresses) Cost() Cost { return Cost{Priority: budget.User, Lane: "deposits"} }

// Label is what the user waits for.
func (FetchAddresses) Label(bool) string { return "reading the addresses" }

func (f FetchAddresses) failed(s *Store, e failure) Topic {
	return s.Wallet.addressesFailed(f.Seq, e.err)
}

// Cost is that of details, of which few are allowed in a minute (contract,
// Limits).
func (FetchDetails) Cost() Cost {
	return Cost{Kind: budget.Details, Priority: budget.User, Lane: "details"}
}

// Label is what the user waits for.
func (FetchDetails) Label(bool) string { return "reading the number" }

func (f FetchDetails) failed(s *Store, e failure) Topic {
	limited := e.deferred || errors.Is(e.err, api.ErrRateLimited) && e.wait > 0
	if limited && e.wait <= detailsWait {
		return s.Secrets.pacing(f.Seq, e.wait)
	}
	s.Secrets.detailsFailed(f.Seq)
	if e.deferred {
		s.Notices.tell(Warn, "the request limit is used up: try again in "+seconds(e.wait))
		return TopicNotice | TopicSecrets
	}
	s.Notices.tell(Bad, "cannot read the details of "+s.Cards.name(f.Card)+": "+explain(e.err))
	return TopicNotice | TopicSecrets | TopicInspector
}

// Cost is that of a write; issuing has a limit of its own (contract, Limits).
func (f Do) Cost() Cost {
	c := Cost{Priority: budget.User, Lane: "writes"}
	if f.Op.Kind == OpIssue {
		c.Kind = budget.Create
	}
	if f.Op.Bulk != "" {
		c.Priority = budget.Bulk
	}
	return c
}

func (f Do) failed(s *Store, e failure) Topic { return s.opDeferred(f.Op.ID, e.wait) }

// Label is what the user waits for.
func (x Execute) Label(bool) string { return "running " + x.Name }

// Label is what the user waits for.
func (FetchHistory) Label(bool) string { return "reading the history" }

// Label is what the user waits for.
func (SaveRows) Label(bool) string { return "writing the rows" }
