package state

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state/poll"
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

func (b *walletBook) deposited() deposited {
	return deposited{orZero(b.TotalDeposited), orZero(b.PendingDeposits)}
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

// FetchWallet reads the wallet's balance.
type FetchWallet struct{ Seq Seq }

func (FetchWallet) effect() {}

func (f FetchWallet) lane() (Lane, Seq) { return LaneWallet, f.Seq }

// Cost is that of a poll.
func (f FetchWallet) Cost() Cost { return polling(f, budget.Middle) }

// FetchDeposits reads the deposits.
type FetchDeposits struct{ Seq Seq }

func (FetchDeposits) effect() {}

func (f FetchDeposits) lane() (Lane, Seq) { return LaneDeposits, f.Seq }

// Cost is that of a poll.
func (f FetchDeposits) Cost() Cost { return polling(f, budget.Middle) }

// WalletLoaded is the wallet's balance.
type WalletLoaded struct {
	FetchWallet
	Meta
	Wallet api.Wallet
}

func (ev WalletLoaded) apply(s *Store) (Topic, []Effect) {
	return s.answer(ev.FetchWallet, func(s *Store) (Topic, []Effect) { return s.Wallet.loaded(ev), nil })
}

// DepositsLoaded is the list of deposits.
type DepositsLoaded struct {
	FetchDeposits
	Meta
	Items []api.Deposit
}

func (ev DepositsLoaded) apply(s *Store) (Topic, []Effect) {
	return s.answer(ev.FetchDeposits, func(s *Store) (Topic, []Effect) { return s.Wallet.depositsLoaded(ev), nil })
}

// Figures tells of what an intent rests on when it is reviewed.
type Figures struct {
	// At is when the oldest of it was read, this machine's clock; zero when it
	// was not read in this run.
	At time.Time
	// Stale says that it may be otherwise by now.
	Stale bool
}

// figuresFresh is how old figures may be that a person agrees to: three times
// what the wallet rests, and the time of an answer. While something is wrong it
// is figuresLate.
const (
	figuresFresh = 35 * time.Second
	figuresLate  = 12 * time.Second
)

// Figures tells from when the balances and the status are that an intent is
// reviewed with.
func (s *Store) Figures(in Intent) Figures {
	var f Figures
	oldest := func(at time.Time) {
		if f.At.IsZero() || at.Before(f.At) {
			f.At = at
		}
	}
	if id, ok := CardOf(in); ok {
		if r := s.Cards.get(id); r != nil && !r.cached {
			oldest(r.read.time())
		}
	}
	if s.restsOnWallet(in) && s.Wallet.wallet.live() {
		oldest(s.Wallet.wallet.readAt)
	}
	if run, ok := in.(RunPlan); ok && run.Plan != nil {
		oldest(run.Plan.Made)
	}
	age := poll.Elapsed(f.At, s.now)
	_, offline := s.Poll.Offline()
	f.Stale = !f.At.IsZero() && (offline || age > figuresFresh || age > figuresLate && s.Poll.Health().Link > Live)
	return f
}

// restsOnWallet tells whether what the wallet holds is part of a review.
func (s *Store) restsOnWallet(in Intent) bool {
	if run, ok := in.(RunPlan); ok {
		return run.Plan != nil && run.Plan.Kind.Danger() >= Money
	}
	_, moves := s.Preview(in)
	return moves
}

// promiseFor is how long a wallet that is read is compared with a promise:
// later too much else has happened.
const promiseFor = time.Minute

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

// elsewhere is why a promise was not kept.
const elsewhere = "something else moved money meanwhile"
