package write

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

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

// lookBack is how far back the history is searched for a key.
const lookBack = 90 * 24 * time.Hour

// earlier is what an earlier run with the key of the command line has done; the zero value
// is nothing.
type earlier struct {
	status state.OpStatus
	// op is the operation that has no outcome yet; nil for none.
	op *state.Op
	// record is what is known of the request; nil when nothing is.
	record *state.Record
}

// bound reports whether the key is of the request that is recorded: it acted, may have, or a person
// said that it did not.
func (e *earlier) bound() bool {
	return e.record != nil && (e.done() || e.op != nil || e.status == state.OpStatusResolvedNotDone)
}

// done reports whether it has acted.
func (e *earlier) done() bool {
	return e.status == state.OpStatusDone || e.status == state.OpStatusResolvedDone
}

// find looks for an earlier run with the key of the command line.
func (c *Command) find(acc app.Account) (e earlier, err error) {
	key := api.IdempotencyKey(c.key)
	fates, err := acc.Engine.Fates([]api.IdempotencyKey{key}, c.Now().Add(-lookBack), nil)
	if err != nil {
		return e, err
	}
	e.status = fates[key]
	records, err := acc.History.Load(math.MaxInt)
	if err != nil {
		return e, err
	}
	if err := c.otherUse(0, []api.IdempotencyKey{key}, records, acc.Journal.Pending()); err != nil {
		return e, err
	}
	pending := acc.Journal.Pending()
	if i := slices.IndexFunc(pending, func(op state.Op) bool { return op.Key == key }); i >= 0 {
		e.op = &pending[i]
		e.record = &state.Record{Action: e.op.Kind.Verb(), Card: e.op.Card, Amount: e.op.Amount, Asked: e.op.Amount, Name: e.op.Name, Label: e.op.Label, Key: key}
		if e.op.Write != nil {
			e.record.Digest = e.op.Write.Digest()
		}
	}
	if e.done() || e.status == state.OpStatusResolvedNotDone {
		if i := slices.IndexFunc(records, func(r state.Record) bool { return r.Key == key }); i >= 0 { // The newest first.
			e.record = &records[i]
		}
	}
	return e, nil
}

// before does what is left to do of an earlier run. over reports whether the command is done by
// it: nothing is to be begun.
func (c *Command) before(ctx context.Context, acc app.Account, w Wanted, e earlier) (over bool, err error) {
	if e.bound() && !same(*e.record, w.Intent) {
		return true, otherRequest(e.record.Action, e.record.Name)
	}
	switch {
	case e.done():
		return true, c.doneBefore(acc, w, e)
	case e.op != nil:
		return true, c.goOn(ctx, acc, w, *e.op)
	case e.status == state.OpStatusBegun, e.status == state.OpStatusUnknown, e.status == state.OpStatusDismissed:
		return true, &cli.UnknownError{Text: c.sentence(w.Intent) + " with this key is under way in another cardtop, or was dismissed", Settle: c.settle(api.IdempotencyKey(c.key))}
	}
	return false, nil
}

// doneBefore prints what the history has of an operation. Should the run before
// have been killed before it closed the operation, it is closed now.
func (c *Command) doneBefore(acc app.Account, w Wanted, e earlier) error {
	if e.op != nil {
		if err := acc.Journal.End(*e.op, api.Done); err != nil {
			return err
		}
	}
	o := Outcome{Again: true, Record: state.Record{Action: verb(w.Intent), Name: w.Name, Outcome: state.OpStatusDone, Key: api.IdempotencyKey(c.key)}}
	if e.record != nil {
		o.Record = *e.record
	}
	return c.print(o)
}

// goOn waits for the outcome of an operation that a run with the same key began.
func (c *Command) goOn(ctx context.Context, acc app.Account, w Wanted, op state.Op) error {
	c.Say("an earlier run with this key began it, " + op.At.Local().Format("15:04:05") + ": waiting for its outcome")
	cfg := c.config(acc, w.Known...)
	cfg.Key = ""
	r, err := act.Continue(ctx, cfg, op.Key)
	if err != nil {
		return refusal(c.sentence(w.Intent), err)
	}
	return c.finish(ctx, w, r)
}

// same reports whether a record is of what an intent does.
func same(r state.Record, in kernel.Intent) bool {
	if r.Action != verb(in) {
		return false
	}
	if wanted := digest(in); r.Digest != "" && wanted != "" {
		return r.Digest == wanted
	}
	if card, bound := state.CardOf(in); bound && card != r.Card {
		return false
	}
	if w, ok := in.(state.Write); ok && w.Kind == state.OpIssue {
		if label, _ := w.SetsLabel(); r.Label != string(api.Clean(label)) {
			return false
		}
	}
	amount, moves := state.AmountOf(in)
	asked := cmp.Or(r.Asked, r.Amount) // An earlier version recorded one of them.
	return !moves || asked == 0 || amount == asked
}

// digest is that of the request of an intent; empty when it sends none.
func digest(in kernel.Intent) string {
	method, path, body := state.New(settings.Config{}).Request(in)
	if method == "" {
		return ""
	}
	return api.Write{Method: method, Path: path, Body: []byte(body)}.Digest()
}

func otherRequest(action, name string) error {
	return app.Usage(errors.New("this idempotency key was used for another request: " + action + " " + name + "; choose another key"))
}

// verb is what an intent does, as the history says it.
func verb(in kernel.Intent) string {
	if kind := state.KindOf(in); kind != 0 {
		return kind.Verb()
	}
	return ""
}

// spoken is a verb of the history as the commands are called.
func spoken(verb string) string {
	switch verb {
	case state.OpSubscribe.Verb():
		return "register"
	case state.OpUnsubscribe.Verb():
		return "delete"
	default:
		return verb
	}
}

const (
	// claimFor is how long a run waits for another one with its key to end: longer than
	// a write is asked for.
	claimFor   = 2 * time.Minute
	claimEvery = 200 * time.Millisecond
)

// claimKey makes the key of the command line this run's. While another run has it, that
// one's outcome is waited for.
func (c *Command) claimKey(ctx context.Context, acc app.Account) (release func(), err error) {
	return c.waitFor(ctx, func() (func(), error) { return acc.Journal.Claim(api.IdempotencyKey(c.key)) })
}

func (c *Command) waitFor(ctx context.Context, claim func() (release func(), err error)) (release func(), err error) {
	for tries := 0; ; tries++ {
		release, err = claim()
		if !errors.Is(err, state.ErrKeyClaimed) || tries == int(claimFor/claimEvery) {
			return release, err
		}
		if tries == 0 {
			c.Say("another run with this key is under way: waiting for its outcome")
		}
		pause := time.NewTimer(claimEvery)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return nil, ctx.Err()
		}
	}
}
