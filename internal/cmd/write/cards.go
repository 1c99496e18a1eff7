package write

import (
	"context"
	"errors"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine"
)

// oneByOne is up to how many cards are read each by itself; of more the list is
// read.
const oneByOne = 50

// ReadCards reads cards by their ids. Those that are not there are left out: the
// plan says so.
func ReadCards(ctx context.Context, acc app.Account, ids []api.CardID) ([]api.CardItem, error) {
	if len(ids) > oneByOne {
		wanted := make(map[api.CardID]bool, len(ids))
		for _, id := range ids {
			wanted[id] = true
		}
		return ReadAll(ctx, acc, func(c api.CardItem) bool { return wanted[c.ID] })
	}
	var out []api.CardItem
	for _, id := range ids {
		s, err := engine.Read(ctx, acc.Engine, "card", func(ctx context.Context, c *client.Client) (api.CardSummary, error) { return c.GetCard(ctx, id) })
		switch {
		case errors.Is(err, api.ErrNotFound), errors.Is(err, api.ErrInvalid):
		case err != nil:
			return nil, cli.Failed("read the cards", err)
		default:
			out = append(out, Item(s))
		}
	}
	return out, nil
}

// ReadAll reads all cards and returns those that are kept.
func ReadAll(ctx context.Context, acc app.Account, keep func(api.CardItem) bool) ([]api.CardItem, error) {
	var out []api.CardItem
	for page, err := range acc.Engine.Cards(ctx, api.ListCardsOptions{Sort: api.SortCreatedAt, Order: api.Ascending}) {
		if err != nil {
			return nil, cli.Failed("read the cards", err)
		}
		for _, c := range page {
			if keep(c) {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// Item is a card as a list has it.
func Item(s api.CardSummary) api.CardItem {
	return api.CardItem{
		ID: s.ID, BIN: s.BIN, Network: s.Network, Last4: s.Last4, Status: s.Status,
		Balance: s.Balance, Label: s.Label, NoLabel: s.NoLabel, CreatedAt: s.CreatedAt, ExpiresAt: s.ExpiresAt,
	}
}
