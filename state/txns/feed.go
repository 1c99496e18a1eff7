// Package txns has the transactions: those of the last day and since, the past as far as it was read, and those that were
// opened in full.
package txns

import (
	"slices"
	"sort"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txlink"
	"github.com/cardtop/cardtop/state/txnlist"
)

// Table has the transactions of the last day and since, and the
// details of those that were opened.
type Table struct {
	*kernel.Core
	needs   Needs
	notices *kernel.Notices
	lanes   *kernel.Lanes
	feed    feed
	links   links
	detail  detailCache
}

// Needs is what transactions use of others.
type Needs struct {
	Notices   *kernel.Notices
	Lanes     *kernel.Lanes
	Inspected InspectedCard
	Months    Months
	// Found are what a search in the past found, oldest first.
	Found func() []api.Transaction
}

// InspectedCard is the card that is inspected, with its own list of transactions.
type InspectedCard interface {
	// Card is its id; empty for none.
	Card() api.CardID
	Transactions() []api.Transaction
	// Paging is how far the list of a card was read; begun reports whether its first page was.
	Paging(id api.CardID) (p *txnlist.Paging, begun bool)
	// ReadErr is why its first page could not be read.
	ReadErr() error
	// AddOlder adds a page of its past, AddTrimmed what the feed dropped of all cards.
	AddOlder(page []api.Transaction)
	AddTrimmed(gone []api.Transaction)
}

// Months are the sums of the calendar month, by card.
type Months interface {
	// Count adds a transaction, or removes it where sign is -1.
	Count(t *api.Transaction, sign api.USD)
	// Trimmed means that the feed has nothing of up to a moment any more.
	Trimmed(last time.Time)
}

// New returns a table without transactions.
func New(c *kernel.Core, n Needs) *Table {
	return &Table{Core: c, needs: n, notices: n.Notices, lanes: n.Lanes, feed: newFeed()}
}

const (
	// feedWindow is how far back the feed is read at first, from the full hour at or before that on: what is of
	// ledger.Last24h.
	feedWindow = 24 * time.Hour
	// feedOverlap is how far before the newest known transaction each poll
	// starts again, because servers list some of them late.
	feedOverlap = 15 * time.Minute
	// feedDeep is how often at most the whole overlap is read: in between a poll
	// ends at the first page that reaches back to what was known, which a row
	// listed late on a later page, or one that changed there, is not seen behind.
	feedDeep = time.Minute
	// feedDeepCost is how long such a walk lasts for each page it reads: a
	// hundred pages an hour. feedDeepLatest bounds it, because the longer the
	// pause the more there is to read.
	feedDeepCost   = 36 * time.Second
	feedDeepLatest = 10 * time.Minute
	// historyPages bounds the one-time reading of the past: 20,000
	// transactions for 2 % of the hour's requests.
	historyPages = 200
	// feedKept bounds how many transactions are held.
	feedKept = 100_000
)

// feed holds transactions by time, oldest first, each once.
type feed struct {
	txnlist.List
	// known says of each row which walk it came with.
	known map[api.TransactionID]walk
	walk  walk
	past  txnlist.Paging
	// deep: the walk under way reads the whole overlap. It began at began, on this
	// machine's clock: an answer to it may be the first that tells the server's. deepFrom is when the last
	// such walk began, on the server's clock, deepAt when it ended, deepPages how many pages it read.
	deep            bool
	began, deepFrom time.Time
	deepAt          time.Time
	deepPages       int
	// seenTo is up to where all there were have been read, on the server's
	// clock: the newest row when the last walk ended, of this run or of the one
	// before.
	seenTo time.Time
	// since is when the feed was first read in this run, on the server's clock:
	// what was made before is no news.
	since time.Time
}

// detail is a transaction in full, and when it was read.
type detail struct {
	api.TransactionDetail
	at time.Time
}

// detailCache is the one transaction that is inspected, and those
// inspected before.
type detailCache struct {
	id    api.TransactionID
	among []api.TransactionID // newest first
	asked poll.Seq            // the request under way, 0 for none
	err   error
	due   time.Time // when to read it; zero: not planned
	read  map[api.TransactionID]detail
}

// links is what one transaction belongs with, as long as no rows or steps are
// read and no other card is inspected.
type links struct {
	known bool
	card  api.CardID // The inspected one.
	of    api.Transaction
	found []txlink.Related
}

// walk numbers the polls of the feed, each of one page or more.
type walk uint32

func newFeed() feed {
	return feed{known: make(map[api.TransactionID]walk)}
}

// All lists what is held of the feed, oldest first. The slice is
// the store's own: it is read only.
func (tx *Table) All() []api.Transaction { return tx.feed.Rows() }

