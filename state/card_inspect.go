package state

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/txnlist"
)

// TimelineKind is the kind of a card's event.
type TimelineKind uint8

// The kinds.
const (
	TimelineTransaction TimelineKind = iota
	TimelineCode                     // a challenge that waits
	TimelineEnded                    // a challenge that is over
	TimelineStatus                   // another state was seen
	TimelineRecord                   // something was done from this machine
)

// TimelineEntry is one event of a card. Of the fields
// after Kind the one it names is set. Nothing in it is secret.
type TimelineEntry struct {
	// ID is unique among those of its card.
	ID string
	// At is on the server's clock. A record's time is of this machine's and
	// turned into it.
	At   time.Time
	Kind TimelineKind

	Transaction *api.Transaction
	Code        api.ChallengeID
	Ended       *codes.Ended
	Status      *cardlist.StatusChange
	Record      *Record
}

// Timeline returns the history of the inspected card, newest first: its
// transactions, its codes, the changes of its state that were seen, and what
// was done with it from this machine. It searches the feed and the
// history, so it is for when they have changed and not for each frame.
func (s *Store) Timeline() []TimelineEntry {
	card := s.Info.inspector.card
	if card == "" {
		return nil
	}
	var out []TimelineEntry
	for _, t := range s.ownTransactions() {
		out = append(out, TimelineEntry{ID: string(t.ID), At: t.CreatedAt, Kind: TimelineTransaction, Transaction: &t})
	}
	waiting := s.Codes.All()
	for i := range waiting {
		if c := &waiting[i]; c.Card == card {
			out = append(out, TimelineEntry{ID: string(c.ID), At: c.CreatedAt, Kind: TimelineCode, Code: c.ID})
		}
	}
	for _, e := range s.Codes.Ended() {
		if e.Card == card {
			out = append(out, TimelineEntry{ID: string(e.ID), At: e.EndedAt, Kind: TimelineEnded, Ended: &e})
		}
	}
	for _, c := range s.Cards.statuses {
		if c.Card == card {
			out = append(out, TimelineEntry{ID: "status " + c.At.Format(time.RFC3339Nano), At: c.At, Kind: TimelineStatus, Status: &c})
		}
	}
	for _, r := range s.History.past.rows {
		if r.Card == card {
			id := "record " + string(r.Key) + " " + r.Outcome + " " + r.At.Format(time.RFC3339Nano)
			out = append(out, TimelineEntry{ID: id, At: s.Clock.Server(r.At), Kind: TimelineRecord, Record: &r})
		}
	}
	slices.SortStableFunc(out, func(a, b TimelineEntry) int { return b.At.Compare(a.At) })
	return out
}

// ownTransactions are those of the inspected card, newest first: its own list,
// and what the feed has of it, which may be newer and may go further back.
func (s *Store) ownTransactions() []api.Transaction {
	var fed []api.Transaction
	rows := s.Txns.All()
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].CardID == s.Info.Card() {
			fed = append(fed, rows[i])
		}
	}
	return txnlist.Merge(s.Info.inspector.txns, fed)
}

// MonthSpent is what settled on the inspected card since the calendar month
// began in UTC, net of refunds, as far as its transactions were read; whole
// reports whether they were read back to then. Where the sum of the list of cards holds
// more, that is it. Spending limits are by that month (ASSUMED 29).
func (s *Store) MonthSpent() (amount api.USD, whole bool) {
	now := s.ServerNow().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	foreign := false
	for _, t := range s.ownTransactions() {
		if !t.CreatedAt.Before(month) {
			amount += txnlist.Spent(t)
			foreign = foreign || txnlist.Foreign(&t)
		}
	}
	if foreign {
		return amount, false
	}
	if s.readSince(month) {
		return amount, true
	}
	row := s.Info.cards.find(s.Info.Card())
	switch {
	case row == nil:
		return amount, false
	case s.Limits.MonthWhole(row.ID):
		return row.Month, true
	default:
		return max(amount, row.Month), false
	}
}

// readSince reports whether all transactions of the inspected card since a time
// were read: its own list reaches back so far, or the feed does.
func (s *Store) readSince(from time.Time) bool {
	return s.Info.inspector.past.ReadSince(from) || s.Txns.Paging().ReadSince(from)
}

// TimelineRows are the entries for other programs. Times are UTC, amounts USD.
func (s *Store) TimelineRows(entries []TimelineEntry) rows.Rows {
	cells := make([][]rows.Cell, 0, len(entries))
	for i := range entries {
		cells = append(cells, s.timelineCells(&entries[i]))
	}
	return rows.Rows{
		What: "timeline", N: len(cells), Columns: []string{"time", "kind", "what", "who", "amount", "balance", "note", "id"},
		Row: func(i int) []rows.Cell { return cells[i] },
	}
}

