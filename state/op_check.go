package state

import (
	"fmt"

	"github.com/cardtop/cardtop/api"
)

func (cl *ClipTable) checkCode(in CopyCode) Verdict {
	_, ok := cl.codes.codeToCopy(in)
	switch {
	case ok:
		return Verdict{}
	case in.Challenge != "":
		return Verdict{Reason: "that code has ended: choose another"}
	}
	return Verdict{Reason: cl.noCode()}
}

func (ops *OpsTable) checkWrite(id api.CardID, danger Danger) Verdict {
	return ops.checkBeside(id, danger, func(*Op) bool { return true })
}

// checkBeside is checkWrite for what only some operations stand in the way of: a
// freeze does not wait for money of which nobody knows.
func (ops *OpsTable) checkBeside(id api.CardID, danger Danger, inTheWay func(*Op) bool) Verdict {
	v := Verdict{Danger: danger}
	c, ok := ops.cards.Get(id)
	switch op, busy := ops.pending(id, inTheWay); {
	case !ok:
		v.Reason = "no card is selected"
	case ops.cfg.ReadOnly:
		v.Reason = readOnly
	case c.Status == api.CardTerminated:
		v.Reason = ops.cards.name(id) + " is terminated"
	case busy:
		v.Reason = ops.cards.busyText(op)
	}
	return v
}

// writable tells whether anything is written at all.
func (c *core) writable(danger Danger) Verdict {
	v := Verdict{Danger: danger}
	if c.cfg.ReadOnly {
		v.Reason = readOnly
	}
	return v
}

// readOnly is why nothing is written.
const readOnly = "read-only: writes are off"

// busyText tells which operation stands in the way.
func (ca *CardsTable) busyText(op Op) string {
	if op.Phase == Sending {
		return fmt.Sprintf("%s: the %s is still under way", ca.opName(&op), op.Kind)
	}
	return fmt.Sprintf("%s: the %s before is unconfirmed", ca.opName(&op), op.Kind)
}

// checkFresh refuses what must not rest on what an earlier run knew of a card.
// Freezing may: it only makes the card safer.
func (ca *CardsTable) checkFresh(id api.CardID, v Verdict) Verdict {
	if c, _ := ca.Get(id); v.Reason == "" && c.Cached {
		v.Reason = ca.name(id) + " is not read yet: what is shown of it is from the last run"
	}
	return v
}

// checkMoney judges an amount in USD; zero stands for one not typed yet.
func (ops *OpsTable) checkMoney(kind OpKind, id api.CardID, amount api.USD) Verdict {
	v := ops.cards.checkFresh(id, ops.checkWrite(id, Money))
	if v.Reason != "" || amount == 0 {
		return v
	}
	p, ok := ops.wallet.preview(kind, id, amount)
	switch {
	case !ok:
		v.Reason = "the wallet is not read yet: what it would hold afterwards is not known"
	case amount%api.Cent != 0:
		v.Reason = "at most two decimals"
	case amount < 0:
		v.Reason = tooLittle
	case kind == OpFund && amount < api.MinFunding:
		v.Reason = "at least $" + api.MinFunding.Grouped()
	case kind == OpFund && amount > api.MaxFunding:
		v.Reason = "at most $" + api.MaxFunding.Grouped() + " at a time"
	case kind == OpFund && p.WalletAfter < 0:
		v.Reason, v.Short = walletShort(-p.WalletAfter), -p.WalletAfter
	case kind == OpWithdraw && p.CardAfter < 0:
		v.Reason = "the card is $" + (-p.CardAfter).Grouped() + " short"
	case kind.Takes():
		c, _ := ops.cards.Get(id)
		v.Reason = ops.guarded(string(c.Label), amount)
	}
	return v
}

// walletShort says what the wallet lacks, USD.
func walletShort(lacks api.USD) string { return "the wallet is $" + lacks.Grouped() + " short" }

// lacks is what the wallet is short of for an amount, USD; 0 or less when it
// is enough.
func (w *WalletTable) lacks(amount api.USD) api.USD { return amount - w.wallet.Balance }

// tooLittle refuses an amount of nothing or less.
const tooLittle = "the amount must be more than 0"

// noReveal is why nothing secret of a card is asked for.
const noReveal = "reveal is off: no number, CVV or address is shown or copied"

// Preview tells what moving an amount (USD) would do, by the balances last
// told in this run; ok is false while the wallet or the card is not known.
func (s *Store) Preview(in Intent) (p Preview, ok bool) {
	switch in := in.(type) {
	case FundCard:
		return s.Wallet.preview(OpFund, in.Card, in.Amount)
	case WithdrawCard:
		return s.Wallet.preview(OpWithdraw, in.Card, in.Amount)
	case IssueCard:
		return s.Wallet.preview(OpIssue, "", in.Request.Amount)
	case TerminateCard:
		return s.Wallet.preview(OpTerminate, in.Card, 0)
	default:
		return Preview{}, false
	}
}

func (w *WalletTable) preview(kind OpKind, id api.CardID, amount api.USD) (Preview, bool) {
	c, ok := w.cards.Get(id)
	if !w.wallet.live() || c.Cached || !ok && kind != OpIssue {
		return Preview{}, false
	}
	switch kind {
	case OpFund, OpIssue:
	case OpWithdraw:
		amount = -amount
	case OpTerminate:
		amount = -c.Balance
	default:
		return Preview{}, false
	}
	return Preview{
		CardBefore: c.Balance, CardAfter: c.Balance + amount,
		WalletBefore: w.wallet.Balance, WalletAfter: w.wallet.Balance - amount,
	}, true
}

// checkDetails refuses what needs a card's details where reveal is off or the
// card has none.
func (ca *CardsTable) checkDetails(id api.CardID) Verdict {
	if ca.cfg.NoReveal {
		return Verdict{Reason: noReveal, Remedy: "start without --no-reveal, on a profile whose reveal is not false"}
	}
	return ca.checkAlive(id)
}

// checkAlive refuses a card that is not known or terminated.
func (ca *CardsTable) checkAlive(id api.CardID) Verdict {
	c, ok := ca.Get(id)
	switch {
	case !ok:
		return Verdict{Reason: "no card is selected"}
	case c.Status == api.CardTerminated:
		return Verdict{Reason: ca.name(id) + " is terminated"}
	}
	return Verdict{}
}
