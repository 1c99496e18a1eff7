package insight

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/cart"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/poll"
)

// Burn returns how fast a scope spends; false while that is not known, and where
// too little was spent in the last day.
func (sp *Table) Burn(scope ledger.Scope) (burn.Burn, bool) {
	if !sp.forecasts() {
		return burn.Burn{}, false
	}
	return sp.burns.Of(scope)
}

// forecasts reports whether the days that forecasts rest on were read, as far as they are going
// to be: each page of them makes another forecast. What an earlier run read ends when that did.
func (sp *Table) forecasts() bool {
	if sp.needs.Lanes.Cached(poll.Feed) || sp.needs.Lanes.OKAt(poll.Feed).IsZero() {
		return false
	}
	week := sp.Cfg.SpendHourly > 0 && (sp.Cfg.Only == nil || sp.Cfg.PastDays >= burn.WeekHours/24)
	return sp.ledger.Coverage(ledger.Last24h).Complete && (!week || sp.ledger.Coverage(ledger.Last7d).Complete)
}

// Funds returns what a card can pay with.
func (sp *Table) Funds(id api.CardID) cart.Funds {
	card := sp.needs.Cards.Get(id)
	if card == nil {
		return cart.Funds{}
	}
	return cart.Funds{Balance: card.Balance, Held: sp.ledger.Open(ledger.OfCard(id))}
}

// Refusals counts the payments of a card that were declined in the last 24 hours for
// another reason than its balance.
func (sp *Table) Refusals(id api.CardID) int {
	causes, _ := sp.ledger.Declines(ledger.OfCard(id), ledger.Last24h)
	n := 0
	for cause, count := range causes {
		if decline.Cause(cause) != decline.Balance {
			n += count
		}
	}
	return n
}

// CardRunway returns how long the balance of an active card lasts; false while
// that is not known, and where too little was spent in the last day.
func (sp *Table) CardRunway(id api.CardID) (burn.Runway, bool) {
	if !sp.forecasts() || !sp.spends(id) {
		return burn.Runway{}, false
	}
	return sp.burns.Runway(ledger.OfCard(id), sp.needs.Cards.Get(id).Balance)
}

// LimitRunway returns in how long an active card reaches its monthly limit, of which room is left, USD; false where the
// balance or the month ends sooner, and as of CardRunway.
func (sp *Table) LimitRunway(id api.CardID, room api.USD) (burn.Runway, bool) {
	if !sp.forecasts() || !sp.spends(id) || room >= sp.needs.Cards.Get(id).Balance {
		return burn.Runway{}, false
	}
	lasts, ok := sp.burns.Runway(ledger.OfCard(id), room)
	year, month, _ := sp.ServerNow().UTC().Date()
	next := time.Date(year, month+1, 1, 0, 0, 0, 0, time.UTC)
	return lasts, ok && lasts.Left < burn.Horizon && sp.ServerNow().Add(lasts.Left).Before(next)
}

// lastCharges are the charges of a card in the last 24 hours, and what they came to in USD.
func (sp *Table) lastCharges(id api.CardID) (n int, spent api.USD) {
	t := sp.ledger.Trace(ledger.OfCard(id))
	for i := range t.Hours {
		n += int(t.Hours[i].Charges)
		spent += t.Hours[i].Spent
	}
	return n, spent
}

// CardShort reports whether a card that is in use cannot pay for one more charge like its last
// ones, and with what it could, USD. It is asked where CardRunway knows nothing: the card is low
// whether a forecast can be made or not. A single charge of a week is no use.
func (sp *Table) CardShort(id api.CardID) (free, charge api.USD, short bool) {
	if !sp.forecasts() || !sp.spends(id) {
		return 0, 0, false
	}
	week := sp.ledger.Total(ledger.OfCard(id), ledger.Last7d)
	n, spent := sp.lastCharges(id)
	if n == 0 || max(week.Authorized, week.Settlements) < burn.MinCharges {
		return 0, 0, false
	}
	funds := sp.Funds(id)
	free, charge = funds.Free(), spent/api.USD(n)/api.Cent*api.Cent
	return free, charge, free < charge
}

