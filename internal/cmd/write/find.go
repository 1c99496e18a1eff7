package write

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state/cardlist"
)

// IDPrefix is what the ids of cards begin with in the contract.
const IDPrefix = "card_"

// FindCard finds the one card that is meant: by its id, else by its last four
// digits or its whole label. Terminated cards count only when no other does.
func FindCard(ctx context.Context, eng *engine.Engine, said string) (api.CardItem, error) {
	if strings.HasPrefix(said, IDPrefix) {
		return byID(ctx, eng, api.CardID(said))
	}
	found, gone, err := search(ctx, eng, said)
	if err != nil {
		return api.CardItem{}, cli.Failed("read the cards", err)
	}
	if len(found) == 0 {
		found = gone
	}
	switch len(found) {
	case 0:
		// What was said is not repeated: it may be a whole card number.
		return api.CardItem{}, app.Usage(errors.New("no card has that id, last four digits or label"))
	case 1:
		return byID(ctx, eng, found[0].ID) // A list may be behind what the card itself says.
	default:
		return api.CardItem{}, app.Usage(several(found))
	}
}

// byID reads the card with an id.
func byID(ctx context.Context, eng *engine.Engine, id api.CardID) (api.CardItem, error) {
	s, err := ReadCard(ctx, eng, id)
	if err != nil {
		return api.CardItem{}, notFound(err)
	}
	return Item(s), nil
}

// search reads the cards that could be meant; gone are the terminated ones. The API looks for
// labels only, so all cards are read for digits, and for what no label is.
func search(ctx context.Context, eng *engine.Engine, said string) (found, gone []api.CardItem, err error) {
	queries := []api.ListCardsOptions{{Label: said}, {}}
	if !mayBeSent(said) {
		queries = queries[1:]
	}
	for _, query := range queries {
		query.Sort, query.Order = api.SortCreatedAt, api.Ascending
		for cards, err := range eng.Cards(ctx, query) {
			if err != nil {
				return nil, nil, err
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
		if len(found)+len(gone) > 0 {
			break
		}
	}
	return found, gone, nil
}

// mayBeSent reports whether what was said is looked for as a label: it is not four digits, and
// none of a card number, which no request may have in its address.
func mayBeSent(said string) bool {
	digits := 0
	for _, c := range said {
		if c >= '0' && c <= '9' {
			digits++
		}
	}
	return digits < 12 && (digits != 4 || len(said) != 4) && utf8.RuneCountInString(said) <= api.MaxLabel
}

// several names those that could be meant, the first few of them.
func several(cards []api.CardItem) error {
	const named = 5
	var names []string
	for _, c := range cards[:min(len(cards), named)] {
		names = append(names, Name(c)+" "+string(c.ID))
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

// Name is what a card is called.
func Name(c api.CardItem) string { return cardlist.Name(c.Label, c.Last4) }

// ReadCard reads a card.
func ReadCard(ctx context.Context, eng *engine.Engine, id api.CardID) (api.CardSummary, error) {
	return engine.Read(ctx, eng, "card", func(ctx context.Context, c *client.Client) (api.CardSummary, error) { return c.GetCard(ctx, id) })
}

// FindID returns the id of the one card that is meant. One that is given by its id is not
// asked for.
func FindID(ctx context.Context, eng *engine.Engine, said string) (api.CardID, error) {
	if said == "" || strings.HasPrefix(said, IDPrefix) {
		return api.CardID(said), nil
	}
	c, err := FindCard(ctx, eng, said)
	return c.ID, err
}
