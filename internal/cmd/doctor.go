package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state/rows"
)

// grade is how good a finding is.
type grade string

const (
	good grade = "ok"
	warn grade = "warn"
	bad  grade = "bad"
	// fixed is that something was bad and is no more.
	fixed grade = "fixed"
)

// finding is a line of the doctor: the result of a check.
type finding struct {
	grade grade
	check string
	text  string
	do    string // What mends it, of every finding that is not good.
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

// well is a finding that nothing has to be done about.
func well(check, text string) finding { return finding{good, check, text, ""} }

// findingFields are what is printed of a finding.
func findingFields() []rows.Field[finding] {
	return []rows.Field[finding]{
		{Name: "check", About: "what was checked", Brief: true, Cell: func(f finding) rows.Cell { return rows.Text(f.check) }},
		{Name: "grade", About: "ok, warn, bad or fixed", Brief: true, Cell: func(f finding) rows.Cell { return rows.Text(string(f.grade)) }},
		{Name: "text", About: "what was found", Brief: true, Cell: func(f finding) rows.Cell { return rows.Text(cli.Printable(f.text)) }},
		{Name: "do", About: "what mends it; empty for ok and fixed", Brief: true, Cell: func(f finding) rows.Cell { return rows.Text(cli.Printable(f.do)) }},
	}
}

// doctorCommand checks account and machine.
func (p program) doctorCommand() *cobra.Command {
	var (
		flags config.Flags
		form  output.Flags
		fix   bool
	)
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check configuration, key, API, clipboard, terminal and keyring",
		Example: `  cardtop doctor
  cardtop doctor --profile team
  cardtop doctor --fix
  cardtop doctor --json | jq -r '.[] | select(.grade != "ok") | .do'`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, err := output.New(p.shared(), form, findingFields())
			if err != nil {
				return err
			}
			put := out.Put
			if form.Free() {
				width := cli.Width(p.out, 0)
				put = func(f finding) error { return printFinding(p.out, f, width) }
			}
			if err := p.doctor(cmd.Context(), flags, fix, put); err != nil {
				return errors.Join(err, out.End())
			}
			return out.End()
		},
	}
	cli.AccountFlags(cmd.Flags(), &flags)
	form.Add(cmd.Flags())
	cmd.Flags().BoolVar(&flags.Sandbox, "sandbox", false, "check the embedded sandbox")
	cmd.Flags().BoolVar(&fix, "fix", false, "close private files and folders to others, and say which")
	return cmd
}

// doctor shows each finding as soon as it is there. With fix it mends what is safe to mend.
func (p program) doctor(ctx context.Context, flags config.Flags, fix bool, put func(finding) error) error {
	var failed failedError
	var unprinted error
	show := func(all ...finding) {
		for _, f := range all {
			if f.grade == bad {
				failed = append(failed, f.check)
			}
			unprinted = cmp.Or(unprinted, put(f))
		}
	}
	managers := make(chan []string, 1)
	go func() { managers <- app.Managers(ctx) }() // A bus that does not answer takes its time.
	keys := config.NewKeyStore().GivingUp()
	paths, run, mended, err := p.resolveFixed(flags, fix)
	show(mended...)
	show(checkLoose(paths, fix)...)
	if err != nil {
		show(finding{bad, "configuration", err.Error(), adviceOnSettings(paths, err, p.Env.Proxy)})
		show(p.checkMachine(ctx, config.Defaults(), keys, managers)...)
	} else {
		show(checkConfiguration(paths, run))
		show(checkFolders(paths)...)
		show(checkLocks(paths.State)...)
		show(p.checkRecords(paths, run)...)
		show(p.checkAPI(ctx, run, keys)...)
		show(p.checkMachine(ctx, run.Settings, keys, managers)...)
	}
	if len(failed) > 0 && unprinted == nil {
		return failed
	}
	return unprinted
}

// What stands before the text of a finding, in cells, and the width of a terminal
// below which the text has lines of its own.
const (
	findingIndent = 21
	findingNarrow = 60
)

// printFinding prints a finding, in lines that fit a terminal of a width; 0 is none,
// and then it is one line.
func printFinding(w io.Writer, f finding, width int) error {
	head, text := fmt.Sprintf("%-5s %-13s  ", f.grade, f.check), cli.Printable(f.text)
	if f.do != "" {
		text += ": " + cli.Printable(f.do)
	}
	indent, lines := findingIndent, head+text
	if width > 0 {
		lines = ""
		if width < findingNarrow {
			indent = 6
			lines = ansi.Truncate(strings.TrimRight(head, " "), width, "…") + "\n"
			head = strings.Repeat(" ", indent)
		}
		for line := range strings.SplitSeq(ansi.Wrap(text, max(1, width-indent), ""), "\n") {
			lines += strings.TrimRight(head+line, " ") + "\n"
			head = strings.Repeat(" ", indent)
		}
		lines = strings.TrimSuffix(lines, "\n")
	}
	_, err := fmt.Fprintln(w, lines)
	return err
}

// The rights of others: all, and those that let them change something.
const (
	anyRight    fs.FileMode = 0o077
	writeRights fs.FileMode = 0o022
)

// resolveFixed resolves the account. With fix it first takes from others what they may not have for the
// configuration to be read, and returns a finding for each. Folders above that of the file are not the program's.
func (p program) resolveFixed(flags config.Flags, fix bool) (paths config.Paths, run config.Resolved, fixed []finding, err error) {
	for {
		paths, run, err = p.Resolve(flags)
		var refused *fsafe.TrustError
		if !fix || !errors.As(err, &refused) {
			return paths, run, fixed, err
		}
		var rights fs.FileMode
		switch refused.Path {
		case paths.Config:
			rights = anyRight
		case filepath.Dir(paths.Config):
			rights = writeRights // Others may have to reach something through it.
		}
		f, changed := tighten("configuration", refused.Path, rights)
		if !changed {
			return paths, run, fixed, err // The finding of the configuration says what is wrong.
		}
		fixed = append(fixed, f)
	}
}

// checkLoose finds what others may use of the program's files, and closes it to them with fix.
func checkLoose(paths config.Paths, fix bool) (found []finding) {
	for _, dir := range []string{paths.State, paths.Cache} {
		loose, err := fsafe.FindLoose(dir)
		if err != nil {
			found = append(found, finding{bad, "permissions", err.Error(), "make " + dir + " yours"})
		}
		for _, path := range loose {
			if !fix {
				return append(found, finding{warn, "permissions", fmt.Sprintf("others may use %s, and perhaps more of %s", path, dir), "cardtop doctor --fix"})
			}
			if f, changed := tighten("permissions", path, anyRight); changed || f.grade == bad {
				found = append(found, f)
			}
		}
	}
	return found
}

// tighten takes rights from others, and says so.
func tighten(check, path string, rights fs.FileMode) (f finding, changed bool) {
	if rights == 0 {
		return finding{}, false
	}
	before, after, err := fsafe.Tighten(path, rights)
	if err != nil {
		return finding{bad, check, err.Error(), "make it yours, or move it away"}, false
	}
	return finding{fixed, check, fmt.Sprintf("%s was open to others: mode %#o, was %#o", path, after, before), ""}, before != after
}