// overlapFrom is where the next poll starts; zero before the first answer. A
// row listed late must not be dated before the last deep walk and after the
// next.
func (f *feed) overlapFrom(serverNow time.Time) time.Time {
	from := f.seenTo
	if from.IsZero() {
		from = f.newest(serverNow)
	}
	if from.IsZero() {
		return from
	}
	from = kernel.Earlier(from, serverNow)
	if f.deep && !f.deepFrom.IsZero() {
		from = kernel.Earlier(from, f.deepFrom)
	}
	return from.Add(-feedOverlap)
}

// newest is when the latest transaction was made; zero when there is none. A
// row dated ahead of the server's clock must not hide those of now.
func (f *feed) newest(serverNow time.Time) time.Time {
	rows := f.Rows()
	if len(rows) == 0 {
		return time.Time{}
	}
	return kernel.Earlier(rows[len(rows)-1].CreatedAt, serverNow)
}

// begin decides how far a new walk goes.
func (f *feed) begin(now time.Time) {
	f.walk++
	f.began = now
	f.deep = poll.Elapsed(f.deepAt, now) >= min(max(feedDeep, time.Duration(f.deepPages)*feedDeepCost), feedDeepLatest)
}

// EndFeed records how far a walk went.
func (tx *Table) EndFeed(pages int, at time.Time) {
	f := &tx.feed
	if newest := f.newest(tx.ServerNow()); !newest.IsZero() {
		f.seenTo = newest
	}
	if tx.lanes.Cached(poll.Feed) {
		pages = 0 // It bridged the time since the last run: the next are shorter.
	}
	if f.deep {
		f.deep, f.deepFrom, f.deepAt, f.deepPages = false, tx.Clock.Server(f.began), at, pages
	}
}

// reached reports whether a page goes back to what was known before the walk:
// most of the rest is known then from an earlier poll. Its oldest row decides.
// Rows of this walk say nothing: they come twice when others push them down.
func (f *feed) reached(items []api.Transaction) bool {
	if len(items) == 0 {
		return true
	}
	oldest := items[0]
	for _, t := range items[1:] {
		if txnlist.Before(t, oldest) {
			oldest = t
		}
	}
	since, ok := f.known[oldest.ID]
	return ok && since != f.walk
}

// merge adds the transactions that are new and reports whether anything changed.
func (tx *Table) merge(items []api.Transaction) (changed bool) {
	f := &tx.feed
	var news []api.Transaction
	for i, t := range items {
		if _, ok := f.known[t.ID]; ok {
			continue
		}
		if news == nil {
			news = make([]api.Transaction, 0, len(items)-i)
		}
		f.known[t.ID] = f.walk
		news = append(news, t)
	}
	tx.insert(news)
	// Also of the new ones: a page may hold a row twice.
	for _, t := range items {
		changed = tx.update(t) || changed
	}
	return changed || len(news) > 0
}

// insert adds new rows.
func (tx *Table) insert(news []api.Transaction) {
	slices.SortFunc(news, txnlist.Compare)
	for i := range news {
		tx.needs.Months.Count(&news[i], 1)
	}
	tx.feed.Add(news)
}

// update sets the latest state of a known transaction and reports whether it
// is another.
func (tx *Table) update(t api.Transaction) bool {
	f := &tx.feed
	held, ok := f.Find(t)
	if !ok || sameTransaction(*held, t) {
		return false
	}
	tx.needs.Months.Count(held, -1)
	tx.needs.Months.Count(&t, 1)
	*held = t
	return true
}

func sameTransaction(a, b api.Transaction) bool {
	if (a.BalanceAfter == nil) != (b.BalanceAfter == nil) || kernel.OrZero(a.BalanceAfter) != kernel.OrZero(b.BalanceAfter) {
		return false
	}
	a.BalanceAfter, b.BalanceAfter = nil, nil
	return a == b
}

// Fetch requests the first page of a poll of the feed.
func (tx *Table) Fetch(seq poll.Seq) Fetch {
	tx.feed.begin(tx.Time)
	return Fetch{Seq: seq, From: tx.feed.overlapFrom(tx.ServerNow()), Page: 1}
}

// FetchPast requests the first page of the last 24 hours.
func (tx *Table) FetchPast(seq poll.Seq) Fetch {
	return Fetch{Seq: seq, From: tx.dayBegin(), Page: 1, History: true}
}

// Recent returns the newest transactions of 24 hours, at most n, and up to when all were read; nothing before the first
// poll ended: rows without a place to read on from would be the end of what is known, with a gap before them.
func (tx *Table) Recent(n int) (rows []api.Transaction, readTo time.Time) {
	if tx.feed.seenTo.IsZero() {
		return nil, time.Time{}
	}
	rows = tx.All()[tx.recent():]
	return slices.Clone(rows[max(0, len(rows)-n):]), tx.feed.seenTo
}

