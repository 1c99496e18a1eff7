// Package panetest builds stores for the tests of panes, from events and
// without a network, and reads what a pane draws.
package panetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/state/webhooks"
)

// At is a time of the tests: so long after noon, UTC.
func At(d time.Duration) time.Time {
	return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(d)
}

// Account is what the API has, and a store that reads it. What changes in the
// fields is read by the next Wait.
type Account struct {
	Store *state.Store

	Cards     []api.CardItem
	Codes     []api.Challenge // Wait hands out copies: the store wipes what it drops
	Txns      []api.Transaction
	Details   map[api.TransactionID]api.TransactionDetail
	Wallet    api.Wallet
	Deposits  []api.Deposit
	BINs      []api.BIN
	Webhooks  []api.Webhook
	Addresses api.DepositAddresses
	Past      []state.Record
	Limits    map[api.CardID]*api.USD // of a month; nil for none

	// Err fails every request.
	Err error
	// Silent leaves every request without an answer.
	Silent bool
	// Hold is given the details of a card instead of a vault.
	Hold func(*api.CardDetails)

	t   testing.TB
	now time.Duration
}

// New returns an account with a store that has not been ticked.
func New(tb testing.TB, changes ...func(*settings.Config)) *Account {
	tb.Helper()
	keys := 0
	cfg := settings.Config{
		Rand: func() float64 { return 0.5 }, Screen: &settings.Screen{},
		NewKey: func() api.IdempotencyKey {
			keys++
			return api.IdempotencyKey(fmt.Sprintf("key-%d", keys))
		},
	}
	for _, change := range changes {
		change(&cfg)
	}
	return &Account{t: tb, Store: state.New(cfg)}
}

// ReadOnly refuses every write.
func ReadOnly(c *settings.Config) { c.ReadOnly = true }

// Private begins with all figures hidden.
func Private(c *settings.Config) { c.Screen = &settings.Screen{Private: true} }

// Wait lets time pass, a second at a time, and answers what the store asks for.
// Wait(0) is the first tick.
func (a *Account) Wait(d time.Duration) {
	a.t.Helper()
	for end := a.now + d; ; a.now = min(a.now+time.Second, end) {
		_, effects := a.Store.Tick(At(a.now))
		a.run(effects)
		if a.now == end {
			return
		}
	}
}

// Do dispatches an intent and answers what it asks for.
func (a *Account) Do(in kernel.Intent) {
	a.t.Helper()
	_, effects, err := a.Store.Dispatch(in)
	if err != nil {
		a.t.Fatalf("%T: %v", in, err)
	}
	a.run(effects)
}

// Begin dispatches a write and leaves it without an answer.
func (a *Account) Begin(in kernel.Intent) {
	a.t.Helper()
	if _, _, err := a.Store.Dispatch(in); err != nil {
		a.t.Fatalf("%T: %v", in, err)
	}
}

// Apply applies an event and answers what follows.
func (a *Account) Apply(ev kernel.Event) {
	a.t.Helper()
	_, effects := a.Store.Apply(ev)
	a.run(effects)
}

// Meta is an answer of now.
func (a *Account) Meta() kernel.Meta { return kernel.Meta{Sent: At(a.now), At: At(a.now)} }

func (a *Account) run(effects []kernel.Effect) {
	a.t.Helper()
	for len(effects) > 0 {
		e := effects[0]
		effects = effects[1:]
		if hold, ok := e.(secrets.HoldDetails); ok && a.Hold != nil {
			a.Hold(hold.Details)
		}
		if ev := a.answer(e); ev != nil {
			_, more := a.Store.Apply(ev)
			effects = append(effects, more...)
		}
	}
}

// answer is the event that a request leads to; nil for other effects.
func (a *Account) answer(e kernel.Effect) kernel.Event {
	m := a.Meta()
	if a.Silent {
		return nil
	}
	if h, ok := e.(state.FetchHistory); ok && h == (state.FetchHistory{}) {
		return state.HistoryLoaded{Meta: m, Records: a.Past, Err: a.Err}
	}
	ev := a.read(e, m)
	if a.Err != nil && ev != nil {
		return state.FetchFailed{Meta: m, Effect: e, Err: a.Err}
	}
	return ev
}

