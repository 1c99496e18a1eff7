package ledger

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/burn"
)

// Burns measures how fast scopes of a ledger spend. What was asked for is measured once
// for each version of the ledger and minute, and its week once an hour.
type Burns struct {
	ledger  *Ledger
	spends  func(api.CardID) bool
	version uint64
	minute  int64
	hour    hour
	week    bool // the weeks were read
	by      [ByMerchant + 1]burnsBy
}

// burnsBy are burns by place.
type burnsBy struct {
	measured map[uint32]measured
	// all reports whether places that are not in measured have no burn.
	all bool
	// allWeeks is as all.
	weeks    map[uint32]week
	allWeeks bool
}

// week is what the week before tells of a burn.
type week struct {
	spent burn.Week
	shape *burn.Shape // nil where there is none
}

// measured is a burn and what is held of the balance that it uses up, USD.
type measured struct {
	burn burn.Burn
	ok   bool
	held api.USD
	// day is what was spent in 24 hours, charge what a charge came to, also where there is no burn; 0 for too few of them.
	day, charge api.USD
}

// runway is how long a balance (USD) lasts.
func (m *measured) runway(balance api.USD) (burn.Runway, bool) {
	free := balance - m.held
	switch {
	case m.charge > 0 && free < m.charge && !m.ok:
		return burn.Runway{}, true // It is used up: that is why nothing is spent.
	case !m.ok:
		return burn.Runway{}, false
	}
	r := m.burn.Runway(free)
	if r.Vague() && free < m.day { // Another day like the last is more than it has, whatever comes between.
		return burn.Runway{Left: time.Duration(float64(free) / float64(m.day) * float64(24*time.Hour)), AtMost: true}, true
	}
	return r, !r.Vague()
}

// few is up to how many cards are measured one by one: for a screen of them that is
// faster than for all at once, for a list that is sorted it is not.
const few = 200

// NewBurns returns the burns of a ledger. Spends reports whether the balance of a card is part of
// the balance of its campaign, so that what is held of it is, too; nil is of all cards.
func NewBurns(l *Ledger, spends func(api.CardID) bool) *Burns {
	b := &Burns{ledger: l, spends: spends}
	for i := range b.by {
		b.by[i] = burnsBy{measured: make(map[uint32]measured), weeks: make(map[uint32]week)}
	}
	return b
}

// Of returns the burn of a scope; false while it is not known, and where too little was
// spent in the last day.
func (b *Burns) Of(s Scope) (burn.Burn, bool) {
	m := b.measure(s)
	return m.burn, m.ok
}

// Runway returns how long a balance (USD) of a scope lasts, of which a part is held;
// false as of Of.
func (b *Burns) Runway(s Scope, balance api.USD) (burn.Runway, bool) {
	m := b.measure(s)
	return m.runway(balance)
}

// EachCard calls visit with each card that has a burn, in no order. A list of all cards
// asks so: most have none.
func (b *Burns) EachCard(visit func(id api.CardID, lasts func(balance api.USD) (r burn.Runway, ok bool))) {
	b.refresh()
	of := &b.by[ByCard]
	if !of.all {
		b.fill(ByCard)
	}
	for place, m := range of.measured {
		visit(b.ledger.cards.ids[place], m.runway)
	}
}

func (b *Burns) measure(s Scope) measured {
	place, ok := b.ledger.place(s)
	if !ok {
		return measured{}
	}
	b.refresh()
	of := &b.by[s.By]
	m, ok := of.measured[place]
	switch {
	case ok || of.all:
		return m
	case s.By == ByAccount || s.By == ByCard && len(of.measured) < few:
		m = b.one(s, place)
		of.measured[place] = m
		return m
	}
	b.fill(s.By)
	return of.measured[place]
}

// refresh forgets what is out of date.
func (b *Burns) refresh() {
	l := b.ledger
	minute := l.now.Unix() / 60
	if l.version == b.version && minute == b.minute {
		return
	}
	b.version, b.minute = l.version, minute
	for i := range b.by {
		clear(b.by[i].measured)
		b.by[i].all = false
	}
	if read := l.weekRead(); l.hour != b.hour || read != b.week {
		b.hour, b.week = l.hour, read
		for i := range b.by {
			clear(b.by[i].weeks)
			b.by[i].allWeeks = false
		}
	}
}

