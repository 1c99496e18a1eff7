package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// snapshotRows bounds the transactions of a snapshot: some eighty screens of
// the feed, and no more, because the history is read anew at each start and
// the reading goes on from SeenTo whatever rows there are.
const snapshotRows = 2000

// Snapshot is what may be kept between runs so that the next one begins with
// a list: nothing in it opens or moves anything. Each part has the time of the
// answer it is from, on this machine's clock, zero for a part not read yet.
type Snapshot struct {
	At time.Time // when it was taken

	Cards   PackedCards
	CardsAt time.Time // every card is at least as new

	Wallet   api.Wallet
	WalletAt time.Time

	Deposits   []api.Deposit
	DepositsAt time.Time

	// Transactions are the newest of the last 24 hours, oldest first, and need
	// not be all. SeenTo, on the server's clock, is up to where all there were
	// have been read.
	Transactions []api.Transaction
	SeenTo       time.Time
	FeedAt       time.Time
}

// Snapshot takes what may be kept. It shares no memory that the store changes.
func (s *Store) Snapshot() Snapshot {
	snap := Snapshot{
		At: s.now, Cards: s.Cards.share(), CardsAt: s.Poll.OKAt(LaneSweep),
		Deposits: slices.Clone(s.Wallet.wallet.deposits), DepositsAt: s.Poll.OKAt(LaneDeposits),
	}
	if s.Wallet.wallet.known {
		snap.Wallet, snap.WalletAt = s.Wallet.wallet.Wallet, s.Poll.OKAt(LaneWallet)
	}
	// Rows without a place to read on from would be the end of what is known,
	// with a gap before them.
	if !s.Txns.feed.seenTo.IsZero() {
		rows := s.Txns.feed.rows()[s.Txns.feed.window:]
		snap.Transactions = slices.Clone(rows[max(0, len(rows)-snapshotRows):])
		snap.SeenTo, snap.FeedAt = s.Txns.feed.seenTo, s.Poll.OKAt(LaneFeed)
	}
	return snap
}

// Recall begins with what an earlier run of the same account knew. It is for
// a store that has not ticked yet. Whatever this run reads counts for more:
// what is recalled is marked, moves no money, and leaves when the first whole
// sweep of the cards does not list it.
func (s *Store) Recall(snap Snapshot) {
	if s.started {
		return
	}
	s.Poll.recallLane(LaneHot, snap.CardsAt)
	s.Poll.recallLane(LaneSweep, snap.CardsAt)
	s.Poll.recallLane(LaneWallet, snap.WalletAt)
	s.Poll.recallLane(LaneDeposits, snap.DepositsAt)
	s.Poll.recallLane(LaneFeed, snap.FeedAt)
	s.Cards.recall(&snap.Cards)
	for _, r := range s.Cards.rows() {
		if r.used != 0 {
			s.Txns.feed.use[r.id] = use{last: r.used.time()}
		}
	}
	s.Wallet.wallet.Wallet, s.Wallet.wallet.deposits = snap.Wallet, slices.Clone(snap.Deposits)
	s.Wallet.wallet.known = !snap.WalletAt.IsZero()
	s.Wallet.wallet.cached = s.Wallet.wallet.known
	s.recallFeed(snap.Transactions, snap.SeenTo)
}

// recallLane gives a lane the age of what is recalled of it.
func (p *PollTable) recallLane(lane Lane, at time.Time) {
	p.Restore(lane, at)
}

func (b *CardsTable) recall(cards *PackedCards) {
	for _, c := range cards.All() {
		if b.get(c.ID) == nil {
			c.Cached, c.Spent24h = true, 0
			b.add(c)
		}
	}
	b.total = b.Len()
	b.log.reset()
}

func (s *Store) recallFeed(rows []api.Transaction, seenTo time.Time) {
	f := &s.Txns.feed
	if seenTo.IsZero() {
		return
	}
	f.seenTo = seenTo
	var news []api.Transaction
	for _, t := range rows {
		if _, ok := f.known[t.ID]; !ok {
			f.known[t.ID] = f.walk
			news = append(news, t)
		}
	}
	// All are within the window until the first tick tells the time.
	s.Txns.insert(news)
}
