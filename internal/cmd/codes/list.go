package codes

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/read"
	"github.com/cardtop/cardtop/state/rows"
)

// List returns the commands that print challenges.
func List(p cli.Program) *cobra.Command {
	return cli.Group("codes", "List 3DS challenges, print a code", `  cardtop codes list
  cardtop codes show 3ds_5f2c`, listCodes(p), showCode(p))
}

func listCodes(p cli.Program) *cobra.Command {
	r := read.Command{Program: p}
	var status string
	cmd := r.Flags(&cobra.Command{
		Use: "list", Short: "Print 3DS challenges, without their codes",
		Long: "Print 3DS challenges, without their codes: cardtop otp and cardtop codes show print those.",
		Example: `  cardtop codes list --status pending
  cardtop codes list --card card_5f2c --jsonl`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return read.List(cmd.Context(), &r, "codes", rows.ChallengeFields(), func(ctx context.Context, c *client.Client) (api.Page[api.Challenge], error) {
				list, err := c.ListChallenges(ctx, api.ListChallengesOptions{CardID: api.CardID(r.Card), Status: api.ChallengeStatus(status)})
				for i := range list.Data {
					list.Data[i].Wipe()
				}
				return list, err
			}, read.All)
		},
	})
	cmd.Flags().Var(cli.Word{To: &status, Known: []string{string(api.ChallengePending), string(api.ChallengeCompleted), string(api.ChallengeExpired)}}, "status", "only challenges of this status")
	cmd.Flags().StringVar(&r.Card, "card", "", "only this card: its id, last four digits or label")
	r.Limited(cmd, "challenges")
	return cmd
}

func showCode(p cli.Program) *cobra.Command {
	r := read.Command{Program: p}
	return r.Flags(&cobra.Command{
		Use: "show ID", Short: "Print a 3DS challenge with its code",
		Long: "Print a 3DS challenge with its code. cardtop otp waits for the next one of a card.",
		Example: `  cardtop codes show 3ds_5f2c
  cardtop codes show 3ds_5f2c --template '{code}'`,
		Args: cli.OneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			return read.One(cmd.Context(), &r, "code", rows.CodeFields(), func(ctx context.Context, c *client.Client) (api.Challenge, error) {
				return c.GetChallenge(ctx, api.ChallengeID(args[0]))
			})
		},
	})
}
