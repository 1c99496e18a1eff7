package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txlink"
	"github.com/cardtop/cardtop/state/txnlist"
)

// TxnsTable holds the transactions of the last day and what came since, and the
// details of those that were opened.
type TxnsTable struct {
	*core
	cards  *CardsTable
	poll   *PollTable
	limits *LimitsTable
	feed   feed
	links  links
	detail detailCache
}

const (
	// feedWindow is how far back spending is added up and history is read.
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
	// feedSlot is how exactly spending is recorded for the chart: a bucket may begin
	// that much late.
	feedSlot = 15 * time.Minute
	// Buckets are the bars of the header's spend chart.
	Buckets = 8
)

// feed holds transactions by time, oldest first, each once.
type feed struct {
	txnlist.List
	// known says of each row which walk it came with.
	known map[api.TransactionID]walk
	walk  walk
	// window is the first row within the last 24 hours; rows from there on
	// are added up in use and total.
	window int
	use    map[api.CardID]cardUse
	total  api.USD
	// foreign counts what was spent there in other currencies, which no sum includes.
	foreign int
	slots   map[int64]api.USD // by when they began, in seconds since 1970
	past    txnlist.Paging
	// deep: the walk under way reads the whole overlap. It began at began, on the
	// server's clock. deepFrom is when the last such walk began, deepAt when it
	// ended, deepPages how many pages it read.
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
	asked Seq                 // the request under way, 0 for none
	err   error
	due   time.Time // when to read it; zero: not planned
	read  map[api.TransactionID]detail
	// ahead are declines that alert and are still to be read, aheadDue is when.
	ahead    []api.TransactionID
	aheadDue time.Time
}

// links is what one transaction belongs with, as long as no rows or steps are
// read and no other card is inspected.
type links struct {
	known bool
	of    Transaction
	found []Related
}

// Related is a transaction that another most likely belongs with.
type Related = txlink.Related

// walk numbers the polls of the feed, each of one page or more.
type walk uint32

// cardUse is what the feed shows of one card.
type cardUse struct {
	spent api.USD
	last  time.Time
}

func newFeed() feed {
	return feed{known: make(map[api.TransactionID]walk), use: make(map[api.CardID]cardUse), slots: make(map[int64]api.USD)}
}

// All lists what is held of the feed, oldest first. The slice is
// the store's own: it is read only.
func (tx *TxnsTable) All() []api.Transaction { return tx.feed.Rows() }

// Spent24h is what settled on all cards in the last 24 hours, net of
// refunds, as far as the feed has been read; complete reports whether it has
// been read that far, and nothing was spent in another currency.
func (tx *TxnsTable) Spent24h() (amount api.USD, complete bool) {
	return tx.feed.total, tx.feed.foreign == 0 && tx.Read24h()
}

// Read24h reports whether the feed has been read 24 hours back.
func (tx *TxnsTable) Read24h() bool { return tx.feed.past.ReadSince(tx.ServerNow().Add(-feedWindow)) }

// SpendBuckets splits the last 24 hours' spending, oldest first. What was spent
// in a slot is in the bucket that the slot began in.
func (tx *TxnsTable) SpendBuckets() [Buckets]api.USD {
	var out [Buckets]api.USD
	start := tx.ServerNow().Add(-feedWindow)
	for began, amount := range tx.feed.slots {
		i := int(time.Unix(began, 0).Sub(start) * Buckets / feedWindow)
		out[max(0, min(i, Buckets-1))] += amount
	}
	return out
}

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
	from = earlier(from, serverNow)
	if f.deep && !f.deepFrom.IsZero() {
		from = earlier(from, f.deepFrom)
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
	return earlier(rows[len(rows)-1].CreatedAt, serverNow)
}

// begin decides how far a new walk goes.
func (f *feed) begin(now, serverNow time.Time) {
	f.walk++
	f.began = serverNow
	f.deep = poll.Elapsed(f.deepAt, now) >= min(max(feedDeep, time.Duration(f.deepPages)*feedDeepCost), feedDeepLatest)
}

