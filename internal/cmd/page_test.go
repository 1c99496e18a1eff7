package cmd

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/cmd/cards"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/operations"
	"github.com/cardtop/cardtop/internal/cmd/report"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/internal/goldentest"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rows"
)

const scriptsPage = "../../docs/SCRIPTS.md"

// section is the fields of what a command prints, as the page has them.
func section[T any](commands string, fields []rows.Field[T]) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n%s:\n\n| Field | |\n|---|---|\n", commands)
	for _, f := range fields {
		fmt.Fprintf(&text, "| `%s` | %s |\n", f.Name, f.About)
	}
	return text.String()
}

// TestThePageHasEveryFieldAndExitCode. Names are promised to scripts: a change of one
// shows in the page.
func TestThePageHasEveryFieldAndExitCode(t *testing.T) {
	var codes strings.Builder
	codes.WriteString("\n| Code | In error objects | |\n|---|---|---|\n")
	for _, e := range cli.Exits() {
		fmt.Fprintf(&codes, "| %d | `%s` | %s |\n", e.Code, e.Name, e.About)
	}
	sections := map[string]string{
		"exit codes": codes.String(),
		"fields": section("`cards list`", rows.CardFields()) + section("`cards list`, where the filter or `--fields` asks for them", cards.FigureFields()) + section("`cards show`", rows.SummaryFields()) +
			section("`transactions list`", rows.TransactionFields()) + section("`transactions show`", rows.DetailFields()) +
			section("`report`", report.Fields()) + section("`wallet`", rows.WalletFields()) + section("`deposits list`", rows.DepositFields()) + section("`deposits address`", rows.AddressFields()) +
			section("`bins list`", rows.BINFields()) + section("`webhooks list`", rows.WebhookFields()) +
			section("`codes list`", rows.ChallengeFields()) + section("`codes show`", rows.CodeFields()) +
			section("`events tail`, and `watch --json`, which leaves out what is not known", eventFields()) +
			section("A write on one card or webhook", write.Fields()) + section("A write on many cards, a row each", write.RowFields()) +
			section("`--dry-run`", write.RequestFields()) + section("`history`", state.RecordFields()) +
			section("`operations list`", operations.Fields()) + section("`plans list`", operations.PlanFields()) + section("`doctor`", findingFields()) +
			section("`config list`", settingFields()),
	}
	data, err := os.ReadFile(scriptsPage)
	must(t, err)
	page := string(data)
	for name, want := range sections {
		begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
		before, rest, ok := strings.Cut(page, begin)
		got, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("the page has no place for the %s", name)
		}
		if got != want+"\n" && !*update {
			t.Errorf("the %s of the page are not those of the program (go test ./internal/cmd -run ThePageHas -update):\n%s", name, goldentest.Diff(got, want+"\n"))
		}
		page = before + begin + want + "\n" + end + after
	}
	if *update {
		must(t, os.WriteFile(scriptsPage, []byte(page), 0o644))
	}
}
