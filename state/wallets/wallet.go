// Package wallets has the wallet's balance, its deposits and the addresses to deposit to.
package wallets

import (
	"context"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// Needs is what wallets use of others.
type Needs struct {
	Notices *kernel.Notices
	News    *kernel.News
	Lanes   *kernel.Lanes
}

// Table has the wallet, its deposits and the addresses to deposit to.
type Table struct {
	*kernel.Core
	notices   *kernel.Notices
	news      *kernel.News
	lanes     *kernel.Lanes
	wallet    walletState
	addresses addressList
}

// New returns a table that knows nothing yet.
func New(c *kernel.Core, n Needs) *Table {
	return &Table{Core: c, notices: n.Notices, news: n.News, lanes: n.Lanes}
}

// checkExpected compares the wallet that was read with what the last operation was to
// leave there.
func (w *Table) checkExpected() kernel.Topic {
	due := w.wallet.expected
	w.wallet.expected = nil
	if due == nil || due.wallet == w.wallet.Balance || poll.Reached(w.Time, due.until) || due.deposits.credited(w.Deposited()) {
		return 0
	}
	text := w.Lang.Tf("wallet %s after %s, but the preview said %s: %s", w.Lang.Dollars(w.wallet.Balance), due.who, w.Lang.Dollars(due.wallet), OtherMoves(w.Core))
	w.notices.AddResult(kernel.Warn, text)
	return kernel.TopicNotice
}

// walletState is the account's money that is not on a card.
type walletState struct {
	api.Wallet
	known    bool
	cached   bool // known from an earlier run only
	fence    poll.Seq
	readAt   time.Time // when the balance was read, this machine's clock
	deposits []api.Deposit
	// behind is the newest request whose answer may lack what an operation of
	// this program moved; 0 when the balance includes all of that.
	behind poll.Seq
	// read is the newest request whose answer is in the balance.
	read poll.Seq
	// rose reports whether the balance has a credit that the list of deposits was not read for yet.
	rose bool
	// expected is what the next balance has to be; nil for anything.
	expected *expectedWallet
	// absent are the deposits that the latest list left out and the one before
	// did not: they go when the next does not list them either.
	absent map[api.DepositID]bool
	// statuses says how each deposit was seen last, listed or not.
	statuses map[api.DepositID]api.DepositStatus
}

// expectedWallet is what the wallet should have after an operation, USD, unless a
// deposit of before the operation is credited.
type expectedWallet struct {
	who      string
	wallet   api.USD
	deposits Deposited
	until    time.Time
}

// Balance is the wallet as last read; false before the first answer. While the
// lane's source is cached it is from an earlier run.
func (w *Table) Balance() (api.Wallet, bool) { return w.wallet.Wallet, w.wallet.known }

func (w *Table) loaded(ev Loaded) kernel.Topic {
	moved := ev.Wallet.Balance != w.wallet.Balance || kernel.OrZero(ev.Wallet.PendingDeposits) != kernel.OrZero(w.wallet.PendingDeposits)
	w.lanes.Found(poll.Wallet, ev.Meta, moved && w.Live() && w.UpToDate())
	w.lanes.Answered(poll.Wallet, ev.Meta)
	if ev.Seq <= w.wallet.fence {
		w.lanes.SetCached(poll.Wallet, w.wallet.cached)
		return 0
	}
	if w.Live() && (kernel.OrZero(ev.Wallet.PendingDeposits) != kernel.OrZero(w.wallet.PendingDeposits) || kernel.OrZero(ev.Wallet.TotalDeposited) != kernel.OrZero(w.wallet.TotalDeposited)) {
		w.lanes.MakeDue(poll.Deposits) // One came, or was credited: the list says so as soon.
		w.wallet.rose = w.wallet.rose || kernel.OrZero(ev.Wallet.TotalDeposited) > kernel.OrZero(w.wallet.TotalDeposited)
	}
	var topics kernel.Topic
	if !w.Live() || !sameWallet(ev.Wallet, w.wallet.Wallet) {
		topics = kernel.TopicWallet
	}
	w.wallet.Wallet, w.wallet.known, w.wallet.cached = ev.Wallet, true, false
	w.wallet.readAt, w.wallet.read = w.lanes.OKAt(poll.Wallet), ev.Seq
	if ev.Seq > w.wallet.behind {
		if w.wallet.behind != 0 {
			topics |= kernel.TopicWallet
		}
		w.wallet.behind = 0
		topics |= w.checkExpected()
	}
	return topics
}

// sameWallet reports whether two answers say the same.
func sameWallet(a, b api.Wallet) bool {
	return a.Balance == b.Balance && a.Currency == b.Currency && a.Scoped == b.Scoped &&
		samePtr(a.PendingDeposits, b.PendingDeposits) && samePtr(a.TotalDeposited, b.TotalDeposited) && samePtr(a.TotalSpent, b.TotalSpent) &&
		samePtr(a.CardsActive, b.CardsActive) && samePtr(a.CardsTotalBalance, b.CardsTotalBalance)
}

// samePtr reports whether two optional values are equal.
func samePtr[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// walletPause is how often the wallet is read at most while many cards are
// written to.
const walletPause = 2 * time.Second

// Fetch reads the wallet's balance.
type Fetch struct{ Seq poll.Seq }

func (Fetch) Effect() {}

// Lane implements kernel.Polled.
func (f Fetch) Lane() (poll.Lane, poll.Seq) { return poll.Wallet, f.Seq }

// Cost is that of a poll.
func (f Fetch) Cost() kernel.Cost { return kernel.Polling(f, budget.Middle) }

func (f Fetch) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	wallet, err := on.API.WalletBalance(ctx)
	return Loaded{Fetch: f, Meta: on.Over(), Wallet: wallet}, err
}

// Loaded is the wallet's balance.
type Loaded struct {
	Fetch
	kernel.Meta
	Wallet api.Wallet
}

// expectedFor is how long a wallet that is read is compared with what was expected:
// later too much else has happened.
const expectedFor = time.Minute

// OtherMoves is why a balance is not as expected.
func OtherMoves(c *kernel.Core) string { return c.Lang.T("something else moved money meanwhile") }

// Live reports whether the balance was read in this run.
func (w *Table) Live() bool { return w.wallet.known && !w.wallet.cached }

// Shortfall returns how much the wallet lacks for an amount, USD; 0 or less when it has enough.
func (w *Table) Shortfall(amount api.USD) api.USD { return amount - w.wallet.Balance }

// UpToDate reports whether the balance includes all that this program moved.
func (w *Table) UpToDate() bool { return w.wallet.behind == 0 }

// ReadAt is when the balance was read, this machine's clock; zero where it was not read in this run.
func (w *Table) ReadAt() time.Time {
	if !w.Live() {
		return time.Time{}
	}
	return w.wallet.readAt
}

// Moved is the request that the balance has to be newer than to include all that this
// program moved until now; 0 when it does.
func (w *Table) Moved() poll.Seq { return w.wallet.behind }

// Includes reports whether the balance includes what this program had moved when Moved
// returned a request.
func (w *Table) Includes(moved poll.Seq) bool { return w.UpToDate() || w.wallet.read > moved }

// Outdate marks answers to requests sent so far as perhaps without what this program moved.
func (w *Table) Outdate() { w.wallet.behind = w.Seq }

// Expect sets the balance (USD) that the next answer is compared with, after an operation on a card called who.
// Deposits are those before the operation.
func (w *Table) Expect(who string, balance api.USD, before Deposited) {
	w.wallet.expected = &expectedWallet{who, balance, before, w.Time.Add(expectedFor)}
}

// ExpectNothing removes the balance that the next answer is compared with.
func (w *Table) ExpectNothing() { w.wallet.expected = nil }

// Answered merges a balance (USD) from the answer to an operation. final reports whether no other operation can move it.
func (w *Table) Answered(balance api.USD, final bool) {
	b := &w.wallet
	b.fence = w.Seq
	b.Balance, b.readAt = balance, w.Time
	if final {
		b.behind = 0
	}
}

// ReadSoon has the wallet read again after a short pause.
func (w *Table) ReadSoon() { w.lanes.MakeDueAfter(poll.Wallet, walletPause) }

// Recall begins with what an earlier run read; at is zero where that did not read the wallet.
func (w *Table) Recall(wallet api.Wallet, deposits []api.Deposit, at time.Time) {
	w.wallet.Wallet, w.wallet.deposits = wallet, slices.Clone(deposits)
	w.wallet.known = !at.IsZero()
	w.wallet.cached = w.wallet.known
}

func (ev Loaded) Apply(w *Table) (kernel.Topic, []kernel.Effect) {
	return w.lanes.Answer(ev.Fetch, ev.Meta, func() (kernel.Topic, []kernel.Effect) { return w.loaded(ev), nil })
}
