package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/man"
)

// requests are the macros that the pages use.
var requests = regexp.MustCompile(`^\.(TH|SH|PP|TP|B|BR|I|br|nf|fi|nh|ad l)( |$)`)

func TestEveryCommandHasAManualPage(t *testing.T) {
	nobody(t)
	must(t, runIn(t, "man", "--dir", "pages"))
	root := commands(program{})
	eachCommand(root, func(cmd *cobra.Command, _ []string) {
		data, err := os.ReadFile(filepath.Join("pages", man.Name(cmd)+".1"))
		if err != nil {
			t.Error(err)
			return
		}
		page := string(data)
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if name := `\-\-` + strings.ReplaceAll(f.Name, "-", `\-`) + `\fR`; strings.Contains(page, name) == f.Hidden {
				t.Errorf("%s: --%s, hidden %t", cmd.CommandPath(), f.Name, f.Hidden)
			}
		})
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, ".") && !requests.MatchString(strings.TrimSuffix(line, "\n")) || strings.HasPrefix(line, "'") {
				t.Errorf("%s: %q is read as a request", cmd.CommandPath(), line)
			}
		}
	})
}

func TestAManualPageIsPrinted(t *testing.T) {
	s := frozen(t)
	if s.does(cli.ExitDone, "man", "cards", "fund"); !strings.HasPrefix(s.out, `.TH "CARDTOP-CARDS-FUND" 1`) || !strings.Contains(s.out, `\fB\-\-max\-amount\fR \fIusd\fR`) {
		t.Errorf("printed %s", s.out)
	}
	for line, want := range map[string]string{
		"man cards fnud": `unknown command "fnud" (did you mean "fund"?)`, "man nonsense": `unknown command "nonsense"`, "man --dir x cards": "leave the command out",
	} {
		if code := s.run(strings.Fields(line)...); code != cli.ExitUsage || !strings.Contains(s.errs, want) {
			t.Errorf("%s ends with %d: %s", line, code, s.errs)
		}
	}
}

func TestTheVersionIsPrinted(t *testing.T) {
	s := frozen(t)
	var got app.BuildInfo
	if err := json.Unmarshal([]byte(s.does(cli.ExitDone, "version", "--json")), &got); err != nil || got != app.ReadBuildInfo() || got.Go == "" || got.Platform == "" {
		t.Errorf("%+v, %v", got, err)
	}
	if s.does(cli.ExitDone, "version"); !strings.HasPrefix(s.out, "cardtop "+app.Version()+" ") {
		t.Errorf("printed %q", s.out)
	}
}

// TestEveryCommandReportsErrorsAsObjects, also where it cannot be read to its end.
func TestEveryCommandReportsErrorsAsObjects(t *testing.T) {
	s := frozen(t)
	eachCommand(commands(program{}), func(cmd *cobra.Command, words []string) {
		if cmd.Flags().Lookup("json") == nil {
			return
		}
		for _, args := range [][]string{{"--json", "--nope"}, {"--nope", "--json"}} {
			code := s.run(append(words[:len(words):len(words)], args...)...)
			var got map[string]cli.Failure
			err := json.Unmarshal([]byte(s.errs), &got)
			if want := (cli.Failure{Code: "usage", Message: "unknown flag --nope", Exit: 2}); err != nil || got["error"] != want || code != cli.ExitUsage || strings.Count(s.errs, "\n") != 1 {
				t.Errorf("%q %q ends with %d: %s", words, args, code, s.errs)
			}
		}
	})
	for _, line := range []string{"otp --json --card nobody", "history --json --since x", "cards show --json nobody", "nonsense --json", "watch --json --plain"} {
		var got map[string]cli.Failure
		s.run(strings.Fields(line)...)
		if err := json.Unmarshal([]byte(s.errs), &got); err != nil || got["error"].Code != "usage" || got["error"].Message == "" {
			t.Errorf("%s: %s", line, s.errs)
		}
	}
	var text bytes.Buffer
	if cli.ReportJSON(&text, nil) != cli.ExitDone || text.Len() != 0 {
		t.Errorf("no error is %s", text.String())
	}
}
