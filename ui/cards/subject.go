package cards

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
)

// subject is a card as the filter asks of it.
type subject struct {
	index *index
	now   time.Time
	// covered is as far as the ledger was read, read7d whether all of 7 days was.
	covered ledger.Coverage
	read7d  bool
	row     int32
}

// about moves to another card.
func (s *subject) about(row int32) *subject {
	s.row = row
	return s
}

// card returns the row of the card for reading.
func (s *subject) card() *cardlist.Row { return s.index.store.Cards.All().Row(int(s.row)) }

func (s *subject) name() string { return s.index.name(s.row) }

// holds searches all texts of the card.
func (s *subject) holds(want *query.Needle) bool {
	e := &s.index.entries[s.row]
	return want.In(s.name()) || want.In(s.index.traits.texts[e.traits]) || want.InBytes(s.card().Last4.Bytes())
}

// traits are what many cards have alike. Each combination is held once.
type traits struct {
	texts []string // state, network and BIN in lower case, a line each
	at    map[[3]string]int32
}

func (t *traits) of(c *cardlist.Card) int32 {
	key := [3]string{string(c.Shown()), string(c.Network), string(c.BIN)}
	n, ok := t.at[key]
	if !ok {
		if t.at == nil {
			t.at = make(map[[3]string]int32)
		}
		n = int32(len(t.texts))
		t.texts, t.at[key] = append(t.texts, strings.ToLower(strings.Join(key[:], "\n"))), n
	}
	return n
}