// one measures one scope.
func (b *Burns) one(s Scope, place uint32) measured {
	t := b.ledger.Trace(s)
	if !enough(&t) {
		return measured{}
	}
	b.addWeek(&t, s, place)
	return b.of(s, &t, b.ledger.Open(s).USD)
}

func (b *Burns) of(s Scope, t *burn.Trace, held api.USD) measured {
	m := measured{held: held}
	m.day, m.charge = burn.DayOf(t)
	m.burn, m.ok = burn.Of(t)
	m.burn.AtLeast = m.ok && b.ledger.Total(s, Last24h).Foreign > 0
	return m
}

// enough reports whether a trace has charges for a burn: most cards have not.
func enough(t *burn.Trace) bool {
	n := int32(0)
	for i := range t.Hours {
		n += t.Hours[i].Charges
	}
	return n >= burn.MinCharges
}

// fill measures all cards, campaigns, BINs or merchants.
func (b *Burns) fill(by By) {
	of := &b.by[by]
	if by != ByCard {
		b.fillWeeks(by)
	}
	held := b.ledger.open(by)
	if by == ByCampaign && b.spends != nil {
		held = b.ledger.openThat(by, b.spends)
	}
	b.ledger.Traces(by, func(place uint32, t *burn.Trace) {
		if !enough(t) {
			return
		}
		var s Scope
		if by == ByCard {
			s = OfCard(b.ledger.cards.ids[place])
		} else {
			name, _ := b.ledger.Name(by, place)
			s = Scope{By: by, Name: name}
		}
		b.addWeek(t, s, place)
		if m := b.of(s, t, held(place)); m.ok || m.charge > 0 {
			of.measured[place] = m
		}
	})
	of.all = true
}

// addWeek gives a trace the week of its scope.
func (b *Burns) addWeek(t *burn.Trace, s Scope, place uint32) {
	of := &b.by[s.By]
	w, known := of.weeks[place]
	if !known && b.week && !of.allWeeks {
		hours, first, _ := b.ledger.Week(s)
		w = weekOf(&hours, first)
		of.weeks[place] = w
	}
	t.Week, t.Shape = w.spent, w.shape
}

// fillWeeks finds the weeks of all campaigns, BINs or merchants.
func (b *Burns) fillWeeks(by By) {
	of, l := &b.by[by], b.ledger
	if of.allWeeks || !b.week {
		return
	}
	complete := l.Coverage(Last30d).Complete
	l.chargesBy(by, l.weekFrom(), func(place uint32, refs []ref) {
		var hours [burn.WeekHours]burn.Hour
		for _, r := range refs {
			l.addWeek(&hours, l.records.dayOf(r), r, complete)
		}
		of.weeks[place] = weekOf(&hours, l.weekFrom().ofDay())
	})
	of.allWeeks = true
}

func weekOf(hours *[burn.WeekHours]burn.Hour, first int) week {
	w := week{spent: burn.WeekOf(hours)}
	if shape, ok := burn.ShapeOf(hours, first); ok {
		w.shape = &shape
	}
	return w
}

// open returns what is held of a card, campaign, BIN or merchant, USD.
func (l *Ledger) open(by By) func(place uint32) api.USD {
	sums := l.sums(by)
	return func(place uint32) api.USD { return l.openUSD(sums.open(place)) }
}

// openThat is open, of those cards of each campaign or BIN that spend.
func (l *Ledger) openThat(by By, spends func(api.CardID) bool) func(place uint32) api.USD {
	sums, groups := make([]openSum, l.places(by)), l.groups(by)
	for card, id := range l.cards.ids {
		if held := l.cards.totals.open(uint32(card)); *held != (openSum{}) && spends(id) {
			sums[groups[card]].add(*held, 1)
		}
	}
	return func(place uint32) api.USD { return l.openUSD(&sums[place]) }
}
