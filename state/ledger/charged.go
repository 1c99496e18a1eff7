package ledger

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/decline"
)

// Purchases are counted when they were made: a settlement at the time of its hold,
// where that is known, and a hold that is open at the share that settles at its
// merchant. Refunds are left out: what is given back once says nothing of what will
// be spent.

// charge is a purchase, or a part of one: when it was made, and its amount, USD.
type charge struct {
	at    hour
	spent api.USD
	next  bool // of a purchase that is counted already
}

// charged returns what a record adds to the burn; nothing spent for none.
func (l *Ledger) charged(at ref, day int32, complete bool) charge {
	e, _ := l.records.at(at)
	c := charge{at: hourIn(day, e.hour)}
	switch {
	case e.kind() == settlement:
		c.spent = -e.amount
		if lag := e.lag(); lag < lagLinked {
			c.at -= lag
			break
		}
		k := l.records.link(at)
		c.at, c.next = hourOf(l.records.link(k.pair).at), k.tie&tieNext != 0
	case e.waits():
		if h := l.openHold(day, at, e); h.Left > 0 && h.Parts == 0 {
			part, _ := l.shareOf(e.merchant, complete)
			c.spent = api.USD(float64(h.Left) * part)
		}
	}
	return c
}

// Trace returns what the burn of a scope is measured by, without a shape.
func (l *Ledger) Trace(s Scope) burn.Trace {
	t, present := l.emptyTrace()
	complete := l.Coverage(Last30d).Complete
	l.each(s, (present - burn.Hours + 1).day(), 0, func(day int32, at ref, _ *entry) {
		l.addCharge(&t, present, day, at, complete)
	})
	return t
}

// Traces calls visit with the trace of each card, campaign, BIN or merchant that may
// have been charged burn.MinCharges times in the last day, by its place. The trace is
// reused from one call to the next.
func (l *Ledger) Traces(by By, visit func(place uint32, t *burn.Trace)) {
	complete := l.Coverage(Last30d).Complete
	var t burn.Trace
	empty, present := l.emptyTrace()
	l.chargesBy(by, present-burn.Hours+1, func(place uint32, refs []ref) {
		if len(refs) < burn.MinCharges {
			return
		}
		t = empty
		for _, r := range refs {
			l.addCharge(&t, present, l.records.dayOf(r), r, complete)
		}
		visit(place, &t)
	})
}

// chargesBy calls visit with the holds and settlements that were made from an hour on,
// by the place of what they are of.
func (l *Ledger) chargesBy(by By, oldest hour, visit func(place uint32, refs []ref)) {
	ends := cleared(l.ends, l.places(by))
	l.ends = ends
	l.eachCharge(by, oldest, func(place uint32, _ ref) { ends[place]++ })
	n := uint32(0)
	for place, count := range ends {
		ends[place] = n // Where its charges begin, and end once they are all there.
		n += count
	}
	refs := cleared(l.refs, int(n))
	l.refs = refs
	l.eachCharge(by, oldest, func(place uint32, r ref) {
		refs[ends[place]] = r
		ends[place]++
	})
	begin := uint32(0)
	for place, end := range ends {
		if end > begin {
			visit(uint32(place), refs[begin:end])
		}
		begin = end
	}
}

// eachCharge calls visit with the holds and settlements that were made from an hour on,
// and the places of what they are of.
func (l *Ledger) eachCharge(by By, oldest hour, visit func(place uint32, r ref)) {
	groups := l.groups(by)
	for _, d := range l.days {
		if d.number < oldest.day() {
			continue
		}
		for _, number := range d.chunks {
			c := l.records.chunks[number]
			for i := range c.entries[:c.n] {
				e := &c.entries[i]
				if k := e.kind(); k != authorization && k != settlement || hourIn(d.number, e.hour) < oldest {
					continue
				}
				place := e.card
				switch {
				case by == ByMerchant:
					place = uint32(e.merchant)
				case groups != nil:
					place = groups[place]
				}
				visit(place, ref(number*chunkSize+uint32(i))+1)
			}
		}
	}
}

