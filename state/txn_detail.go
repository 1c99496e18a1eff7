package state

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txlink"
	"github.com/cardtop/cardtop/state/txnlist"
)

const (
	// detailFresh is how long a transaction read in full is not read again.
	detailFresh = time.Minute
	// detailPause avoids a request for each transaction that is only passed.
	detailPause = 250 * time.Millisecond
	// detailAgain is the pause before a failed read is tried again.
	detailAgain = 5 * time.Second
	// detailsKept bounds how many are held.
	detailsKept = 200
)

// errOther is the error of an answer about another transaction.
var errOther = errors.New("the answer is about another transaction")

// Detailed is what is known of the inspected transaction.
type Detailed struct {
	ID api.TransactionID
	// Row is the transaction as the list has it; false when no list has it.
	Row   api.Transaction
	Known bool
	// Detail is nil until it has been read in full, Err is why it could not be.
	Detail *api.TransactionDetail
	Err    error
	// At counts from 1 the place among the Of transactions that next and
	// previous go through.
	At, Of int
}

// Detailed reports on the inspected transaction; its id is empty when
// there is none.
func (s *Store) Detailed() Detailed {
	b := &s.Txns.detail
	d := Detailed{ID: b.id, Err: b.err, At: slices.Index(b.among, b.id) + 1, Of: len(b.among)}
	if b.id == "" {
		return d
	}
	d.Row, d.Known = s.Transaction(b.id)
	if full, ok := b.read[b.id]; ok {
		d.Detail = &full.TransactionDetail
		d.Row, d.Known = full.Transaction, true
	}
	return d
}

// Transaction finds a transaction where any are held.
func (s *Store) Transaction(id api.TransactionID) (api.Transaction, bool) {
	for _, rows := range [...][]api.Transaction{s.Txns.All(), s.Info.inspector.txns, s.Older.search.Rows()} {
		for i := len(rows) - 1; i >= 0; i-- {
			if rows[i].ID == id {
				return rows[i], true
			}
		}
	}
	full, ok := s.Txns.detail.read[id]
	return full.Transaction, ok
}

// inspectTransaction inspects a transaction; an empty id ends it.
func (s *Store) inspectTransaction(in InspectTransaction) (kernel.Topic, []kernel.Effect) {
	topics, effects := s.Secrets.hide()
	b := &s.Txns.detail
	b.id, b.among, b.asked, b.err, b.due = in.Transaction, in.Among, 0, nil, time.Time{}
	if b.id == "" {
		return topics | kernel.TopicInspector, effects
	}
	return topics | kernel.TopicInspector, append(effects, readInspected(s)...)
}

// readInspected requests the inspected transaction, unless it was read lately, and what is
// about it.
func readInspected(s *Store) (effects []kernel.Effect) {
	b := &s.Txns.detail
	b.due = time.Time{}
	if !s.Txns.detailKnown() {
		effects = append(effects, s.Txns.askDetail())
	}
	return append(effects, s.readAbout(b.id)...)
}

// readAbout requests what tells why a transaction was declined, besides itself: its
// card's expiry and limit, and the maximum of its BIN.
func (s *Store) readAbout(id api.TransactionID) []kernel.Effect {
	t, ok := s.Transaction(id)
	if !ok || t.Type != api.TransactionDecline {
		return nil
	}
	s.addDeclines([]api.Transaction{t})
	effects := s.BINs.Load(false)
	if _, known := s.Info.summaryOf(t.CardID); !known {
		effects = append(effects, FetchSummary{Seq: s.NextSeq(), Card: t.CardID, Ahead: true})
	}
	return effects
}

// stepTransaction goes to the next transaction, or to the one before.
func (s *Store) stepTransaction(in StepTransaction) (kernel.Topic, []kernel.Effect) {
	b := &s.Txns.detail
	to, ok := s.Txns.stepped(in.By)
	if !ok {
		return 0, nil
	}
	topics, effects := s.Secrets.hide()
	b.id, b.asked, b.err, b.due = to, 0, nil, s.Time.Add(detailPause)
	return topics | kernel.TopicInspector, effects
}

// stepped returns the transaction that is so many places older than the inspected one; false where none is.
func (tx *TxnsTable) stepped(by int) (api.TransactionID, bool) {
	among := tx.detail.among
	at := slices.Index(among, tx.detail.id)
	to := max(0, min(at+by, len(among)-1))
	if at < 0 || to == at {
		return "", false
	}
	return among[to], true
}

