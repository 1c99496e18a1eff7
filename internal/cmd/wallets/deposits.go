package wallets

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/cmd/read"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/wallets"
)

func depositsCommand(p cli.Program) *cobra.Command {
	return cli.Group("deposits", "List deposits and where to send them", `  cardtop deposits list
  cardtop deposits address usdt`, listDeposits(p), depositAddress(p))
}

func listDeposits(p cli.Program) *cobra.Command {
	r := read.Command{Program: p}
	var status, currency string
	cmd := r.Flags(&cobra.Command{
		Use: "list", Short: "Print deposits",
		Example: `  cardtop deposits list --status pending
  cardtop deposits list --currency btc --csv`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o := api.ListDepositsOptions{Status: api.DepositStatus(status), Currency: api.Currency(currency)}
			return read.List(cmd.Context(), &r, "deposits", rows.DepositFields(), func(ctx context.Context, c *client.Client) (api.Page[api.Deposit], error) {
				return c.ListDeposits(ctx, o)
			}, read.All)
		},
	})
	cmd.Flags().Var(cli.Word{To: &status, Known: []string{string(api.DepositPending), string(api.DepositConfirmed), string(api.DepositExpired)}}, "status", "only deposits of this status")
	cmd.Flags().Var(cli.Word{To: &currency, Known: currencies()}, "currency", "only deposits in this currency")
	r.Limited(cmd, "deposits")
	return cmd
}

func currencies() []string {
	return []string{string(api.BTC), string(api.ETH), string(api.SOL), string(api.USDT)}
}

const addressHelp = `Print where to send deposits: of one currency, or of all.

An address that is not the one that the dashboard has shown before is not printed: someone may have changed
it. Compare it in the dashboard (d), which can trust the new one.`

func depositAddress(p cli.Program) *cobra.Command {
	r := read.Command{Program: p}
	return r.Flags(&cobra.Command{
		Use: "address [CURRENCY]", Short: "Print where to send deposits", Long: addressHelp,
		Example: `  cardtop deposits address
  cardtop deposits address usdt --template '{address}'`,
		Args:      cli.OneOf("currency", currencies()),
		ValidArgs: currencies(),
		RunE: func(cmd *cobra.Command, args []string) error {
			currency := api.Currency("")
			if len(args) == 1 {
				currency = api.Currency(args[0])
			}
			return printAddresses(cmd.Context(), &r, currency)
		},
	})
}

func printAddresses(ctx context.Context, r *read.Command, currency api.Currency) error {
	out, err := output.New(r.Program, r.Output, rows.AddressFields())
	if err != nil {
		return err
	}
	return r.Read(ctx, func(ctx context.Context, eng *engine.Engine, _ config.Resolved) error {
		got, err := engine.Read(ctx, eng, "deposit addresses", func(ctx context.Context, c *client.Client) (api.DepositAddresses, error) {
			return c.DepositAddresses(ctx, currency)
		})
		if err != nil {
			return cli.Failed("read the deposit addresses", err)
		}
		seen, ok := eng.Run(ctx, wallets.FetchPins{}).(wallets.PinsLoaded)
		if ok && seen.Err != nil {
			return seen.Err
		}
		for _, c := range slices.Sorted(maps.Keys(got.Addresses)) {
			if currency != "" && c != currency {
				continue
			}
			a := rows.Address{Currency: c, Network: got.Networks[c], Address: got.Addresses[c], Minimum: got.MinDeposit[c]}
			if a.Seen, err = known(seen.Pins, a); err != nil {
				return err
			}
			if err := out.Put(a); err != nil {
				return err
			}
		}
		return cmp.Or(out.End(), app.Complete(eng))
	})
}

// known reports whether an address was seen before. It is an error when another
// one was.
func known(seen []wallets.Pin, a rows.Address) (bool, error) {
	for _, s := range seen {
		if s.Currency != a.Currency {
			continue
		}
		if s.Address != a.Address || s.Network != a.Network {
			return false, fmt.Errorf("the %s address is not the one seen since %s: compare it in the dashboard (d), which can trust it", a.Currency, s.Since.Local().Format("2006-01-02"))
		}
		return true, nil
	}
	return false, nil
}
