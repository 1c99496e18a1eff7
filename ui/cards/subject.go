package cards

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state"
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
	read    bool // card is the one of the row
	card    state.Card
}

// about moves to another card.
func (s *subject) about(row int32) *subject {
	s.row, s.read = row, false
	return s
}

// whole returns all of the card: what most filters ask does without.
func (s *subject) whole() *state.Card {
	if !s.read {
		s.card, s.read = s.index.store.Cards.All().At(int(s.row)), true
	}
	return &s.card
}

func (s *subject) table() *state.PackedCards { return s.index.store.Cards.All() }

func (s *subject) name() string { return s.index.name(s.row) }

// holds searches all texts of the card.
func (s *subject) holds(want *query.Needle) bool {
	e := &s.index.entries[s.row]
	return want.In(s.name()) || want.In(s.index.traits.texts[e.traits]) || want.In(string(s.table().Last4(int(s.row))))
}

// traits are what many cards have alike. Each combination is held once.
type traits struct {
	texts []string // state, network and BIN in lower case, a line each
	at    map[[3]string]int32
}

func (t *traits) of(c *state.Card) int32 {
	key := [3]string{string(c.Status), string(c.Network), string(c.BIN)}
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