// detailKnown reports whether the transaction was read lately.
func (tx *TxnsTable) detailKnown() bool {
	d, ok := tx.detail.read[tx.detail.id]
	return ok && poll.Elapsed(d.at, tx.Time) < detailFresh
}

func (tx *TxnsTable) askDetail() kernel.Effect {
	b := &tx.detail
	b.asked, b.due = tx.NextSeq(), time.Time{}
	return FetchTransaction{Seq: b.asked, Transaction: b.id}
}

// detailDue reports whether it is time to read the inspected transaction.
func (tx *TxnsTable) detailDue(now time.Time) bool {
	b := &tx.detail
	return b.id != "" && b.asked == 0 && !b.due.IsZero() && poll.Reached(now, b.due)
}

func (tx *TxnsTable) detailLoaded(ev TransactionLoaded) kernel.Topic {
	b := &tx.detail
	if ev.Detail.ID != ev.Transaction {
		return tx.detailFailed(ev.Seq, errOther, ev.At)
	}
	if shown, ok := b.read[b.id]; len(b.read) >= detailsKept || b.read == nil {
		b.read = make(map[api.TransactionID]detail)
		if ok {
			b.read[b.id] = shown
		}
	}
	b.read[ev.Transaction] = detail{ev.Detail, ev.At}
	if ev.Seq != b.asked {
		return kernel.TopicFeed
	}
	b.asked, b.err = 0, nil
	return kernel.TopicInspector
}

// detailFailed tries again later, unless the API said that it would refuse
// again.
func (tx *TxnsTable) detailFailed(seq poll.Seq, err error, at time.Time) kernel.Topic {
	b := &tx.detail
	if b.asked != seq {
		return 0
	}
	b.asked, b.err = 0, err
	if !kernel.RefusesRequest(err) {
		b.due = at.Add(max(detailAgain, errtext.RetryAfter(err)))
	}
	return kernel.TopicInspector
}

const (
	// linkReach is how many rows of the feed are searched before and after
	// a transaction, linkAmong how many of the card's are paired.
	linkReach = 20_000
	linkAmong = 2000
)

// Linked returns what a transaction belongs with, oldest first: the hold, the
// settlement that replaced it and the refund of that, but for itself. It
// searches what is held around it, so it is for one transaction at a time,
// of which the answer is cached. The slice is the store's own.
func (inf *InfoTable) Linked(t api.Transaction) []txlink.Related {
	return inf.txns.linked(t, inf.link)
}

// linked returns what a transaction belongs with, from the last answer or from
// find.
func (tx *TxnsTable) linked(t api.Transaction, find func(api.Transaction) []txlink.Related) []txlink.Related {
	if l := &tx.links; !l.known || !sameTransaction(l.of, t) {
		*l = links{known: true, of: t, found: find(t)}
	}
	return tx.links.found
}

// forgetLinks has the next call of linked find anew.
func (tx *TxnsTable) forgetLinks() { tx.links = links{} }

// steps are the steps of a transaction that was read in full.
func (tx *TxnsTable) steps(id api.TransactionID) []api.TimelineStep {
	return tx.detail.read[id].Timeline
}

func (inf *InfoTable) link(t api.Transaction) []txlink.Related {
	return txlink.Link(t, inf.nearby(t), inf.txns.steps(t.ID))
}

// nearby are the transactions of a card that are held about the time of one,
// oldest first.
func (inf *InfoTable) nearby(t api.Transaction) []api.Transaction {
	from, to := t.CreatedAt.Add(-txlink.Within), t.CreatedAt.Add(txlink.Within)
	near := func(r *api.Transaction) bool {
		return r.CardID == t.CardID && !r.CreatedAt.Before(from) && !r.CreatedAt.After(to)
	}
	fed, at := inf.txns.All(), txnlist.Position(inf.txns.All(), t)
	var rows []api.Transaction
	for i := max(0, at-linkReach); i < min(len(fed), at+linkReach); i++ {
		if near(&fed[i]) {
			rows = append(rows, fed[i])
		}
	}
	slices.Reverse(rows)
	more := []api.Transaction{t}
	if inf.inspector.card == t.CardID {
		for i := range inf.inspector.txns {
			if r := &inf.inspector.txns[i]; near(r) && r.ID != t.ID {
				more = append(more, *r)
			}
		}
	}
	rows = txnlist.Merge(txnlist.NewestFirst(more), rows)
	slices.Reverse(rows)
	if extra := len(rows) - linkAmong; extra > 0 {
		first := max(0, min(txnlist.Position(rows, t)-linkAmong/2, extra))
		rows = rows[first : first+linkAmong]
	}
	return rows
}

