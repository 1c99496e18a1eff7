package account

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
)

func apiCommand(p cli.Program) *cobra.Command {
	r := reader{Program: p}
	cmd := &cobra.Command{
		Use: "api [GET] PATH", Short: "Print the API's answer to a read",
		Long: `Print the API's answer to a read, for what no other command prints. Requests count
against the limits as those of every command, and wait for them.

It only reads. What changes something is a command of its own, which is recorded before
it is sent. Card details are copied, not printed.`,
		Example: `  cardtop api '/cards?status=frozen&per_page=100'
  cardtop api GET /transactions/txn_8fj2`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			read, err := readOf(args)
			if err != nil {
				return app.Usage(err)
			}
			return r.read(cmd.Context(), func(ctx context.Context, eng *engine.Engine, _ config.Resolved) error {
				body, err := engine.Read(ctx, eng, "api", func(ctx context.Context, c *client.Client) (api.Secret, error) { return c.ReadRaw(ctx, read) })
				if err != nil {
					return cli.Failed("read "+read.Route, err)
				}
				defer body.Wipe() // It may have codes.
				var out bytes.Buffer
				if err := json.Indent(&out, []byte(body.Expose()), "", "  "); err != nil {
					return cli.Failed("read "+read.Route, err)
				}
				for line := range strings.Lines(out.String()) {
					if _, err := fmt.Fprintln(p.Out, cli.Printable(strings.TrimSuffix(line, "\n"))); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	cli.AllAccountFlags(cmd.Flags(), &r.account)
	return cmd
}

// readable are the templates of what the contract lets be read, but for card details.
func readable() []string {
	return []string{
		"/wallet/balance", "/wallet/deposit-address", "/wallet/deposits", "/bins", "/cards", "/cards/{card_id}",
		"/transactions", "/transactions/{transaction_id}", "/3ds", "/3ds/{challenge_id}", "/webhooks",
	}
}

// readOf makes a read of what was typed: a path, behind a method or alone.
func readOf(args []string) (api.Read, error) {
	if len(args) == 2 && !strings.EqualFold(args[0], "get") {
		return api.Read{}, errors.New("cardtop api only reads: what changes something has a command of its own (cardtop --help)")
	}
	at, err := url.Parse(args[len(args)-1])
	if err != nil || at.Host != "" || at.Scheme != "" || at.Fragment != "" {
		return api.Read{}, errors.New("cardtop api takes a path such as /cards?status=frozen")
	}
	query, err := url.ParseQuery(at.RawQuery)
	if err != nil {
		return api.Read{}, errors.New("the query of the path is not valid")
	}
	path := "/" + strings.Trim(strings.TrimPrefix("/"+strings.TrimPrefix(at.Path, "/"), "/v1"), "/")
	parts := strings.Split(path, "/")
	if len(parts) == 4 && parts[3] == "details" {
		return api.Read{}, errors.New("card details are not printed: cardtop cards copy CARD copies them")
	}
	for _, template := range readable() {
		if template == path {
			return api.Read{Route: template, Query: query}, nil
		}
		before, _, one := strings.Cut(template, "{")
		if id, below := strings.CutPrefix(path, before); one && below && api.IsID(id) {
			return api.Read{Route: template, Segment: id, Query: query}, nil
		}
	}
	return api.Read{}, fmt.Errorf("nothing is read at that path: %s", strings.Join(readable(), ", "))
}
