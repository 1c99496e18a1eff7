package state

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/team"
)

// addressesFresh is how long addresses are not read again.
const addressesFresh = 5 * time.Second

// Addresses lists where deposits go, by currency; known is false before they
// and what was seen before have been read, and err is why that failed.
func (w *WalletTable) Addresses() (list []Address, known bool, err error) {
	b := &w.addresses
	if b.okAt.IsZero() || !b.pinsIn && b.pinsErr == nil {
		return nil, false, b.err
	}
	list = slices.Clone(b.list)
	for i := range list {
		list[i].compareWith(b)
	}
	return list, true, b.err
}

// compareWith compares an address with what was seen before.
func (a *Address) compareWith(b *addressList) {
	pin, seen := b.pins[a.Currency]
	switch {
	case b.pinsErr != nil && !seen:
		a.Trust = TrustUnknown
	case !seen:
		a.Trust = TrustNew
	case !pin.same(a.Pin):
		a.Trust, a.Before = TrustChanged, pin
	default:
		a.Trust, a.Since = TrustSame, pin.Since
		if b.news[a.Currency] {
			a.Trust = TrustNew
		}
	}
}

// Address finds where deposits of a currency go.
func (w *WalletTable) Address(c api.Currency) (Address, bool) {
	list, _, _ := w.Addresses()
	i := slices.IndexFunc(list, func(a Address) bool { return a.Currency == c })
	if i < 0 {
		return Address{}, false
	}
	return list[i], true
}

// AddressesErr returns why what was seen before cannot be read or saved; nil
// when it can.
func (w *WalletTable) AddressesErr() error { return w.addresses.pinsErr }

func (w *WalletTable) loadAddresses() []kernel.Effect {
	b := &w.addresses
	var out []kernel.Effect
	if !b.pinsIn {
		out = append(out, FetchPins{})
	}
	if b.asked != 0 || b.err == nil && !b.okAt.IsZero() && poll.Elapsed(b.okAt, w.Time) < addressesFresh {
		return out
	}
	b.asked, b.err = w.NextSeq(), nil
	return append(out, FetchAddresses{Seq: b.asked})
}

func (w *WalletTable) addressesLoaded(ev AddressesLoaded) (kernel.Topic, []kernel.Effect) {
	b := &w.addresses
	if ev.Seq != b.asked {
		return 0, nil
	}
	b.asked, b.err, b.okAt = 0, nil, ev.At
	b.list = b.list[:0:0]
	for currency, address := range ev.Addresses.Addresses {
		if address == "" {
			continue
		}
		b.list = append(b.list, Address{
			Pin: Pin{Currency: currency, Address: address, Network: ev.Addresses.Networks[currency]},
			Min: ev.Addresses.MinDeposit[currency],
		})
	}
	slices.SortFunc(b.list, func(a, b Address) int { return cmp.Compare(a.Currency, b.Currency) })
	return kernel.TopicWallet, w.pinNew()
}

func (w *WalletTable) addressesFailed(seq poll.Seq, err error) kernel.Topic {
	if w.addresses.asked != seq {
		return 0
	}
	w.addresses.asked, w.addresses.err = 0, err
	return kernel.TopicWallet
}

// pinsLoaded merges what was seen before. What this run has seen already and a
// user trusted stays.
func (w *WalletTable) pinsLoaded(ev PinsLoaded) (kernel.Topic, []kernel.Effect) {
	b := &w.addresses
	if b.pinsErr = ev.Err; ev.Err != nil {
		return kernel.TopicWallet, nil
	}
	if b.pinsIn {
		return 0, nil
	}
	b.pinsIn = true
	for _, p := range ev.Pins {
		b.pin(p)
	}
	return kernel.TopicWallet, w.pinNew()
}

func (b *addressList) pin(p Pin) {
	if b.pins == nil {
		b.pins, b.news = make(map[api.Currency]Pin), make(map[api.Currency]bool)
	}
	b.pins[p.Currency] = p
}