// followLink goes to the next of those that the transaction belongs with, from
// the last back to the first.
func (s *Store) followLink() (kernel.Topic, []kernel.Effect) {
	next, ok := s.nextLink()
	if !ok {
		return 0, nil
	}
	return s.inspectTransaction(InspectTransaction{Transaction: next, Among: s.Txns.detail.among})
}

func (s *Store) nextLink() (api.TransactionID, bool) {
	d := s.Detailed()
	if !d.Known {
		return "", false
	}
	links := s.Info.Linked(d.Row)
	for _, l := range links {
		if !txnlist.Before(l.Row, d.Row) {
			return l.Row.ID, true
		}
	}
	if len(links) == 0 {
		return "", false
	}
	return links[0].Row.ID, true
}

// FetchTransaction reads one transaction in full. Ahead says that nobody waits for it:
// it is a decline that alerts or is counted on the screen, and may say why it was.
type FetchTransaction struct {
	Seq         poll.Seq
	Transaction api.TransactionID
	Ahead       bool
}

func (FetchTransaction) Effect() {}

// Cost is counted with the card screen.
func (f FetchTransaction) Cost() kernel.Cost {
	if f.Ahead {
		return kernel.Cost{Priority: budget.Low, Lane: lang.N("inspector")}
	}
	return kernel.Cost{Priority: budget.User, Lane: lang.N("inspector")}
}

func (f FetchTransaction) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	detail, err := on.API.GetTransaction(ctx, f.Transaction)
	return TransactionLoaded{FetchTransaction: f, Meta: on.Over(), Detail: detail}, err
}

// Label is what the user waits for.
func (f FetchTransaction) Label(bool) string {
	if f.Ahead {
		return ""
	}
	return lang.N("reading the transaction")
}

func (f FetchTransaction) Failed(s *Store, e kernel.Failure) kernel.Topic {
	if f.Ahead {
		return declineUnread(s, f.Transaction, e)
	}
	if e.Deferred {
		return s.Txns.detailFailed(f.Seq, e.Err, e.At.Add(e.Wait))
	}
	return s.Txns.detailFailed(f.Seq, e.Err, e.At)
}

// TransactionLoaded is one transaction in full.
type TransactionLoaded struct {
	FetchTransaction
	kernel.Meta
	Detail api.TransactionDetail
}

func (ev TransactionLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	topics := s.Txns.detailLoaded(ev)
	return topics | explainRead(s, ev.Transaction), nil
}

// InspectTransaction requests a transaction in full. Next and previous go
// through Among, newest first; it is shared and not changed. An empty id
// closes it.
type InspectTransaction struct {
	Transaction api.TransactionID
	Among       []api.TransactionID
}

func (in InspectTransaction) Check(s *Store) kernel.Verdict {
	if in.Transaction == "" && len(in.Among) > 0 {
		return kernel.Verdict{Reason: s.Lang.T("this is no transaction: there is nothing to open")}
	}
	return kernel.Verdict{}
}

func (in InspectTransaction) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.inspectTransaction(in)
}

// StepTransaction requests a transaction that is so many places older than
// the inspected one, or newer.
type StepTransaction struct{ By int }

func (in StepTransaction) Check(s *Store) kernel.Verdict {
	if _, ok := s.Txns.stepped(in.By); !ok {
		return kernel.Verdict{Reason: s.Lang.T("no further transaction in the list")}
	}
	return kernel.Verdict{}
}

func (in StepTransaction) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.stepTransaction(in)
}

// FollowLink requests the next of the transactions that the inspected one
// belongs with.
type FollowLink struct{}

func (FollowLink) Check(s *Store) kernel.Verdict {
	if _, ok := s.nextLink(); !ok {
		return kernel.Verdict{Reason: s.Lang.T("no other transaction belongs with this one")}
	}
	return kernel.Verdict{}
}

func (FollowLink) Start(s *Store) (kernel.Topic, []kernel.Effect) { return s.followLink() }
