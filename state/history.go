package state

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/rule"
)

// HistoryTable holds the operations of the past.
type HistoryTable struct {
	*kernel.Core
	past pastRecords
}

// Record is a line of the history: what came of an operation. It holds no
// secret. Amounts are USD.
type Record struct {
	At time.Time
	// User is the login at this machine, Mode and Profile the account.
	User, Mode, Profile string
	// Via is how it was asked for: "cli" by a command, "mcp" by an assistant, empty
	// on the screen.
	Via string
	// Action is what was asked for, such as "fund".
	Action        string
	Method, Route string
	Card          api.CardID
	// Name is the card's label and last digits, Label the label alone, as it was
	// when the operation began.
	Name, Label string
	// Amount is what moved as the answer says, or else what was asked for. Asked is what was
	// asked for; 0 in records of earlier versions, and where no amount was.
	Amount, Asked api.USD
	// Mismatch says where the answer is not what was asked for; empty when it is.
	Mismatch string
	// Balances as the answer says; nil where it does not.
	CardBefore, CardAfter, WalletAfter *api.USD
	// CardShown and WalletShown are what the confirmation said that they would
	// be; nil where it said nothing for certain.
	CardShown, WalletShown *api.USD
	// LimitBefore is the monthly limit before a change of settings; nil where that is not known.
	LimitBefore *api.USD
	RequestID   api.Text
	Outcome     OpStatus
	// Err is in one line why it was not done, or is not known.
	Err   string
	Tries int
	// Took is the duration of the last try.
	Took time.Duration
	Key  api.IdempotencyKey
	// Digest is that of the request; empty in records of earlier versions.
	Digest string
	// Plan is the plan that it was a row of; empty for none.
	Plan PlanID
	// Rule is the name of the rule that asked for it; empty for the user.
	Rule string
	// By is the person who asked for it over a hub.
	By Actor
}

// Counted is what a record counts as, USD: the larger of what was asked for and what the
// answer says. An answer cannot make room below a cap.
func (r *Record) Counted() api.USD { return max(r.Amount, r.Asked) }

