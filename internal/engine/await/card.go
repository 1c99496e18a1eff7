package await

import (
	"context"
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
)

// looksLikeID reports whether a name has the prefix of card ids in the contract.
func looksLikeID(name string) bool { return strings.HasPrefix(name, "card_") }

// Card reads one card.
func Card(ctx context.Context, do func(context.Context, kernel.Effect) kernel.Event, id api.CardID) (cardlist.Card, error) {
	switch ev := do(ctx, state.FetchSummary{Card: id}).(type) {
	case state.SummaryLoaded:
		s := ev.Summary
		return cardlist.Card{
			ID: id, BIN: s.BIN, Network: s.Network, Last4: s.Last4, Label: s.Label,
			Status: s.Status, Balance: s.Balance, CreatedAt: s.CreatedAt,
		}, nil
	case state.FetchFailed:
		return cardlist.Card{}, ev.Err
	case state.Deferred:
		return cardlist.Card{}, usedUp()
	default:
		return cardlist.Card{}, fmt.Errorf("read card: %T is no answer", ev)
	}
}

// alive refuses a card that gets no more codes.
func alive(c cardlist.Card) error {
	if c.Status == api.CardTerminated {
		return &Error{Kind: ErrCard, Text: c.Name() + " is terminated: no code comes for it"}
	}
	return nil
}

// choose finds the one card that the user means: by its id, its last four
// digits or its whole label, else by a part of its label in whatever case.
// Terminated cards count only when no other does.
func choose(cards *cardlist.List, name string) (cardlist.Card, error) {
	said := string(api.Clean(name))
	part := strings.ToLower(said)
	exact := func(c cardlist.Card) bool {
		return string(c.ID) == said || string(c.Last4) == said || string(c.Label) == said
	}
	within := func(c cardlist.Card) bool { return strings.Contains(strings.ToLower(string(c.Label)), part) }
	for _, gone := range [...]bool{false, true} {
		for _, fits := range [...]func(cardlist.Card) bool{exact, within} {
			var found []cardlist.Card
			for _, c := range cards.All() {
				if said != "" && (c.Status == api.CardTerminated) == gone && fits(c) {
					found = append(found, c)
				}
			}
			switch len(found) {
			case 0:
			case 1:
				return found[0], alive(found[0])
			default:
				return cardlist.Card{}, ambiguous(found)
			}
		}
	}
	// What was said is not repeated: it may be a whole card number.
	return cardlist.Card{}, &Error{Kind: ErrCard, Text: "no card has that id, last four digits or label"}
}

// ambiguous names those that could be meant, the first few of them.
func ambiguous(cards []cardlist.Card) error {
	const named = 5
	var names []string
	for _, c := range cards[:min(len(cards), named)] {
		names = append(names, c.Name())
	}
	more := ""
	if n := len(cards) - named; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return &Error{Kind: ErrCard, Text: "that can be " + strings.Join(names, ", ") + more + ": say the last four digits or the id"}
}
