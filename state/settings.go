package state

import "github.com/cardtop/cardtop/api"

// settingsBook keeps what the API tells of a card only in answers to writes:
// its categories and automatic freeze cannot be read back.
type settingsBook map[api.CardID]api.Card

// settingsKept bounds how many cards' settings are held.
const settingsKept = 4096

func (b *settingsBook) keep(c api.Card) {
	if *b == nil || len(*b) >= settingsKept {
		*b = make(settingsBook)
	}
	(*b)[c.ID] = c
}

// Settings is a card as the answer to the latest write on it told, the only
// place where categories and automatic freeze are; false when nothing was
// written to it in this session.
func (s *Store) Settings(id api.CardID) (api.Card, bool) {
	c, ok := s.settings[id]
	return c, ok
}
