package rows

import (
	"strconv"

	"github.com/cardtop/cardtop/api"
)

// CardFields are what is printed of a card in a list.
func CardFields() []Field[api.CardItem] {
	type card = api.CardItem
	return []Field[card]{
		{"id", "card id", true, func(c card) Cell { return Text(c.ID) }},
		{"label", "label", true, func(c card) Cell { return Text(c.Label) }},
		{"last4", "last four digits", true, func(c card) Cell { return Text(c.Last4) }},
		{"status", "active, frozen, terminated or expired", true, func(c card) Cell { return Text(c.Status) }},
		{"balance", "USD", true, func(c card) Cell { return Money(c.Balance) }},
		{"network", "card network", false, func(c card) Cell { return Text(c.Network) }},
		{"bin_id", "BIN", false, func(c card) Cell { return Text(c.BIN) }},
		{"created_at", "when it was issued", true, func(c card) Cell { return Time(c.CreatedAt) }},
	}
}

// SummaryFields are what is printed of one card.
func SummaryFields() []Field[api.CardSummary] {
	type card = api.CardSummary
	return []Field[card]{
		{"id", "card id", true, func(c card) Cell { return Text(c.ID) }},
		{"label", "label", true, func(c card) Cell { return Text(c.Label) }},
		{"last4", "last four digits", true, func(c card) Cell { return Text(c.Last4) }},
		{"status", "active, frozen, terminated or expired", true, func(c card) Cell { return Text(c.Status) }},
		{"balance", "USD", true, func(c card) Cell { return Money(c.Balance) }},
		{"spending_limit", "USD a month", true, func(c card) Cell { return Maybe(c.SpendingLimit) }},
		{"total_spent", "USD since it was issued", true, func(c card) Cell { return Maybe(c.TotalSpent) }},
		{"transaction_count", "number of transactions", true, func(c card) Cell { return maybeCount(c.TransactionCount) }},
		{"network", "card network", true, func(c card) Cell { return Text(c.Network) }},
		{"bin_id", "BIN", true, func(c card) Cell { return Text(c.BIN) }},
		{"metadata", "names and values", true, func(c card) Cell { return Pairs(c.Metadata) }},
		{"created_at", "when it was issued", true, func(c card) Cell { return Time(c.CreatedAt) }},
		{"expires_at", "when it expires", true, func(c card) Cell { return Time(c.ExpiresAt) }},
		{"last_used_at", "latest transaction; none if it was never used", true, func(c card) Cell { return Time(c.LastUsedAt) }},
	}
}

func maybeCount(n *int) Cell {
	if n == nil {
		return Cell{}
	}
	return Count(*n)
}

// BINFields are what is printed of a BIN.
func BINFields() []Field[api.BIN] {
	type bin = api.BIN
	return []Field[bin]{
		{"id", "BIN", true, func(b bin) Cell { return Text(b.ID) }},
		{"network", "card network", true, func(b bin) Cell { return Text(b.Network) }},
		{"type", "advertising, everyday, …", true, func(b bin) Cell { return Text(b.Type) }},
		{"issuer_country", "country code", true, func(b bin) Cell { return Text(b.IssuerCountry) }},
		{"3ds", "true or false", true, func(b bin) Cell { return Flag(b.ThreeDS) }},
		{"max_transaction", "USD", true, func(b bin) Cell { return Maybe(b.MaxTransaction) }},
		{"max_monthly", "USD", true, func(b bin) Cell { return Maybe(b.MaxMonthly) }},
		{"acceptance_rate", "percent", true, func(b bin) Cell { return percent(b.AcceptanceRate) }},
		{"wallets", "mobile wallets that its cards work in", false, func(b bin) Cell { return List(supported(b.Wallets)) }},
		{"best_for", "what it is good for", false, func(b bin) Cell { return List(b.BestFor) }},
	}
}

func percent(f *float64) Cell {
	if f == nil {
		return Cell{}
	}
	return Cell{Text: strconv.FormatFloat(*f, 'f', -1, 64), Number: true}
}

func supported(wallets []api.PhoneWallet) []api.Text {
	var names []api.Text
	for _, w := range wallets {
		if w.Supported {
			names = append(names, w.Name)
		}
	}
	return names
}

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