// endFeed records how far a walk went.
func (tx *TxnsTable) endFeed(pages int, at time.Time) {
	f := &tx.feed
	if newest := f.newest(tx.ServerNow()); !newest.IsZero() {
		f.seenTo = newest
	}
	if tx.poll.Cached(LaneFeed) {
		pages = 0 // It bridged the time since the last run: the next are shorter.
	}
	if f.deep {
		f.deep, f.deepFrom, f.deepAt, f.deepPages = false, f.began, at, pages
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
func (tx *TxnsTable) merge(items []api.Transaction) (changed bool) {
	f := &tx.feed
	// Rows are placed by the window's edge: it must be where it is now.
	changed = tx.expire(tx.ServerNow()) != 0
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

// insert places new rows and adds up those within the window.
func (tx *TxnsTable) insert(news []api.Transaction) {
	f := &tx.feed
	slices.SortFunc(news, txnlist.Compare)
	start, rows := tx.ServerNow().Add(-feedWindow), f.Rows()
	outside := 0
	for i, t := range news {
		tx.limits.countMonth(&news[i], 1)
		if t.CreatedAt.Before(start) || f.window > 0 && txnlist.Before(t, rows[f.window-1]) {
			outside++
			continue
		}
		tx.count(t, 1)
	}
	f.Add(news)
	f.window += outside
}

// update sets the latest state of a known transaction and reports whether it
// is another.
func (tx *TxnsTable) update(t api.Transaction) bool {
	f := &tx.feed
	held, i, ok := f.Find(t)
	if !ok || sameTransaction(*held, t) {
		return false
	}
	if i >= f.window {
		tx.count(*held, -1)
		tx.count(t, 1)
	}
	tx.limits.countMonth(held, -1)
	tx.limits.countMonth(&t, 1)
	*held = t
	return true
}

func sameTransaction(a, b api.Transaction) bool {
	if (a.BalanceAfter == nil) != (b.BalanceAfter == nil) || orZero(a.BalanceAfter) != orZero(b.BalanceAfter) {
		return false
	}
	a.BalanceAfter, b.BalanceAfter = nil, nil
	return a == b
}

// count adds a transaction of the window to the sums, or subtracts it.
func (tx *TxnsTable) count(t api.Transaction, sign api.USD) {
	f := &tx.feed
	u := f.use[t.CardID]
	u.spent += sign * txnlist.Spent(t)
	if sign > 0 && t.CreatedAt.After(u.last) {
		u.last = t.CreatedAt
	}
	f.use[t.CardID] = u
	f.total += sign * txnlist.Spent(t)
	if txnlist.Foreign(&t) {
		f.foreign += int(sign)
	}
	began := t.CreatedAt.Truncate(feedSlot).Unix()
	if f.slots[began] += sign * txnlist.Spent(t); f.slots[began] == 0 {
		delete(f.slots, began)
	}
	if c := tx.cards.find(t.CardID); c != nil {
		c.Spent, c.Used = u.spent, cardlist.StampOf(u.last)
	}
}

// expire moves the window on; rows that leave it are subtracted from the sums.
func (tx *TxnsTable) expire(serverNow time.Time) Topic {
	f := &tx.feed
	start, rows := serverNow.Add(-feedWindow), f.Rows()
	moved := false
	for f.window < len(rows) && rows[f.window].CreatedAt.Before(start) {
		tx.count(rows[f.window], -1)
		f.window++
		moved = true
	}
	if moved {
		return TopicCards | TopicFeed
	}
	return 0
}

// trim removes the oldest rows beyond what is held and returns them. The
// window is never cut.
func (tx *TxnsTable) trim() []api.Transaction {
	f := &tx.feed
	drop := min(len(f.Rows())-feedKept, f.window)
	if drop <= 0 {
		return nil
	}
	gone := slices.Clone(f.Rows()[:drop])
	for _, t := range f.Rows()[:drop] {
		delete(f.known, t.ID)
	}
	tx.limits.trimmed(f.Rows()[drop-1].CreatedAt)
	f.Drop(drop)
	f.window -= drop
	// What was removed is read again when the user scrolls there.
	f.past = txnlist.Paging{Back: f.Rows()[0].CreatedAt}
	return gone
}

// paging is how far the feed was read back.
func (tx *TxnsTable) paging() *txnlist.Paging { return &tx.feed.past }

// during reports whether a time, on the server's clock, is of this run: the feed was
// read before it.
func (tx *TxnsTable) during(at time.Time) bool {
	return !tx.feed.since.IsZero() && !at.Before(tx.feed.since)
}

// holds reports whether the feed holds a transaction.
func (tx *TxnsTable) holds(id api.TransactionID) bool {
	_, ok := tx.feed.known[id]
	return ok
}

// wakes calls at with the times at which the table has something to do.
func (tx *TxnsTable) wakes(at func(time.Time)) {
	at(tx.detail.due)
	if len(tx.detail.ahead) > 0 {
		at(tx.detail.aheadDue)
	}
}

func (tx *TxnsTable) transactionsSince(id api.CardID, from time.Time) []api.Transaction {
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

// spentSince is what a card spent from a time on, USD.
func (tx *TxnsTable) spentSince(id api.CardID, from time.Time) (sum api.USD) {
	rows := tx.feed.Rows()
	for i := len(rows) - 1; i >= 0 && !rows[i].CreatedAt.Before(from); i-- {
		if rows[i].CardID == id {
			sum += txnlist.Spent(rows[i])
		}
	}
	return sum
}
