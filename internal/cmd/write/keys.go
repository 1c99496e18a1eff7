package write

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
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
	return api.IdempotencyKey(c.derived(kind.String(), string(card)))
}

// lineKey is the key of a row that issues a card.
func (c *Command) lineKey(row state.IssueRow) api.IdempotencyKey {
	w, err := api.CreateCardWrite(row.Request)
	if err != nil {
		return "" // The plan says why it cannot be issued.
	}
	return api.IdempotencyKey(c.derived("issue", strconv.Itoa(row.Line), string(w.Body)))
}

// setKeys sets the keys of a plan.
func (c *Command) setKeys(p *state.Plan) {
	p.ID = c.planID(p.Kind, max(1, p.Part))
	for i := range p.Rows {
		row := &p.Rows[i]
		if row.Key == "" {
			continue
		}
		if in, issues := row.Intent.(state.IssueCard); issues {
			row.Key = c.lineKey(state.IssueRow{Line: row.Line, Request: in.Request})
			continue
		}
		row.Key = c.cardKey(p.Kind, row.Card)
	}
}

func (c *Command) planID(kind state.BulkKind, part int) state.PlanID {
	return state.PlanID(c.derived("plan", kind.String(), strconv.Itoa(part)))
}

// mostParts bounds the parts of a plan that an earlier run may have left.
const mostParts = 256

// claim makes the key this run's, and finds what an earlier run with it has done:
// the plan that it left, or else the rows that are done, which are left out of
// what is wanted. Nil is wanted when all are.
func (c *Command) claim(ctx context.Context, acc app.Account, w *WantedMany) (release func(), left *state.LeftPlan, err error) {
	release, err = c.claimKey(ctx, acc)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			release()
		}
	}()
	kind := state.BulkOf(w.Intent)
	ids := make(map[state.PlanID]bool, mostParts)
	for part := range mostParts {
		ids[c.planID(kind, part+1)] = true
	}
	found, _ := acc.Engine.Run(ctx, state.FindPlans{}).(state.PlansFound)
	if found.Err != nil {
		return nil, nil, found.Err
	}
	for i := range found.Left {
		if ids[found.Left[i].Plan.ID] {
			return release, &found.Left[i], nil
		}
	}
	return release, nil, c.leaveOut(ctx, acc, w)
}

// leaveOut leaves out the rows that an earlier run has done. It is an error when
// nobody knows of one.
func (c *Command) leaveOut(ctx context.Context, acc app.Account, w *WantedMany) error {
	kind := state.BulkOf(w.Intent)
	if kind == state.BulkLabel {
		return nil // A card that is called so already is skipped, and the numbers stay.
	}
	keys := c.keysOf(w.Intent)
	fates, err := acc.Engine.Fates(keys, c.Now().Add(-lookBack), nil)
	if err != nil {
		return err
	}
	done := func(key api.IdempotencyKey) bool {
		return fates[key] == state.OpStatusDone || fates[key] == state.OpStatusResolvedDone
	}
	left := 0
	for _, key := range keys {
		switch f := fates[key]; {
		case done(key):
			continue
		case f == state.OpStatusBegun, f == state.OpStatusUnknown, f == state.OpStatusDismissed:
			return &cli.UnknownError{Text: "an earlier run with this key may have changed a card", Settle: c.settle(key)}
		}
		left++
	}
	if left == len(keys) {
		return nil
	}
	if fund, ok := w.Intent.(state.FundMany); ok && fund.Share == state.ShareSplit && left > 0 {
		return errors.New("an earlier run with this key has funded some of the cards: a sum is not divided again among the others")
	}
	if err := c.recall(ctx, acc, keys, w.Intent, done); err != nil {
		return err
	}
	if left == 0 {
		w.Intent = nil
		return nil
	}
	if in, issues := w.Intent.(state.IssueMany); issues {
		in.Rows = slices.DeleteFunc(slices.Clone(in.Rows), func(r state.IssueRow) bool { return done(c.lineKey(r)) })
		w.Intent = in
		return nil
	}
	cards := slices.DeleteFunc(slices.Clone(cardsOf(w.Intent)), func(id api.CardID) bool { return done(c.cardKey(kind, id)) })
	w.Intent = withCards(w.Intent, cards)
	return nil
}

// keysOf are the keys of the rows of an intent.
func (c *Command) keysOf(in state.Many) []api.IdempotencyKey {
	var keys []api.IdempotencyKey
	for _, id := range cardsOf(in) {
		keys = append(keys, c.cardKey(state.BulkOf(in), id))
	}
	if issue, ok := in.(state.IssueMany); ok {
		for _, row := range issue.Rows {
			keys = append(keys, c.lineKey(row))
		}
	}
	return keys
}

// recall finds in the history what became of the rows that are done, to be
// printed before the others.
func (c *Command) recall(ctx context.Context, acc app.Account, keys []api.IdempotencyKey, in state.Many, done func(api.IdempotencyKey) bool) error {
	past, _ := acc.Engine.Run(ctx, state.FetchHistory{}).(state.HistoryLoaded)
	if past.Err != nil {
		return past.Err
	}
	records := make(map[api.IdempotencyKey]state.Record)
	for _, r := range slices.Backward(past.Records) { // The newest counts.
		records[r.Key] = r
	}
	kind, each := state.BulkOf(in), eachOf(in)
	for _, key := range keys {
		if r := records[key]; done(key) {
			if each > 0 && r.Amount > 0 && r.Amount != each {
				return otherRequest(r.Action+" with $"+r.Amount.Grouped(), r.Name)
			}
			c.past = append(c.past, Row{
				PlanRow: state.PlanRow{Card: r.Card, Name: r.Name, Amount: r.Amount, Key: key},
				Action:  kind.String(), Outcome: state.OpStatusDone, Text: "done before, under the same key",
			})
		}
	}
	return nil
}

// eachOf is what an intent moves to or from each card, USD; 0 for what differs from
// card to card.
func eachOf(in state.Many) api.USD {
	switch in := in.(type) {
	case state.FundMany:
		if in.Share == state.ShareEach {
			return in.Amount
		}
	case state.WithdrawMany:
		if in.Share == state.ShareEach {
			return in.Amount
		}
	default:
	}
	return 0
}

// cardsOf are the cards that an intent is about.
func cardsOf(in state.Many) []api.CardID {
	switch in := in.(type) {
	case state.FreezeMany:
		return in.Cards
	case state.UnfreezeMany:
		return in.Cards
	case state.FundMany:
		return in.Cards
	case state.WithdrawMany:
		return in.Cards
	case state.LimitMany:
		return in.Cards
	case state.LabelMany:
		return in.Cards
	case state.TerminateMany:
		return in.Cards
	default:
		return nil
	}
}

// withCards is an intent about other cards.
func withCards(in state.Many, cards []api.CardID) state.Many {
	switch in := in.(type) {
	case state.FreezeMany:
		in.Cards = cards
		return in
	case state.UnfreezeMany:
		in.Cards = cards
		return in
	case state.FundMany:
		in.Cards = cards
		return in
	case state.WithdrawMany:
		in.Cards = cards
		return in
	case state.LimitMany:
		in.Cards = cards
		return in
	case state.LabelMany:
		in.Cards = cards
		return in
	case state.TerminateMany:
		in.Cards = cards
		return in
	default:
		return in
	}
}