// read is the good answer to a request.
func (a *Account) read(e kernel.Effect, m kernel.Meta) kernel.Event {
	switch e := e.(type) {
	case state.FetchCards:
		return state.CardsLoaded{FetchCards: e, Meta: m, TotalPages: 1, Total: len(a.Cards), Items: slices.Clone(a.Cards)}
	case codes.Fetch:
		return codes.Loaded{Fetch: e, Meta: m, Items: a.challenges()}
	case codes.FetchOne:
		for _, c := range a.challenges() {
			if c.ID == e.Challenge {
				return codes.OneLoaded{Meta: m, Item: c}
			}
		}
		return nil
	case txns.Fetch:
		return txns.Loaded{Fetch: e, Meta: m, Items: slices.Clone(a.Txns)}
	case wallets.Fetch:
		return wallets.Loaded{Fetch: e, Meta: m, Wallet: a.Wallet}
	case wallets.FetchDeposits:
		return wallets.DepositsLoaded{FetchDeposits: e, Meta: m, Items: slices.Clone(a.Deposits)}
	case state.FetchSummary:
		return state.SummaryLoaded{FetchSummary: e, Meta: m, Summary: a.summary(e.Card)}
	case state.FetchCardTransactions:
		return state.CardTransactionsLoaded{FetchCardTransactions: e, Meta: m}
	default:
		return a.readScreen(e, m)
	}
}

// readScreen is the good answer to a request of one screen.
func (a *Account) readScreen(e kernel.Effect, m kernel.Meta) kernel.Event {
	switch e := e.(type) {
	case txns.FetchOne:
		return txns.OneLoaded{FetchOne: e, Meta: m, Detail: a.Details[e.Transaction]}
	case bins.Fetch:
		if e.Ahead { // What shows them asks for them.
			return nil
		}
		return bins.Loaded{Meta: m, Items: slices.Clone(a.BINs)}
	case webhooks.Fetch:
		return webhooks.Loaded{Fetch: e, Meta: m, Items: slices.Clone(a.Webhooks)}
	case wallets.FetchAddresses:
		return wallets.AddressesLoaded{FetchAddresses: e, Meta: m, Addresses: a.Addresses}
	case state.FetchMonth:
		none := func(t api.Transaction) bool {
			return t.Type != e.Type || t.CreatedAt.Before(e.From) || t.CreatedAt.After(e.To)
		}
		return state.MonthLoaded{FetchMonth: e, Meta: m, Items: slices.DeleteFunc(slices.Clone(a.Txns), none)}
	case wallets.FetchPins:
		return wallets.PinsLoaded{Meta: m}
	case secrets.FetchDetails:
		return secrets.DetailsLoaded{FetchDetails: e, Meta: m, Details: &api.CardDetails{ID: e.Card, PAN: api.NewPAN(PAN), CVV: api.NewCVV(CVV)}}
	default:
		return nil
	}
}

// PAN and CVV are those of every card, made up.
const (
	PAN = "4111111111111111"
	CVV = "123"
)

// challenges are the codes, with secrets of their own.
func (a *Account) challenges() []api.Challenge {
	out := slices.Clone(a.Codes)
	for i := range out {
		if !out[i].OTP.IsZero() {
			out[i].OTP = api.NewOTP(out[i].OTP.Expose())
		}
	}
	return out
}

// summary is that of a card; an unknown one is active.
func (a *Account) summary(id api.CardID) api.CardSummary {
	for i := range a.Cards {
		if c := &a.Cards[i]; c.ID == id && c.Status != "" {
			return api.CardSummary{ID: id, BIN: c.BIN, Network: c.Network, Last4: c.Last4, Label: c.Label, Status: c.Status, Balance: c.Balance, SpendingLimit: a.Limits[c.ID]}
		}
	}
	return api.CardSummary{ID: id, Status: api.CardActive}
}