// places is how many cards, campaigns, BINs or merchants there are.
func (l *Ledger) places(by By) int {
	switch by {
	case ByMerchant:
		return len(l.merchants.names)
	case ByCampaign:
		return len(l.cards.campaigns.names.texts)
	case ByBIN:
		return len(l.cards.bins.names.texts)
	default:
		return len(l.cards.ids)
	}
}

// emptyTrace is a trace as far as the ledger was read, and its present hour: what was spent
// after that is not known, so it is not counted as nothing.
func (l *Ledger) emptyTrace() (t burn.Trace, present hour) {
	t.Now = l.now
	n := len(l.known)
	if n == 0 {
		return t, hourOf(t.Now.UnixMicro())
	}
	last := l.known[n-1]
	t.Now = earliest(t.Now, last.To)
	present = hourOf(t.Now.UnixMicro())
	for t.Known < burn.Hours-1 && !(present - hour(t.Known) - 1).time().Before(last.From) {
		t.Known++
	}
	return t, present
}

func (l *Ledger) addCharge(t *burn.Trace, present hour, day int32, at ref, complete bool) {
	c := l.charged(at, day, complete)
	i := int(present - c.at)
	if i < 0 && present < l.hour {
		return // Not all of those hours was read: some of their charges tell nothing.
	}
	if i < burn.Hours && c.spent > 0 {
		h := &t.Hours[max(i, 0)]
		h.Spent += c.spent
		if !c.next {
			h.Charges++
		}
	}
}

// Week returns the hours of the seven days before the present hour, oldest first, and
// which hour of the day (UTC) the first is, for burn.ShapeOf; false while not all
// of it was read.
func (l *Ledger) Week(s Scope) (week [burn.WeekHours]burn.Hour, first int, ok bool) {
	if !l.weekRead() {
		return week, 0, false
	}
	complete := l.Coverage(Last30d).Complete
	l.each(s, l.weekFrom().day(), 0, func(day int32, at ref, _ *entry) {
		l.addWeek(&week, day, at, complete)
	})
	return week, l.weekFrom().ofDay(), true
}

func (l *Ledger) weekFrom() hour { return l.hour - burn.WeekHours }

// weekRead reports whether all of the seven days was read.
func (l *Ledger) weekRead() bool { return l.coverage(l.weekFrom().time(), l.hour.time()).Complete }

func (l *Ledger) addWeek(week *[burn.WeekHours]burn.Hour, day int32, at ref, complete bool) {
	c := l.charged(at, day, complete)
	if c.at < l.weekFrom() || c.at >= l.hour || c.spent <= 0 {
		return
	}
	h := &week[c.at-l.weekFrom()]
	h.Spent += c.spent
	if !c.next {
		h.Charges++
	}
}

// Explain sets why a transaction was declined. It reports whether the ledger holds
// such a decline.
func (l *Ledger) Explain(id api.TransactionID, cause decline.Cause) bool {
	at, ok := l.ids[idOf(id)]
	if !ok || cause >= decline.Causes {
		return false
	}
	e, _ := l.records.at(at)
	if e.kind() != declined {
		return false
	}
	if e.cause() != cause {
		e.flags = flagsOf(declined, cause)
		l.days[l.records.dayOf(at)].version++
		l.version++
	}
	return true
}

// Declines counts the declines of a scope over a range by their causes.
func (l *Ledger) Declines(s Scope, r Range) (byCause [decline.Causes]int, read Coverage) {
	from := l.window(r).from
	l.each(s, from.day(), declined, func(day int32, _ ref, e *entry) {
		if hourIn(day, e.hour) >= from {
			byCause[e.cause()]++
		}
	})
	return byCause, l.Coverage(r)
}

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
