package cmd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// TestHelpFitsTheTerminal, but for what is to be copied. It names every command and flag.
func TestHelpFitsTheTerminal(t *testing.T) {
	eachCommand(commands(program{}), func(cmd *cobra.Command, _ []string) {
		for _, width := range []int{40, 80, mostWidth} {
			var out bytes.Buffer
			printHelp(&out, cmd, width)
			section := ""
			for line := range strings.Lines(out.String()) {
				line = strings.TrimSuffix(line, "\n")
				if strings.HasSuffix(line, ":") && !strings.HasPrefix(line, " ") {
					section = line
				}
				name, _, _ := strings.Cut(strings.TrimSpace(line), "   ")
				if ansi.StringWidth(line) > width && section != "Usage:" && section != "Examples:" && len(name)+6 <= width {
					t.Errorf("%s at %d: %q", cmd.CommandPath(), width, line)
				}
			}
			for _, sub := range cmd.Commands() {
				if sub.IsAvailableCommand() && !strings.Contains(out.String(), "\n  "+sub.Name()+" ") {
					t.Errorf("%s at %d lacks %s", cmd.CommandPath(), width, sub.Name())
				}
			}
		}
	})
}

func TestHelpIsFound(t *testing.T) {
	s := frozen(t)
	for _, args := range [][]string{{"help", "cards", "fund"}, {"cards", "fund", "--help"}} {
		if s.does(cli.ExitDone, args...); !strings.HasPrefix(s.out, "Move money from the wallet") || !strings.Contains(s.out, "\n  cardtop cards fund CARD [flags]\n") || !strings.Contains(s.out, "--share each|level|split ") {
			t.Errorf("%q prints %s", args, s.out)
		}
	}
	for _, group := range []string{"cards", "config", "keyring", "events"} {
		if s.does(cli.ExitDone, group); !strings.Contains(s.out, "\nCommands:\n") || strings.Contains(s.out, "cardtop "+group+" [flags]") {
			t.Errorf("%s prints %s", group, s.out)
		}
	}
	if s.does(cli.ExitDone, "sandbox", "--help"); !strings.Contains(s.out, "\n  cardtop sandbox [flags]\n  cardtop sandbox COMMAND\n") {
		t.Errorf("sandbox prints %s", s.out)
	}
	if s.run("help", "cards", "fnud"); !strings.Contains(s.errs, `unknown command "fnud" (did you mean "fund"?)`) || s.out != "" {
		t.Errorf("it says %s", s.errs)
	}
}
