package mcp

import (
	"errors"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// TestAnErrorNamesToolsAndTheirArguments: an assistant has no command line to follow advice on.
func TestAnErrorNamesToolsAndTheirArguments(t *testing.T) {
	t.Parallel()
	fund := tool{name: "cards_fund", command: "cards fund", args: []arg{{name: "to_amount", flag: "to"}}}
	s := &server{tools: []tool{fund, {name: "operations_resume", command: "operations resume"}}}
	for err, want := range map[error]string{
		app.Usage(errors.New("--to is no amount of card a--to; see cardtop cards fund --help")): "to_amount is no amount of card a--to",
		&cli.UnknownError{Text: "no answer", Settle: "cardtop operations resume op_1"}:          "operations_resume op_1",
		errors.New("set --profile first"):                                                       "set --profile first",
	} {
		result := s.failure(&fund, err)
		content, _ := result["content"].([]any)
		text, _ := content[0].(map[string]string)
		if !strings.Contains(text["text"], want) || strings.Contains(text["text"], "cardtop ") {
			t.Errorf("%v: %s", err, text["text"])
		}
	}
}