// MayHaveMoved reports whether money was moved to or from the card, or may have been.
func (r *Record) MayHaveMoved() bool {
	switch r.Outcome {
	case OpStatusRefused, OpStatusNotSent, OpStatusWaits, OpStatusResolvedNotDone:
		return false
	}
	return r.Action == OpFund.Verb() || r.Action == OpWithdraw.Verb() || r.Action == OpTerminate.Verb()
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
	return []OpStatus{OpStatusBegun, OpStatusDone, OpStatusRefused, OpStatusNotSent, OpStatusWaits, OpStatusApproved, OpStatusUnknown, OpStatusResolvedDone, OpStatusResolvedNotDone, OpStatusDismissed}
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
	changes cardChanges
	// first counts the records that rows no longer has, and last is which record is the
	// latest of an operation, counted like that.
	first   int
	last    map[api.IdempotencyKey]int
	done    []rule.Done // what rows say that rules did
	doneOf  int         // how many records done is of, with those of first; -1 for none
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

func (h *HistoryTable) load() []kernel.Effect {
	if h.past.loading {
		return nil
	}
	h.past.loading = true
	return []kernel.Effect{FetchHistory{}}
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
	h.past.rows, h.past.joined, h.past.known = make([]Record, 0, len(rows)), nil, true
	h.past.first, h.past.last, h.past.doneOf = 0, make(map[api.IdempotencyKey]int, len(rows)), -1
	h.past.changes = cardChanges{}
	for i := range rows {
		h.past.add(&rows[i])
	}
}

// record adds a line of the history.
func (h *HistoryTable) record(r *Record) kernel.Topic {
	if r == nil {
		return 0
	}
	h.past.add(r)
	return kernel.TopicHistory
}

// add adds a record, joins it with those of the same operation, and removes the oldest
// beyond the bound. It costs the same however many there are.
func (p *pastRecords) add(r *Record) {
	if _, more := p.last[r.Key]; more && r.Key != "" {
		i := len(p.joined) - 1
		for p.joined[i].Key != r.Key {
			i--
		}
		p.joined = slices.Delete(p.joined, i, i+1)
	}
	if p.last == nil {
		p.last = make(map[api.IdempotencyKey]int)
	}
	p.last[r.Key] = p.first + len(p.rows)
	p.rows, p.joined = append(p.rows, *r), append(p.joined, *r)
	p.changes.add(r)
	if len(p.rows) <= HistoryShown {
		return
	}
	p.changes.remove(&p.rows[0])
	switch oldest := p.rows[0].Key; {
	case oldest == "":
		p.joined = p.joined[1:]
	case p.last[oldest] == p.first:
		p.joined = p.joined[1:]
		delete(p.last, oldest)
	}
	p.rows = p.rows[1:]
	p.first++
}

// RecordFields are what is printed of a record.
func RecordFields() []rows.Field[Record] {
	return []rows.Field[Record]{
		{Name: "time", About: "when", Brief: true, Cell: func(r Record) rows.Cell { return rows.Time(r.At) }},
		{Name: "user", About: "the system's user", Brief: true, Cell: func(r Record) rows.Cell { return rows.Text(r.User) }},
		{Name: "mode", About: "LIVE, TEST or SANDBOX", Brief: true, Cell: func(r Record) rows.Cell { return rows.Text(r.Mode) }},
		{Name: "profile", About: "profile", Cell: func(r Record) rows.Cell { return rows.Text(r.Profile) }},
		{Name: "action", About: "fund, freeze, …", Brief: true, Cell: func(r Record) rows.Cell { return rows.Text(r.Action) }},
		{Name: "card", About: "card id", Cell: func(r Record) rows.Cell { return rows.Text(r.Card) }},
		{Name: "name", About: "label and last four digits; the card id where they are not known", Brief: true, Cell: func(r Record) rows.Cell { return rows.Text(cmp.Or(r.Name, string(r.Card))) }},
		{Name: "amount", About: "USD that moved as the answer says, else that was to move", Brief: true, Cell: func(r Record) rows.Cell { return moved(r.Amount) }},
		{Name: "card_before", About: "USD on the card before", Cell: func(r Record) rows.Cell { return rows.Maybe(r.CardBefore) }},
		{Name: "card_after", About: "USD on the card after", Cell: func(r Record) rows.Cell { return rows.Maybe(r.CardAfter) }},
		{Name: "wallet_after", About: "USD in the wallet after", Cell: func(r Record) rows.Cell { return rows.Maybe(r.WalletAfter) }},
		{Name: "outcome", About: "done, refused, unknown, …", Brief: true, Cell: func(r Record) rows.Cell { return rows.Text(r.Outcome) }},
		{Name: "error", About: "why it was refused", Brief: true, Cell: func(r Record) rows.Cell { return rows.Text(r.Err) }},
		{Name: "request_id", About: "the API's id of the request", Brief: true, Cell: func(r Record) rows.Cell { return rows.Text(r.RequestID) }},
		{Name: "tries", About: "number of requests", Cell: func(r Record) rows.Cell { return rows.Count(r.Tries) }},
		{Name: "ms", About: "how long it took, milliseconds", Cell: func(r Record) rows.Cell { return rows.Count(int(r.Took.Milliseconds())) }},
		{Name: "method", About: "HTTP method", Cell: func(r Record) rows.Cell { return rows.Text(r.Method) }},
		{Name: "route", About: "route of the API", Cell: func(r Record) rows.Cell { return rows.Text(r.Route) }},
		{Name: "key", About: "idempotency key", Cell: func(r Record) rows.Cell { return rows.Text(r.Key) }},
		{Name: "card_shown", About: "USD that the screen showed on the card", Cell: func(r Record) rows.Cell { return rows.Maybe(r.CardShown) }},
		{Name: "wallet_shown", About: "USD that the screen showed in the wallet", Cell: func(r Record) rows.Cell { return rows.Maybe(r.WalletShown) }},
		{Name: "via", About: "cli, mcp or watch; empty for the dashboard", Brief: true, Cell: func(r Record) rows.Cell { return rows.Text(r.Via) }},
		{Name: "rule", About: "the rule that did it", Cell: func(r Record) rows.Cell { return rows.Text(r.Rule) }},
		{Name: "by", About: "person, over a hub", Cell: func(r Record) rows.Cell { return rows.Text(r.By.Name) }},
		{Name: "role", About: "role of the person", Cell: func(r Record) rows.Cell { return rows.Text(r.By.Role) }},
		{Name: "from", About: "address that the person came from", Cell: func(r Record) rows.Cell { return rows.Text(r.By.From) }},
		{Name: "approved", About: "who approved it", Cell: func(r Record) rows.Cell { return rows.Text(r.By.Approved) }},
		{Name: "asked", About: "USD that was asked for", Cell: func(r Record) rows.Cell { return moved(r.Asked) }},
		{Name: "mismatch", About: "where the answer is not what was asked for", Cell: func(r Record) rows.Cell { return rows.Text(r.Mismatch) }},
		{Name: "limit_before", About: "USD a month that the limit was before a change", Cell: func(r Record) rows.Cell { return rows.Maybe(r.LimitBefore) }},
	}
}

// moved is an amount; none where no money was to move.
func moved(amount api.USD) rows.Cell {
	if amount == 0 {
		return rows.Cell{}
	}
	return rows.Money(amount)
}

// RecordRows are records for other programs. Amounts are USD, times UTC.
func RecordRows(records []Record) rows.Rows {
	fields := RecordFields()
	return rows.Rows{
		What: "history", N: len(records), Columns: rows.Names(fields),
		Row: func(i int) []rows.Cell { return rows.Cells(fields, records[i]) },
	}
}

// Text is what a record is found by, in lower case.
func (r Record) Text() string {
	return strings.ToLower(strings.Join([]string{
		r.Action, r.Outcome, r.Name, string(r.Card), r.Amount.Grouped(), r.User, r.Profile, r.Mode, string(r.RequestID), r.Err, string(r.Key), ruleText(r.Rule), r.By.Name, r.By.Role, r.By.Approved,
		r.At.UTC().Format(time.DateOnly),
	}, " "))
}

// ruleText marks what a rule did.
func ruleText(name string) string {
	if name == "" {
		return ""
	}
	return "rule " + name
}

// FetchHistory reads the history from disk.
type FetchHistory struct{}

func (FetchHistory) Effect() {}

// Label is what the user waits for; at the start nobody does.
func (FetchHistory) Label(asked bool) string {
	if !asked {
		return ""
	}
	return lang.N("reading the history")
}

// HistoryLoaded is the history, the newest record first, or why it could not
// be read.
type HistoryLoaded struct {
	kernel.Meta
	Records []Record
	Err     error
}

// MovedBy returns what records, the oldest first, and operations without an answer
// moved out of the wallet. What is unknown counts as moved.
func MovedBy(records []Record, open []Op) []guard.Moved {
	all := make(map[api.IdempotencyKey]guard.Moved)
	for _, r := range records {
		countRecord(all, r)
	}
	for i := range open {
		countOp(all, &open[i])
	}
	out := make([]guard.Moved, 0, len(all))
	for _, m := range all {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b guard.Moved) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(string(a.Key), string(b.Key)))
	})
	return out
}

