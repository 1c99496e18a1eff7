// Command cardtop is a terminal dashboard for virtual cards.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/config/harden"
	"github.com/cardtop/cardtop/ui/tty"
)

// version is set by the release build.
var version = "dev"

// Exit codes, fixed for scripts.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitTimeout = 3
	exitAuth    = 4
	exitLimit   = 5
	// exitInterrupted is what shells give for a program that ctrl+c ended.
	exitInterrupted = 130
)

// guardCommand is the hidden command the clipboard's guard runs as.
const guardCommand = "clipboard-guard"

func main() { os.Exit(run()) }

func run() (code int) {
	if len(os.Args) > 1 && os.Args[1] == guardCommand {
		// The guard outlives signals that end the dashboard.
		return clipboard.RunGuard(context.Background(), os.Args[2:], os.Stdin, os.Stdout)
	}
	hardened := harden.Process()
	defer func() {
		if v := recover(); v != nil {
			code = report(os.Stderr, tty.Caught(v))
		}
	}()
	env, err := config.TakeEnv()
	if err != nil {
		return report(os.Stderr, usage(err))
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGHUP, syscall.SIGTERM, os.Interrupt)
	defer stop()
	started := false
	p := program{env: env, hardened: hardened, out: os.Stdout, errs: os.Stderr, now: time.Now} //nolint:forbidigo // the one clock of the program
	root := commands(p)
	// What fails before a command runs is wrong usage: cobra says so in words
	// only.
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	err = root.ExecuteContext(ctx)
	if err != nil && !started {
		err = usage(fmt.Errorf("%w; see cardtop --help", err))
	}
	return report(os.Stderr, err)
}

// program is what the commands share.
type program struct {
	env       config.Env
	hardened  error
	out, errs io.Writer
	now       func() time.Time
}

func commands(p program) *cobra.Command {
	var flags config.Flags
	root := &cobra.Command{
		Use:   "cardtop",
		Short: "A terminal dashboard for virtual cards",
		Long:  "A terminal dashboard for virtual cards. Without an account it opens on an embedded sandbox.",
		Example: `  cardtop
  cardtop --profile team --read-only
  CARDTOP_BASE_URL=http://127.0.0.1:8787/v1 CARDTOP_API_KEY=sk_test_demo cardtop`,
		Version:       version,
		Args:          noArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.dashboard(cmd.Context(), flags)
		},
	}
	root.SetOut(p.out)
	root.SetErr(p.errs)
	root.SetFlagErrorFunc(badFlag)
	f := root.Flags()
	accountFlags(f, &flags)
	f.BoolVar(&flags.Sandbox, "sandbox", false, "run on the embedded sandbox")
	f.BoolVar(&flags.ReadOnly, "read-only", false, "refuse every write")
	f.BoolVar(&flags.NoReveal, "no-reveal", false, "show and copy no number, CVV or address")
	f.BoolVar(&flags.DryRun, "dry-run", false, "show every write and send none")
	f.BoolVar(&flags.Privacy, "privacy", false, "begin with names, numbers, amounts and codes hidden")
	f.BoolVar(&flags.NoCache, "no-cache", false, "neither keep the lists for the next start nor begin with those kept")
	root.AddCommand(p.otpCommand(), p.watchCommand(), p.historyCommand(), p.sandboxCommand(), p.keyringCommand(), p.keysCommand(), p.configCommand(), p.doctorCommand())
	return root
}

// accountFlags are the flags that say which account.
func accountFlags(f *pflag.FlagSet, flags *config.Flags) {
	f.StringVar(&flags.Profile, "profile", "", "profile of the configuration")
	f.StringVar(&flags.Config, "config", "", "configuration file")
	f.StringVar(&flags.BaseURL, "base-url", "", "address of the API; its path ends in /v1")
}

// usageError marks wrong usage for the exit code.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(err error) error { return usageError{err} }

// report prints an error on one line and gives the exit code. An interruption
// needs no words: a person asked for it.
func report(w io.Writer, err error) int {
	if err == nil {
		return exitDone
	}
	if errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	code, text := exitFailed, err.Error()
	var wrong usageError
	var crash *tty.CrashError
	switch {
	case errors.As(err, &crash):
		text = build() + ": " + text
	case errors.As(err, &wrong), errors.Is(err, config.ErrKeyPlace):
		code = exitUsage
	case errors.Is(err, api.ErrUnauthorized):
		code, text = exitAuth, "the API refused the key: set "+config.EnvAPIKey+" to a valid one"
	case errors.Is(err, config.ErrNoKey):
		code = exitAuth
	case errors.Is(err, api.ErrRateLimited):
		code = exitLimit
	case errors.Is(err, context.DeadlineExceeded):
		code = exitTimeout
	}
	lines := strings.Split(text, "\n") // Of a file that is wrong a line each.
	for i, line := range lines {
		lines[i] = whole(line)
	}
	if _, werr := fmt.Fprintln(w, "cardtop: "+strings.Join(lines, "\n")); werr != nil {
		return exitFailed
	}
	return code
}
