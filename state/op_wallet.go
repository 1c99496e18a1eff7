package state

import (
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/wallets"
)

// What a confirmation shows is compared with what the server answers, or with the wallet that is read next where the
// answer does not include it. Only what no other operation of this program explains is reported: the card's balance,
// because one card has one operation at a time, and the wallet's while an operation is firm.

// preview returns what an operation would leave on the card and in the wallet, by the balances last read in this run;
// false while one of them is not known.
func (ops *OpsTable) preview(kind OpKind, id api.CardID, amount api.USD) (Preview, bool) {
	c, ok := ops.cards.Get(id)
	if !ops.wallet.Live() || c.Cached || !ok && kind != OpIssue {
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
	wallet, _ := ops.wallet.Balance()
	return Preview{
		CardBefore: c.Balance, CardAfter: c.Balance + amount,
		WalletBefore: wallet.Balance, WalletAfter: wallet.Balance - amount,
	}, true
}

// unexpected returns where an answer is not what the confirmation showed; empty when
// it is. A wallet that the answer does not include is checked when it is read.
func (ops *OpsTable) unexpected(op *Op, issued bool, cardNow, walletNow *api.USD) string {
	card, wallet := op.Shown()
	var parts []string
	if issued {
		card = nil // What it begins with is said already.
	}
	for _, p := range []struct {
		name       string
		got, shown *api.USD
	}{{ops.Lang.T("card"), cardNow, card}, {ops.Lang.T("wallet"), walletNow, wallet}} {
		if p.got != nil && p.shown != nil && *p.got != *p.shown {
			parts = append(parts, p.name+" "+ops.Lang.Dollars(*p.shown))
		}
	}
	if wallet != nil && walletNow == nil {
		ops.wallet.Expect(ops.cards.opName(op), *wallet, op.deposits)
	}
	if len(parts) == 0 {
		return ""
	}
	return ops.Lang.Tf("but the preview said %s: %s", strings.Join(parts, ", "), wallets.OtherMoves(ops.Core))
}

// walletMoved merges the balance of an answer; nil for none. Answers come in any order
// and a later try is answered as the first was: one that had another move
// next to it proves at most that the wallet does not have more. Then it is read.
func (ops *OpsTable) walletMoved(op *Op, balance *api.USD) {
	if !op.Kind.MovesWallet() {
		return
	}
	alone, shrinks := op.ID > ops.lastMoved, op.Kind.FromWallet() && op.ID > ops.lastAdded
	for _, o := range ops.ops {
		alone = alone && !o.Kind.MovesWallet()
		shrinks = shrinks && (o.Kind.FromWallet() || !o.Kind.MovesWallet())
	}
	ops.lastMoved = ops.lastOp
	if !op.Kind.FromWallet() {
		ops.lastAdded = ops.lastOp
	}
	fresh := balance != nil && op.Tries == 1
	if wallet, _ := ops.wallet.Balance(); fresh && (alone || shrinks && *balance < wallet.Balance) {
		ops.wallet.Answered(*balance, alone)
	}
	if !fresh || !alone {
		ops.wallet.ReadSoon()
	}
}
