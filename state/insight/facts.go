package insight

import (
	"cmp"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
)

// declineFacts sets what is known about the time of a decline.
func (sp *Table) declineFacts(f *decline.Facts, e *decline.Explained) {
	t := &e.Row
	*f = decline.Facts{At: t.CreatedAt, Amount: max(t.Amount, -t.Amount), Foreign: !t.InUSD(), Merchant: t.Merchant, BalanceAfter: t.BalanceAfter}
	if full, ok := sp.needs.Txns.Detail(t.ID); ok {
		f.DetailRead, f.Reasons, f.ThreeDS = true, full.Reasons(), full.ThreeDSStatus
		f.Merchant.MCC = cmp.Or(f.Merchant.MCC, full.MCC)
	}
	f.Challenges = sp.needs.Challenges(t)
	row := sp.needs.Cards.Get(t.CardID)
	if row == nil {
		return
	}
	f.Expires = row.Expires.Time()
	now := row.Status()
	if !readAfter(sp.Core, row, f.At) {
		now = ""
	}
	f.Before, f.After, f.EarlierRun = sp.needs.History.StatusAt(row.ID, f.At, now)
	f.Ended = row.Status() == api.CardTerminated &&
		!sp.ledger.Paid(row.ID, f.At) && !sp.needs.History.EndedAfter(row.ID, f.At)
	if bin, ok := sp.needs.BINs.Get(row.BIN()); ok {
		f.BINMaximum, f.BINMonthly = bin.MaxTransaction, bin.MaxMonthly
	}
	f.Updated = sp.needs.History.UpdatedBefore(row.ID, f.At)
	limit, updated := sp.needs.History.UpdatedSince(row.ID, f.At)
	if !updated {
		limit, _ = sp.needs.Settings(row.ID)
	}
	if sp.recent(e) {
		sp.presentFacts(f, row, updated)
	}
	sp.limitFacts(f, row, limit, sp.recent(e))
	f.LimitLater = f.LimitLater || updated
}

// limitFacts are the limit that a card had at the time of a decline, as far as that is known, and what was used of it.
// A limit that was read later may have been another then: they are seldom changed.
func (sp *Table) limitFacts(f *decline.Facts, row *cardlist.Row, limit *api.USD, recent bool) {
	if recent {
		f.Limit, f.LimitLater = limit, sp.needs.Limits.ReadAfter(row.ID, f.At)
	}
	sum, start := sp.needs.Limits.Month(row.ID)
	if start.IsZero() || f.At.Before(start) {
		return
	}
	since := sp.needs.Txns.SpentSince(row.ID, f.At)
	if !recent {
		from := sp.ledger.Coverage(ledger.Last30d).Since
		if from.IsZero() || f.At.Before(from) {
			return
		}
		since = sp.ledger.SpentSince(row.ID, f.At)
		f.Limit, f.LimitLater = limit, true
	}
	f.Month, f.MonthRead = sum-since, sp.needs.Limits.MonthWhole(row.ID)
}

// presentFacts are those that are known of the present only, and so of a decline that
// was made just now. What was changed from here since is not taken for what was so.
func (sp *Table) presentFacts(f *decline.Facts, row *cardlist.Row, updated bool) {
	if before, after := sp.statusAbout(row, f.At); before != "" || after != "" {
		if before != "" {
			f.Before, f.EarlierRun = before, false
		}
		f.After = cmp.Or(after, f.After)
	}
	f.Held = sp.Funds(row.ID).Held
	f.Held.USD = max(0, f.Held.USD-sp.needs.Txns.HeldSince(row.ID, f.At))
	if _, categories := sp.needs.Settings(row.ID); !updated && categories != nil {
		f.Categories, f.CategoriesKnown = *categories, true
	}
}

// readAfter reports whether what the list has of a card was read after a time, on the server's clock.
func readAfter(c *kernel.Core, row *cardlist.Row, at time.Time) bool {
	return !row.Cached && c.Clock.Server(row.Read.Time()).After(at)
}

// statusAbout returns the statuses of a card that were read last before a time on the
// server's clock and first after it; empty for none.
func (sp *Table) statusAbout(row *cardlist.Row, at time.Time) (before, after api.CardStatus) {
	var first cardlist.StatusChange
	for _, changes := range [...][]cardlist.StatusChange{sp.needs.StatusChanges(row.ID, at), sp.needs.History.StatusChanges(row.ID, at)} {
		for _, c := range changes {
			if first.At.IsZero() || c.At.Before(first.At) {
				first = c
			}
		}
	}
	if !first.At.IsZero() {
		return first.From, first.To
	}
	now := row.Status()
	switch {
	case row.Cached: // Nobody knows when it was read.
		return "", ""
	case !readAfter(sp.Core, row, at):
		return now, ""
	}
	if !sp.needs.Txns.During(at) {
		return "", now
	}
	return now, now
}
