// Package cmd is the command line: one file a command, flags and exit codes.
package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/app/footprint"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/cmd/bins"
	"github.com/cardtop/cardtop/internal/cmd/cards"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/codes"
	"github.com/cardtop/cardtop/internal/cmd/complete"
	"github.com/cardtop/cardtop/internal/cmd/hub"
	"github.com/cardtop/cardtop/internal/cmd/man"
	"github.com/cardtop/cardtop/internal/cmd/mcp"
	"github.com/cardtop/cardtop/internal/cmd/operations"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/cmd/raw"
	"github.com/cardtop/cardtop/internal/cmd/report"
	"github.com/cardtop/cardtop/internal/cmd/txns"
	"github.com/cardtop/cardtop/internal/cmd/wallets"
	"github.com/cardtop/cardtop/internal/cmd/webhooks"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/config/harden"
	"github.com/cardtop/cardtop/ui/tty"
)

// Main runs the command that the arguments name and returns its exit code.
func Main() (code int) {
	// Libraries that complain to the standard log would write onto the screen, and net/http quotes what came.
	log.SetOutput(io.Discard)
	if len(os.Args) > 1 && os.Args[1] == app.GuardCommand {
		// The guard outlives signals that end the dashboard.
		return clipboard.RunGuard(context.Background(), os.Args[2:], os.Stdin, os.Stdout)
	}
	if late := mayBeLate(os.Args[1:]); late > 0 {
		// Without it the program wakes more often, and all else is the same.
		_ = footprint.AllowLateTimers(late)
	}
	outlivePipes()
	hardened := harden.Process()
	defer func() {
		if v := recover(); v != nil {
			code = reported(nil, tty.Caught(v))
		}
	}()
	env, err := config.TakeEnv()
	if err != nil {
		return reported(nil, app.Usage(err))
	}
	homeNotices, err := config.FindHome()
	if err != nil {
		return reported(nil, app.Usage(err))
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGHUP, syscall.SIGTERM, os.Interrupt)
	defer stop()
	now := time.Now //nolint:forbidigo // the one clock of the program
	p := app.Program{Env: env, Hardened: hardened, Errs: os.Stderr, Now: now}
	if cli.IsTerminal(os.Stdin) && cli.IsTerminal(os.Stderr) {
		p.Ask = func(question string) (bool, error) { return answered(os.Stdin, os.Stderr, question) }
	}
	// A program that reads errors as JSON reads nothing else there.
	if !output.AsJSON(nil, os.Args[1:]) || cli.IsTerminal(os.Stderr) {
		p.Waits = p.Say
	}
	for _, notice := range homeNotices {
		p.Say(notice)
	}
	return Run(ctx, p, os.Args[1:], os.Stdin, os.Stdout)
}

// outlivePipes has a write to a pipe that nobody reads any more be an error, as that to a full disk is. Else the line
// after the one that head waited for would end the program, also between a request and its record.
func outlivePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// Run runs a command line of a program and returns its exit code. Main is Run for this process.
func Run(ctx context.Context, p app.Program, args []string, in io.Reader, out io.Writer) int {
	ran, err := program{p, out}.execute(ctx, args, in)
	if output.AsJSON(ran, args) {
		return cli.ReportJSON(p.Errs, err)
	}
	return cli.Report(p.Errs, err)
}

// How late timers may be: long beside the 20 µs after which the monitor of Go's runtime looks
// again, and short beside what the screen waits for: 8 ms between frames of a burst, 15 ms for
// a key that commits. What waits for a thread that a write holds may wait that long, too: many
// ask a hub at once, so it has less.
const (
	lateOnScreen = 4 * time.Millisecond
	lateInHub    = 2 * time.Millisecond
)

// mayBeLate is how late the timers of a program that stays for hours may be: those of the
// dashboard, watch, and of a hub and its commands; 0 for others. A command after flags counts
// as the dashboard.
func mayBeLate(args []string) time.Duration {
	if len(args) == 0 {
		return lateOnScreen
	}
	switch first := args[0]; {
	case first == "watch":
		return lateOnScreen
	case first == "hub":
		return lateInHub
	case !strings.HasPrefix(first, "-"):
		return 0
	}
	if slices.Contains(args, "hub") {
		return lateInHub
	}
	if slices.ContainsFunc(args, func(arg string) bool { return slices.Contains([]string{"--version", "-v", "--help", "-h"}, arg) }) {
		return 0
	}
	return lateOnScreen
}

