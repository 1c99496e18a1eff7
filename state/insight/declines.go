package insight

import (
	"cmp"
	"math"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
)

// HistoryRead means that the history of what was done here was read: it tells about old declines.
func (sp *Table) HistoryRead() { sp.listed = false }

const (
	// declineRecent is how long after a decline what is read tells about it: the card's
	// settings and what it held are not known of the past.
	declineRecent = 10 * time.Minute
	// declinePolled is how long after a decline every lane was polled, if nothing
	// slows it.
	declinePolled = 2 * time.Minute
	// declinesRecent bounds how many are explained again with what was read since.
	declinesRecent = 100
)

// Decline returns why a transaction was declined, as far as that is known; false when
// it is none, or one of so long ago that it is not held.
func (sp *Table) Decline(id api.TransactionID) (decline.Answer, bool) {
	if e := sp.declines.Get(id); e != nil {
		return e.Answer, true
	}
	return decline.Answer{}, false
}

// DeclineReason is why the API says that a transaction was declined, where it was read in full;
// empty where that is not known.
func (sp *Table) DeclineReason(id api.TransactionID) string {
	if e := sp.declines.Get(id); e != nil {
		for _, reason := range e.Reasons() {
			return string(reason)
		}
	}
	return ""
}

// Storm returns the storm of retries that a decline is part of; nil for none.
func (sp *Table) Storm(id api.TransactionID) *decline.Storm { return sp.declines.Storm(id) }

// AddDeclines says why the declines of a page were, and tells the ledger of all of
// them, which may have been read before.
func (sp *Table) AddDeclines(page []api.Transaction) kernel.Topic {
	var topics kernel.Topic
	for _, e := range sp.declines.Add(page) {
		topics |= sp.explainDecline(e)
	}
	for i := range page {
		if e := sp.declines.Get(page[i].ID); e != nil {
			sp.ledger.Explain(e.Row.ID, e.Answer.Cause)
		}
	}
	return topics
}

// ExplainLately explains those declines again that what has changed may tell about:
// the recent ones, and the one that is looked at. A poll that brought nothing new
// tells about those that were made just before it.
func (sp *Table) ExplainLately(changed kernel.Topic) kernel.Topic {
	newer, most := declineRecent, declinesRecent
	_, listed := sp.needs.Total()
	switch known := listed && !sp.listed; {
	case changed&kernel.TopicBINs != 0, known: // A maximum tells about old declines as well, and so does that a card is terminated.
		newer, most, sp.listed = ledger.Last30d.Span(), math.MaxInt, listed
	case changed&(kernel.TopicCards|kernel.TopicCodes|kernel.TopicInspector|kernel.TopicFeed) != 0:
	case changed&kernel.TopicHealth != 0:
		newer = declinePolled
	default:
		return 0
	}
	var topics kernel.Topic
	for e := range sp.declines.Since(sp.ServerNow().Add(-newer)) {
		if most--; most < 0 {
			break
		}
		if !e.Sure() {
			topics |= sp.explainDecline(e)
		}
	}
	if e := sp.declines.Get(sp.needs.Txns.Inspected()); e != nil {
		topics |= sp.explainDecline(e)
	}
	return topics
}

func (sp *Table) recent(e *decline.Explained) bool { return sp.since(e) <= declineRecent }

// since is how long ago a transaction was declined.
func (sp *Table) since(e *decline.Explained) time.Duration {
	return sp.ServerNow().Sub(e.Row.CreatedAt)
}

// explainDecline says why a transaction was declined, by what is known now.
func (sp *Table) explainDecline(e *decline.Explained) kernel.Topic {
	f, before := &sp.facts, e.Answer
	sp.declineFacts(f, e)
	e.Explain(sp.Lang, f)
	if e.Answer.Confidence == decline.NotKnown {
		if a, ok := sp.declines.FromStorm(sp.Lang, e.Row.ID, f); ok {
			e.Answer = a
		}
	}
	if a := &e.Answer; a.Confidence == decline.Stated && a.Cause == decline.MonthlyLimit && sp.recent(e) && !sp.needs.Limits.ReadSince(e.Row.CardID, f.At) {
		sp.needs.Limits.Want(e.Row.CardID)
	}
	if e.Answer == before {
		return 0
	}
	sp.ledger.Explain(e.Row.ID, e.Answer.Cause)
	kernel.Tell(sp.Core, Explained{e})
	return kernel.TopicFeed
}

