package cmd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// sandboxCommand serves the sandbox on its own.
func (p program) sandboxCommand() *cobra.Command {
	var (
		addr, key string
		cfg       sandbox.Config
		history   = cli.Span(sandbox.DefaultHistory)
	)
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "Serve the sandbox: the whole API over HTTP, with simulated traffic",
		Example: `  cardtop sandbox --addr 127.0.0.1:8787 --api-key sk_test_demo
  cardtop sandbox --quiet --seed 1 --data world.db
  cardtop sandbox --cards 100000 --transactions 1000000
  cardtop sandbox --history 7d --reasons none`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg.APIKeys, cfg.History = []string{key}, time.Duration(history)
			return p.serveSandbox(cmd.Context(), addr, cfg)
		},
	}
	f := cmd.Flags()
	f.StringVar(&addr, "addr", sandboxAddr, "address to listen on, a loopback one")
	f.StringVar(&key, "api-key", "sk_test_demo", "key to accept; starts with sk_test_, for this sandbox only")
	f.StringVar(&cfg.Path, "data", "", "file that keeps the world; without it the world is in memory only")
	f.Uint64Var(&cfg.Seed, "seed", 1, "seed of the generated data")
	f.IntVar(&cfg.Cards, "cards", 0, "cards to start with; 0 is the default world, -1 is none")
	f.IntVar(&cfg.Transactions, "transactions", 0, "transactions to start with, about; 0 is the default world")
	f.Var(&history, "history", "how long the campaigns have been spending, 1d to 366d; 0 for none")
	f.Lookup("history").DefValue = "30d"
	f.StringVar((*string)(&cfg.Reasons), "reasons", string(sandbox.ReasonsSome), "declines whose details tell the reason: all, some or none")
	f.StringVar(&cfg.Wallet, "wallet", "", "wallet balance to start with, USD; without it a few days of spending")
	f.BoolVar(&cfg.Quiet, "quiet", false, "no simulated traffic")
	f.BoolVar(&cfg.NoLimits, "no-limits", false, "no rate limits except the one of card details")
	f.BoolVar(&cfg.AllowHTTPWebhooks, "allow-http-webhooks", false, "accept http:// webhooks on loopback hosts")
	cmd.AddCommand(p.triggerCommand())
	return cmd
}

// shutdown bounds how long running requests may take.
const shutdown = 3 * time.Second

func (p program) serveSandbox(ctx context.Context, addr string, cfg sandbox.Config) error {
	host, err := hostOf(addr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return app.Usage(errors.New("the sandbox speaks plain http: --addr has to be a loopback address"))
	}
	world, err := sandbox.Open(ctx, cfg)
	if err != nil {
		return app.Usage(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return errors.Join(fmt.Errorf("cannot listen on %s: %s", addr, innermost(err)), world.Close())
	}
	server := &http.Server{Handler: world.Handler(), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	running := make(chan error, 1)
	go func() { running <- world.Run(ctx) }()
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdown)
		defer cancel()
		stopped <- server.Shutdown(last)
	}()
	if _, err := fmt.Fprintf(p.out, "sandbox on http://%s/v1\nopen it:  CARDTOP_BASE_URL=http://%s/v1 CARDTOP_API_KEY=… cardtop\n",
		listener.Addr(), listener.Addr()); err != nil {
		return err
	}
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return errors.Join(<-stopped, <-running, world.Close())
}
