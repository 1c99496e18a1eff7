package state

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/state/poll"
)

// undoAtOnce is for how long a write is taken back without a question.
const undoAtOnce = 10 * time.Second

// WentOn notes that the person went on to something else after the last write.
func (ops *OpsTable) WentOn() {
	if ops.undo != nil {
		ops.undo.passed = true
	}
}

// UndoAsks tells whether the last write is too long ago, or not the last thing
// that the person did, to be taken back without a question.
func (ops *OpsTable) UndoAsks() bool {
	u := ops.undo
	return u != nil && (u.passed || poll.Elapsed(u.doneAt, ops.now) >= undoAtOnce)
}

// UndoNext gives the intent that takes back the last write of this session
// that was done, bound to the card it was done to. When there is none, or it
// cannot be taken back now, the intent is nil and the text tells why. What it
// gives goes the way of every intent: money is confirmed again. Undoing an
// undo does the write once more.
func (s *Store) UndoNext() (Intent, string) {
	if op, ok := s.Ops.take(s.Ops.lastBegun); ok {
		return nil, s.Cards.busyText(*op)
	}
	switch u := s.Ops.undo; {
	case u == nil:
		return nil, "nothing was written in this session yet"
	case u.back == nil:
		return nil, u.why
	default:
		if why := s.Ops.changedSince(u); why != "" {
			return nil, why
		}
		if v := s.Check(u.back); v.Reason != "" {
			return nil, v.Reason
		}
		return u.back, ""
	}
}

// remember keeps what takes back an operation that was done. What an earlier
// run began is not this session's.
func (ops *OpsTable) remember(op *Op, moved *api.USD) {
	u := op.undo
	if u == nil {
		return
	}
	switch back := u.back.(type) {
	case WithdrawCard:
		u = &undo{did: u.did, back: WithdrawCard{Card: back.Card, Amount: told(moved, back.Amount)}}
	case FundCard:
		u = &undo{did: u.did, back: FundCard{Card: back.Card, Amount: told(moved, back.Amount)}}
	default:
	}
	u.doneAt = ops.now
	ops.undo = u
}

// undoOf tells, before a write is sent, what will take it back.
func (ops *OpsTable) undoOf(in Intent) *undo {
	u := &undo{did: in}
	switch in := in.(type) {
	case FreezeCard:
		u.back = UnfreezeCard(in)
		if c, ok := ops.cards.Get(in.Card); ok && c.Status == api.CardFrozen {
			u.back, u.why = nil, ops.cards.name(in.Card)+" was frozen before"
		}
	case UnfreezeCard:
		u.back = FreezeCard(in)
		if c, ok := ops.cards.Get(in.Card); ok && c.Status == api.CardActive {
			u.back, u.why = nil, ops.cards.name(in.Card)+" was active before"
		}
	case FundCard:
		u.back = WithdrawCard(in)
	case WithdrawCard:
		u.back = FundCard(in)
	case UpdateCard:
		if change, why := ops.undoChange(in); why == "" {
			u.back = UpdateCard{Card: in.Card, Change: change}
		} else {
			u.why = why
		}
	case IssueCard:
		u.why = "a card cannot be un-issued: terminate it instead"
	case TerminateCard:
		u.why = "a termination is permanent"
	case CreateWebhook:
		u.why = "a webhook is not unregistered by undo: delete it in the list"
	case DeleteWebhook:
		u.why = "a deleted webhook is gone with its secret: register it again"
	default:
	}
	return u
}

// undoChange is the change that brings back what a change replaces.
func (ops *OpsTable) undoChange(in UpdateCard) (api.UpdateCardRequest, string) {
	var back api.UpdateCardRequest
	k, c := ops.info.Settings(in.Card), in.Change
	if len(c.Metadata) > 0 {
		return back, "metadata is merged: what was there before cannot be brought back"
	}
	if c.Label != nil {
		label := string(k.Label)
		back.Label = &label
	}
	if c.SpendingLimit != nil {
		if k.Limit == nil {
			return back, "the limit before is not known"
		}
		back.SpendingLimit = k.Limit
	}
	if c.AutoFreezeAt != nil {
		if k.AutoFreeze == nil {
			return back, "the automatic freeze before is not known: the API does not tell it"
		}
		back.AutoFreezeAt = k.AutoFreeze
	}
	if c.AllowedCategories != nil {
		if k.Categories == nil {
			return back, "the categories before are not known: the API does not tell them"
		}
		list := words(*k.Categories)
		back.AllowedCategories = &list
	}
	return back, ""
}

