package state

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/rows"
)

// HistoryTable holds the operations of the past.
type HistoryTable struct {
	*core
	past pastRecords
}

// Record is a line of the history: what came of an operation. It holds no
// secret. Amounts are USD.
type Record struct {
	At time.Time
	// User is the login at this machine, Mode and Profile the account.
	User, Mode, Profile string
	// Via is how it was asked for: "cli" by a command, empty on the screen.
	Via string
	// Action is what was asked for, such as "fund".
	Action        string
	Method, Route string
	Card          api.CardID
	// Name is the card's label and last digits, Label the label alone, as it was
	// when the operation began.
	Name, Label string
	// Amount is what moved as the answer says, or else what was asked for.
	Amount api.USD
	// Balances as the answer says; nil where it does not.
	CardBefore, CardAfter, WalletAfter *api.USD
	// CardShown and WalletShown are what the confirmation said that they would
	// be; nil where it said nothing for certain.
	CardShown, WalletShown *api.USD
	RequestID              api.Text
	Outcome                OpStatus
	// Err is in one line why it was not done, or is not known.
	Err   string
	Tries int
	// Took is the duration of the last try.
	Took time.Duration
	Key  api.IdempotencyKey
}

// StatusAt is a status with its time, this machine's clock: when it was
// said, and of what has no answer, when it last began.
type StatusAt struct {
	Status OpStatus
	At     time.Time
}

// Latest returns the status that counts when a later file has another. What is
// settled stays; else the later file has to be about the latest try, and one
// from before says nothing of it.
func (w StatusAt) Latest(later StatusAt) StatusAt {
	open := !Settled(w.Status) || w.Status == OpStatusDismissed
	if open && later.At.After(w.At) {
		return later
	}
	return w
}

// OpStatuses lists the words.
func OpStatuses() []OpStatus {
	return []OpStatus{OpStatusBegun, OpStatusDone, OpStatusRefused, OpStatusNotSent, OpStatusUnknown, OpStatusResolvedDone, OpStatusResolvedNotDone, OpStatusDismissed}
}

// Settled reports whether a status is final.
func Settled(f OpStatus) bool { return f != "" && f != OpStatusBegun && f != OpStatusUnknown }

// HistoryShown bounds how many records the store holds; older ones stay on
// disk.
const HistoryShown = 5000

// pastRecords is the history as far as it was read, and what came since.
type pastRecords struct {
	rows    []Record // the oldest first
	joined  []Record // the same, an operation each
	loading bool
	known   bool
	err     error
}

// Past is the history, as far as it is shown.
type Past struct {
	// Rows are the latest records of operations, the oldest first, one each: on disk
	// there is a record of every status. The slice is the store's own.
	Rows []Record
	// Known reports whether the file was read, Loading that it is being read.
	Known, Loading bool
	// Err is why it could not be read; nil when it was.
	Err error
}

// Past returns the history. It is read when it is asked for with LoadHistory.
func (h *HistoryTable) Past() Past {
	return Past{Rows: h.past.joined, Known: h.past.known, Loading: h.past.loading, Err: h.past.err}
}

func (h *HistoryTable) load() []Effect {
	if h.past.loading {
		return nil
	}
	h.past.loading = true
	return []Effect{FetchHistory{}}
}

// loaded merges what the file holds, and retains what it lacks: what was
// written while it was read, and what could not be.
func (h *HistoryTable) loaded(ev HistoryLoaded) {
	h.past.loading, h.past.err = false, ev.Err
	if ev.Err != nil {
		return
	}
	type name struct {
		key     api.IdempotencyKey
		outcome OpStatus
		at      int64
	}
	nameOf := func(r *Record) name { return name{r.Key, r.Outcome, r.At.UnixNano()} }
	rows := slices.Clone(ev.Records)
	slices.Reverse(rows)
	there := make(map[name]bool, len(rows))
	for i := range rows {
		there[nameOf(&rows[i])] = true
	}
	for i := range h.past.rows {
		if r := &h.past.rows[i]; !there[nameOf(r)] {
			rows = append(rows, *r)
		}
	}
	slices.SortStableFunc(rows, func(a, b Record) int { return a.At.Compare(b.At) })
	h.past.rows, h.past.known = rows, true
	h.trimPast()
}

// record adds a line of the history.
func (h *HistoryTable) record(r *Record) Topic {
	if r == nil {
		return 0
	}
	h.past.rows = append(h.past.rows, *r)
	h.trimPast()
	return TopicHistory
}

// trimPast removes the oldest records beyond the bound, and joins those of one
// operation.
func (h *HistoryTable) trimPast() {
	if n := len(h.past.rows) - HistoryShown; n > 0 {
		h.past.rows = slices.Delete(h.past.rows, 0, n)
	}
	last := make(map[api.IdempotencyKey]int, len(h.past.rows))
	for i := range h.past.rows {
		last[h.past.rows[i].Key] = i
	}
	h.past.joined = h.past.joined[:0]
	for i := range h.past.rows {
		if r := h.past.rows[i]; last[r.Key] == i || r.Key == "" {
			h.past.joined = append(h.past.joined, r)
		}
	}
}

