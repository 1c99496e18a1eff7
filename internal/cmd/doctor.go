package cmd

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
)

// grade is how good a finding is.
type grade string

const (
	good grade = "ok"
	warn grade = "warn"
	bad  grade = "bad"
)

// finding is a line of the doctor: the result of a check.
type finding struct {
	grade grade
	check string
	text  string
}

// failedError is the error of a doctor with bad findings: the checks by name.
type failedError []string

func (e failedError) Error() string {
	noun := "checks"
	if len(e) == 1 {
		noun = "check"
	}
	return fmt.Sprintf("%d %s failed: %s", len(e), noun, strings.Join(e, ", "))
}

// doctorCommand checks account and machine.
func (p program) doctorCommand() *cobra.Command {
	var flags config.Flags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check configuration, key, API, clipboard, terminal and keyring",
		Example: `  cardtop doctor
  cardtop doctor --profile team`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.doctor(cmd.Context(), flags)
		},
	}
	cli.AccountFlags(cmd.Flags(), &flags)
	cmd.Flags().BoolVar(&flags.Sandbox, "sandbox", false, "check the embedded sandbox")
	return cmd
}

func (p program) doctor(ctx context.Context, flags config.Flags) error {
	var failed failedError
	width := cli.Width(p.out, 0)
	show := func(all ...finding) {
		for _, f := range all {
			if f.grade == bad {
				failed = append(failed, f.check)
			}
			printFinding(p.out, f, width)
		}
	}
	paths, run, err := p.Resolve(flags)
	if err != nil {
		show(finding{bad, "configuration", err.Error()})
		show(p.checkMachine(ctx, config.Defaults())...)
		return failed
	}
	show(checkConfiguration(paths, run), checkFolders(paths))
	show(p.checkRecords(paths, run)...)
	show(p.checkAPI(ctx, run)...)
	show(p.checkMachine(ctx, run.Settings)...)
	if len(failed) > 0 {
		return failed
	}
	return nil
}

// What stands before the text of a finding, in cells, and the width of a terminal
// below which the text has lines of its own.
const (
	findingIndent = 21
	findingNarrow = 60
)

// printFinding prints a finding, in lines that fit a terminal of a width; 0 is none,
// and then it is one line.
func printFinding(w io.Writer, f finding, width int) {
	head, text := fmt.Sprintf("%-4s  %-13s  ", f.grade, f.check), cli.Printable(f.text)
	indent := findingIndent
	switch {
	case width == 0:
		_, _ = fmt.Fprintf(w, "%s%s\n", head, text) // Without a terminal there is nobody to report it to.
		return
	case width < findingNarrow:
		indent = 6
		_, _ = fmt.Fprintln(w, ansi.Truncate(strings.TrimRight(head, " "), width, "…")) // Likewise.
		head = strings.Repeat(" ", indent)
	}
	for line := range strings.SplitSeq(ansi.Wrap(text, max(1, width-indent), ""), "\n") {
		_, _ = fmt.Fprintln(w, strings.TrimRight(head+line, " ")) // Likewise.
		head = strings.Repeat(" ", indent)
	}
}
