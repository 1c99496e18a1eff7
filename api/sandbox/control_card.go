package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// namedCard finds the card that somebody at a keyboard means: by its id, by
// the beginning of one, with the prefix or without, or by its last four
// digits. It looks through all cards unless it is given a whole id.
func (c *change) namedCard(ctx context.Context, name string) (*sim.Card, error) {
	k, err := c.s.findCard(ctx, c.tx, name)
	var f *wire.Error
	if err == nil || !errors.As(err, &f) || f.Status != http.StatusNotFound {
		return k, err
	}
	start := strings.TrimPrefix(name, cardPrefix)
	if start == "" {
		return nil, err
	}
	scan := func(r *sql.Rows, k *sim.Card) error { return scanCard(r, k) }
	cards, listErr := sqlite.Collect(ctx, c.tx, scan, `SELECT `+cardColumns+` FROM cards ORDER BY seq`)
	if listErr != nil {
		return nil, listErr
	}
	var found []*sim.Card
	var names []string
	for i := range cards {
		id, last4 := c.s.world.ID(cardPrefix, cards[i].Seq), c.s.world.Last4(&cards[i])
		if last4 == name || strings.HasPrefix(strings.TrimPrefix(id, cardPrefix), start) {
			found, names = append(found, &cards[i]), append(names, id+" ••"+last4)
		}
	}
	switch len(found) {
	case 0:
		return nil, err
	case 1:
		return found[0], nil
	}
	return nil, wire.Invalid("card_id fits several cards: %s", several(names))
}

// several are the first of some names and how many more there are.
func several(names []string) string {
	const named = 5
	if more := len(names) - named; more > 0 {
		return strings.Join(names[:named], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}