// RecordRows are records for other programs. Amounts are USD, times UTC.
func RecordRows(records []Record) Rows {
	return Rows{
		What: "history", N: len(records), Row: func(i int) []Cell { return records[i].cells() },
		Columns: []string{
			"time", "user", "mode", "profile", "action", "card", "name", "amount", "card_before", "card_after", "wallet_after",
			"outcome", "error", "request_id", "tries", "ms", "method", "route", "key", "card_shown", "wallet_shown", "via",
		},
	}
}

func (r *Record) cells() []Cell {
	return []Cell{
		rows.Time(r.At), rows.Text(r.User), rows.Text(r.Mode), rows.Text(r.Profile), rows.Text(r.Action), rows.Text(r.Card), rows.Text(r.Name),
		rows.Money(r.Amount), moneyCell(r.CardBefore), moneyCell(r.CardAfter), moneyCell(r.WalletAfter),
		rows.Text(r.Outcome), rows.Text(r.Err), rows.Text(r.RequestID), rows.Count(r.Tries), rows.Count(int(r.Took.Milliseconds())),
		rows.Text(r.Method), rows.Text(r.Route), rows.Text(ShortKey(r.Key)),
		moneyCell(r.CardShown), moneyCell(r.WalletShown), rows.Text(r.Via),
	}
}

// ShortKey is the beginning of an idempotency key, enough to distinguish it from
// others.
func ShortKey(key api.IdempotencyKey) string {
	const shown = 8
	return string(key[:min(len(key), shown)])
}

// Text is what a record is found by, in lower case.
func (r Record) Text() string {
	return strings.ToLower(strings.Join([]string{
		r.Action, r.Outcome, r.Name, string(r.Card), r.Amount.Grouped(), r.User, r.Profile, r.Mode, string(r.RequestID), r.Err, string(r.Key),
		r.At.UTC().Format(time.DateOnly),
	}, " "))
}

// FetchHistory reads the history from disk.
type FetchHistory struct{}

func (FetchHistory) effect() {}

// Label is what the user waits for; at the start nobody does.
func (FetchHistory) Label(asked bool) string {
	if !asked {
		return ""
	}
	return "reading the history"
}

// HistoryLoaded is the history, the newest record first, or why it could not
// be read.
type HistoryLoaded struct {
	Meta
	Records []Record
	Err     error
}

func (ev HistoryLoaded) apply(s *Store) (Topic, []Effect) {
	s.History.loaded(ev)
	return TopicHistory, nil
}

// LoadHistory requests the history of what was done.
type LoadHistory struct{}

func (LoadHistory) start(s *Store) (Topic, []Effect) { return TopicHistory, s.History.load() }

// snapshotRows bounds the transactions of a snapshot: some eighty screens of
// the feed, and no more, because the history is read anew at each start and
// the reading goes on from SeenTo whatever rows there are.
const snapshotRows = 2000

// Snapshot is what may be stored between runs so that the next one begins with
// a list: nothing in it opens or moves anything. Each part has the time of the
// answer it is from, on this machine's clock, zero for a part not read yet.
type Snapshot struct {
	At time.Time // when it was made

	// Cards may be the first of Total cards; the others follow as CardsRecalled.
	Cards   PackedCards
	Total   int
	CardsAt time.Time // every card is at least as new
	// Order is the order in which the cards are worth most to the next run, by
	// their places; nil for their own.
	Order []int32

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

// Snapshot returns what may be stored. It shares no memory that the store changes.
func (s *Store) Snapshot() Snapshot {
	snap := Snapshot{
		At: s.now, Cards: s.Cards.table.Share(), Total: s.Cards.Len(), CardsAt: s.Poll.OKAt(LaneSweep),
		Deposits: slices.Clone(s.Wallet.wallet.deposits), DepositsAt: s.Poll.OKAt(LaneDeposits),
	}
	if s.Wallet.wallet.known {
		snap.Wallet, snap.WalletAt = s.Wallet.wallet.Wallet, s.Poll.OKAt(LaneWallet)
	}
	// Rows without a place to read on from would be the end of what is known,
	// with a gap before them.
	if !s.Txns.feed.seenTo.IsZero() {
		rows := s.Txns.All()[s.Txns.feed.window:]
		snap.Transactions = slices.Clone(rows[max(0, len(rows)-snapshotRows):])
		snap.SeenTo, snap.FeedAt = s.Txns.feed.seenTo, s.Poll.OKAt(LaneFeed)
	}
	return snap
}

// Recall begins with what an earlier run of the same account knew. It is for
// a store that has not ticked yet. Whatever this run reads counts for more:
// what is recalled is marked, moves no money, and is removed when the first complete
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
	s.recallCards(&snap.Cards)
	s.Cards.table.Reset()
	if s.Cards.total = max(snap.Total, s.Cards.Len()); s.Cards.total > s.Cards.Len() {
		s.Cards.recalling = true
		s.wants = append(s.wants, RecallCards{})
	}
	s.Wallet.wallet.Wallet, s.Wallet.wallet.deposits = snap.Wallet, slices.Clone(snap.Deposits)
	s.Wallet.wallet.known = !snap.WalletAt.IsZero()
	s.Wallet.wallet.cached = s.Wallet.wallet.known
	s.recallFeed(snap.Transactions, snap.SeenTo)
}