// changedSince tells when a card is not any more as the write left it: taking
// that back would undo what somebody else did.
func (ops *OpsTable) changedSince(u *undo) string {
	switch did := u.did.(type) {
	case FreezeCard:
		return ops.cards.unless(did.Card, api.CardFrozen)
	case UnfreezeCard:
		return ops.cards.unless(did.Card, api.CardActive)
	case UpdateCard:
		return ops.editedSince(did)
	default:
		return ""
	}
}

// words are texts as a request holds them.
func words(list []api.Text) []string {
	out := make([]string, 0, len(list))
	for _, t := range list {
		out = append(out, string(t))
	}
	return out
}

// unless tells what a card is when it is not what it should be.
func (ca *CardsTable) unless(id api.CardID, want api.CardStatus) string {
	c, ok := ca.Get(id)
	switch {
	case !ok:
		return "the card is not in the list any more"
	case c.Status != want:
		return ca.name(id) + " is " + string(c.Status) + " since"
	}
	return ""
}

func (ops *OpsTable) editedSince(did UpdateCard) string {
	k, c := ops.info.Settings(did.Card), did.Change
	what := ""
	switch {
	case c.Label != nil && api.Clean(*c.Label) != k.Label:
		what = "label"
	case c.SpendingLimit != nil && k.Limit != nil && *k.Limit != *c.SpendingLimit:
		what = "limit"
	case c.AutoFreezeAt != nil && k.AutoFreeze != nil && *k.AutoFreeze != *c.AutoFreezeAt:
		what = "automatic freeze"
	case c.AllowedCategories != nil && k.Categories != nil && !slices.Equal(words(*k.Categories), *c.AllowedCategories):
		what = "categories"
	default:
		return ""
	}
	return "the " + what + " of " + ops.cards.name(did.Card) + " was changed since"
}

// Refusal is an operation that was not done for certain, and why.
type Refusal struct {
	Op Op
	// Reason tells it in a line.
	Reason string
	// Field is the field of the request's body that the API's message names
	// (ASSUMED 6); empty when it names none.
	Field string
}

// refusalsKept bounds how many refusals are held: whoever waits for one looks
// at once.
const refusalsKept = 32

// OpByID finds an operation that is under way.
func (ops *OpsTable) ByID(id OpID) (Op, bool) {
	if op, ok := ops.take(id); ok {
		return *op, true
	}
	return Op{}, false
}

// Refused finds an operation among those refused lately. One that is neither
// under way nor refused is done, or a person judged it.
func (ops *OpsTable) Refused(id OpID) (Refusal, bool) {
	for _, r := range ops.refusals {
		if r.Op.ID == id {
			return r, true
		}
	}
	return Refusal{}, false
}

// refuse keeps why an operation was not done.
func (ops *OpsTable) refuse(op *Op, reason, message string) {
	field := ""
	if op.Write != nil {
		field = fieldNamed(op.Kind, message)
	}
	if field == FieldBIN {
		ops.bins.stale = true
	}
	if len(ops.refusals) == refusalsKept {
		ops.refusals = append(ops.refusals[:0], ops.refusals[1:]...)
	}
	ops.refusals = append(ops.refusals, Refusal{Op: *op, Reason: reason, Field: field})
}

// refused keeps why the API, or this program, did not do an operation.
func (ops *OpsTable) refused(op *Op, err error) {
	message := ""
	if e := (*api.Error)(nil); errors.As(err, &e) {
		message = string(e.Message)
	}
	if errors.Is(err, api.ErrInsufficientFunds) {
		message = FieldAmount
	}
	ops.refuse(op, explain(err), message)
}

// The fields of the bodies of writes (contract, Endpoints).
const (
	FieldBIN        = cardcsv.BIN
	FieldAmount     = cardcsv.Amount
	FieldLabel      = cardcsv.Label
	FieldLimit      = cardcsv.Limit
	FieldCategories = cardcsv.Categories
	FieldAutoFreeze = cardcsv.AutoFreeze
	FieldMetadata   = "metadata"
	FieldURL        = "url"
	FieldEvents     = "events"
)

// fieldNamed finds the field of a write's body that a message names first.
func fieldNamed(kind OpKind, message string) string {
	fields := []string{FieldAmount}
	switch kind {
	case OpIssue:
		fields = append(fields, FieldBIN, FieldLabel, FieldLimit, FieldCategories, FieldAutoFreeze, FieldMetadata)
	case OpUpdate:
		fields = []string{FieldLabel, FieldLimit, FieldCategories, FieldAutoFreeze, FieldMetadata}
	case OpSubscribe:
		fields = []string{FieldURL, FieldEvents}
	default:
	}
	named, first := "", len(message)
	for _, f := range fields {
		if at := strings.Index(strings.ToLower(message), f); at >= 0 && at < first {
			named, first = f, at
		}
	}
	return named
}
