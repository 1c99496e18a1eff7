package state

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/rows"
)

// MomentKind is what kind of thing happened to a card.
type MomentKind uint8

// The kinds.
const (
	MomentTransaction MomentKind = iota
	MomentCode                   // a challenge that waits
	MomentEnded                  // a challenge that is over
	MomentStatus                 // another state was seen
	MomentRecord                 // something was done from this machine
)

// Moment is one thing that is known to have happened to a card. Of the fields
// after Kind the one it names is set. Nothing in it is secret.
type Moment struct {
	// ID tells it from all others of its card.
	ID string
	// At is on the server's clock. A record's time is of this machine's and
	// turned into it.
	At   time.Time
	Kind MomentKind

	Transaction *api.Transaction
	Code        api.ChallengeID
	Ended       *Ended
	Status      *StatusChange
	Record      *Record
}

// Moments are what is known of the inspected card's life, newest first: its
// transactions, its codes, the changes of its state that were seen, and what
// was done with it from this machine. It looks through the feed and the
// history, so it is for when they have changed and not for each frame.
func (s *Store) Moments() []Moment {
	card := s.Info.inspector.card
	if card == "" {
		return nil
	}
	var out []Moment
	for _, t := range s.ownTransactions() {
		out = append(out, Moment{ID: string(t.ID), At: t.CreatedAt, Kind: MomentTransaction, Transaction: &t})
	}
	for i := range s.Codes.codes.rows {
		if c := &s.Codes.codes.rows[i]; c.Card == card {
			out = append(out, Moment{ID: string(c.ID), At: c.CreatedAt, Kind: MomentCode, Code: c.ID})
		}
	}
	for _, e := range s.Codes.codes.ended {
		if e.Card == card {
			out = append(out, Moment{ID: string(e.ID), At: e.EndedAt, Kind: MomentEnded, Ended: &e})
		}
	}
	for _, c := range s.Codes.statuses {
		if c.Card == card {
			out = append(out, Moment{ID: "status " + c.At.Format(time.RFC3339Nano), At: c.At, Kind: MomentStatus, Status: &c})
		}
	}
	for _, r := range s.History.past.rows {
		if r.Card == card {
			id := "record " + string(r.Key) + " " + r.Outcome + " " + r.At.Format(time.RFC3339Nano)
			out = append(out, Moment{ID: id, At: s.clock.Server(r.At), Kind: MomentRecord, Record: &r})
		}
	}
	slices.SortStableFunc(out, func(a, b Moment) int { return b.At.Compare(a.At) })
	return out
}

// ownTransactions are those of the inspected card, newest first: its own list,
// and what the feed has of it, which may be newer and may go further back.
func (s *Store) ownTransactions() []api.Transaction {
	var fed []api.Transaction
	rows := s.Txns.feed.rows()
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].CardID == s.Info.inspector.card {
			fed = append(fed, rows[i])
		}
	}
	return withRows(s.Info.inspector.txns, fed)
}

// MonthSpent is what settled on the inspected card since the calendar month
// began in UTC, net of refunds, as far as its transactions were read; whole
// tells whether they were read back to then. Spending limits are by that month
// (ASSUMED 29).
func (s *Store) MonthSpent() (amount api.USD, whole bool) {
	now := s.ServerNow().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	for _, t := range s.ownTransactions() {
		if !t.CreatedAt.Before(month) {
			amount += spent(t)
		}
	}
	return amount, s.readSince(month)
}

// readSince tells whether all transactions of the inspected card since a time
// were read: its own list reaches back so far, or the feed does.
func (s *Store) readSince(from time.Time) bool {
	return s.Info.inspector.past.since(from) || s.Txns.feed.past.since(from)
}

// MomentRows are moments for other programs. Times are UTC, amounts USD.
func (s *Store) MomentRows(moments []Moment) Rows {
	cells := make([][]Cell, 0, len(moments))
	for i := range moments {
		cells = append(cells, s.momentCells(&moments[i]))
	}
	return Rows{
		What: "timeline", N: len(cells), Columns: []string{"time", "kind", "what", "who", "amount", "balance", "note", "id"},
		Row: func(i int) []Cell { return cells[i] },
	}
}

func (s *Store) momentCells(m *Moment) []Cell {
	row := func(kind, what, who string, amount, balance *api.USD, note, id string) []Cell {
		return []Cell{rows.Time(m.At), rows.Text(kind), rows.Text(what), rows.Text(who), toldCell(amount), toldCell(balance), rows.Text(note), rows.Text(id)}
	}
	told := func(known bool, u api.USD) *api.USD {
		if !known {
			return nil
		}
		return &u
	}
	switch m.Kind {
	case MomentTransaction:
		t := m.Transaction
		return row("transaction", string(t.Type), string(t.Merchant.Name), &t.Amount, t.BalanceAfter, "", string(t.ID))
	case MomentCode:
		c, _ := s.Codes.codes.find(m.Code)
		return row("code", string(c.Status), string(c.Merchant), told(c.AmountKnown, c.Amount), nil, replacedNote(c.Replaced), string(m.Code))
	case MomentEnded:
		e := m.Ended
		return row("code", string(e.Status), string(e.Merchant), told(e.AmountKnown, e.Amount), nil, replacedNote(e.Replaced), string(e.ID))
	case MomentStatus:
		return row("status", string(m.Status.To), "", nil, nil, "was "+string(m.Status.From), "")
	case MomentRecord:
		r := m.Record
		note := strings.Join(slices.DeleteFunc([]string{r.Outcome, r.Err}, func(s string) bool { return s == "" }), ": ")
		return row("operation", r.Action, r.User, told(r.Amount != 0, r.Amount), r.CardAfter, note, string(r.RequestID))
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
