package ledger

import "github.com/cardtop/cardtop/api"

// Tries counts payments that were tried over Last7d.
type Tries struct{ Attempts, Declined int }

// CardTries returns the tries of a card.
func (l *Ledger) CardTries(id api.CardID) Tries {
	at, ok := l.cards.places[id]
	if !ok {
		return Tries{}
	}
	return triesOf(l.cards.totals.at(at))
}

// EachTries calls visit with the tries of the account, of each campaign and of each BIN.
func (l *Ledger) EachTries(visit func(Scope, Tries)) {
	var account Tries
	for _, by := range []By{ByCampaign, ByBIN} {
		for place := range l.places(by) {
			t := triesOf(l.sums(by).at(uint32(place)))
			if by == ByBIN {
				account.Attempts += t.Attempts
				account.Declined += t.Declined
			}
			name, _ := l.Name(by, uint32(place))
			visit(Scope{By: by, Name: name}, t)
		}
	}
	visit(Account(), account)
}

func triesOf(s *[segments]Totals) Tries {
	week := &s[thisWeek]
	return Tries{Attempts: week.Attempts(), Declined: int(week.Declined)}
}

// EachCard calls visit with each card that was described or used, in the order in which
// they came.
func (l *Ledger) EachCard(visit func(api.CardID)) {
	for _, id := range l.cards.ids {
		visit(id)
	}
}