// execute runs a command line and returns its command.
func (p program) execute(ctx context.Context, args []string, in io.Reader) (*cobra.Command, error) {
	root, help := commands(p), &helpWriter{Writer: p.out}
	root.SetOut(help)
	if complete.Wanted(args) {
		if err := complete.Offer(p.shared(), root, completedWords()); err != nil {
			return root, err
		}
	}
	started := false
	// An error before a command runs is wrong usage. Cobra has no type for it.
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	root.SetArgs(behindCommand(root, args))
	root.SetIn(in)
	ran, err := root.ExecuteContextC(ctx)
	err = cmp.Or(err, help.err)
	if broken := new(fs.PathError); err != nil && !started && !errors.As(err, &broken) {
		err = app.Usage(fmt.Errorf("%w; see %s --help", err, strings.TrimSuffix(ran.CommandPath(), " help")))
	}
	return ran, err
}

// behindCommand puts flags of the dashboard that stand before a command behind its name, where its own are:
// --help lists both, and a command that has no such flag says so.
func behindCommand(root *cobra.Command, args []string) []string {
	n := 0
	for n < len(args) && strings.HasPrefix(args[n], "--") {
		name, _, hasValue := strings.Cut(args[n][2:], "=")
		f := root.Flags().Lookup(name)
		if f == nil {
			return args
		}
		if n++; !hasValue && f.NoOptDefVal == "" {
			n++
		}
	}
	cmd, end := root, n
	for end < len(args) {
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == args[end] || c.HasAlias(args[end]) })
		if i < 0 {
			break
		}
		cmd = cmd.Commands()[i]
		end++
	}
	if n == 0 || end == n {
		return args
	}
	return slices.Concat(args[n:end], args[:n], args[end:])
}

// mcpCommand serves the other commands to an assistant.
func (p program) mcpCommand() *cobra.Command {
	return mcp.Command(mcp.Program{Program: p.shared(), Fields: fieldsOf, Run: func(ctx context.Context, c cli.Program, args []string) error {
		_, err := program{c.Program, c.Out}.execute(ctx, args, strings.NewReader(""))
		return err
	}})
}

// reported prints an error as the command line asks for it and returns the exit code.
func reported(ran *cobra.Command, err error) int {
	if output.AsJSON(ran, os.Args[1:]) {
		return cli.ReportJSON(os.Stderr, err)
	}
	return cli.Report(os.Stderr, err)
}

// program is what the commands share.
type program struct {
	app.Program
	out io.Writer
}

// shared is what the commands of other packages run in.
func (p program) shared() cli.Program { return cli.Program{Program: p.Program, Out: p.out} }

func commands(p program) *cobra.Command {
	var flags config.Flags
	root := &cobra.Command{
		Use:   "cardtop",
		Short: "A terminal dashboard for virtual cards",
		Long:  "A terminal dashboard for virtual cards. Without an account it opens on an embedded sandbox.",
		Example: `  cardtop
  cardtop --profile team --read-only
  CARDTOP_BASE_URL=http://127.0.0.1:8787/v1 CARDTOP_API_KEY=sk_test_demo cardtop`,
		Version:       app.Version(),
		Args:          cli.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.Dashboard(cmd.Context(), flags)
		},
	}
	root.SetOut(p.out)
	root.SetErr(p.Errs)
	root.SetFlagErrorFunc(cli.BadFlag)
	f := root.Flags()
	cli.AccountFlags(f, &flags)
	f.BoolVar(&flags.Sandbox, "sandbox", false, "run on the embedded sandbox")
	f.BoolVar(&flags.NoReveal, "no-reveal", false, "show and copy no number, CVV or address")
	f.BoolVar(&flags.DryRun, "dry-run", false, "show each write and send none")
	f.BoolVar(&flags.Privacy, "privacy", false, "start with names, numbers, amounts and codes hidden")
	f.BoolVar(&flags.NoCache, "no-cache", false, "neither save the lists for the next start nor load saved ones")
	root.AddGroup(groups()...)
	root.AddCommand(inGroup("account", slices.Concat(
		[]*cobra.Command{txns.Command(p.shared())}, wallets.Commands(p.shared()),
		[]*cobra.Command{bins.Command(p.shared()), codes.List(p.shared()), webhooks.Command(p.shared()), raw.Command(p.shared()), cards.Command(p.shared()), report.Command(p.shared())},
	)...)...)
	root.AddCommand(inGroup("follow", codes.Command(p.shared()), p.watchCommand(), p.eventsCommand())...)
	root.AddCommand(inGroup("writes", append(operations.Commands(p.shared()), p.historyCommand())...)...)
	root.AddCommand(inGroup("program",
		p.sandboxCommand(), p.accountCommand(), p.keyringCommand(), p.keysCommand(), p.configCommand(), p.doctorCommand(), p.exitCodesCommand(),
		complete.Command(p.shared()), hub.Command(hub.Program{Program: p.shared(), OTP: codes.Over}), p.versionCommand(), man.Command(p.shared()), p.mcpCommand(),
	)...)
	setHelp(root, p.out)
	cli.RefuseEmpty(root)
	cli.KnowOtherNames(root)
	return root
}
