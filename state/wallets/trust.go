package wallets

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
)

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

// pinsLoaded merges what was seen before. What this run has seen already and a
// user trusted stays.
func (w *Table) pinsLoaded(ev PinsLoaded) (kernel.Topic, []kernel.Effect) {
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
func (w *Table) pinNew() []kernel.Effect {
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
func (w *Table) pinsSaved(ev PinsSaved) kernel.Topic {
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
func (w *Table) checkTrust(in TrustAddress) kernel.Verdict {
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

func (w *Table) trustAddress(in TrustAddress) []kernel.Effect {
	pin := in.Pin
	pin.Since = w.Time
	w.addresses.pin(pin)
	delete(w.addresses.news, pin.Currency)
	w.notices.Say(kernel.Info, w.Lang.Tf("the new %s address is trusted from now on", strings.ToUpper(string(pin.Currency))))
	return []kernel.Effect{SavePins{Pins: []Pin{pin}, Trusted: true}}
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

// PinsLoaded are the deposit addresses that were seen before, or why they
// could not be read.
type PinsLoaded struct {
	kernel.Meta
	Pins []Pin
	Err  error
}

func (ev PinsLoaded) Apply(w *Table) (kernel.Topic, []kernel.Effect) { return w.pinsLoaded(ev) }

// PinsSaved is the result of SavePins; Err is why they are not on disk. Stay are those
// that another dashboard saved before, in whose place none was put.
type PinsSaved struct {
	kernel.Meta
	Stay []Pin
	Err  error
}

func (ev PinsSaved) Apply(w *Table) (kernel.Topic, []kernel.Effect) {
	return w.pinsSaved(ev), nil
}

// TrustAddress trusts an address that changed. The pin is the one
// that was shown.
type TrustAddress struct{ Pin Pin }

func (in TrustAddress) Check(w *Table) kernel.Verdict { return w.checkTrust(in) }

func (in TrustAddress) Start(w *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicWallet | kernel.TopicNotice, w.trustAddress(in)
}