// pinNew saves the addresses that are new. One that changed is
// not among them: the user decides.
func (w *WalletTable) pinNew() []kernel.Effect {
	b := &w.addresses
	if !b.pinsIn || b.okAt.IsZero() {
		return nil
	}
	var pins []Pin
	for _, a := range b.list {
		if _, seen := b.pins[a.Currency]; seen {
			continue
		}
		a.Since = w.Time
		b.pin(a.Pin)
		b.news[a.Currency] = true
		pins = append(pins, a.Pin)
	}
	if len(pins) == 0 {
		return nil
	}
	return []kernel.Effect{SavePins{Pins: pins}}
}

// pinsSaved merges what another dashboard has seen before this one did, and reports
// when a later change will not be noticed.
func (w *WalletTable) pinsSaved(ev PinsSaved) kernel.Topic {
	for _, p := range ev.Stay {
		w.addresses.pin(p)
		delete(w.addresses.news, p.Currency)
	}
	if ev.Err == nil {
		return kernel.TopicWallet
	}
	w.notices.Say(kernel.Warn, w.Lang.Tf("the deposit addresses seen cannot be saved, a change will not be noticed after a restart: %s", ev.Err.Error()))
	return kernel.TopicNotice
}

// checkTrust refuses to trust an address that is not the one shown.
func (w *WalletTable) checkTrust(in TrustAddress) kernel.Verdict {
	a, ok := w.Address(in.Pin.Currency)
	switch {
	case !ok:
		return kernel.Verdict{Reason: w.Lang.T("the address is not read yet")}
	case !a.same(in.Pin):
		return kernel.Verdict{Reason: w.Lang.T("the address has changed again: check it anew")}
	case a.Trust != TrustChanged:
		return kernel.Verdict{Reason: w.Lang.T("the address has not changed")}
	}
	return kernel.Verdict{Danger: kernel.Permanent}
}

func (w *WalletTable) trustAddress(in TrustAddress) []kernel.Effect {
	pin := in.Pin
	pin.Since = w.Time
	w.addresses.pin(pin)
	delete(w.addresses.news, pin.Currency)
	w.notices.Say(kernel.Info, w.Lang.Tf("the new %s address is trusted from now on", strings.ToUpper(string(pin.Currency))))
	return []kernel.Effect{SavePins{Pins: []Pin{pin}, Trusted: true}}
}

// CheckCopy refuses to hand out an address that changed.
func (w *WalletTable) CheckCopy(c api.Currency) kernel.Verdict {
	a, ok := w.Address(c)
	switch {
	case !ok:
		return kernel.Verdict{Reason: w.Lang.T("the address is not read yet")}
	case a.Trust == TrustChanged:
		return kernel.Verdict{Reason: w.Lang.T("the address has changed: trust it before it is copied")}
	}
	return kernel.Verdict{}
}

