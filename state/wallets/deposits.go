package wallets

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rows"
)

// Deposited is what the API reports about deposits, USD.
type Deposited struct{ Total, Pending api.USD }

// credited reports whether a deposit was credited since.
func (d Deposited) credited(now Deposited) bool {
	return now.Total != d.Total || now.Pending < d.Pending
}

// Deposits lists the deposits, newest first. The slice is the store's own.
func (w *Table) Deposits() []api.Deposit { return w.wallet.deposits }

// credited reports deposits that are confirmed since they were last read.
func (w *Table) credited(items []api.Deposit) {
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

// DepositsLoaded is the list of deposits.
type DepositsLoaded struct {
	FetchDeposits
	kernel.Meta
	Items []api.Deposit
}

// Deposited returns what was deposited so far, credited and pending.
func (w *Table) Deposited() Deposited {
	return Deposited{kernel.OrZero(w.wallet.TotalDeposited), kernel.OrZero(w.wallet.PendingDeposits)}
}

// Needed returns after how many confirmations deposits of a currency counted:
// the fewest of those that did. False when none is known. The contract does
// not have the number, so nothing is said before it was seen.
func (w *Table) Needed(c api.Currency) (confirmations int, ok bool) {
	for i := range w.wallet.deposits {
		d := &w.wallet.deposits[i]
		if d.Currency != c || d.Status != api.DepositConfirmed || d.Confirmations == nil || *d.Confirmations <= 0 {
			continue
		}
		if !ok || *d.Confirmations < confirmations {
			confirmations, ok = *d.Confirmations, true
		}
	}
	return confirmations, ok
}

// Minimum is the smallest deposit of a currency that counts, in its unit; false
// while the addresses, which have it, were not read, or when they do not.
func (w *Table) Minimum(c api.Currency) (api.Crypto, bool) {
	for i := range w.addresses.list {
		if a := &w.addresses.list[i]; a.Currency == c && a.Min != "" {
			return a.Min, true
		}
	}
	return "", false
}

// TooSmall reports whether less was sent than counts; false when it is not known.
func (w *Table) TooSmall(d *api.Deposit) bool {
	enough, known := w.Enough(d.Currency, d.AmountCrypto)
	return known && !enough
}

// Enough reports whether an amount of a currency, in its unit, counts as a
// deposit; known is false where the smallest that does is not known, or is no
// number, or the amount is none.
func (w *Table) Enough(c api.Currency, amount api.Crypto) (enough, known bool) {
	least, ok := w.Minimum(c)
	if !ok {
		return false, false
	}
	sent, ok := decimal(amount)
	minimum, known := decimal(least)
	return ok && known && sent.Cmp(minimum) >= 0, ok && known
}

// decimal reads an amount exactly. An exponent, which could make a number of
// any length, is none.
func decimal(c api.Crypto) (*big.Rat, bool) {
	if strings.Trim(string(c), "0123456789.") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(string(c))
}

// credits reports whether a deposit is confirmed that was not when it was last noted.
func (b *walletState) credits() bool {
	return slices.ContainsFunc(b.deposits, func(d api.Deposit) bool {
		return d.Status == api.DepositConfirmed && b.statuses[d.ID] != d.Status
	})
}

// sayDeposits says what became of deposits since they were read last.
func (w *Table) sayDeposits() kernel.Topic {
	topics := kernel.Topic(0)
	for i := range w.wallet.deposits {
		d := &w.wallet.deposits[i]
		status, known := w.wallet.statuses[d.ID]
		what := w.Lang.Tf("deposit of %s %s", string(d.AmountCrypto), strings.ToUpper(string(d.Currency)))
		switch {
		case known && status == d.Status:
			continue
		case d.Status == api.DepositConfirmed:
			text := w.Lang.Tf("%s is confirmed", what)
			if d.CreditedUSD != nil {
				text += w.Lang.Tf(", %s credited", w.Lang.Dollars(*d.CreditedUSD))
			}
			w.notices.SayIfFree(kernel.Good, text)
		case d.Status == api.DepositExpired:
			w.notices.Say(kernel.Warn, w.Lang.Tf("%s has expired: nothing is credited for it", what))
		case !known && d.Status == api.DepositPending:
			w.notices.SayIfFree(kernel.Info, w.Lang.Tf("%s is on its way", what))
		default:
			continue
		}
		topics = kernel.TopicNotice
	}
	return topics
}

// What the screens list, for other programs. Times are UTC, amounts USD; what
// the API did not say is empty. Amounts of a currency are text: a number
// would lose their last digits.

// DepositRows are deposits for other programs.
func DepositRows(deposits []api.Deposit) rows.Rows {
	list := slices.Clone(deposits)
	return rows.Rows{
		What: "deposits", N: len(list),
		Columns: []string{"time", "id", "currency", "amount", "amount_usd", "fee_usd", "credited_usd", "status", "confirmations", "confirmed", "tx_hash"},
		Row: func(i int) []rows.Cell {
			d := &list[i]
			return []rows.Cell{
				rows.Time(d.CreatedAt), rows.Text(d.ID), rows.Text(d.Currency), rows.Text(d.AmountCrypto),
				rows.Maybe(d.AmountUSD), rows.Maybe(d.FeeUSD), rows.Maybe(d.CreditedUSD), rows.Text(d.Status),
				rows.MaybeCount(d.Confirmations), rows.Time(d.ConfirmedAt), rows.Text(d.TxHash),
			}
		},
	}
}

func (w *Table) depositsLoaded(ev DepositsLoaded) kernel.Topic {
	known, b := !w.lanes.OKAt(poll.Deposits).IsZero(), &w.wallet
	first := w.lanes.OKAt(poll.Deposits).IsZero() || w.lanes.Cached(poll.Deposits)
	w.lanes.Found(poll.Deposits, ev.Meta, !first && slices.ContainsFunc(ev.Items, b.moved))
	w.lanes.Answered(poll.Deposits, ev.Meta)
	b.note(b.deposits)
	if !first {
		w.credited(ev.Items)
		ev.Items = append(ev.Items, b.leftOut(ev.Items)...)
	}
	b.deposits = ev.Items
	slices.SortStableFunc(b.deposits, func(a, b api.Deposit) int {
		return b.CreatedAt.Compare(a.CreatedAt)
	})
	topics := kernel.TopicWallet
	if known {
		if b.credits() && !b.rose {
			w.lanes.MakeDue(poll.Wallet) // The balance is told beside the deposit.
		}
		topics |= w.sayDeposits()
	}
	b.rose = false
	b.note(b.deposits)
	return topics
}

func (ev DepositsLoaded) Apply(w *Table) (kernel.Topic, []kernel.Effect) {
	return w.lanes.Answer(ev.FetchDeposits, ev.Meta, func() (kernel.Topic, []kernel.Effect) { return w.depositsLoaded(ev), nil })
}
