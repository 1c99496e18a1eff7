package cards

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/secrets"
)

const copyHelp = `Put the number, the CVV or the expiry of a card on the clipboard. It is cleared after the time of the
configuration, although the command has ended by then. No command prints a number or a CVV.

` + cardHelp

func copyCommand(p cli.Program) *cobra.Command {
	var account config.Flags
	field := ""
	cmd := &cobra.Command{
		Use: "copy CARD", Short: "Put the number, CVV or expiry of a card on the clipboard", Long: copyHelp,
		Example: `  cardtop cards copy 2039 --field number
  cardtop cards copy 2039 --field cvv`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			if field == "" {
				return app.Usage(errors.New("--field is missing: number, cvv or expiry"))
			}
			account.ReadOnly = true
			return p.WithAccount(cmd.Context(), account, func(ctx context.Context, acc app.Account) error {
				return copyField(ctx, p, acc, args[0], field)
			})
		},
	}
	cli.AllAccountFlags(cmd.Flags(), &account)
	cmd.Flags().Var(cli.Word{To: &field, Known: []string{fieldNumber, fieldCVV, fieldExpiry}}, "field", "what to copy")
	return cmd
}

// The fields that can be copied.
const (
	fieldNumber = "number"
	fieldCVV    = "cvv"
	fieldExpiry = "expiry"
)

func copyField(ctx context.Context, p cli.Program, acc app.Account, said, field string) error {
	if acc.Run.NoReveal {
		return errors.New(errtext.NoReveal(nil))
	}
	card, err := write.FindCard(ctx, acc.Engine, said)
	if err != nil {
		return err
	}
	board, err := p.Board(ctx, acc.Run.Settings)
	if err != nil {
		return err
	}
	details, err := readDetails(ctx, acc, card)
	if err != nil {
		return errors.Join(err, board.Close(true))
	}
	defer details.Wipe()
	secret, ttl, called := details.PAN.Secret, acc.Settings.CopyNumber, field
	switch field {
	case fieldCVV:
		secret, ttl, called = details.CVV.Secret, acc.Settings.CopyCVV, "CVV"
	case fieldExpiry:
		secret = api.NewSecret(fmt.Sprintf("%02d/%02d", details.ExpMonth, details.ExpYear%100))
		defer secret.Wipe()
	}
	report, err := cli.Copy(ctx, board, secret.Bytes(), ttl)
	if err != nil {
		return err
	}
	p.Say(cli.Copied(report, "the "+called+" of "+write.Name(card)))
	return nil
}

// detailsLimit bounds the read of a card's details.
const detailsLimit = 10 * time.Second

func readDetails(ctx context.Context, acc app.Account, card api.CardItem) (*api.CardDetails, error) {
	ctx, cancel := context.WithTimeout(ctx, detailsLimit)
	defer cancel()
	switch ev := acc.Engine.Run(ctx, secrets.FetchDetails{Card: card.ID}).(type) {
	case secrets.DetailsLoaded:
		return ev.Details, nil
	case state.FetchFailed:
		return nil, cli.Failed("read the details of "+write.Name(card), ev.Err)
	case state.Deferred:
		return nil, cli.Failed("read the details of "+write.Name(card), errtext.LimitUsed(ev.Wait))
	default:
		return nil, fmt.Errorf("read the details of %s: %T is no answer", write.Name(card), ev)
	}
}