func countRecord(all map[api.IdempotencyKey]guard.Moved, r Record) {
	if r.Action != OpFund.Verb() && r.Action != OpIssue.Verb() {
		return
	}
	switch r.Outcome {
	case OpStatusRefused, OpStatusNotSent, OpStatusWaits, OpStatusApproved, OpStatusResolvedNotDone:
		delete(all, r.Key)
	default:
		m, known := all[r.Key]
		if !known {
			m = guard.Moved{Key: r.Key, At: r.At}
		}
		m.Amount = max(m.Amount, r.Counted())
		m.Label = cmp.Or(r.Label, m.Label)
		all[r.Key] = m
	}
}

func countOp(all map[api.IdempotencyKey]guard.Moved, op *Op) {
	if _, known := all[op.Key]; !known && op.Kind.FromWallet() {
		all[op.Key] = guard.Moved{Key: op.Key, At: op.At, Amount: op.Amount, Label: op.Label}
	}
}

// records are the records there are, the oldest first.
func (h *HistoryTable) records() []Record { return h.past.rows }

// Recorded is how many records there are, and when the latest was made; zero for none.
func (h *HistoryTable) Recorded() (n int, last time.Time) {
	rows := h.past.rows
	if len(rows) > 0 {
		last = rows[len(rows)-1].At
	}
	return len(rows), last
}

