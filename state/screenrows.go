package state

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api"
)

// What the screens list, for other programs. Times are UTC, amounts USD; what
// the API did not tell is empty. Amounts of a currency are text: a number
// would lose their last digits.

// DepositRows are deposits for other programs.
func DepositRows(deposits []api.Deposit) Rows {
	list := slices.Clone(deposits)
	return Rows{
		What: "deposits", N: len(list),
		Columns: []string{"time", "id", "currency", "amount", "amount_usd", "fee_usd", "credited_usd", "status", "confirmations", "confirmed", "tx_hash"},
		Row: func(i int) []Cell {
			d := &list[i]
			return []Cell{
				TimeCell(d.CreatedAt), TextCell(d.ID), TextCell(d.Currency), TextCell(d.AmountCrypto),
				toldCell(d.AmountUSD), toldCell(d.FeeUSD), toldCell(d.CreditedUSD), TextCell(d.Status),
				toldCount(d.Confirmations), TimeCell(d.ConfirmedAt), TextCell(d.TxHash),
			}
		},
	}
}

// BINRows are BINs for other programs, with how often their cards were refused
// in the last 24 hours.
func BINRows(bins []api.BIN, measured map[api.BINID]Declines) Rows {
	list := slices.Clone(bins)
	declines := make([]Declines, 0, len(list))
	for i := range list {
		declines = append(declines, measured[list[i].ID])
	}
	return Rows{
		What: "BINs", N: len(list),
		Columns: []string{
			"bin", "network", "type", "country", "3ds", "acceptance_rate", "max_transaction", "max_monthly",
			"cards", "asked_24h", "declined_24h", "wallets", "best_for",
		},
		Row: func(i int) []Cell {
			b, d := &list[i], declines[i]
			return []Cell{
				TextCell(b.ID), TextCell(b.Network), TextCell(b.Type), TextCell(b.IssuerCountry), TextCell(strconv.FormatBool(b.ThreeDS)),
				toldPercent(b.AcceptanceRate), toldCell(b.MaxTransaction), toldCell(b.MaxMonthly),
				countCell(d.Cards), countCell(d.Asked), countCell(d.Declined), TextCell(phoneWallets(b.Wallets)), TextCell(joined(b.BestFor)),
			}
		},
	}
}

// WebhookRows are webhooks for other programs. Their secrets are not known.
func WebhookRows(webhooks []Webhook) Rows {
	list := slices.Clone(webhooks)
	return Rows{
		What: "webhooks", N: len(list), Columns: []string{"id", "url", "events", "active", "created"},
		Row: func(i int) []Cell {
			w := &list[i]
			active := ""
			if w.Active != nil {
				active = strconv.FormatBool(*w.Active)
			}
			return []Cell{TextCell(w.ID), TextCell(w.URL), TextCell(joined(w.Events)), TextCell(active), TimeCell(w.CreatedAt)}
		},
	}
}

// RequestRows are requests for other programs: of their paths the templates.
func RequestRows(requests []Request) Rows {
	list := slices.Clone(requests)
	return Rows{
		What: "requests", N: len(list), Columns: []string{"time", "method", "route", "status", "ms", "cost", "request_id", "error"},
		Row: func(i int) []Cell {
			r := &list[i]
			status, why := Cell{}, ""
			if r.Status != 0 {
				status = countCell(r.Status)
			}
			if r.Failed() {
				why = explain(r.Err)
			}
			return []Cell{
				TimeCell(r.At), TextCell(r.Method), TextCell(r.Route), status, countCell(int(r.Took.Milliseconds())),
				TextCell(r.Cost()), TextCell(r.ID), TextCell(why),
			}
		},
	}
}

// AlertRows are alerts for other programs, with their cards' names.
func (al *AlertsTable) Rows(alerts []Alert) Rows {
	list := slices.Clone(alerts)
	names := make([]string, 0, len(list))
	for i := range list {
		name := ""
		if list[i].Card != "" {
			name = al.cards.Name(list[i].Card)
		}
		names = append(names, name)
	}
	return Rows{
		What: "alerts", N: len(list), Columns: []string{"since", "alert", "card", "name", "what", "seen", "snoozed_until"},
		Row: func(i int) []Cell {
			a := &list[i]
			return []Cell{
				TimeCell(a.Since), TextCell(a.Kind.String()), TextCell(a.Card), TextCell(names[i]), TextCell(a.Text),
				TextCell(strconv.FormatBool(a.Seen)), TimeCell(a.Snoozed),
			}
		},
	}
}

func countCell(n int) Cell { return Cell{Text: strconv.Itoa(n), Number: true} }

func toldCount(n *int) Cell {
	if n == nil {
		return Cell{}
	}
	return countCell(*n)
}

func toldCell(u *api.USD) Cell {
	if u == nil {
		return Cell{}
	}
	return MoneyCell(*u)
}

func toldPercent(f *float64) Cell {
	if f == nil {
		return Cell{}
	}
	return Cell{Text: strconv.FormatFloat(*f, 'f', -1, 64), Number: true}
}

func joined(list []api.Text) string {
	parts := make([]string, 0, len(list))
	for _, t := range list {
		parts = append(parts, string(t))
	}
	return strings.Join(parts, " ")
}

func phoneWallets(list []api.PhoneWallet) string {
	var names []api.Text
	for _, w := range list {
		if w.Supported {
			names = append(names, w.Name)
		}
	}
	return joined(names)
}
