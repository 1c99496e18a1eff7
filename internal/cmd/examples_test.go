package cmd

import (
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
)

// called is what an example gives the program: its words up to what the shell does with
// what it prints.
var called = regexp.MustCompile(`(?:^|[\s(;|])cardtop((?: (?:'[^']*'|"[^"]*"|[^\s'"|><;&)]+)+)*)`)

var quoted = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"]+)+`)

// wordsOf splits what an example types as a shell does.
func wordsOf(line string) (words []string) {
	for _, word := range quoted.FindAllString(line, -1) {
		words = append(words, strings.NewReplacer("'", "", `"`, "").Replace(word))
	}
	return words
}

// nobodyThere is what an example is refused for because nobody sits at it: there are no
// terminal, no piped words, and none of the ids that stand for somebody's own.
var nobodyThere = regexp.MustCompile(`needs a terminal|nobody can be asked|standard input has no|no operation has that key|no plan of that id|it is no public key|standard input is empty`)

// TestEveryExampleIsTakenByItsCommand runs the examples of every command, interrupted
// before they begin: none may be a mistake in the words or values that are typed.
func TestEveryExampleIsTakenByItsCommand(t *testing.T) {
	s := frozen(t)
	s.configure("[profiles.team]\nbase_url = \"" + s.url + "/v1\"\n[[rules]]\nname = \"topup\"\nwhen = \"bal<20\"\nfund_to = \"50\"\nmax_per_day = \"500\"\n")
	for name, text := range map[string]string{"cards.csv": "bin_id,amount\n424242,25\n"} {
		must(t, os.WriteFile(name, []byte(text), 0o600))
	}
	tried := 0
	eachCommand(commands(program{}), func(cmd *cobra.Command, words []string) {
		if cmd.Runnable() && !cmd.Hidden && cmd.Example == "" {
			t.Errorf("%q has no example", words)
		}
		for line := range strings.Lines(cmd.Example) {
			for _, match := range called.FindAllStringSubmatch(line, -1) {
				tried++
				args := wordsOf(match[1])
				if err := s.takes(args...); cli.ExitCode(err) == cli.ExitUsage && !nobodyThere.MatchString(err.Error()) {
					t.Errorf("%s: %q: %v", strings.TrimSpace(line), args, err)
				}
			}
		}
	})
	t.Logf("%d examples", tried)
	if tried < 80 {
		t.Errorf("only %d examples were found", tried)
	}
}

// takes runs a command line that is interrupted already.
func (s *served) takes(args ...string) error {
	ctx, stop := context.WithCancel(s.t.Context())
	stop()
	root := commands(program{app.Program{Env: config.Env{BaseURL: s.url + "/v1", APIKey: api.NewAPIKey(s.key)}, Errs: io.Discard, Now: time.Now}, io.Discard}) //nolint:forbidigo // the clock of main
	root.SetArgs(args)
	root.SetIn(strings.NewReader(""))
	return root.ExecuteContext(ctx)
}
