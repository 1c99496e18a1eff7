package cmd

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// groups are the parts of the list of commands.
func groups() []*cobra.Group {
	return []*cobra.Group{{ID: "account", Title: "Account"}, {ID: "follow", Title: "Follow"}, {ID: "writes", Title: "Writes"}, {ID: "program", Title: "Program"}}
}

// inGroup puts commands into a part of the list.
func inGroup(id string, all ...*cobra.Command) []*cobra.Command {
	for _, cmd := range all {
		cmd.GroupID = id
	}
	return all
}

// setHelp has a command and those below it print their help as wide as the terminal is.
func setHelp(root *cobra.Command, terminal io.Writer) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		printHelp(cmd.OutOrStdout(), cmd, min(mostWidth, cli.Width(terminal, mostWidth)))
	})
	root.SetHelpCommand(helpCommand())
	root.SetHelpCommandGroupID("program")
}

// helpWriter keeps why help could not be written.
type helpWriter struct {
	io.Writer
	err error
}

func (w *helpWriter) Write(data []byte) (int, error) {
	n, err := w.Writer.Write(data)
	w.err = cmp.Or(w.err, err)
	return n, err
}

// helpCommand is cobra's, which takes a command that is not there for none.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Print the help of a command", Example: "  cardtop help cards fund",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
			of, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []cobra.Completion
			for _, sub := range of.Commands() {
				if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), begin) {
					names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		Args: func(cmd *cobra.Command, args []string) error {
			of, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = cli.NoArgs(of, rest)
			}
			return err
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			of, _, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
}

// mostWidth is the width of help where there is more room, or no terminal.
const mostWidth = 110

// printHelp prints the help of a command, at most so many cells wide but for what is to
// be copied.
func printHelp(w io.Writer, cmd *cobra.Command, width int) {
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	var out strings.Builder
	out.WriteString(wrap(unbroken(text), width) + "\n")
	section := func(title, body string) {
		if body = strings.Trim(body, "\n"); body != "" {
			out.WriteString("\n" + title + ":\n")
			for line := range strings.SplitSeq(body, "\n") {
				out.WriteString(strings.TrimRight(line, " ") + "\n")
			}
		}
	}
	use := "  " + cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		use = "  " + cmd.CommandPath() + " COMMAND"
		if !cmd.HasParent() || ownFlags(cmd) {
			use = "  " + cmd.UseLine() + "\n" + use
		}
	}
	section("Usage", use)
	for _, g := range cmd.Groups() {
		section(g.Title, listed(cmd, g.ID, width))
	}
	section("Commands", listed(cmd, "", width))
	section("Flags", cmd.LocalFlags().FlagUsagesWrapped(width))
	section("Flags of all "+parentName(cmd)+" commands", cmd.InheritedFlags().FlagUsagesWrapped(width))
	section("Examples", cmd.Example)
	_, _ = io.WriteString(w, out.String()) // Cobra takes no error: see helpWriter.
}

// ownFlags reports whether a command that has others below it has flags for itself: it does
// something without them.
func ownFlags(cmd *cobra.Command) bool {
	own := false
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { own = own || !f.Hidden && f.Name != "help" })
	return own
}

// listed are the commands of a group.
func listed(cmd *cobra.Command, group string, width int) string {
	var out strings.Builder
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() || sub.GroupID != group {
			continue
		}
		name := fmt.Sprintf("  %-*s  ", cmd.Commands()[0].NamePadding(), sub.Name())
		lines := strings.Split(wrap(sub.Short, max(12, width-len(name))), "\n")
		out.WriteString(name + strings.Join(lines, "\n"+strings.Repeat(" ", len(name))) + "\n")
	}
	return out.String()
}

// wrap breaks lines between words, and not within a flag such as --not-done.
func wrap(text string, width int) string {
	const hyphen = "\u2011" // That no line is broken at.
	return strings.ReplaceAll(ansi.Wrap(strings.ReplaceAll(text, "-", hyphen), width, ""), hyphen, "-")
}

// unbroken joins the lines of paragraphs, so that they can be broken anew. Indented lines
// stay.
func unbroken(text string) string {
	var out strings.Builder
	before := ""
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		switch {
		case i == 0:
		case line == "" || before == "" || strings.HasPrefix(line, " ") || strings.HasPrefix(before, " "):
			out.WriteByte('\n')
		default:
			out.WriteByte(' ')
		}
		out.WriteString(line)
		before = line
	}
	return out.String()
}

func parentName(cmd *cobra.Command) string {
	if cmd.HasParent() {
		return cmd.Parent().Name()
	}
	return cmd.Name()
}