// DeclinesByBIN counts what the cards of each BIN were asked to pay over a range.
func (sp *Table) DeclinesByBIN(over ledger.Range) map[api.BINID]bins.Declines {
	out := make(map[api.BINID]bins.Declines)
	for _, r := range sp.needs.Cards.Rows() {
		if r.Status() != api.CardTerminated {
			d := out[r.BIN()]
			d.Cards++
			out[r.BIN()] = d
		}
	}
	table, _ := sp.ledger.Table(ledger.ByBIN, over, nil)
	for i := range table {
		row := &table[i]
		bin, _ := sp.ledger.Name(ledger.ByBIN, row.Place)
		d := out[api.BINID(bin)]
		d.Asked, d.Declined = row.Now.Attempts(), int(row.Now.Declined)
		out[api.BINID(bin)] = d
	}
	return out
}

// Needs is what insight uses of others.
type Needs struct {
	Notices *kernel.Notices
	Lanes   *kernel.Lanes
	BINs    *bins.Table
	Wallet  *wallets.Table
	Txns    *txns.Table
	Limits  Limits
	History History

	// Cards are the rows of the cards; Total is how many the server says there are, and whether all of them were read.
	Cards *cardlist.Table
	Total func() (n int, complete bool)
	// StatusChanges are how the status of a card was seen to change after a time on the server's clock, the latest first.
	StatusChanges func(id api.CardID, after time.Time) []cardlist.StatusChange
	// Settings are the monthly limit of a card, USD, and its categories; nil where they are not known.
	Settings func(api.CardID) (limit *api.USD, categories *[]api.Text)
	// Inspected is the card that is inspected; empty for none.
	Inspected func() api.CardID
	// Summary reads the summary of a card for its metadata.
	Summary func(poll.Seq, api.CardID) kernel.Effect
	// Challenges are the 3DS challenges of a transaction.
	Challenges func(*api.Transaction) []decline.Challenge3DS
	// Moved is what left the wallet for cards since a time, from here and from other programs, and from when on all of it is
	// known; nil while it is not.
	Moved func(since time.Time) (moved map[api.IdempotencyKey]guard.Moved, from time.Time)
}

// Limits are the monthly limits of cards, and what was spent of them.
type Limits interface {
	// Want has the limit of a card read soon. ReadAfter reports whether it may have been read after a time on the server's
	// clock, ReadSince whether it was.
	Want(api.CardID)
	ReadAfter(api.CardID, time.Time) bool
	ReadSince(api.CardID, time.Time) bool
	// Month is what a card spent in the calendar month, USD, and when that began; zero while nothing is added up. MonthWhole
	// reports whether it is all.
	Month(api.CardID) (sum api.USD, start time.Time)
	MonthWhole(api.CardID) bool
}

// History is what was done from here. Times are on the server's clock.
type History interface {
	// Recorded is how many records there are, and when the latest was made.
	Recorded() (n int, last time.Time)
	// StatusAt is the status that a card was given last before a time, and the one that it had when it was changed next: now
	// where it was not. earlier reports whether an earlier run gave it.
	StatusAt(id api.CardID, at time.Time, now api.CardStatus) (before, after api.CardStatus, earlier bool)
	StatusChanges(id api.CardID, after time.Time) []cardlist.StatusChange
	EndedAfter(api.CardID, time.Time) bool
	UpdatedBefore(api.CardID, time.Time) time.Time
	// UpdatedSince reports whether the settings of a card were written after a time, and the limit that it had before.
	UpdatedSince(api.CardID, time.Time) (limit *api.USD, updated bool)
}

// Explained is told when another answer is known to why a transaction was declined.
type Explained struct{ *decline.Explained }

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
