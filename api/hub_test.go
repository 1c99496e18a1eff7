package api_test

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
)

// TestARowOfAHubIsWhole: a lead who is shown a request without what it does would approve anything.
func TestARowOfAHubIsWhole(t *testing.T) {
	whole := `{"id":"apr_1","by":"eve","operation":"fund","card_id":"card_1","label":"fb","amount":20.26,"at":"2026-03-01T12:00:00Z","until":"2026-03-02T12:00:00Z","state":"waiting","decided_by":"","decided_at":null}`
	withdrawal := strings.Replace(whole, "fund", "withdrawal", 1)
	for name, row := range map[string]string{
		"":                      whole,
		"what it does":          strings.Replace(whole, `"operation":"fund",`, "", 1),
		"what it does, as null": strings.Replace(whole, `"fund"`, "null", 1),
		"the amount":            strings.Replace(whole, `"amount":20.26,`, "", 1),
		"its card":              strings.Replace(withdrawal, `"card_id":"card_1",`, "", 1),
		"what it withdraws":     strings.Replace(withdrawal, `"amount":20.26,`, "", 1),
		"the card it freezes":   strings.Replace(strings.Replace(whole, "fund", "freeze", 1), `"card_id":"card_1",`, "", 1),
	} {
		page, err := api.DecodeRows[api.HubApproval]([]byte(`{"data":[` + row + `]}`))
		if err != nil || (len(page.Data) == 1) != (name == "") || len(page.Data)+len(page.Unread) != 1 {
			t.Errorf("without %q: %v, %+v", name, err, page)
		}
	}
}
