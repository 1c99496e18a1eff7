package write

import "github.com/cardtop/cardtop/internal/engine/act"

func (c *Command) printPlan(act.Proposal) {}
