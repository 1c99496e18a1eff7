package state

import "github.com/cardtop/cardtop/api"

// settingsBook keeps what the API tells of a card only in answers to writes:
// its categories and automatic freeze cannot be read back.
type settingsBook map[api.CardID]answered

// answered is a card as an answer to a write told, and when in the order of
// requests.
type answered struct {
	api.Card
	seq Seq
}

// settingsKept bounds how many cards' settings are held.
const settingsKept = 4096

func (b *settingsBook) keep(c api.Card, seq Seq) {
	if *b == nil || len(*b) >= settingsKept {
		*b = make(settingsBook)
	}
	(*b)[c.ID] = answered{c, seq}
}

// Written is a card as the answer to the latest write on it told, the only
// place where categories and automatic freeze are; false when nothing was
// written to it in this session.
func (inf *InfoTable) Written(id api.CardID) (api.Card, bool) {
	c, ok := inf.settings[id]
	return c.Card, ok
}

// Known is what is known of a card's settings. What the API has not told is
// nil: it can be changed all the same.
type Known struct {
	Label api.Text
	// Limit is USD a month, AutoFreeze USD, 0 for never.
	Limit, AutoFreeze *api.USD
	Categories        *[]api.Text
	Metadata          api.Metadata
}

// KnownSettings puts together what the list, the summary and the answers to
// writes told of a card's settings, the latest of each.
func (inf *InfoTable) Settings(id api.CardID) Known {
	var k Known
	told, written := inf.settings[id]
	if written {
		freeze := orZero(told.AutoFreezeAt)
		k.AutoFreeze, k.Categories = &freeze, &told.AllowedCategories
		k.Limit, k.Metadata = told.SpendingLimit, told.Metadata
	}
	if sum, ok := inf.summaries[id]; ok && sum.seq > told.seq {
		k.Limit, k.Metadata = sum.SpendingLimit, sum.Metadata
		if k.Metadata == nil {
			k.Metadata = api.Metadata{}
		}
	}
	if c, ok := inf.cards.Get(id); ok {
		k.Label = c.Label
	}
	return k
}
