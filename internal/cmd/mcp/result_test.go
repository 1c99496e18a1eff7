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
	for want, err := range map[string]error{
		"to_amount is no amount of card a--to": app.Usage(errors.New("--to is no amount of card a--to; see cardtop cards fund --help")),
		"operations_resume op_1":               &cli.UnknownError{Text: "no answer", Settle: "cardtop operations resume op_1"},
		"set --profile first":                  errors.New("set --profile first"),
	} {
		result := s.failure(&fund, err)
		content, _ := result["content"].([]any)
		text, _ := content[0].(map[string]string)
		if !strings.Contains(text["text"], want) || strings.Contains(text["text"], "cardtop ") {
			t.Errorf("%v: %s", err, text["text"])
		}
	}
}
