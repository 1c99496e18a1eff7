package ledger

import (
	"math"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/txlink"
)

// cards are the cards by place.
type cards struct {
	places map[api.CardID]uint32
	ids    []api.CardID
	heads  []ref
	// latest is when the latest hold or settlement of each card was made, or later:
	// microseconds since 1970.
	latest []int64
	// used is when each was used last, microseconds since 1970; 0 for one of which no use is known.
	used   []int64
	recent []recent
	holds  []txlink.Holds
	ended  []bool
	// delays are how long settlements took that belong to their hold for sure.
	delays []txlink.Delays
	totals sums

	bins, campaigns groups
}

func newCards() cards {
	return cards{places: make(map[api.CardID]uint32), bins: newGroups(), campaigns: newGroups()}
}

// place returns the place of a card, which it makes when it has none.
func (c *cards) place(id api.CardID) uint32 {
	if at, ok := c.places[id]; ok {
		return at
	}
	at := uint32(len(c.ids))
	c.places[id] = at
	c.ids, c.heads, c.latest = append(c.ids, id), append(c.heads, 0), append(c.latest, math.MinInt64)
	c.holds, c.ended = append(c.holds, txlink.Holds{}), append(c.ended, false)
	c.delays, c.used = append(c.delays, txlink.Delays{}), append(c.used, 0)
	c.recent = append(c.recent, recent{})
	c.totals.grow()
	c.bins.add()
	c.campaigns.add()
	return at
}

// Holds reports whether the ledger has a card: one that was described, or that a
// transaction was of.
func (l *Ledger) Holds(id api.CardID) bool {
	_, ok := l.cards.places[id]
	return ok
}

// Used returns when the latest transaction of a card was made that is no refund, as far as
// the ledger was read; the zero time when it knows none.
func (l *Ledger) Used(id api.CardID) time.Time {
	if place, ok := l.cards.places[id]; ok && l.cards.used[place] != 0 {
		return time.UnixMicro(l.cards.used[place]).UTC()
	}
	return time.Time{}
}

// SpentSince is what a card spent since a time, USD, as far as the ledger was read: what settled less refunds.
func (l *Ledger) SpentSince(id api.CardID, since time.Time) (spent api.USD) {
	from := since.UnixMicro()
	l.each(OfCard(id), hourOf(from).day(), 0, func(_ int32, at ref, e *entry) {
		if l.records.link(at).at >= from {
			t := totalsOf(e)
			spent += t.Spent()
		}
	})
	return spent
}

// Paid reports whether a payment of a card was authorized after a time, as far as the ledger was read.
func (l *Ledger) Paid(id api.CardID, after time.Time) (paid bool) {
	from := after.UnixMicro()
	l.each(OfCard(id), hourOf(from).day(), 0, func(_ int32, at ref, e *entry) {
		kind := e.kind()
		paid = paid || (kind == authorization || kind == foreignHold) && !e.takesBack() && l.records.link(at).at > from
	})
	return paid
}

// Describe sets the BIN and the campaign of a card; empty for none. Sums of both
// follow at once, those of the past too.
func (l *Ledger) Describe(id api.CardID, bin api.BINID, campaign string) {
	at := l.cards.place(id)
	totals, open := l.cards.totals.at(at), l.cards.totals.open(at)
	moved := l.cards.bins.move(at, string(bin), totals, open)
	if l.cards.campaigns.move(at, campaign, totals, open) || moved {
		l.version++
	}
}

// names are texts by place; 0 is the empty one.
type names struct {
	places map[string]uint32
	texts  []string
}

func newNames() names { return names{map[string]uint32{"": 0}, []string{""}} }

func (n *names) place(text string) uint32 {
	at, ok := n.places[text]
	if !ok {
		at = uint32(len(n.texts))
		n.places[text] = at
		n.texts = append(n.texts, text)
	}
	return at
}

// The places of merchants: of those without a name, and of all for which there
// is no room.
const (
	noMerchant     = 0
	otherMerchants = 1
	firstMerchant  = 2
	maxMerchants   = 1 << 16
)

// merchants are the merchants by place. Names that differ in case only are one.
type merchants struct {
	spelled map[api.Text]uint16
	folded  map[string]uint16
	names   []api.Text
	totals  sums
	shares  []share
}

func newMerchants() merchants {
	m := merchants{spelled: map[api.Text]uint16{"": noMerchant}, folded: make(map[string]uint16)}
	for range firstMerchant {
		m.grow("")
	}
	return m
}

func (m *merchants) grow(name api.Text) {
	m.names, m.shares = append(m.names, name), append(m.shares, share{})
	m.totals.grow()
}

// fold returns the place of a name, otherMerchants when it has none.
func (m *merchants) fold(name api.Text) uint16 {
	if at, ok := m.spelled[name]; ok {
		return at
	}
	if at, ok := m.folded[strings.ToLower(string(name))]; ok {
		return at
	}
	return otherMerchants
}

// place returns the place of a merchant, which it makes when it has none. Of two
// spellings the first in the order of bytes is shown, whichever came first.
func (m *merchants) place(name api.Text) uint16 {
	if at, ok := m.spelled[name]; ok {
		return at
	}
	folded := strings.ToLower(string(name))
	at, ok := m.folded[folded]
	switch {
	case ok && len(m.spelled) >= maxMerchants:
		return at
	case ok:
		m.names[at] = min(m.names[at], name)
	case len(m.names) == maxMerchants:
		return otherMerchants
	default:
		at = uint16(len(m.names))
		m.folded[folded] = at
		m.grow(name)
	}
	m.spelled[name] = at
	return at
}

// MerchantNames returns the names of the merchants, in the order they were first
// met. They are read only; more come at the end.
func (l *Ledger) MerchantNames() []api.Text { return l.merchants.names[firstMerchant:] }

// maxCountries bounds the countries of merchants: there are fewer codes than that.
const maxCountries = 1 << 12

// country returns the place of a merchant's country, which it makes when it has none; 0
// for one that is not known. Codes that differ in case only are one.
func (l *Ledger) country(code api.Text) uint16 {
	name := countryName(code)
	if _, ok := l.countries.places[name]; !ok && len(l.countries.texts) == maxCountries {
		return 0
	}
	return uint16(l.countries.place(name))
}

func countryName(code api.Text) string { return strings.ToUpper(strings.TrimSpace(string(code))) }

// InCountry reports whether a transaction of a scope is held that was made at a
// merchant of a country, and whether any is held whose country is known.
func (l *Ledger) InCountry(s Scope, code api.Text) (there, anywhere bool) {
	place, known := l.countries.places[countryName(code)]
	l.each(s, l.hour.day()-Days+1, 0, func(_ int32, at ref, _ *entry) {
		country := l.records.link(at).country
		anywhere = anywhere || country != 0
		there = there || known && country != 0 && uint32(country) == place
	})
	return there, anywhere
}