// Needed returns after how many confirmations deposits of a currency counted:
// the fewest of those that did. False when none is known. The contract does
// not have the number, so nothing is said before it was seen.
func (w *WalletTable) Needed(c api.Currency) (confirmations int, ok bool) {
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
func (w *WalletTable) Minimum(c api.Currency) (api.Crypto, bool) {
	for i := range w.addresses.list {
		if a := &w.addresses.list[i]; a.Currency == c && a.Min != "" {
			return a.Min, true
		}
	}
	return "", false
}

// TooSmall reports whether less was sent than counts; false when it is not known.
func (w *WalletTable) TooSmall(d *api.Deposit) bool {
	enough, known := w.Enough(d.Currency, d.AmountCrypto)
	return known && !enough
}

// Enough reports whether an amount of a currency, in its unit, counts as a
// deposit; known is false where the smallest that does is not known, or is no
// number, or the amount is none.
func (w *WalletTable) Enough(c api.Currency, amount api.Crypto) (enough, known bool) {
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
func (w *WalletTable) sayDeposits() kernel.Topic {
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

// FetchAddresses reads where deposits go.
type FetchAddresses struct{ Seq poll.Seq }

func (FetchAddresses) Effect() {}

// Cost is counted with the deposits.
func (FetchAddresses) Cost() kernel.Cost {
	return kernel.Cost{Priority: budget.User, Lane: lang.N("deposits")}
}

func (f FetchAddresses) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	addresses, err := on.API.DepositAddresses(ctx, "")
	return AddressesLoaded{FetchAddresses: f, Meta: on.Over(addresses.Unread...), Addresses: addresses}, err
}

// Label is what the user waits for.
func (FetchAddresses) Label(bool) string { return lang.N("reading the addresses") }

func (f FetchAddresses) Failed(s *Store, e kernel.Failure) kernel.Topic {
	return s.Wallet.addressesFailed(f.Seq, e.Err)
}

// FetchPins reads the deposit addresses that were seen before, from disk.
type FetchPins struct{}

func (FetchPins) Effect() {}

// SavePins saves deposit addresses on disk. What another dashboard has saved of
// the same currency stays, unless the user trusted these.
type SavePins struct {
	Pins    []Pin
	Trusted bool
}

func (SavePins) Effect() {}

// AddressesLoaded is where deposits go.
type AddressesLoaded struct {
	FetchAddresses
	kernel.Meta
	Addresses api.DepositAddresses
}

func (ev AddressesLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Wallet.addressesLoaded(ev)
}

// PinsLoaded are the deposit addresses that were seen before, or why they
// could not be read.
type PinsLoaded struct {
	kernel.Meta
	Pins []Pin
	Err  error
}

func (ev PinsLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) { return s.Wallet.pinsLoaded(ev) }

// PinsSaved is the result of SavePins; Err is why they are not on disk. Stay are those
// that another dashboard saved before, in whose place none was put.
type PinsSaved struct {
	kernel.Meta
	Stay []Pin
	Err  error
}

func (ev PinsSaved) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Wallet.pinsSaved(ev), nil
}

// LoadAddresses asks where deposits go, and what was seen of that before.
type LoadAddresses struct{}

func (LoadAddresses) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicWallet, s.Wallet.loadAddresses()
}

func (LoadAddresses) Least() team.Role { return team.Admin }

// ShowAddress asks to show where deposits of a currency go; empty: any.
type ShowAddress struct{ Currency api.Currency }

func (ShowAddress) Least() team.Role { return team.Admin }

// TrustAddress trusts an address that changed. The pin is the one
// that was shown.
type TrustAddress struct{ Pin Pin }

func (in TrustAddress) Check(s *Store) kernel.Verdict { return s.Wallet.checkTrust(in) }

func (in TrustAddress) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicWallet | kernel.TopicNotice, s.Wallet.trustAddress(in)
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

func (w *WalletTable) depositsLoaded(ev DepositsLoaded) kernel.Topic {
	known, b := !w.poll.OKAt(poll.Deposits).IsZero(), &w.wallet
	first := w.poll.OKAt(poll.Deposits).IsZero() || w.poll.Cached(poll.Deposits)
	w.poll.Found(poll.Deposits, ev.Meta, !first && slices.ContainsFunc(ev.Items, b.moved))
	w.poll.Answered(poll.Deposits, ev.Meta)
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
			w.poll.MakeDue(poll.Wallet) // The balance is told beside the deposit.
		}
		topics |= w.sayDeposits()
	}
	b.rose = false
	b.note(b.deposits)
	return topics
}

func (ev WalletLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Poll.Answer(ev.FetchWallet, ev.Meta, func() (kernel.Topic, []kernel.Effect) { return s.Wallet.loaded(ev), nil })
}

func (ev DepositsLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Poll.Answer(ev.FetchDeposits, ev.Meta, func() (kernel.Topic, []kernel.Effect) { return s.Wallet.depositsLoaded(ev), nil })
}
