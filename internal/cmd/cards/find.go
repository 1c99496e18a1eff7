package cards

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state"
)

const cardHelp = `CARD is an id, the last four digits or the label of a card. All cards are read to find one that is not
given by its id; it is an error when several could be meant.`

// oneCard requires one argument, a card.
func oneCard(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 || strings.TrimSpace(args[0]) == "":
		return fmt.Errorf("a card is missing: %s", strings.TrimPrefix(cmd.UseLine(), cmd.Root().Name()+" "))
	case len(args) > 1:
		return fmt.Errorf("%s takes one card, not also %q", cmd.CommandPath(), cli.Shown(args[1]))
	}
	return nil
}

// idPrefix is that of card ids in the contract.
const idPrefix = "card_"

// find finds the one card that is meant: by its id, else by its last four
// digits or its whole label. Terminated cards count only when no other does.
func find(ctx context.Context, eng *engine.Engine, said string) (api.CardItem, error) {
	if strings.HasPrefix(said, idPrefix) {
		s, err := readCard(ctx, eng, api.CardID(said))
		if err != nil {
			return api.CardItem{}, notFound(err)
		}
		return write.Item(s), nil
	}
	var found, gone []api.CardItem
	for cards, err := range eng.Cards(ctx, api.ListCardsOptions{Sort: api.SortCreatedAt, Order: api.Ascending}) {
		if err != nil {
			return api.CardItem{}, cli.Failed("read the cards", err)
		}
		for _, c := range cards {
			switch {
			case string(c.ID) != said && string(c.Last4) != said && string(c.Label) != said:
			case c.Status == api.CardTerminated:
				gone = append(gone, c)
			default:
				found = append(found, c)
			}
		}
	}
	if len(found) == 0 {
		found = gone
	}
	switch len(found) {
	case 0:
		// What was said is not repeated: it may be a whole card number.
		return api.CardItem{}, app.Usage(errors.New("no card has that id, last four digits or label"))
	case 1:
		return found[0], nil
	default:
		return api.CardItem{}, app.Usage(several(found))
	}
}

// several names those that could be meant, the first few of them.
func several(cards []api.CardItem) error {
	const named = 5
	var names []string
	for _, c := range cards[:min(len(cards), named)] {
		names = append(names, name(c)+" "+string(c.ID))
	}
	more := ""
	if n := len(cards) - named; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return errors.New("that can be " + strings.Join(names, ", ") + more + ": say the id")
}

// notFound words the error of a card that was asked for by its id.
func notFound(err error) error {
	switch {
	case errors.Is(err, api.ErrNotFound):
		return app.Usage(errors.New("no card has that id: cardtop cards list prints them"))
	case errors.Is(err, api.ErrInvalid):
		return app.Usage(errors.New("that is no card id: cardtop cards list prints them"))
	}
	return cli.Failed("read the card", err)
}

// name is what a card is called.
func name(c api.CardItem) string { return state.CardName(c.Label, c.Last4) }
