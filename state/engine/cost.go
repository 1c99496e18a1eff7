package engine

import (
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state"
)

// cost tells what a request is to the budget: which limit it counts against,
// whether a person waits for it, and the lane it is shown under.
func cost(effect state.Effect) (budget.Kind, budget.Priority, string) {
	if lane, ok := state.LaneName(effect); ok {
		return budget.Other, budget.Background, lane
	}
	switch effect.(type) {
	case state.FetchDetails:
		return budget.Details, budget.User, "details"
	case state.Do:
		return budget.Other, budget.User, "writes"
	default:
		return budget.Other, budget.User, "inspector"
	}
}