func (s *Store) timelineCells(m *TimelineEntry) []rows.Cell {
	row := func(kind, what, who string, amount, balance *api.USD, note, id string) []rows.Cell {
		return []rows.Cell{rows.Time(m.At), rows.Text(kind), rows.Text(what), rows.Text(who), rows.Maybe(amount), rows.Maybe(balance), rows.Text(note), rows.Text(id)}
	}
	amount := func(known bool, u api.USD) *api.USD {
		if !known {
			return nil
		}
		return &u
	}
	switch m.Kind {
	case TimelineTransaction:
		t := m.Transaction
		if !t.InUSD() {
			return row("transaction", string(t.Type), string(t.Merchant.Name), nil, t.BalanceAfter, s.Lang.Transaction(t), string(t.ID))
		}
		return row("transaction", string(t.Type), string(t.Merchant.Name), &t.Amount, t.BalanceAfter, "", string(t.ID))
	case TimelineCode:
		c, _ := s.Codes.Find(m.Code)
		return row("code", string(c.Status), string(c.Merchant), amount(c.AmountKnown, c.Amount), nil, replacedNote(c.Replaced), string(m.Code))
	case TimelineEnded:
		e := m.Ended
		return row("code", string(e.Status), string(e.Merchant), amount(e.AmountKnown, e.Amount), nil, replacedNote(e.Replaced), string(e.ID))
	case TimelineStatus:
		return row("status", string(m.Status.To), "", nil, nil, "was "+string(m.Status.From), "")
	case TimelineRecord:
		r := m.Record
		note := strings.Join(slices.DeleteFunc([]string{r.Outcome, r.Err}, func(s string) bool { return s == "" }), ": ")
		return row("operation", r.Action, r.User, amount(r.Amount != 0, r.Amount), r.CardAfter, note, string(r.RequestID))
	}
	return row("", "", "", nil, nil, "", "")
}

// replacedNote is the note of a code in the timeline.
func replacedNote(replaced bool) string {
	if replaced {
		return "replaced"
	}
	return ""
}

// InspectCard requests a card's summary and its own transactions. An empty
// id closes the inspector.
type InspectCard struct {
	Card api.CardID
	// Passed is when the user came to it while they go through cards: it is read where they
	// stay. Zero has it read at once.
	Passed time.Time
}

func (in InspectCard) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	// What is revealed belongs to the card that was selected before.
	topics, effects := s.Secrets.Hide()
	return topics | kernel.TopicInspector, append(effects, s.Info.inspect(in.Card, in.Passed)...)
}

func (ev SummaryLoaded) Apply(s *Store) (topics kernel.Topic, effects []kernel.Effect) {
	var before cardlist.Row
	if c := s.Cards.find(ev.Card); c != nil {
		before = *c
	}
	if ev.learn(s) {
		topics |= kernel.TopicCards
	}
	if ev.Limit {
		s.Limits.limits.answered(ev.Seq)
	}
	if ev.Campaign {
		s.Insight.SummaryRead(ev.Seq)
	}
	if c := s.Cards.find(ev.Card); c != nil && ev.Seq > c.Fence {
		s.recordStatus(c, ev.Summary.Status, ev.At)
		c.Fence, c.Read = ev.Seq-1, cardlist.StampOf(ev.At)
		before.Fence, before.Read = c.Fence, c.Read
		c.SetStatus(ev.Summary.Status)
		c.Balance, c.Cached = ev.Summary.Balance, false
		setLabel(c, ev.Summary.Label, ev.Summary.NoLabel)
		s.Cards.changeStatus(c, before.Status(), ev.At)
		resolved, forget := s.resolveByStatus(c)
		topics, effects = topics|resolved, forget
		// An operation without an answer is compared with every reading.
		if _, busy := s.Ops.Pending(ev.Card); busy || *c != before {
			topics |= kernel.TopicCards
		}
	}
	last, known := s.Info.summaries[ev.Card]
	if (known || !ev.Limit && !ev.Campaign) && (!known || !reflect.DeepEqual(last.CardSummary, ev.Summary)) {
		topics |= kernel.TopicInspector
	}
	if known || !ev.Limit && !ev.Campaign {
		s.Info.saveSummary(ev)
	}
	if ev.Row != "" {
		topics, effects = topics|kernel.TopicOps, append(effects, rowRead(s, ev)...)
	}
	if ev.Card != s.Info.Card() || ev.Seq != s.Info.inspector.seq {
		return topics, effects
	}
	s.Info.inspector.summary, s.Info.inspector.okAt = &ev.Summary, ev.At
	return topics | kernel.TopicInspector, effects
}

// learn keeps what lists do not say of a card, and reports whether a column shows more by it: that there is
// none is shown as well.
func (ev SummaryLoaded) learn(s *Store) (shown bool) {
	shown = s.Cards.setExpiry(ev.Card, ev.Summary.ExpiresAt) ||
		ev.Summary.ExpiresAt.IsZero() && s.Limits.undatable(ev.Card)
	if ev.Seq >= s.Info.answers[ev.Card].seq { // Else a write has a newer value.
		shown = s.Limits.setLimit(ev.Card, ev.Summary.SpendingLimit, ev.At) || shown
		s.Insight.Learn(ev.Card, ev.Summary.Metadata)
	}
	return shown
}

func (f FetchSummary) Failed(s *Store, e kernel.Failure) kernel.Topic {
	s.Limits.limitFailed(f, e.Err, e.At, e.Wait)
	if f.Campaign {
		s.Insight.SummaryFailed(f.Seq, f.Card, e)
	}
	return s.Bulk.rowUnread(f, e) | s.Info.failed(f.Seq, e)
}

func (f FetchCardTransactions) Failed(s *Store, e kernel.Failure) kernel.Topic {
	return s.Info.failed(f.Seq, e)
}

func (ev CardTransactionsLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Info.transactionsLoaded(ev), nil
}

func (ev CardTransactionsLoaded) Transactions() []api.Transaction { return ev.Items }