// recallLane sets the age of a lane to that of what is recalled of it.
func (p *PollTable) recallLane(lane Lane, at time.Time) {
	p.Restore(lane, at)
}

// recallCards adds cards of an earlier run that this one has not read.
func (s *Store) recallCards(cards *PackedCards) {
	for i := range cards.Len() {
		r := cards.Row(i)
		if s.Cards.get(r.ID) != nil {
			continue
		}
		if r.Used != 0 {
			s.Txns.feed.use[r.ID] = cardUse{last: r.Used.Time()}
		}
		s.Cards.recall(r)
	}
}

// recall adds a card with what an earlier run knew of it: what was sent and when
// it was read was that run's.
func (ca *CardsTable) recall(r *cardlist.Row) {
	added := ca.add(Card{ID: r.ID})
	added.Label, added.Kind, added.Last4 = r.Label, r.Kind, r.Last4
	added.Balance, added.Created, added.Used, added.Cached = r.Balance, r.Created, r.Used, true
}

// RecallCards reads more of the cards of an earlier run from disk.
type RecallCards struct{}

func (RecallCards) effect() {}

// CardsRecalled are more cards of an earlier run; More reports whether others
// follow.
type CardsRecalled struct {
	Meta
	Cards PackedCards
	More  bool
}

// apply adds what this run has not read. A complete sweep has: what it did not
// list is gone.
func (ev CardsRecalled) apply(s *Store) (Topic, []Effect) {
	if !s.Cards.recalling {
		return 0, nil
	}
	s.recallCards(&ev.Cards)
	if ev.More {
		return TopicCards, []Effect{RecallCards{}}
	}
	s.Cards.recalling = false
	return TopicCards, nil
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
	// All are within the window until the first tick sets the time.
	s.Txns.insert(news)
	s.addDeclines(news)
}

// MovedBy returns what records, the oldest first, and operations without an answer
// moved out of the wallet. What is unknown counts as moved.
func MovedBy(records []Record, open []Op) []Moved {
	all := make(map[api.IdempotencyKey]Moved)
	for _, r := range records {
		countRecord(all, r)
	}
	for i := range open {
		countOp(all, &open[i])
	}
	out := make([]Moved, 0, len(all))
	for _, m := range all {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b Moved) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(string(a.Key), string(b.Key)))
	})
	return out
}

func countRecord(all map[api.IdempotencyKey]Moved, r Record) {
	if r.Action != OpFund.Verb() && r.Action != OpIssue.Verb() {
		return
	}
	switch r.Outcome {
	case OpStatusRefused, OpStatusNotSent, OpStatusResolvedNotDone:
		delete(all, r.Key)
	default:
		m, known := all[r.Key]
		if !known {
			m = Moved{Key: r.Key, At: r.At}
		}
		m.Amount = r.Amount
		m.Label = cmp.Or(r.Label, m.Label)
		all[r.Key] = m
	}
}

func countOp(all map[api.IdempotencyKey]Moved, op *Op) {
	if _, known := all[op.Key]; !known && op.Kind.FromWallet() {
		all[op.Key] = Moved{Key: op.Key, At: op.At, Amount: op.Amount, Label: op.Label}
	}
}

// records are the records there are, the oldest first.
func (h *HistoryTable) records() []Record { return h.past.rows }

// statusChanges returns how the status of a card was changed from here after a time,
// on the server's clock.
func (h *HistoryTable) statusChanges(id api.CardID, after time.Time, server func(time.Time) time.Time) (out []StatusChange) {
	for i := len(h.past.rows) - 1; i >= 0; i-- {
		r := &h.past.rows[i]
		at := server(r.At)
		if !at.After(after) {
			break
		}
		if r.Card != id || r.Outcome != OpStatusDone {
			continue
		}
		switch r.Action {
		case OpFreeze.Verb():
			out = append(out, StatusChange{Card: id, From: api.CardActive, To: api.CardFrozen, At: at})
		case OpUnfreeze.Verb():
			out = append(out, StatusChange{Card: id, From: api.CardFrozen, To: api.CardActive, At: at})
		case OpTerminate.Verb():
			out = append(out, StatusChange{Card: id, To: api.CardTerminated, At: at})
		default:
		}
	}
	return out
}

// movedLately returns what left the wallet since a time, as the history and the other
// dashboards say, and from when on the history has all; nothing while it was not read.
func (h *HistoryTable) movedLately(since time.Time, others []Moved) (moved map[api.IdempotencyKey]Moved, from time.Time) {
	rows := h.past.rows
	if !h.past.known {
		return nil, from
	}
	if len(rows) == HistoryShown {
		from = rows[0].At
	}
	moved = make(map[api.IdempotencyKey]Moved)
	for _, m := range others {
		moved[m.Key] = m
	}
	for i := range rows {
		if rows[i].At.After(since) {
			countRecord(moved, rows[i])
		}
	}
	return moved, from
}
