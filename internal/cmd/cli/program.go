// Package cli is what the commands share: the program they are part of, flags and
// arguments, errors and exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/clipboard"
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

// Board opens the clipboard for one copy: an error is known before what is to be
// copied is asked for.
func (p Program) Board(ctx context.Context, s config.Settings) (clipboard.Board, error) {
	cfg := clipboard.Config{Args: []string{app.GuardCommand}, Claims: config.DefaultPaths().State, OSC52: s.OSC52, Env: os.Getenv, Now: p.Now}
	if s.OSC52 {
		cfg.TTY = terminalOf(p.Out, p.Errs)
	}
	board, err := clipboard.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	// The terminal is the shell's: nothing on it may be erased.
	if err := board.HoldScreen(ctx, false); err != nil {
		return nil, errors.Join(err, board.Close(true))
	}
	if info := board.Info(); info.Mode == "none" {
		return nil, errors.Join(fmt.Errorf("%w: %s", clipboard.ErrNoTool, strings.Join(info.Warnings, "; ")), board.Close(true))
	}
	return board, nil
}

// Copy puts a secret on the clipboard and closes the board, whose guard clears the
// clipboard later, also when this process has ended.
func Copy(ctx context.Context, board clipboard.Board, secret []byte, ttl time.Duration) (clipboard.Report, error) {
	report, err := board.Copy(ctx, clipboard.Item{Secret: secret, TTL: ttl})
	if err != nil {
		return report, errors.Join(err, board.Close(true))
	}
	// The guard has to know that the end of this process is intended before
	// anything can end it.
	return report, board.Close(false)
}

// Copied says what became of a copy.
func Copied(report clipboard.Report, what string) string {
	at, way := report.Until.Local().Format(time.TimeOnly), ""
	if report.Via != "" {
		way = " (" + report.Via + ")"
	}
	if report.State == clipboard.Sent {
		return "sent " + what + ", to the terminal" + way + ", which is asked to clear it at " + at + "; neither can be verified"
	}
	return "copied " + what + way + "; cleared at " + at
}

// terminalOf returns the first terminal among files; nil without one.
func terminalOf(files ...any) *os.File {
	for _, f := range files {
		if f, ok := f.(*os.File); ok && IsTerminal(f) {
			return f
		}
	}
	return nil
}
