package rows

import (
	"github.com/cardtop/cardtop/api"
)

// WalletFields are what is printed of the wallet.
func WalletFields() []Field[api.Wallet] {
	type wallet = api.Wallet
	return []Field[wallet]{
		{"balance", "USD", true, func(w wallet) Cell { return Money(w.Balance) }},
		{"currency", "currency of the wallet", true, func(w wallet) Cell { return Text(w.Currency) }},
		{"pending_deposits", "USD not credited yet", true, func(w wallet) Cell { return Maybe(w.PendingDeposits) }},
		{"total_deposited", "USD ever deposited", true, func(w wallet) Cell { return Maybe(w.TotalDeposited) }},
		{"total_spent", "USD ever spent", true, func(w wallet) Cell { return Maybe(w.TotalSpent) }},
		{"cards_active", "number of active cards", true, func(w wallet) Cell { return maybeCount(w.CardsActive) }},
		{"cards_total_balance", "USD on the cards", true, func(w wallet) Cell { return Maybe(w.CardsTotalBalance) }},
		{"scoped", "whether others spend from it with cards that are not seen here, on a hub", false, func(w wallet) Cell { return Flag(w.Scoped) }},
	}
}

// DepositFields are what is printed of a deposit.
func DepositFields() []Field[api.Deposit] {
	type deposit = api.Deposit
	return []Field[deposit]{
		{"id", "deposit id", true, func(d deposit) Cell { return Text(d.ID) }},
		{"currency", "btc, eth, sol or usdt", true, func(d deposit) Cell { return Text(d.Currency) }},
		{"amount_crypto", "amount in the currency", true, func(d deposit) Cell { return Text(d.AmountCrypto) }},
		{"amount_usd", "USD", false, func(d deposit) Cell { return Maybe(d.AmountUSD) }},
		{"fee_usd", "USD", false, func(d deposit) Cell { return Maybe(d.FeeUSD) }},
		{"credited_usd", "USD that the wallet got", true, func(d deposit) Cell { return Maybe(d.CreditedUSD) }},
		{"status", "pending, confirmed or expired", true, func(d deposit) Cell { return Text(d.Status) }},
		{"tx_hash", "transaction of the chain", false, func(d deposit) Cell { return Text(d.TxHash) }},
		{"confirmations", "confirmations of the chain", true, func(d deposit) Cell { return maybeCount(d.Confirmations) }},
		{"created_at", "when it was seen", true, func(d deposit) Cell { return Time(d.CreatedAt) }},
		{"confirmed_at", "when it was confirmed", false, func(d deposit) Cell { return Time(d.ConfirmedAt) }},
	}
}

// Address is where deposits of a currency go.
type Address struct {
	Currency         api.Currency
	Network, Address api.Text
	Minimum          api.Crypto
	// Seen reports whether the dashboard has shown it before.
	Seen bool
}

// AddressFields are what is printed of a deposit address.
func AddressFields() []Field[Address] {
	return []Field[Address]{
		{"currency", "btc, eth, sol or usdt", true, func(a Address) Cell { return Text(a.Currency) }},
		{"network", "network to send on", true, func(a Address) Cell { return Text(a.Network) }},
		{"address", "where to send", true, func(a Address) Cell { return Text(a.Address) }},
		{"min_deposit", "least amount in the currency", true, func(a Address) Cell { return Text(a.Minimum) }},
		{"seen", "whether the dashboard has shown this address before", false, func(a Address) Cell { return Flag(a.Seen) }},
	}
}

// WebhookFields are what is printed of a webhook: not its secret.
func WebhookFields() []Field[api.Webhook] {
	type hook = api.Webhook
	return []Field[hook]{
		{"id", "webhook id", true, func(h hook) Cell { return Text(h.ID) }},
		{"url", "where events are sent", true, func(h hook) Cell { return Text(h.URL) }},
		{"events", "what it is subscribed to; * is all", true, func(h hook) Cell { return List(h.Events) }},
		{"active", "true or false", true, func(h hook) Cell {
			if h.Active == nil {
				return Cell{}
			}
			return Flag(*h.Active)
		}},
		{"created_at", "when it was registered", true, func(h hook) Cell { return Time(h.CreatedAt) }},
	}
}
