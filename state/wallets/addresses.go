package wallets

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
)

// addressesFresh is how long addresses are not read again.
const addressesFresh = 5 * time.Second

// Addresses lists where deposits go, by currency; known is false before they
// and what was seen before have been read, and err is why that failed.
func (w *Table) Addresses() (list []Address, known bool, err error) {
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

// Address finds where deposits of a currency go.
func (w *Table) Address(c api.Currency) (Address, bool) {
	list, _, _ := w.Addresses()
	i := slices.IndexFunc(list, func(a Address) bool { return a.Currency == c })
	if i < 0 {
		return Address{}, false
	}
	return list[i], true
}

// AddressesErr returns why what was seen before cannot be read or saved; nil
// when it can.
func (w *Table) AddressesErr() error { return w.addresses.pinsErr }

func (w *Table) loadAddresses() []kernel.Effect {
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

func (w *Table) addressesLoaded(ev AddressesLoaded) (kernel.Topic, []kernel.Effect) {
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

func (w *Table) addressesFailed(seq poll.Seq, err error) kernel.Topic {
	if w.addresses.asked != seq {
		return 0
	}
	w.addresses.asked, w.addresses.err = 0, err
	return kernel.TopicWallet
}

// CheckCopy refuses to hand out an address that changed.
func (w *Table) CheckCopy(c api.Currency) kernel.Verdict {
	a, ok := w.Address(c)
	switch {
	case !ok:
		return kernel.Verdict{Reason: w.Lang.T("the address is not read yet")}
	case a.Trust == TrustChanged:
		return kernel.Verdict{Reason: w.Lang.T("the address has changed: trust it before it is copied")}
	}
	return kernel.Verdict{}
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

func (f FetchAddresses) Failed(w *Table, e kernel.Failure) kernel.Topic {
	return w.addressesFailed(f.Seq, e.Err)
}

// AddressesLoaded is where deposits go.
type AddressesLoaded struct {
	FetchAddresses
	kernel.Meta
	Addresses api.DepositAddresses
}

func (ev AddressesLoaded) Apply(w *Table) (kernel.Topic, []kernel.Effect) {
	return w.addressesLoaded(ev)
}

// LoadAddresses asks where deposits go, and what was seen of that before.
type LoadAddresses struct{}

func (LoadAddresses) Start(w *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicWallet, w.loadAddresses()
}

func (LoadAddresses) Least() team.Role { return team.Admin }

// ShowAddress asks to show where deposits of a currency go; empty: any.
type ShowAddress struct{ Currency api.Currency }

func (ShowAddress) Least() team.Role { return team.Admin }

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

// Address is where deposits of one currency go.
type Address struct {
	Pin
	// Min is the smallest deposit, in the currency's unit; empty: not known.
	Min   api.Crypto
	Trust Trust
	// Before is what was seen before a change.
	Before Pin
}
