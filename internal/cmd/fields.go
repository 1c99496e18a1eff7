package cmd

import (
	"strings"

	"github.com/cardtop/cardtop/internal/cmd/cards"
	"github.com/cardtop/cardtop/internal/cmd/complete"
	"github.com/cardtop/cardtop/internal/cmd/hub"
	"github.com/cardtop/cardtop/internal/cmd/mcp"
	"github.com/cardtop/cardtop/internal/cmd/operations"
	"github.com/cardtop/cardtop/internal/cmd/report"
	"github.com/cardtop/cardtop/internal/cmd/txns"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/webhooks"
)

// completedWords are what command lines are completed with.
func completedWords() complete.Words {
	return complete.Words{
		Fields: func(command string) (names []string) {
			fields := fieldsOf(command)
			if command == "cards list" {
				fields = append(fields, described(cards.FigureFields())...)
			}
			for _, f := range fields {
				names = append(names, f.Name)
			}
			return names
		},
		Events: func(command string) []string {
			if command == "events tail" {
				return eventKinds()
			}
			return append([]string{"*"}, webhooks.EventNames()...)
		},
		Filters: map[string]func(string, func(string) []string) []query.Suggestion{
			"cards list": cards.Suggest, "transactions list": txns.Suggest,
		},
	}
}

// fieldsOf returns the fields that a command prints; those of a write
// where it is none of the others.
func fieldsOf(command string) []mcp.Field {
	switch command {
	case "cards list":
		return described(rows.CardFields())
	case "cards show":
		return described(rows.SummaryFields())
	case "transactions list":
		return described(rows.TransactionFields())
	case "transactions show":
		return described(rows.DetailFields())
	case "report":
		return described(report.Fields())
	case "wallet":
		return described(rows.WalletFields())
	case "deposits list":
		return described(rows.DepositFields())
	case "deposits address":
		return described(rows.AddressFields())
	case "bins list":
		return described(rows.BINFields())
	case "webhooks list":
		return described(rows.WebhookFields())
	case "codes list":
		return described(rows.ChallengeFields())
	case "codes show":
		return described(rows.CodeFields())
	case "events tail":
		return described(eventFields())
	case "operations list":
		return described(operations.Fields())
	case "plans list":
		return described(operations.PlanFields())
	case "plans resume", "plans show":
		return described(write.RowFields())
	}
	return fieldsOfGroup(command)
}

// fieldsOfGroup are those of a command by the first of its words.
func fieldsOfGroup(command string) []mcp.Field {
	switch group, name, _ := strings.Cut(command, " "); group {
	case "config":
		return described(settingFields())
	case "doctor":
		return described(findingFields())
	case "history":
		return described(state.RecordFields())
	case "hub":
		return fieldsOfHub(name)
	case "cards", "webhooks", "operations":
		return described(write.Fields())
	}
	return nil
}

// fieldsOfHub returns the fields that a command of the hub prints.
func fieldsOfHub(command string) []mcp.Field {
	switch command {
	case "approvals":
		return described(hub.ApprovalFields())
	case "operations":
		return described(hub.OperationFields())
	case "people":
		return described(hub.PersonFields())
	case "rules":
		return described(hub.RuleFields())
	}
	return nil
}

func described[T any](fields []rows.Field[T]) []mcp.Field {
	var out []mcp.Field
	for _, f := range fields {
		out = append(out, mcp.Field{Name: f.Name, About: f.About})
	}
	return out
}
