package cmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/keymap"
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

// exitCodesCommand prints what the exit codes mean.
func (p program) exitCodesCommand() *cobra.Command {
	text := exitCodes()
	return &cobra.Command{
		Use: "exit-codes", Short: "Print what the exit codes mean", Long: text,
		Example: "  cardtop exit-codes", Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(p.out, text)
			return err
		},
	}
}

func exitCodes() string {
	lines := []string{"Exit codes of every command:", ""}
	for _, e := range cli.Exits() {
		lines = append(lines, fmt.Sprintf("  %3d  %-12s %s", e.Code, e.Name, e.About))
	}
	return strings.Join(lines, "\n")
}

// versionCommand prints which program this is.
func (p program) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version",
		Long:    "Print the version, the commit and its date, the Go release that built the program, and the platform.",
		Example: "  cardtop version\n  cardtop version --json | jq -r .commit",
		Args:    cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := app.ReadBuildInfo()
			if asJSON {
				return json.NewEncoder(p.out).Encode(b)
			}
			_, err := fmt.Fprintln(p.out, "cardtop "+versionText(b))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func versionText(b app.BuildInfo) string {
	text := b.Version
	if b.Commit != "" {
		text += " (" + b.Commit[:min(len(b.Commit), 12)]
		if b.Modified {
			text += ", modified"
		}
		text += ", " + b.Date + ")"
	}
	return text + " " + b.Go + " " + b.Platform
}

// keysCommand prints the key reference.
func (p program) keysCommand() *cobra.Command {
	var (
		flags             config.Flags
		markdown, shipped bool
	)
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Print the keys in force",
		Example: `  cardtop keys
  cardtop keys --markdown > keys.md`,
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			keys := keymap.New(keymap.Defaults())
			if !shipped {
				c, err := p.Load(flags)
				if err != nil {
					return err
				}
				keys = c.Keys
			}
			text := keys.Text()
			if markdown {
				text = keys.Markdown()
			}
			_, err := fmt.Fprint(p.out, text)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.Config, "config", "", "configuration `FILE`")
	f.BoolVar(&markdown, "markdown", false, "as a Markdown page, with the name of each action")
	f.BoolVar(&shipped, "defaults", false, "the shipped keys, without the configuration")
	return cmd
}
