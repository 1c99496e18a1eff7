package state

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/state/rows"

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
				rows.Time(d.CreatedAt), rows.Text(d.ID), rows.Text(d.Currency), rows.Text(d.AmountCrypto),
				toldCell(d.AmountUSD), toldCell(d.FeeUSD), toldCell(d.CreditedUSD), rows.Text(d.Status),
				toldCount(d.Confirmations), rows.Time(d.ConfirmedAt), rows.Text(d.TxHash),
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
				rows.Text(b.ID), rows.Text(b.Network), rows.Text(b.Type), rows.Text(b.IssuerCountry), rows.Text(strconv.FormatBool(b.ThreeDS)),
				toldPercent(b.AcceptanceRate), toldCell(b.MaxTransaction), toldCell(b.MaxMonthly),
				rows.Count(d.Cards), rows.Count(d.Asked), rows.Count(d.Declined), rows.Text(phoneWallets(b.Wallets)), rows.Text(joined(b.BestFor)),
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
			return []Cell{rows.Text(w.ID), rows.Text(w.URL), rows.Text(joined(w.Events)), rows.Text(active), rows.Time(w.CreatedAt)}
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
				status = rows.Count(r.Status)
			}
			if r.Failed() {
				why = explain(r.Err)
			}
			return []Cell{
				rows.Time(r.At), rows.Text(r.Method), rows.Text(r.Route), status, rows.Count(int(r.Took.Milliseconds())),
				rows.Text(r.Cost()), rows.Text(r.ID), rows.Text(why),
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
				rows.Time(a.Since), rows.Text(a.Kind.String()), rows.Text(a.Card), rows.Text(names[i]), rows.Text(a.Text),
				rows.Text(strconv.FormatBool(a.Seen)), rows.Time(a.Snoozed),
			}
		},
	}
}

func toldCount(n *int) Cell {
	if n == nil {
		return Cell{}
	}
	return rows.Count(*n)
}

func toldCell(u *api.USD) Cell {
	if u == nil {
		return Cell{}
	}
	return rows.Money(*u)
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
