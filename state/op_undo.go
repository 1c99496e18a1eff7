package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// undoAtOnce is how long a write is undone without a question.
const undoAtOnce = 10 * time.Second

// MarkUndoPassed sets that the user did something else after the last write.
func (ops *OpsTable) MarkUndoPassed() {
	if ops.undo != nil {
		ops.undo.passed = true
	}
}

// UndoAsks reports whether the last write is too long ago, or not the last thing
// that the user did, to be undone without a question.
func (ops *OpsTable) UndoAsks() bool {
	u := ops.undo
	return u != nil && (u.passed || poll.Elapsed(u.doneAt, ops.Time) >= undoAtOnce)
}

// UndoNext returns the intent that undoes the last write of this session
// that was done, bound to the card it was done to. When there is none, or it
// cannot be undone now, the intent is nil and the text is why. What it
// returns goes the way of every intent: money is confirmed again. Undoing an
// undo does the write once more.
func (s *Store) UndoNext() (kernel.Intent, string) {
	if op, ok := s.Ops.findOp(s.Ops.lastBegun); ok {
		return nil, s.Cards.busyText(*op)
	}
	switch u := s.Ops.undo; {
	case u == nil:
		return nil, s.Lang.T("nothing to undo in this session")
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

// setUndo sets what undoes an operation that was done. What an earlier
// run began is not this session's.
func (ops *OpsTable) setUndo(op *Op, moved *api.USD) {
	u := ops.undos[op.ID]
	if u == nil {
		return
	}
	if back, ok := u.back.(Write); ok && back.Kind.moves() {
		back.Amount = kernel.ValueOr(moved, back.Amount)
		u = &undo{did: u.did, back: back}
	}
	u.doneAt = ops.Time
	ops.undo = u
}

// undoOf returns, before a write is sent, what will undo it.
func (ops *OpsTable) undoOf(in kernel.Intent) *undo {
	u := &undo{did: in}
	switch in := in.(type) {
	case Write:
		ops.undoWrite(u, in)
	case CreateWebhook:
		if !in.secret.IsZero() {
			return nil // The program's own, which the user did not ask for.
		}
		u.why = ops.Lang.T("a webhook is not unregistered by undo: delete it in the list")
	case DeleteWebhook:
		u.why = ops.Lang.T("a deleted webhook is gone with its secret: register it again")
	default:
	}
	return u
}

// undoWrite sets what will undo a write to a card, or why nothing does.
func (ops *OpsTable) undoWrite(u *undo, w Write) {
	c, known := ops.cards.Get(w.Card)
	switch w.Kind {
	case OpFreeze:
		u.back = Unfreeze(w.Card)
		if known && c.Status == api.CardFrozen {
			u.back, u.why = nil, ops.Lang.Tf("%s was frozen before", ops.cards.name(w.Card))
		}
	case OpUnfreeze:
		u.back = Freeze(w.Card)
		if known && c.Status == api.CardActive {
			u.back, u.why = nil, ops.Lang.Tf("%s was active before", ops.cards.name(w.Card))
		}
	case OpFund:
		u.back = Withdraw(w.Card, w.Amount)
	case OpWithdraw:
		u.back = Fund(w.Card, w.Amount)
	case OpUpdate:
		change, why := ops.undoChange(w)
		if u.why = why; why == "" {
			then := changed(ops.info.Settings(w.Card), w.change())
			u.back = Write{Kind: OpUpdate, Card: w.Card, Change: &change, Seen: &then}
		}
	case OpIssue:
		u.why = ops.Lang.T("a card cannot be un-issued: terminate it instead")
	case OpTerminate:
		u.why = ops.Lang.T("a termination is permanent")
	default:
	}
}

// changed returns the settings of a card after a change of its label or limit.
func changed(k Known, c api.UpdateCardRequest) Known {
	if c.Label != nil {
		k.Label = api.Text(*c.Label)
	}
	if c.SpendingLimit != nil {
		k.Limit = c.SpendingLimit
	}
	return k
}

// undoChange is the change that brings back what a change replaces.
func (ops *OpsTable) undoChange(in Write) (api.UpdateCardRequest, string) {
	var back api.UpdateCardRequest
	k, c := ops.info.Settings(in.Card), in.change()
	if len(c.Metadata) > 0 {
		return back, ops.Lang.T("metadata is merged: what was there before cannot be brought back")
	}
	if c.Label != nil {
		label := string(k.Label)
		back.Label = &label
	}
	if c.SpendingLimit != nil {
		if k.Limit == nil {
			return back, ops.Lang.T("the limit before is not known")
		}
		back.SpendingLimit = k.Limit
	}
	if c.AutoFreezeAt != nil {
		if k.AutoFreeze == nil {
			return back, ops.Lang.T("the automatic freeze before is not reported by the API")
		}
		back.AutoFreezeAt = k.AutoFreeze
	}
	if c.AllowedCategories != nil {
		if k.Categories == nil {
			return back, ops.Lang.T("the categories before are not reported by the API")
		}
		list := words(*k.Categories)
		back.AllowedCategories = &list
	}
	return back, ""
}

// changedSince returns how a card differs from what the write left: taking
// that back would undo another's change.
func (ops *OpsTable) changedSince(u *undo) string {
	did, _ := u.did.(Write)
	switch did.Kind {
	case OpFreeze:
		return ops.cards.statusOtherThan(did.Card, api.CardFrozen)
	case OpUnfreeze:
		return ops.cards.statusOtherThan(did.Card, api.CardActive)
	case OpUpdate:
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

// statusOtherThan returns the status of a card when it is another than wanted.
func (ca *CardsTable) statusOtherThan(id api.CardID, want api.CardStatus) string {
	c, ok := ca.Get(id)
	switch {
	case !ok:
		return ca.Lang.T("the card is not in the list any more")
	case c.Status != want:
		return ca.Lang.Tf("%s is %s since", ca.name(id), ca.Lang.T(string(c.Status)))
	}
	return ""
}

func (ops *OpsTable) editedSince(did Write) string {
	k, c := ops.info.Settings(did.Card), did.change()
	what := ""
	switch {
	case c.Label != nil && api.Clean(*c.Label) != k.Label:
		what = ops.Lang.T("label")
	case c.SpendingLimit != nil && k.Limit != nil && *k.Limit != *c.SpendingLimit:
		what = ops.Lang.T("limit")
	case c.AutoFreezeAt != nil && k.AutoFreeze != nil && *k.AutoFreeze != *c.AutoFreezeAt:
		what = ops.Lang.T("automatic freeze")
	case c.AllowedCategories != nil && k.Categories != nil && !slices.Equal(words(*k.Categories), *c.AllowedCategories):
		what = ops.Lang.T("categories")
	default:
		return ""
	}
	return ops.Lang.Tf("the %s of %s was changed since", what, ops.cards.name(did.Card))
}

// refusalsKept bounds how many refusals are held: the form that waits for one reads it
// at once.
const refusalsKept = 32

// refuseUndo sets why the last change cannot be undone.
func (ops *OpsTable) refuseUndo(why string) { ops.undo = &undo{why: why} }
