// Package insight has what was spent, by card, campaign, BIN, merchant, day and hour, how long the money lasts, and why
// charges were declined.
package insight

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
)

// Table adds up what was spent, held and declined.
type Table struct {
	*kernel.Core
	needs    Needs
	ledger   *ledger.Ledger
	burns    *ledger.Burns
	balances campaign.Balances
	pace     pace
	past     pastReading
	kept     daysKept
	rule     campaign.Rule
	text     string         // of the rule
	named    campaign.Named // where metadata tells campaigns
	// told is the version of the cards that the ledger was told of, added the one
	// that balances is of.
	told, added uint64
	changed     bool // by what was read since the last update
	// declines are those that were read, with why they were.
	declines decline.Log
	facts    decline.Facts // of the one that is explained; reused
	// reading are those that are read in full without anybody opening them.
	reading declineReading
	// listed reports whether they were explained by the list of all cards.
	listed bool
}

// New makes an empty table.
func New(c *kernel.Core, needs Needs) *Table {
	sp := &Table{Core: c, needs: needs, ledger: ledger.New()}
	sp.burns = ledger.NewBurns(sp.ledger, sp.spends)
	sp.Reload()
	return sp
}

// Spent24h returns what was spent on all cards in ledger.Last24h, USD. Complete reports whether all of it was read, and nothing of it was in another currency.
func (sp *Table) Spent24h() (spent api.USD, complete bool) {
	sum := sp.ledger.Total(ledger.Account(), ledger.Last24h)
	return sum.Spent(), sum.Coverage.Complete && sum.Foreign == 0
}

// begin24h is when these 24 hours begin.
func (sp *Table) begin24h() time.Time { return sp.ledger.Begin(ledger.Last24h) }

// Read24h reports whether all transactions of these 24 hours were read.
func (sp *Table) Read24h() bool { return sp.ledger.Coverage(ledger.Last24h).Complete }

// spends reports whether a card can spend its balance.
func (sp *Table) spends(id api.CardID) bool {
	card := sp.needs.Cards.Get(id)
	return card != nil && card.Shown() == api.CardActive
}

// Ledger returns the sums. They are read only, and change with the store.
func (sp *Table) Ledger() *ledger.Ledger { return sp.ledger }

// Reload takes over another rule for campaigns.
func (sp *Table) Reload() {
	if sp.text == sp.Cfg.Campaign {
		return
	}
	// The configuration was checked: what is no rule tells no campaign.
	sp.rule, _ = campaign.Parse(sp.Cfg.Campaign)
	sp.text, sp.told, sp.added, sp.named = sp.Cfg.Campaign, 0, 0, campaign.Named{}
}

// Add adds transactions, whatever they were read for. The ledger is told of the
// cards that have any: most of 100,000 have none, and would take their memory.
func (sp *Table) Add(page []api.Transaction) {
	for i := range page {
		sp.tellNew(page[i].CardID)
	}
	before := sp.ledger.Version()
	sp.ledger.Add(sp.ServerNow(), page)
	sp.changed = sp.changed || sp.ledger.Version() != before
}

// spread writes what cards spent in 24 hours, and when they were used, into their rows, where it changed.
func (sp *Table) spread() (changed bool) {
	sp.ledger.EachMoved(func(id api.CardID) {
		if r := sp.needs.Cards.Find(id); r != nil {
			changed = sp.Write(r) || changed
		}
	})
	return changed
}

// Write writes what a card spent in 24 hours, and when it was used last, into its row. An
// earlier run may have read of a later use.
func (sp *Table) Write(r *cardlist.Row) (changed bool) {
	before := *r
	r.Spent, r.Used = sp.ledger.Spent24h(r.ID), max(r.Used, cardlist.StampOf(sp.ledger.Used(r.ID)))
	return *r != before
}

// tellNew tells the ledger of a card that it does not have yet.
func (sp *Table) tellNew(id api.CardID) {
	if r := sp.needs.Cards.Get(id); r != nil && !sp.ledger.Holds(id) {
		sp.tell(r)
	}
}

// tell tells the ledger the BIN and the campaign of a card, and whether it is terminated.
func (sp *Table) tell(r *cardlist.Row) {
	sp.ledger.Describe(r.ID, r.BIN(), sp.Campaign(r.ID, r.Label))
	sp.ledger.End(r.ID, r.Status() == api.CardTerminated)
}

// Cover records that all transactions of a span were read; to is included. No figure is another when only the
// time went on.
func (sp *Table) Cover(from, to time.Time) {
	before := sp.ledger.ReadBack()
	sp.ledger.Cover(from, to)
	sp.changed = sp.changed || !sp.ledger.ReadBack().Equal(before)
}

// Update tells the ledger of cards that changed, and of the time, and returns what changed since the last
// call.
func (sp *Table) Update(topics kernel.Topic) (changed kernel.Topic) {
	before := sp.ledger.Version()
	sp.ledger.Advance(sp.ServerNow())
	if topics&kernel.TopicCards != 0 {
		sp.describe()
	}
	if sp.spread() {
		changed |= kernel.TopicCards
	}
	if sp.changed || sp.ledger.Version() != before {
		sp.changed = false
		changed |= kernel.TopicSpend
	}
	return changed
}

// describe tells the ledger of its cards that are new in the list or have another
// label.
func (sp *Table) describe() {
	changed, version, known := sp.needs.Cards.Changes(sp.told)
	sp.told = version
	all := sp.needs.Cards.List()
	tell := func(i int) {
		if r := all.Row(i); sp.ledger.Holds(r.ID) {
			sp.tell(r)
		}
	}
	if !known {
		for i := range all.Len() {
			tell(i)
		}
		return
	}
	for _, i := range changed {
		tell(int(i))
	}
}