// WhyNoRunway is why it is not known how long the balance of an active card lasts; empty where it is
// known, and where nothing was spent in 24 hours.
func (sp *Table) WhyNoRunway(w *lang.Words, id api.CardID) string {
	if !sp.spends(id) {
		return ""
	}
	n, spent := sp.lastCharges(id)
	if n == 0 || spent <= 0 {
		return ""
	}
	if !sp.forecasts() {
		return w.T("older transactions are still being read")
	}
	if r, ok := sp.burns.Runway(ledger.OfCard(id), sp.needs.Cards.Get(id).Balance); ok {
		return ""
	} else if r.Vague() {
		return w.T("charges are too uneven")
	}
	if n < burn.MinCharges {
		return w.Tn(n, "%d charge in 24 h, 3 are needed", "%d charges in 24 h, 3 are needed")
	}
	return w.T("no charge for longer than usual")
}

// CardRunways calls visit with each card that CardRunway knows of, in no order: for a
// list of all cards that is faster than asking for each.
func (sp *Table) CardRunways(visit func(api.CardID, burn.Runway)) {
	if !sp.forecasts() {
		return
	}
	sp.burns.EachCard(func(id api.CardID, lasts func(api.USD) (burn.Runway, bool)) {
		if !sp.spends(id) {
			return
		}
		if r, ok := lasts(sp.needs.Cards.Get(id).Balance); ok {
			visit(id, r)
		}
	})
}

// CampaignRunway returns how long the balances of the active cards of a campaign
// last; false as of a card, and where none is active: nothing of it can run out.
func (sp *Table) CampaignRunway(name string) (burn.Runway, bool) {
	balance, cards := sp.onCards().Active(name)
	if !sp.forecasts() || cards == 0 {
		return burn.Runway{}, false
	}
	return sp.burns.Runway(ledger.Scope{By: ledger.ByCampaign, Name: name}, balance)
}

// WalletRunway returns how long the wallet lasts with what can be withdrawn from
// cards; false as of a card, while the wallet is not known, and where others spend from it
// what the user does not see.
func (sp *Table) WalletRunway() (burn.Runway, bool) {
	wallet, ok := sp.needs.Wallet.Balance()
	if !ok || wallet.Scoped || !sp.forecasts() {
		return burn.Runway{}, false
	}
	return sp.burns.Runway(ledger.Account(), wallet.Balance+sp.onCards().All())
}

// FundingRunway returns how long the wallet by itself lasts at the rate it is moved to
// cards; false as WalletRunway, while the history is not known, and where it was moved
// fewer than burn.MinCharges times in the last day.
func (sp *Table) FundingRunway() (burn.Runway, bool) {
	wallet, ok := sp.needs.Wallet.Balance()
	if !ok || wallet.Scoped {
		return burn.Runway{}, false
	}
	b, ok := sp.fundings()
	if !ok {
		return burn.Runway{}, false
	}
	return b.Runway(wallet.Balance), true
}

// FewFundings reports whether FundingRunway is not known because money was moved from here too seldom.
func (sp *Table) FewFundings() bool {
	wallet, ok := sp.needs.Wallet.Balance()
	if !ok || wallet.Scoped {
		return false
	}
	_, enough := sp.fundings()
	return !enough && sp.pace.read && sp.pace.moves < burn.MinCharges
}

// pace is how fast the wallet is moved to cards, as of some records.
type pace struct {
	records int
	last    time.Time // of the latest record
	minute  int64
	burn    burn.Burn
	ok      bool
	read    bool // whether the history was
	moves   int  // of the last day
}

// fundings returns how fast the wallet is moved to cards.
func (sp *Table) fundings() (burn.Burn, bool) {
	p := pace{minute: sp.Time.Unix() / 60}
	p.records, p.last = sp.needs.History.Recorded()
	if was := &sp.pace; was.records == p.records && was.last.Equal(p.last) && was.minute == p.minute {
		return was.burn, was.ok
	}
	trace := burn.Trace{Now: sp.Time.Round(0)}
	moved, from := sp.needs.Moved(sp.Time.Add(-burn.Hours * time.Hour))
	for _, m := range moved {
		trace.Add(m.At, m.Amount)
	}
	trace.KnowsSince(from)
	p.read, p.moves = moved != nil, len(moved)
	p.burn, p.ok = burn.Of(&trace)
	sp.pace = p
	return p.burn, p.ok
}
