// Package cli is what the commands share: the program they are part of, flags and
// arguments, errors and exit codes.
package cli

import (
	"io"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/config"
)

// Program is what a command runs in.
type Program struct {
	app.Program
	// Out is where results go.
	Out io.Writer
}

// IsTerminal reports whether a reader or a writer is a terminal.
func IsTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}

// Width returns how many cells a line of a writer has; otherwise where it is no terminal.
func Width(w io.Writer, otherwise int) int {
	file, ok := w.(*os.File)
	if !ok || !IsTerminal(w) {
		return otherwise
	}
	width, _, err := term.GetSize(file.Fd())
	if err != nil || width <= 0 {
		return otherwise
	}
	return width
}

// AccountFlags adds the flags that choose the account, and the one that a careful user puts before any command.
func AccountFlags(f *pflag.FlagSet, flags *config.Flags) {
	f.BoolVar(&flags.ReadOnly, "read-only", false, "refuse all writes")
	f.StringVar(&flags.Profile, "profile", "", "profile `NAME` of the configuration")
	ConfigFlag(f, flags)
	f.StringVar(&flags.BaseURL, "base-url", "", "`URL` of the API; its path ends in /v1")
}

// ConfigFlag adds the flag that names a configuration file.
func ConfigFlag(f *pflag.FlagSet, flags *config.Flags) {
	f.StringVar(&flags.Config, "config", "", "configuration `FILE`")
}

// AllAccountFlags adds them with the embedded sandbox, which is a new world at
// each start.
func AllAccountFlags(f *pflag.FlagSet, flags *config.Flags) {
	AccountFlags(f, flags)
	f.BoolVar(&flags.Sandbox, "sandbox", false, "use an embedded sandbox of its own")
}

// Group returns a command that has others below it.
func Group(use, short, example string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Example: example, Args: NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(below...)
	return cmd
}
