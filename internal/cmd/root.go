// Package cmd is the command line: one file a command, flags and exit codes.
package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/cmd/account"
	"github.com/cardtop/cardtop/internal/cmd/cards"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/operations"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/cmd/report"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/config/harden"
	"github.com/cardtop/cardtop/ui/tty"
)

// Main runs the command that the arguments name and returns its exit code.
func Main() (code int) {
	if len(os.Args) > 1 && os.Args[1] == app.GuardCommand {
		// The guard outlives signals that end the dashboard.
		return clipboard.RunGuard(context.Background(), os.Args[2:], os.Stdin, os.Stdout)
	}
	hardened := harden.Process()
	defer func() {
		if v := recover(); v != nil {
			code = cli.Report(os.Stderr, tty.Caught(v))
		}
	}()
	env, err := config.TakeEnv()
	if err != nil {
		return cli.Report(os.Stderr, app.Usage(err))
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGHUP, syscall.SIGTERM, os.Interrupt)
	defer stop()
	started := false
	now := time.Now //nolint:forbidigo // the one clock of the program
	p := program{app.Program{Env: env, Hardened: hardened, Errs: os.Stderr, Now: now}, os.Stdout}
	root := commands(p)
	// An error before a command runs is wrong usage. Cobra has no type for it.
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	ran, err := root.ExecuteContextC(ctx)
	if err != nil && !started {
		err = app.Usage(fmt.Errorf("%w; see cardtop --help", err))
	}
	if output.AsJSON(ran) {
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
	f.BoolVar(&flags.ReadOnly, "read-only", false, "refuse all writes")
	f.BoolVar(&flags.NoReveal, "no-reveal", false, "show and copy no number, CVV or address")
	f.BoolVar(&flags.DryRun, "dry-run", false, "show each write and send none")
	f.BoolVar(&flags.Privacy, "privacy", false, "start with names, numbers, amounts and codes hidden")
	f.BoolVar(&flags.NoCache, "no-cache", false, "neither save the lists for the next start nor load saved ones")
	root.AddCommand(cards.Command(p.shared()))
	root.AddCommand(account.Commands(p.shared())...)
	root.AddCommand(operations.Commands(p.shared())...)
	root.AddCommand(
		report.Command(p.shared()), p.otpCommand(), p.watchCommand(), p.eventsCommand(), p.historyCommand(), p.sandboxCommand(), p.keyringCommand(), p.keysCommand(), p.configCommand(),
		p.doctorCommand(), p.exitCodesCommand(),
	)
	return root
}
