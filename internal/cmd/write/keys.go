package write

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/state"
)

// Many cards under one key of the user: each row has a key that follows from it and
// from what the row does, so that the same command line gives each row the key
// that it had before.

// derived returns a key for a part of what the user's key is for.
func (c *Command) derived(parts ...string) string {
	h := sha256.New()
	for _, p := range append([]string{c.key}, parts...) {
		h.Write([]byte(strconv.Itoa(len(p)) + ":" + p))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// cardKey is the key of a row about a card.
func (c *Command) cardKey(kind state.BulkKind, card api.CardID) api.IdempotencyKey {
	return api.IdempotencyKey(c.derived(kind.String(), string(card)) + c.shape)
}

// stem is what the keys of two rows have in common that differ in what they do: it is of one
// card, or of one line.
func stem(key api.IdempotencyKey) string { return string(key[:max(0, len(key)-shapeLength)]) }

// shapeLength is how long a shape is.
const shapeLength = 8

// shape tells apart what is done under one key to the same cards.
func shape(what string) string {
	sum := sha256.Sum256([]byte(what))
	return hex.EncodeToString(sum[:shapeLength/2])
}

// shapeOf is the shape of an intent about cards.
func shapeOf(in state.Writes) string {
	switch in.Kind {
	case state.BulkFund, state.BulkWithdraw:
		return shape(fmt.Sprint(in.Share, in.Amount))
	case state.BulkLimit:
		return shape(fmt.Sprint(in.Amount))
	case state.BulkLabel:
		return shape(fmt.Sprint(in.First, in.Template))
	default:
		return shape("")
	}
}

// lineKey is the key of a row that issues a card.
func (c *Command) lineKey(row cardcsv.Row) api.IdempotencyKey {
	w, err := api.CreateCardWrite(row.Request)
	if err != nil {
		return "" // The plan says why it cannot be issued.
	}
	return api.IdempotencyKey(c.derived("issue", strconv.Itoa(row.Line)) + shape(string(w.Body)))
}

// setKeys sets the keys of a plan.
func (c *Command) setKeys(p *state.Plan) {
	p.ID = c.planID(p.Kind, max(1, p.Part))
	for i := range p.Rows {
		row := &p.Rows[i]
		if row.Key == "" {
			continue
		}
		if row.Write.Kind == state.OpIssue {
			row.Key = c.lineKey(cardcsv.Row{Line: row.Line, Request: *row.Write.Request})
			continue
		}
		row.Key = c.cardKey(p.Kind, row.Card)
	}
}

// planIDs are those of all plans that may run under the user's key.
func (c *Command) planIDs() map[state.PlanID]bool {
	ids := make(map[state.PlanID]bool)
	for kind := state.BulkFreeze; kind <= state.BulkIssue; kind++ {
		for part := range mostParts {
			ids[c.planID(kind, part+1)] = true
		}
	}
	return ids
}

// otherUse is an error when the user's key was used for something else than some keys are for: a
// single request, a plan of another kind or shape, or other cards alone. Cards may have left the list
// since: what was done to those is as it was.
func (c *Command) otherUse(kind state.BulkKind, keys []api.IdempotencyKey, records []state.Record, pending []state.Op) error {
	ids := c.planIDs()
	var elsewhere error
	known := false
	look := func(key api.IdempotencyKey, plan state.PlanID, card api.CardID, action, name string) error {
		switch {
		case slices.Contains(keys, key):
			known = true
		case key != api.IdempotencyKey(c.key) && !ids[plan]:
		case kind != 0 && card != "" && key == c.cardKey(kind, card):
			elsewhere = otherRequest(action, name)
		default:
			return otherRequest(action, name)
		}
		return nil
	}
	for _, op := range pending {
		if err := look(op.Key, op.Bulk, op.Card, op.Kind.Verb(), op.Name); err != nil {
			return err
		}
	}
	last := make(map[api.IdempotencyKey]bool)
	for _, r := range records { // The newest first.
		if last[r.Key] {
			continue
		}
		last[r.Key] = true
		switch r.Outcome {
		case state.OpStatusRefused, state.OpStatusNotSent, state.OpStatusWaits, state.OpStatusResolvedNotDone:
			continue
		}
		if err := look(r.Key, r.Plan, r.Card, r.Action, r.Name); err != nil {
			return err
		}
	}
	if known {
		return nil
	}
	return elsewhere
}

func (c *Command) planID(kind state.BulkKind, part int) state.PlanID {
	return state.PlanID(c.derived("plan", kind.String(), strconv.Itoa(part)))
}

// keysOf are the keys of the rows of an intent.
func (c *Command) keysOf(in state.Writes) []api.IdempotencyKey {
	var keys []api.IdempotencyKey
	for _, id := range in.Cards {
		keys = append(keys, c.cardKey(in.Kind, id))
	}
	for _, row := range in.Rows {
		keys = append(keys, c.lineKey(row))
	}
	return keys
}