// Recall begins with what an earlier run had read up to a moment, and returns the transactions that are new.
func (tx *Table) Recall(rows []api.Transaction, readTo time.Time) []api.Transaction {
	f := &tx.feed
	if readTo.IsZero() {
		return nil
	}
	f.seenTo = readTo
	var news []api.Transaction
	for _, t := range rows {
		if _, ok := f.known[t.ID]; !ok {
			f.known[t.ID] = f.walk
			news = append(news, t)
		}
	}
	tx.insert(news)
	return news
}

// dayBegin is from when on the feed is read at first.
func (tx *Table) dayBegin() time.Time { return tx.ServerNow().Add(-feedWindow).Truncate(time.Hour) }

// recent returns the first row of the last 24 hours.
func (tx *Table) recent() int {
	rows, start := tx.feed.Rows(), tx.dayBegin()
	return sort.Search(len(rows), func(i int) bool { return !rows[i].CreatedAt.Before(start) })
}

// trim drops the oldest rows beyond what is kept, and tells of them. Those of the
// last 24 hours stay.
func (tx *Table) trim() {
	f := &tx.feed
	drop := min(len(f.Rows())-feedKept, tx.recent())
	if drop <= 0 {
		return
	}
	gone := slices.Clone(f.Rows()[:drop])
	for _, t := range f.Rows()[:drop] {
		delete(f.known, t.ID)
	}
	tx.needs.Months.Trimmed(f.Rows()[drop-1].CreatedAt)
	f.Drop(drop)
	// What was removed is read again when the user scrolls there.
	f.past = txnlist.Paging{Back: f.Rows()[0].CreatedAt}
	kernel.Tell(tx.Core, Trimmed{gone})
}

// Paging is how far the feed was read back.
func (tx *Table) Paging() *txnlist.Paging { return &tx.feed.past }

// During reports whether a time, on the server's clock, is of this run: the feed was
// read before it.
func (tx *Table) During(at time.Time) bool {
	return !tx.feed.since.IsZero() && !at.Before(tx.feed.since)
}

// holds reports whether the feed holds a transaction.
func (tx *Table) holds(id api.TransactionID) bool {
	_, ok := tx.feed.known[id]
	return ok
}

// Wakes calls at with the times at which the table has something to do.
func (tx *Table) Wakes(at func(time.Time)) {
	at(tx.detail.due)
}

// Since returns a card's transactions from a time on, newest first.
func (tx *Table) Since(id api.CardID, from time.Time) []api.Transaction {
	var out []api.Transaction
	rows := tx.feed.Rows()
	for i := len(rows) - 1; i >= 0; i-- {
		t := rows[i]
		if t.CreatedAt.Before(from) {
			break
		}
		if t.CardID == id {
			out = append(out, t)
		}
	}
	return out
}

// HeldSince is what was held on a card from a time on, USD.
func (tx *Table) HeldSince(id api.CardID, from time.Time) (sum api.USD) {
	rows := tx.feed.Rows()
	for i := len(rows) - 1; i >= 0 && !rows[i].CreatedAt.Before(from); i-- {
		if rows[i].CardID == id && rows[i].Type == api.TransactionAuthorization {
			sum += max(rows[i].Amount, -rows[i].Amount)
		}
	}
	return sum
}

// PaidSince reports whether a merchant has charged a card the same amount (USD) after a time, so that a later try went through. A
// settlement of an earlier hold does not count.
func (tx *Table) PaidSince(id api.CardID, merchant api.Text, amount api.USD, from time.Time) bool {
	rows, settled := tx.feed.Rows(), 0
	for i := len(rows) - 1; i >= 0 && rows[i].CreatedAt.After(from.Add(-holdsLast)); i-- {
		t := &rows[i]
		if t.CardID != id || t.Merchant.Name != merchant || !t.InUSD() || max(t.Amount, -t.Amount) != amount {
			continue
		}
		switch later := t.CreatedAt.After(from); {
		case later && t.Type == api.TransactionAuthorization:
			return true
		case later && t.Type == api.TransactionSettlement:
			settled++
		case t.Type == api.TransactionAuthorization:
			settled--
		}
	}
	return settled > 0
}

// holdsLast is how long an authorization holds money at most (ASSUMED 33).
const holdsLast = 7 * 24 * time.Hour

// SpentSince is what a card spent from a time on, USD.
func (tx *Table) SpentSince(id api.CardID, from time.Time) (sum api.USD) {
	rows := tx.feed.Rows()
	for i := len(rows) - 1; i >= 0 && !rows[i].CreatedAt.Before(from); i-- {
		if rows[i].CardID == id {
			sum += txnlist.Spent(rows[i])
		}
	}
	return sum
}
