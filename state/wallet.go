package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// WalletTable holds the wallet, its deposits and the addresses to deposit to.
type WalletTable struct {
	*core
	notices   *NoticesTable
	cards     *CardsTable
	news      *NewsTable
	poll      *PollTable
	wallet    walletBook
	addresses addressBook
}

// walletBook is the account's money that is not on a card.
type walletBook struct {
	api.Wallet
	known    bool
	cached   bool // known from an earlier run only
	fence    Seq
	readAt   time.Time // when the balance was told, this machine's clock
	deposits []api.Deposit
	// behind is the newest request whose answer may lack what an operation of
	// this program moved; 0 when the balance tells all of that.
	behind Seq
	// due is what a balance read from now on has to tell; nil for nothing.
	due *promise
	// moved is the newest operation there was when one that moves the wallet was
	// last confirmed, gave when one that adds to it was: those up to it ran
	// beside it.
	moved, gave OpID
	// absent are the deposits that the latest list left out and the one before
	// did not: they go when the next does not list them either.
	absent map[api.DepositID]bool
	// told says how each deposit was seen last, listed or not.
	told map[api.DepositID]api.DepositStatus
}

// live tells whether an answer to this run told of the wallet.
func (b *walletBook) live() bool { return b.known && !b.cached }

// Wallet is the wallet as last told; false before the first answer. While the
// lane's source is cached it is from an earlier run.
func (w *WalletTable) Balance() (api.Wallet, bool) { return w.wallet.Wallet, w.wallet.known }

// Deposits lists the deposits, newest first. The slice is the store's own.
func (w *WalletTable) Deposits() []api.Deposit { return w.wallet.deposits }

func (w *WalletTable) loaded(ev WalletLoaded) Topic {
	w.poll.succeed(LaneWallet, ev.Meta)
	if ev.Seq <= w.wallet.fence {
		w.poll.SetCached(LaneWallet, w.wallet.cached)
		return 0
	}
	if w.wallet.live() && (orZero(ev.Wallet.PendingDeposits) != orZero(w.wallet.PendingDeposits) || orZero(ev.Wallet.TotalDeposited) != orZero(w.wallet.TotalDeposited)) {
		w.poll.MakeDue(LaneDeposits) // One came, or was credited: the list says so as soon.
	}
	w.wallet.Wallet, w.wallet.known, w.wallet.cached = ev.Wallet, true, false
	w.wallet.readAt = w.poll.OKAt(LaneWallet)
	if ev.Seq > w.wallet.behind {
		w.wallet.behind = 0
		return TopicWallet | w.redeem()
	}
	return TopicWallet
}

// WalletMoving tells whether the wallet may change by what this program does:
// an operation that moves it is under way, or was since it was last read.
func (ops *OpsTable) WalletMoving() bool {
	return ops.wallet.wallet.behind != 0 || slices.ContainsFunc(ops.ops, func(op *Op) bool {
		return op.Kind.MovesWallet() && op.Phase != Unsettled
	})
}

// walletMoved takes the balance that an answer told. Answers come in any order
// and a later try is answered as the first was: one that had another move
// beside it says at most that the wallet does not hold more. Then it is read.
func (ops *OpsTable) walletMoved(op *Op, told *api.USD) {
	if !op.Kind.MovesWallet() {
		return
	}
	alone := op.ID > ops.wallet.wallet.moved
	shrinks := op.Kind.Takes() && op.ID > ops.wallet.wallet.gave
	for _, o := range ops.ops {
		alone = alone && !o.Kind.MovesWallet()
		shrinks = shrinks && (o.Kind.Takes() || !o.Kind.MovesWallet())
	}
	ops.wallet.wallet.moved = ops.lastOp
	if !op.Kind.Takes() {
		ops.wallet.wallet.gave = ops.lastOp
	}
	fresh := told != nil && op.Tries == 1
	if fresh && (alone || shrinks && *told < ops.wallet.wallet.Balance) {
		ops.wallet.wallet.fence = ops.seq
		ops.wallet.wallet.Balance, ops.wallet.wallet.readAt = *told, ops.now
		if alone {
			ops.wallet.wallet.behind = 0
		}
	}
	if !fresh || !alone {
		ops.poll.MakeDueAfter(LaneWallet, walletPause)
	}
}

// walletPause is how often the wallet is read at most while many cards are
// written to.
const walletPause = 2 * time.Second

// credited tells of deposits that are confirmed since they were last read.
func (w *WalletTable) credited(items []api.Deposit) {
	for _, d := range items {
		if d.Status == api.DepositConfirmed && w.wallet.told[d.ID] != d.Status {
			w.news.report(News{Kind: NewsDeposit, ID: string(d.ID), Amount: d.CreditedUSD})
		}
	}
}

func (w *WalletTable) depositsLoaded(ev DepositsLoaded) Topic {
	known, b := !w.poll.OKAt(LaneDeposits).IsZero(), &w.wallet
	first := w.poll.OKAt(LaneDeposits).IsZero() || w.poll.Cached(LaneDeposits)
	w.poll.succeed(LaneDeposits, ev.Meta)
	b.note(b.deposits)
	if !first {
		w.credited(ev.Items)
		ev.Items = append(ev.Items, b.leftOut(ev.Items)...)
	}
	b.deposits = ev.Items
	slices.SortStableFunc(b.deposits, func(a, b api.Deposit) int {
		return b.CreatedAt.Compare(a.CreatedAt)
	})
	topics := TopicWallet
	if known {
		topics |= w.tellDeposits()
	}
	b.note(b.deposits)
	return topics
}

// note remembers how deposits were seen.
func (b *walletBook) note(items []api.Deposit) {
	if b.told == nil {
		b.told = make(map[api.DepositID]api.DepositStatus, len(items))
	}
	for i := range items {
		b.told[items[i].ID] = items[i].Status
	}
}

// leftOut gives the deposits that a list does not hold for the first time: one
// list may be wrong.
func (b *walletBook) leftOut(items []api.Deposit) []api.Deposit {
	var stay []api.Deposit
	absent := make(map[api.DepositID]bool)
	for _, old := range b.deposits {
		if b.absent[old.ID] || slices.ContainsFunc(items, func(d api.Deposit) bool { return d.ID == old.ID }) {
			continue
		}
		absent[old.ID] = true
		stay = append(stay, old)
	}
	b.absent = absent
	return stay
}
