package cmd

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// TestTheAPIIsReadByItsPaths, with and without a method, and nothing but read.
func TestTheAPIIsReadByItsPaths(t *testing.T) {
	s := serve(t, sandbox.Config{Cards: 20})
	var page struct {
		Data []struct{ ID, Status string }
	}
	for _, args := range [][]string{{"api", "/cards?status=frozen&per_page=3"}, {"api", "GET", "v1/cards?status=frozen&per_page=3"}, {"api", "get", "/v1/cards/?status=frozen&per_page=3"}} {
		page.Data = nil
		must(t, json.Unmarshal([]byte(s.does(cli.ExitDone, args...)), &page))
		if len(page.Data) == 0 || page.Data[0].Status != "frozen" {
			t.Errorf("%v: %+v", args, page.Data)
		}
	}
	var card struct{ ID string }
	if err := json.Unmarshal([]byte(s.does(cli.ExitDone, "api", "/cards/"+page.Data[0].ID)), &card); err != nil || card.ID != page.Data[0].ID {
		t.Errorf("%v, %+v", err, card)
	}
	for want, args := range map[string][]string{
		"only reads":              {"api", "POST", "/cards/" + card.ID + "/freeze"},
		"are not printed":         {"api", "/cards/" + card.ID + "/details"},
		"takes one path":          {"api", "https://example.com/v1/cards"},
		"nothing is read at that": {"api", "/cards/" + card.ID + "/freeze"},
		"/wallet/balance, ":       {"api", "/cards/../wallet"},
		"/3ds, ":                  {"api", "/webhooks"},
		"/cards, ":                {"api", "/v1cards"},
		"/cards/{card_id}, ":      {"api", "/cards/{card_id}"},
	} {
		if s.does(cli.ExitUsage, args...); !strings.Contains(s.errs, want) {
			t.Errorf("%v: %s", args, s.errs)
		}
	}
	if s.does(cli.ExitFailed, "api", "/cards/card_none"); !strings.Contains(s.errs, "not found") {
		t.Errorf("%s", s.errs)
	}
}
