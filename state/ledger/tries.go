package ledger

import "github.com/cardtop/cardtop/api"

// Tries counts payments that were tried over Last7d.
type Tries struct{ Attempts, Declined int }

// CardTries returns the tries of a card.
func (l *Ledger) CardTries(id api.CardID) Tries {
	sum := l.Total(OfCard(id), Last7d)
	return triesOf(&sum.Totals)
}

// EachTries calls visit with the tries of the account, of each campaign and of each BIN.
func (l *Ledger) EachTries(visit func(Scope, Tries)) {
	for _, by := range []By{ByCampaign, ByBIN} {
		l.eachGroup(by, Last7d, func(row *Row) {
			name, _ := l.Name(by, row.Place)
			visit(Scope{By: by, Name: name}, triesOf(&row.Now))
		})
	}
	sum := l.Total(Account(), Last7d)
	visit(Account(), triesOf(&sum.Totals))
}

func triesOf(t *Totals) Tries { return Tries{Attempts: t.Attempts(), Declined: int(t.Declined)} }

// EachCard calls visit with each card that was described or used, in the order in which
// they came.
func (l *Ledger) EachCard(visit func(api.CardID)) {
	for _, id := range l.cards.ids {
		visit(id)
	}
}
