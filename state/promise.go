package state

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// What a confirmation shows is a promise. It is compared with what the server
// answers, or with the wallet that is read next where the answer does not tell
// it. Only what no other operation of this program explains is told: the card's
// balance, because one card has one operation at a time, and the wallet's while
// an operation is firm.

// promise is what the wallet is to hold after an operation, USD, unless a
// deposit is credited to it: those are from before the operation.
type promise struct {
	who      string
	wallet   api.USD
	deposits deposited
	until    time.Time
}

// promiseFor is how long a wallet that is read is compared with a promise:
// later too much else has happened.
const promiseFor = time.Minute

// deposited is what the wallet tells of deposits, USD.
type deposited struct{ total, pending api.USD }

func (b *walletBook) deposited() deposited {
	return deposited{orZero(b.TotalDeposited), orZero(b.PendingDeposits)}
}

// credited tells whether a deposit was credited since.
func (d deposited) credited(now deposited) bool {
	return now.total != d.total || now.pending < d.pending
}

// addOp puts an operation among those under way. Of several that move the
// wallet none can tell what it will hold afterwards.
func (ops *OpsTable) addOp(op *Op) {
	if op.Kind.MovesWallet() {
		ops.wallet.wallet.due = nil
		for _, other := range ops.ops {
			if other.Kind.MovesWallet() {
				other.Firm, op.Firm = false, false
			}
		}
	}
	ops.ops = append(ops.ops, op)
}

// Shown gives what the confirmation of an operation said that its card and the
// wallet would hold; nil where it said nothing for certain.
func (op Op) Shown() (card, wallet *api.USD) {
	if op.Bulk != "" || op.Expected == (Preview{}) {
		return nil, nil
	}
	if op.Firm {
		wallet = &op.Expected.WalletAfter
	}
	return &op.Expected.CardAfter, wallet
}

// broken tells where an answer is not what the confirmation showed; empty when
// it is. A wallet that the answer does not tell is looked at when it is read.
func (w *WalletTable) broken(op *Op, ev OpDone) string {
	card, wallet := op.Shown()
	var parts []string
	if ev.Returned != nil && op.Kind == OpIssue {
		card = nil // What it begins with is told already.
	}
	for _, p := range []struct {
		name        string
		told, shown *api.USD
	}{{"card", ev.CardBalance, card}, {"wallet", ev.WalletBalance, wallet}} {
		if p.told != nil && p.shown != nil && *p.told != *p.shown {
			parts = append(parts, p.name+" $"+p.shown.Grouped())
		}
	}
	if wallet != nil && ev.WalletBalance == nil {
		w.wallet.due = &promise{w.cards.opName(op), *wallet, op.deposits, w.now.Add(promiseFor)}
	}
	if len(parts) == 0 {
		return ""
	}
	return "but the preview said " + strings.Join(parts, ", ") + ": " + elsewhere
}

// redeem compares the wallet that was read with what the last operation was to
// leave there.
func (w *WalletTable) redeem() Topic {
	due := w.wallet.due
	w.wallet.due = nil
	if due == nil || due.wallet == w.wallet.Balance || poll.Reached(w.now, due.until) || due.deposits.credited(w.wallet.deposited()) {
		return 0
	}
	text := "wallet $" + w.wallet.Balance.Grouped() + " after " + due.who + ", but the preview said $" + due.wallet.Grouped() + ": " + elsewhere
	if w.notices.notice.Text != "" && w.notices.notice.Result {
		text = w.notices.notice.Text + "; " + text
	}
	w.notices.tellResult(max(Warn, w.notices.notice.Level), text)
	return TopicNotice
}

// elsewhere is why a promise was not kept.
const elsewhere = "something else moved money meanwhile"
