package engine

import (
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state"
)

// cost returns what a request is to the budget: the limit it counts against, whether
// the user waits for it, and its lane.
func cost(effect state.Effect) (budget.Kind, budget.Priority, string) {
	if lane, ok := state.LaneName(effect); ok {
		return budget.Other, priority(effect), lane
	}
	switch effect := effect.(type) {
	case state.FetchChallenge:
		return budget.Other, budget.High, "codes"
	case state.FetchSummary:
		if effect.Limit {
			return budget.Other, budget.Low, "limits"
		}
		if effect.Ahead {
			return budget.Other, budget.Low, "inspector"
		}
		return budget.Other, budget.User, "inspector"
	case state.FetchDetails:
		return budget.Details, budget.User, "details"
	case state.Do:
		kind, priority := budget.Other, budget.User
		if effect.Op.Kind == state.OpIssue {
			kind = budget.Create
		}
		if effect.Op.Bulk != "" {
			priority = budget.Bulk
		}
		return kind, priority, "writes"
	case state.FetchOlder:
		if effect.Rest {
			return budget.Other, budget.Bulk, "history"
		}
		return budget.Other, budget.User, "history"
	case state.FetchMonth:
		return budget.Other, budget.Low, "limits"
	case state.FetchBINs:
		return budget.Other, budget.User, "BINs"
	case state.FetchWebhooks:
		return budget.Other, budget.User, "webhooks"
	case state.FetchAddresses:
		return budget.Other, budget.User, "deposits"
	default:
		return budget.Other, budget.User, "inspector"
	}
}

// priority returns which polls are refused first when requests are short.
func priority(effect state.Effect) budget.Priority {
	switch f := effect.(type) {
	case state.FetchChallenges:
		if f.Armed {
			return budget.Bulk // The user asked for it, and does other things meanwhile.
		}
		return budget.High
	case state.FetchTransactions:
		if f.History || f.Page > 1 {
			return budget.Low
		}
		return budget.Middle
	case state.FetchCards:
		if !f.Hot || f.Page > 1 {
			return budget.Low
		}
		return budget.Middle
	case state.FetchWallet, state.FetchDeposits:
		return budget.Middle
	default:
		return budget.Low
	}
}
