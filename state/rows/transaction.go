package rows

import (
	"time"

	"github.com/cardtop/cardtop/api"
)

// Transaction is a transaction and what its card is called, as far as that is
// known.
type Transaction struct {
	api.Transaction
	Label, Last4 api.Text
}

// TransactionFields are what is printed of a transaction in a list.
func TransactionFields() []Field[Transaction] {
	type txn = Transaction
	return []Field[txn]{
		{"id", "transaction id", false, func(t txn) Cell { return Text(t.ID) }},
		{"created_at", "time", true, func(t txn) Cell { return Time(t.CreatedAt) }},
		{"type", "authorization, settlement, refund or decline", true, func(t txn) Cell { return Text(t.Type) }},
		{"amount", "as the API has it, negative when spent", true, func(t txn) Cell { return Units(t.Sent()) }},
		{"currency", "currency of the amount", true, func(t txn) Cell { return Text(t.Currency) }},
		{"merchant", "name of the merchant", true, func(t txn) Cell { return Text(t.Merchant.Name) }},
		{"category", "category of the merchant", false, func(t txn) Cell { return Text(t.Merchant.Category) }},
		{"mcc", "merchant category code", false, func(t txn) Cell { return Text(t.Merchant.MCC) }},
		{"country", "country of the merchant", true, func(t txn) Cell { return Text(t.Merchant.Country) }},
		{"card_id", "card", true, func(t txn) Cell { return Text(t.CardID) }},
		{"label", "label of the card, where the cards were read", true, func(t txn) Cell { return Text(t.Label) }},
		{"last4", "last four digits of the card, where the cards were read", false, func(t txn) Cell { return Text(t.Last4) }},
		{"balance_after", "USD on the card afterwards", false, func(t txn) Cell { return Maybe(t.BalanceAfter) }},
	}
}

// DetailFields are what is printed of one transaction.
func DetailFields() []Field[api.TransactionDetail] {
	type detail = api.TransactionDetail
	var out []Field[detail]
	for _, f := range TransactionFields() {
		if f.Name == "label" || f.Name == "last4" {
			continue
		}
		cell := f.Cell
		out = append(out, Field[detail]{f.Name, f.About, true, func(d detail) Cell { return cell(Transaction{Transaction: d.Transaction}) }})
	}
	return append(
		out,
		Field[detail]{"three_ds_status", "what came of 3DS", true, func(d detail) Cell { return Text(d.ThreeDSStatus) }},
		Field[detail]{"decline_reason", "why it was declined, where the API says", true, func(d detail) Cell { return Text(d.DeclineReason) }},
		Field[detail]{"timeline", "steps of the authorization: status and time", true, func(d detail) Cell { return steps(d.Timeline) }},
		Field[detail]{"extra", "other fields of the API", true, func(d detail) Cell { return extra(d.Extra) }},
	)
}

func steps(list []api.TimelineStep) Cell {
	type step struct {
		Status api.Text `json:"status"`
		At     string   `json:"at"`
	}
	var c Cell
	out := make([]step, 0, len(list)) // Not nil: an empty list is one.
	for i, s := range list {
		if i > 0 {
			c.Text += " "
		}
		at := s.At.UTC().Format(time.RFC3339)
		c.Text += string(s.Status) + "@" + at
		out = append(out, step{s.Status, at})
	}
	c.JSON = encoded(out)
	return c
}

func extra(fields []api.Field) Cell {
	m := make(map[api.Text]api.Text, len(fields))
	for _, f := range fields {
		m[f.Name] = f.Value
	}
	return Pairs(m)
}

// ChallengeFields are what is printed of a 3DS challenge in a list: not its
// code.
func ChallengeFields() []Field[api.Challenge] {
	type challenge = api.Challenge
	return []Field[challenge]{
		{"id", "challenge id", true, func(c challenge) Cell { return Text(c.ID) }},
		{"card_id", "card", true, func(c challenge) Cell { return Text(c.CardID) }},
		{"merchant", "who asks for the code", true, func(c challenge) Cell { return Text(c.Merchant) }},
		{"amount", "USD", true, func(c challenge) Cell { return Maybe(c.Amount) }},
		{"status", "pending, completed or expired", true, func(c challenge) Cell { return Text(c.Status) }},
		{"created_at", "when it was asked for", false, func(c challenge) Cell { return Time(c.CreatedAt) }},
		{"expires_at", "until when the code holds", true, func(c challenge) Cell { return Time(c.ExpiresAt) }},
	}
}

// CodeFields are what is printed of one challenge, its code first.
func CodeFields() []Field[api.Challenge] {
	return append([]Field[api.Challenge]{
		{"code", "the one-time code", true, func(c api.Challenge) Cell { return Text(c.OTP.Expose()) }},
	}, ChallengeFields()...)
}
