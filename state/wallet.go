package state

import (
	"context"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/poll"
)

// WalletTable holds the wallet, its deposits and the addresses to deposit to.
type WalletTable struct {
	*kernel.Core
	notices   *kernel.Notices
	news      *kernel.News
	poll      *kernel.Lanes
	wallet    walletState
	addresses addressList
}

// checkExpected compares the wallet that was read with what the last operation was to
// leave there.
func (w *WalletTable) checkExpected() kernel.Topic {
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

// addressList is what is known of deposit addresses.
type addressList struct {
	list []Address // as read last, without their trust
	okAt time.Time
	err  error
	// asked is the request under way, 0 for none.
	asked poll.Seq

	pins    map[api.Currency]Pin
	news    map[api.Currency]bool // first seen in this run
	pinsIn  bool
	pinsErr error
}

// Pin is a deposit address as this profile has seen it before. A deposit that
// goes to another address is lost for good, so one that changed is not shown
// as if nothing had happened.
type Pin struct {
	Currency api.Currency
	Address  api.Text
	Network  api.Text
	// Since is when it was first seen, or when the user trusted it.
	Since time.Time
}

// same reports whether a deposit would go to the same place.
func (p Pin) same(q Pin) bool { return p.Address == q.Address && p.Network == q.Network }

// Trust says how an address stands to what was seen before.
type Trust uint8

// The grades of trust.
const (
	// TrustUnknown: what was seen before cannot be read.
	TrustUnknown Trust = iota
	// TrustNew: this run is the first to see it.
	TrustNew
	// TrustSame: it is the one seen before.
	TrustSame
	// TrustChanged: another one was seen before.
	TrustChanged
)

// Address is where deposits of one currency go.
type Address struct {
	Pin
	// Min is the smallest deposit, in the currency's unit; empty: not known.
	Min   api.Crypto
	Trust Trust
	// Before is what was seen before a change.
	Before Pin
}

// expectedWallet is what the wallet should have after an operation, USD, unless a
// deposit of before the operation is credited.
type expectedWallet struct {
	who      string
	wallet   api.USD
	deposits Deposited
	until    time.Time
}

// Deposited is what the API reports about deposits, USD.
type Deposited struct{ Total, Pending api.USD }

// credited reports whether a deposit was credited since.
func (d Deposited) credited(now Deposited) bool {
	return now.Total != d.Total || now.Pending < d.Pending
}

// Balance is the wallet as last read; false before the first answer. While the
// lane's source is cached it is from an earlier run.
func (w *WalletTable) Balance() (api.Wallet, bool) { return w.wallet.Wallet, w.wallet.known }

// Deposits lists the deposits, newest first. The slice is the store's own.
func (w *WalletTable) Deposits() []api.Deposit { return w.wallet.deposits }

func (w *WalletTable) loaded(ev WalletLoaded) kernel.Topic {
	moved := ev.Wallet.Balance != w.wallet.Balance || kernel.OrZero(ev.Wallet.PendingDeposits) != kernel.OrZero(w.wallet.PendingDeposits)
	w.poll.Found(poll.Wallet, ev.Meta, moved && w.Live() && w.UpToDate())
	w.poll.Answered(poll.Wallet, ev.Meta)
	if ev.Seq <= w.wallet.fence {
		w.poll.SetCached(poll.Wallet, w.wallet.cached)
		return 0
	}
	if w.Live() && (kernel.OrZero(ev.Wallet.PendingDeposits) != kernel.OrZero(w.wallet.PendingDeposits) || kernel.OrZero(ev.Wallet.TotalDeposited) != kernel.OrZero(w.wallet.TotalDeposited)) {
		w.poll.MakeDue(poll.Deposits) // One came, or was credited: the list says so as soon.
		w.wallet.rose = w.wallet.rose || kernel.OrZero(ev.Wallet.TotalDeposited) > kernel.OrZero(w.wallet.TotalDeposited)
	}
	var topics kernel.Topic
	if !w.Live() || !sameWallet(ev.Wallet, w.wallet.Wallet) {
		topics = kernel.TopicWallet
	}
	w.wallet.Wallet, w.wallet.known, w.wallet.cached = ev.Wallet, true, false
	w.wallet.readAt, w.wallet.read = w.poll.OKAt(poll.Wallet), ev.Seq
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

// credited reports deposits that are confirmed since they were last read.
func (w *WalletTable) credited(items []api.Deposit) {
	for _, d := range items {
		if d.Status == api.DepositConfirmed && w.wallet.statuses[d.ID] != d.Status {
			w.news.Report(news.News{Kind: news.Deposit, ID: string(d.ID), Amount: d.CreditedUSD})
		}
	}
}

// moved reports whether a deposit is new, or was confirmed since it was last read.
func (b *walletState) moved(d api.Deposit) bool {
	status, known := b.statuses[d.ID]
	return !known || status != d.Status && d.Status == api.DepositConfirmed
}

// note remembers how deposits were seen.
func (b *walletState) note(items []api.Deposit) {
	if b.statuses == nil {
		b.statuses = make(map[api.DepositID]api.DepositStatus, len(items))
	}
	for i := range items {
		b.statuses[items[i].ID] = items[i].Status
	}
}

// leftOut returns the deposits that a list does not hold for the first time: one
// list may be wrong.
func (b *walletState) leftOut(items []api.Deposit) []api.Deposit {
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

// FetchWallet reads the wallet's balance.
type FetchWallet struct{ Seq poll.Seq }

func (FetchWallet) Effect() {}

// Lane implements kernel.Polled.
func (f FetchWallet) Lane() (poll.Lane, poll.Seq) { return poll.Wallet, f.Seq }

// Cost is that of a poll.
func (f FetchWallet) Cost() kernel.Cost { return kernel.Polling(f, budget.Middle) }

func (f FetchWallet) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	wallet, err := on.API.WalletBalance(ctx)
	return WalletLoaded{FetchWallet: f, Meta: on.Over(), Wallet: wallet}, err
}

// FetchDeposits reads the deposits.
type FetchDeposits struct{ Seq poll.Seq }

func (FetchDeposits) Effect() {}

// Lane implements kernel.Polled.
func (f FetchDeposits) Lane() (poll.Lane, poll.Seq) { return poll.Deposits, f.Seq }

// Cost is that of a poll.
func (f FetchDeposits) Cost() kernel.Cost { return kernel.Polling(f, budget.Middle) }

func (f FetchDeposits) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	page, err := on.API.ListDeposits(ctx, api.ListDepositsOptions{})
	m, err := on.OrWithheld(page.Unread, err)
	return DepositsLoaded{FetchDeposits: f, Meta: m, Items: page.Data}, err
}

// WalletLoaded is the wallet's balance.
type WalletLoaded struct {
	FetchWallet
	kernel.Meta
	Wallet api.Wallet
}

// DepositsLoaded is the list of deposits.
type DepositsLoaded struct {
	FetchDeposits
	kernel.Meta
	Items []api.Deposit
}

// expectedFor is how long a wallet that is read is compared with what was expected:
// later too much else has happened.
const expectedFor = time.Minute

// OtherMoves is why a balance is not as expected.
func OtherMoves(c *kernel.Core) string { return c.Lang.T("something else moved money meanwhile") }

// Live reports whether the balance was read in this run.
func (w *WalletTable) Live() bool { return w.wallet.known && !w.wallet.cached }

// Shortfall returns how much the wallet lacks for an amount, USD; 0 or less when it has enough.
func (w *WalletTable) Shortfall(amount api.USD) api.USD { return amount - w.wallet.Balance }

// Deposited returns what was deposited so far, credited and pending.
func (w *WalletTable) Deposited() Deposited {
	return Deposited{kernel.OrZero(w.wallet.TotalDeposited), kernel.OrZero(w.wallet.PendingDeposits)}
}

// UpToDate reports whether the balance includes all that this program moved.
func (w *WalletTable) UpToDate() bool { return w.wallet.behind == 0 }

// ReadAt is when the balance was read, this machine's clock; zero where it was not read in this run.
func (w *WalletTable) ReadAt() time.Time {
	if !w.Live() {
		return time.Time{}
	}
	return w.wallet.readAt
}

// Moved is the request that the balance has to be newer than to include all that this
// program moved until now; 0 when it does.
func (w *WalletTable) Moved() poll.Seq { return w.wallet.behind }

// Includes reports whether the balance includes what this program had moved when Moved
// returned a request.
func (w *WalletTable) Includes(moved poll.Seq) bool { return w.UpToDate() || w.wallet.read > moved }

// Outdate marks answers to requests sent so far as perhaps without what this program moved.
func (w *WalletTable) Outdate() { w.wallet.behind = w.Seq }

// Expect sets the balance (USD) that the next answer is compared with, after an operation on a card called who.
// Deposits are those before the operation.
func (w *WalletTable) Expect(who string, balance api.USD, before Deposited) {
	w.wallet.expected = &expectedWallet{who, balance, before, w.Time.Add(expectedFor)}
}

// ExpectNothing removes the balance that the next answer is compared with.
func (w *WalletTable) ExpectNothing() { w.wallet.expected = nil }

// Answered merges a balance (USD) from the answer to an operation. final reports whether no other operation can move it.
func (w *WalletTable) Answered(balance api.USD, final bool) {
	b := &w.wallet
	b.fence = w.Seq
	b.Balance, b.readAt = balance, w.Time
	if final {
		b.behind = 0
	}
}

// ReadSoon has the wallet read again after a short pause.
func (w *WalletTable) ReadSoon() { w.poll.MakeDueAfter(poll.Wallet, walletPause) }

// Recall begins with what an earlier run read; at is zero where that did not read the wallet.
func (w *WalletTable) Recall(wallet api.Wallet, deposits []api.Deposit, at time.Time) {
	w.wallet.Wallet, w.wallet.deposits = wallet, slices.Clone(deposits)
	w.wallet.known = !at.IsZero()
	w.wallet.cached = w.wallet.known
}
