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
