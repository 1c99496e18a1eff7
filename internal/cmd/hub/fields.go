package hub

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rows"
)

// ApprovalFields are what is printed of a request for an approval.
func ApprovalFields() []rows.Field[api.HubApproval] {
	return []rows.Field[api.HubApproval]{
		{Name: "id", About: "request", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.ID) }},
		{Name: "by", About: "who asks", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.By) }},
		{Name: "operation", About: "fund or issue", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.Operation) }},
		{Name: "card_id", About: "card", Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.Card) }},
		{Name: "label", About: "label of the card", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.Label) }},
		{Name: "amount", About: "USD", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Money(a.Amount) }},
		{Name: "card_status", About: "status of the card now", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.CardStatus) }},
		{Name: "card_balance", About: "balance of the card now, USD", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return money(a.CardBefore) }},
		{Name: "card_balance_after", About: "and after it", Cell: func(a api.HubApproval) rows.Cell { return money(a.CardAfter) }},
		{Name: "wallet_balance", About: "balance of the wallet now, USD", Cell: func(a api.HubApproval) rows.Cell { return money(a.WalletBefore) }},
		{Name: "wallet_balance_after", About: "and after it", Cell: func(a api.HubApproval) rows.Cell { return money(a.WalletAfter) }},
		{Name: "state", About: "waiting, approved, refused or expired", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.State) }},
		{Name: "decided_by", About: "who decided", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Text(a.DecidedBy) }},
		{Name: "at", About: "when it was asked for", Cell: func(a api.HubApproval) rows.Cell { return rows.Time(a.At) }},
		{Name: "until", About: "when it expires", Brief: true, Cell: func(a api.HubApproval) rows.Cell { return rows.Time(a.Until) }},
	}
}

// OperationFields are what is printed of an operation without an outcome.
func OperationFields() []rows.Field[api.HubOperation] {
	return []rows.Field[api.HubOperation]{
		{Name: "id", About: "operation", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Text(o.ID) }},
		{Name: "by", About: "who asked for it", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Text(o.By) }},
		{Name: "operation", About: "fund, withdraw, freeze, …", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Text(state.VerbOf(string(o.Operation))) }},
		{Name: "card_id", About: "card", Cell: func(o api.HubOperation) rows.Cell { return rows.Text(o.Card) }},
		{Name: "label", About: "label of the card", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Text(o.Label) }},
		{Name: "amount", About: "USD", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Money(o.Amount) }},
		{Name: "state", About: "sending, asking or unsettled", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Text(o.State) }},
		{Name: "card_balance", About: "balance of the card, read since, USD", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return money(o.Balance) }},
		{Name: "card_balance_before", About: "balance before it, USD", Cell: func(o api.HubOperation) rows.Cell { return money(o.Before) }},
		{Name: "card_balance_after", About: "balance as it would leave it, USD", Cell: func(o api.HubOperation) rows.Cell { return money(o.After) }},
		{Name: "suggests", About: "done or not-done, by these balances", Brief: true, Cell: func(o api.HubOperation) rows.Cell { return rows.Text(o.Suggests) }},
		{Name: "at", About: "when it was begun", Cell: func(o api.HubOperation) rows.Cell { return rows.Time(o.At) }},
	}
}

// RuleFields are what is printed of a rule that a hub runs.
func RuleFields() []rows.Field[api.HubRule] {
	return []rows.Field[api.HubRule]{
		{Name: "name", About: "rule", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Text(r.Name) }},
		{Name: "mode", About: "off, suggest or act", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Text(r.Mode) }},
		{Name: "when", About: "which cards", Cell: func(r api.HubRule) rows.Cell { return rows.Text(r.When) }},
		{Name: "does", About: "what it does to them", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Text(r.Does) }},
		{Name: "matching", About: "cards that match", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Count(r.Matching) }},
		{Name: "would_act_on", About: "cards that it would act on now", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Count(r.Would) }},
		{Name: "amount", About: "with how much, USD", Cell: func(r api.HubRule) rows.Cell { return rows.Money(r.Amount) }},
		{Name: "moved_day", About: "moved in 24 hours, USD", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Money(r.Day) }},
		{Name: "actions_day", About: "cards that it acted on in 24 hours", Cell: func(r api.HubRule) rows.Cell { return rows.Count(r.Actions) }},
		{Name: "paused", About: "why it does nothing now", Brief: true, Cell: func(r api.HubRule) rows.Cell { return rows.Text(r.Paused) }},
		{Name: "last", About: "what it did last", Cell: func(r api.HubRule) rows.Cell { return rows.Text(r.Last) }},
		{Name: "last_at", About: "and when", Cell: func(r api.HubRule) rows.Cell { return optionalTime(r.LastAt) }},
	}
}

// PersonFields are what is printed of one of the team.
func PersonFields() []rows.Field[api.HubPerson] {
	return []rows.Field[api.HubPerson]{
		{Name: "name", About: "name", Brief: true, Cell: func(h api.HubPerson) rows.Cell { return rows.Text(h.Name) }},
		{Name: "role", About: "viewer, buyer, lead or admin", Brief: true, Cell: func(h api.HubPerson) rows.Cell { return rows.Text(h.Role) }},
		{Name: "here", About: "whether a dashboard is open", Brief: true, Cell: func(h api.HubPerson) rows.Cell { return rows.Flag(h.Here > 0) }},
		{Name: "last_seen", About: "last request since the hub was started", Brief: true, Cell: func(h api.HubPerson) rows.Cell { return optionalTime(h.Seen) }},
	}
}

func optionalTime(t *time.Time) rows.Cell {
	if t == nil {
		return rows.Time(time.Time{})
	}
	return rows.Time(*t)
}

func money(u *api.USD) rows.Cell {
	if u == nil {
		return rows.Cell{}
	}
	return rows.Money(*u)
}