// movedLately returns what left the wallet since a time, as the history and the other
// dashboards say, and from when on the history has all; nothing while it was not read.
func (h *HistoryTable) movedLately(since time.Time, others []guard.Moved) (moved map[api.IdempotencyKey]guard.Moved, from time.Time) {
	rows := h.past.rows
	if !h.past.known {
		return nil, from
	}
	if len(rows) == HistoryShown {
		from = rows[0].At
	}
	moved = make(map[api.IdempotencyKey]guard.Moved)
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

// DoneByRules returns what records, the oldest first, and operations without an answer
// say that rules did. What is unknown counts as done, as of when it was last known of.
func DoneByRules(records []Record, open []Op) []rule.Done {
	return addOpen(doneByRecords(records), open)
}

// doneByRules is DoneByRules of the records there are. It is only read.
func (h *HistoryTable) doneByRules(open []Op) []rule.Done {
	p := &h.past
	if of := p.first + len(p.rows); p.doneOf != of {
		p.done, p.doneOf = doneByRecords(p.rows), of
	}
	if !slices.ContainsFunc(open, func(op Op) bool { return op.Rule != "" }) {
		return p.done
	}
	return addOpen(slices.Clone(p.done), open)
}

// doneByRecords leaves what did nothing in place, of no rule.
func doneByRecords(records []Record) []rule.Done {
	out := make([]rule.Done, 0, len(records))
	at := make(map[api.IdempotencyKey]int, len(records))
	for i := range records {
		r := &records[i]
		if r.Rule == "" {
			continue
		}
		n, known := at[r.Key]
		if !known {
			n = len(out)
			at[r.Key], out = n, append(out, rule.Done{})
		}
		out[n] = rule.Done{Key: r.Key, Rule: r.Rule, Card: r.Card, Amount: max(out[n].Amount, r.Counted()), At: r.At}
		switch r.Outcome {
		case OpStatusRefused, OpStatusNotSent, OpStatusWaits, OpStatusApproved, OpStatusResolvedNotDone:
			out[n].Rule = ""
		default:
		}
	}
	return out
}

// addOpen adds operations without an answer, and removes what is of no rule.
func addOpen(done []rule.Done, open []Op) []rule.Done {
	for i := range open {
		op := &open[i]
		if op.Rule == "" {
			continue
		}
		d := rule.Done{Key: op.Key, Rule: op.Rule, Card: op.Card, Amount: op.Amount, At: op.At, Open: true}
		switch n := slices.IndexFunc(done, func(d rule.Done) bool { return d.Key == op.Key }); {
		case n < 0:
			done = append(done, d)
		case done[n].Rule == "":
			// The history is ahead of the journal.
		default:
			done[n] = d
		}
	}
	return slices.DeleteFunc(done, func(d rule.Done) bool { return d.Rule == "" })
}
