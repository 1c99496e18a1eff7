package state

import (
	"context"
	"slices"
	"strings"
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
	cards     *CardsTable
	news      *kernel.News
	poll      *kernel.Lanes
	wallet    walletState
	addresses addressList
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

// unexpected returns where an answer is not what the confirmation showed; empty when
// it is. A wallet that the answer does not include is checked when it is read.
func (w *WalletTable) unexpected(op *Op, issued bool, cardNow, walletNow *api.USD) string {
	card, wallet := op.Shown()
	var parts []string
	if issued {
		card = nil // What it begins with is said already.
	}
	for _, p := range []struct {
		name       string
		got, shown *api.USD
	}{{w.Lang.T("card"), cardNow, card}, {w.Lang.T("wallet"), walletNow, wallet}} {
		if p.got != nil && p.shown != nil && *p.got != *p.shown {
			parts = append(parts, p.name+" "+w.Lang.Dollars(*p.shown))
		}
	}
	if wallet != nil && walletNow == nil {
		w.wallet.expected = &expectedWallet{w.cards.opName(op), *wallet, op.deposits, w.Time.Add(expectedFor)}
	}
	if len(parts) == 0 {
		return ""
	}
	return w.Lang.Tf("but the preview said %s: %s", strings.Join(parts, ", "), otherMoves(w.Core))
}

// checkExpected compares the wallet that was read with what the last operation was to
// leave there.
func (w *WalletTable) checkExpected() kernel.Topic {
	due := w.wallet.expected
	w.wallet.expected = nil
	if due == nil || due.wallet == w.wallet.Balance || poll.Reached(w.Time, due.until) || due.deposits.credited(w.wallet.deposited()) {
		return 0
	}
	text := w.Lang.Tf("wallet %s after %s, but the preview said %s: %s", w.Lang.Dollars(w.wallet.Balance), due.who, w.Lang.Dollars(due.wallet), otherMoves(w.Core))
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
	// lastMoved is the newest operation that had begun when an operation that
	// moves the wallet was last confirmed; lastAdded is the same for one that
	// adds to it. Operations up to that one may have run beside it.
	lastMoved, lastAdded OpID
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

// What a confirmation shows is compared with what the server
// answers, or with the wallet that is read next where the answer does not say
// it. Only what no other operation of this program explains is reported: the card's
// balance, because one card has one operation at a time, and the wallet's while
// an operation is firm.

// expectedWallet is what the wallet is to hold after an operation, USD, unless a
// deposit is credited to it: those are from before the operation.
type expectedWallet struct {
	who      string
	wallet   api.USD
	deposits deposited
	until    time.Time
}

func (b *walletState) deposited() deposited {
	return deposited{kernel.OrZero(b.TotalDeposited), kernel.OrZero(b.PendingDeposits)}
}

// live reports whether the wallet was read in this run.
func (b *walletState) live() bool { return b.known && !b.cached }

// Balance is the wallet as last read; false before the first answer. While the
// lane's source is cached it is from an earlier run.
func (w *WalletTable) Balance() (api.Wallet, bool) { return w.wallet.Wallet, w.wallet.known }

// Deposits lists the deposits, newest first. The slice is the store's own.
func (w *WalletTable) Deposits() []api.Deposit { return w.wallet.deposits }

func (w *WalletTable) loaded(ev WalletLoaded) kernel.Topic {
	moved := ev.Wallet.Balance != w.wallet.Balance || kernel.OrZero(ev.Wallet.PendingDeposits) != kernel.OrZero(w.wallet.PendingDeposits)
	w.poll.Found(poll.Wallet, ev.Meta, moved && w.wallet.live() && w.upToDate())
	w.poll.Answered(poll.Wallet, ev.Meta)
	if ev.Seq <= w.wallet.fence {
		w.poll.SetCached(poll.Wallet, w.wallet.cached)
		return 0
	}
	if w.wallet.live() && (kernel.OrZero(ev.Wallet.PendingDeposits) != kernel.OrZero(w.wallet.PendingDeposits) || kernel.OrZero(ev.Wallet.TotalDeposited) != kernel.OrZero(w.wallet.TotalDeposited)) {
		w.poll.MakeDue(poll.Deposits) // One came, or was credited: the list says so as soon.
		w.wallet.rose = w.wallet.rose || kernel.OrZero(ev.Wallet.TotalDeposited) > kernel.OrZero(w.wallet.TotalDeposited)
	}
	var topics kernel.Topic
	if !w.wallet.live() || !sameWallet(ev.Wallet, w.wallet.Wallet) {
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

// otherMoves is why a balance is not as expected.
func otherMoves(c *kernel.Core) string { return c.Lang.T("something else moved money meanwhile") }

// Live reports whether the balance was read in this run.
func (w *WalletTable) Live() bool { return w.wallet.live() }

// lacks is what the wallet is short of for an amount, USD; 0 or less when it
// is enough.
func (w *WalletTable) lacks(amount api.USD) api.USD { return amount - w.wallet.Balance }

// deposited is what was deposited so far, credited and pending.
func (w *WalletTable) deposited() deposited { return w.wallet.deposited() }

// upToDate reports whether the balance includes all that this program moved.
func (w *WalletTable) upToDate() bool { return w.wallet.behind == 0 }

// Moved is the request that the balance has to be newer than to include all that this
// program moved until now; 0 when it does.
func (w *WalletTable) Moved() poll.Seq { return w.wallet.behind }

// Includes reports whether the balance includes what this program had moved when Moved
// returned a request.
func (w *WalletTable) Includes(moved poll.Seq) bool { return w.upToDate() || w.wallet.read > moved }

// outdate sets that answers to requests sent so far may lack what moved.
func (w *WalletTable) outdate() { w.wallet.behind = w.Seq }

// forgetExpected removes the balance that the next answer is compared with.
func (w *WalletTable) forgetExpected() { w.wallet.expected = nil }

// confirmed merges the balance of an operation's answer; nil for none. alone
// reports whether no other operation that moves the wallet is under way, shrinks
// whether all that are move money out of it. last is the newest operation.
func (w *WalletTable) confirmed(op *Op, balance *api.USD, alone, shrinks bool, last OpID) {
	b := &w.wallet
	alone, shrinks = alone && op.ID > b.lastMoved, shrinks && op.ID > b.lastAdded
	b.lastMoved = last
	if !op.Kind.FromWallet() {
		b.lastAdded = last
	}
	fresh := balance != nil && op.Tries == 1
	if fresh && (alone || shrinks && *balance < b.Balance) {
		b.fence = w.Seq
		b.Balance, b.readAt = *balance, w.Time
		if alone {
			b.behind = 0
		}
	}
	if !fresh || !alone {
		w.poll.MakeDueAfter(poll.Wallet, walletPause)
	}
}
