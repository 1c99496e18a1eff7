package txns

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
func (tx *Table) Detailed() Detailed {
	b := &tx.detail
	d := Detailed{ID: b.id, Err: b.err, At: slices.Index(b.among, b.id) + 1, Of: len(b.among)}
	if b.id == "" {
		return d
	}
	d.Row, d.Known = tx.Get(b.id)
	if full, ok := b.read[b.id]; ok {
		d.Detail = &full.TransactionDetail
		d.Row, d.Known = full.Transaction, true
	}
	return d
}

// Get finds a transaction in the feed, in the list of the inspected card, in what a search found, or among those read in
// full.
func (tx *Table) Get(id api.TransactionID) (api.Transaction, bool) {
	for _, rows := range [...][]api.Transaction{tx.All(), tx.needs.Inspected.Transactions(), tx.needs.Found()} {
		for i := len(rows) - 1; i >= 0; i-- {
			if rows[i].ID == id {
				return rows[i], true
			}
		}
	}
	full, ok := tx.detail.read[id]
	return full.Transaction, ok
}

// Detail returns a transaction that was read in full; false where it was not.
func (tx *Table) Detail(id api.TransactionID) (api.TransactionDetail, bool) {
	full, ok := tx.detail.read[id]
	return full.TransactionDetail, ok
}

// Inspected is the id of the transaction that is shown in full; empty for none.
func (tx *Table) Inspected() api.TransactionID { return tx.detail.id }

// Opened means that a transaction is shown in full from now on, or none where the id is empty.
type Opened struct{ ID api.TransactionID }

// Wanted means that what explains a transaction is to be read.
type Wanted struct{ ID api.TransactionID }

// InFull means that a transaction was read in full.
type InFull struct{ ID api.TransactionID }

// Unread means that a transaction could not be read in full ahead of time.
type Unread struct {
	ID      api.TransactionID
	Failure kernel.Failure
}

// inspect shows a transaction in full; an empty id ends that.
func (tx *Table) inspect(in Inspect) (kernel.Topic, []kernel.Effect) {
	b := &tx.detail
	b.id, b.among, b.asked, b.err, b.due = in.Transaction, in.Among, 0, nil, time.Time{}
	kernel.Tell(tx.Core, Opened{b.id})
	if b.id == "" {
		return kernel.TopicInspector, nil
	}
	return kernel.TopicInspector, tx.readInspected()
}

// readInspected requests the inspected transaction, unless it was read lately, and what
// explains it.
func (tx *Table) readInspected() (effects []kernel.Effect) {
	b := &tx.detail
	b.due = time.Time{}
	if !tx.detailKnown() {
		effects = append(effects, tx.askDetail())
	}
	kernel.Tell(tx.Core, Wanted{b.id})
	return effects
}

// step goes to the next transaction, or to the one before.
func (tx *Table) step(in Step) kernel.Topic {
	b := &tx.detail
	to, ok := tx.stepped(in.By)
	if !ok {
		return 0
	}
	kernel.Tell(tx.Core, Opened{to})
	b.id, b.asked, b.err, b.due = to, 0, nil, tx.Time.Add(detailPause)
	return kernel.TopicInspector
}

// stepped returns the transaction that is so many places older than the inspected one; false where none is.
func (tx *Table) stepped(by int) (api.TransactionID, bool) {
	among := tx.detail.among
	at := slices.Index(among, tx.detail.id)
	to := max(0, min(at+by, len(among)-1))
	if at < 0 || to == at {
		return "", false
	}
	return among[to], true
}

// detailKnown reports whether the transaction was read lately.
func (tx *Table) detailKnown() bool {
	d, ok := tx.detail.read[tx.detail.id]
	return ok && poll.Elapsed(d.at, tx.Time) < detailFresh
}

func (tx *Table) askDetail() kernel.Effect {
	b := &tx.detail
	b.asked, b.due = tx.NextSeq(), time.Time{}
	return FetchOne{Seq: b.asked, Transaction: b.id}
}

// ReadDue requests the inspected transaction when it is time to read it.
func (tx *Table) ReadDue(now time.Time) []kernel.Effect {
	b := &tx.detail
	if b.id == "" || b.asked != 0 || b.due.IsZero() || !poll.Reached(now, b.due) {
		return nil
	}
	return tx.readInspected()
}

func (tx *Table) detailLoaded(ev OneLoaded) kernel.Topic {
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
func (tx *Table) detailFailed(seq poll.Seq, err error, at time.Time) kernel.Topic {
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
func (tx *Table) Linked(t api.Transaction) []txlink.Related {
	card := tx.needs.Inspected.Card()
	if l := &tx.links; !l.known || l.card != card || !sameTransaction(l.of, t) {
		*l = links{known: true, card: card, of: t, found: txlink.Link(t, tx.nearby(t), tx.detail.read[t.ID].Timeline)}
	}
	return tx.links.found
}

// ForgetLinks has the next call of Linked search again.
func (tx *Table) ForgetLinks() { tx.links = links{} }

// nearby are the transactions of a card that are held about the time of one,
// oldest first.
func (tx *Table) nearby(t api.Transaction) []api.Transaction {
	from, to := t.CreatedAt.Add(-txlink.Within), t.CreatedAt.Add(txlink.Within)
	near := func(r *api.Transaction) bool {
		return r.CardID == t.CardID && !r.CreatedAt.Before(from) && !r.CreatedAt.After(to)
	}
	fed, at := tx.All(), txnlist.Position(tx.All(), t)
	var rows []api.Transaction
	for i := max(0, at-linkReach); i < min(len(fed), at+linkReach); i++ {
		if near(&fed[i]) {
			rows = append(rows, fed[i])
		}
	}
	slices.Reverse(rows)
	more := []api.Transaction{t}
	if tx.needs.Inspected.Card() == t.CardID {
		own := tx.needs.Inspected.Transactions()
		for i := range own {
			if r := &own[i]; near(r) && r.ID != t.ID {
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
func (tx *Table) followLink() (kernel.Topic, []kernel.Effect) {
	next, ok := tx.nextLink()
	if !ok {
		return 0, nil
	}
	return tx.inspect(Inspect{Transaction: next, Among: tx.detail.among})
}

func (tx *Table) nextLink() (api.TransactionID, bool) {
	d := tx.Detailed()
	if !d.Known {
		return "", false
	}
	links := tx.Linked(d.Row)
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

// FetchOne reads one transaction in full. Ahead says that nobody waits for it:
// it is a decline that alerts or is counted on the screen, and may say why it was.
type FetchOne struct {
	Seq         poll.Seq
	Transaction api.TransactionID
	Ahead       bool
}

func (FetchOne) Effect() {}

// Cost is counted with the card screen.
func (f FetchOne) Cost() kernel.Cost {
	if f.Ahead {
		return kernel.Cost{Priority: budget.Low, Lane: lang.N("inspector")}
	}
	return kernel.Cost{Priority: budget.User, Lane: lang.N("inspector")}
}

func (f FetchOne) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	detail, err := on.API.GetTransaction(ctx, f.Transaction)
	return OneLoaded{FetchOne: f, Meta: on.Over(), Detail: detail}, err
}

// Label is what the user waits for.
func (f FetchOne) Label(bool) string {
	if f.Ahead {
		return ""
	}
	return lang.N("reading the transaction")
}

func (f FetchOne) Failed(tx *Table, e kernel.Failure) kernel.Topic {
	if f.Ahead {
		kernel.Tell(tx.Core, Unread{f.Transaction, e})
		return 0
	}
	if e.Deferred {
		return tx.detailFailed(f.Seq, e.Err, e.At.Add(e.Wait))
	}
	return tx.detailFailed(f.Seq, e.Err, e.At)
}

// OneLoaded is one transaction in full.
type OneLoaded struct {
	FetchOne
	kernel.Meta
	Detail api.TransactionDetail
}

func (ev OneLoaded) Apply(tx *Table) (kernel.Topic, []kernel.Effect) {
	kernel.Tell(tx.Core, InFull{ev.Transaction})
	return tx.detailLoaded(ev), nil
}

// Inspect requests a transaction in full. Next and previous go
// through Among, newest first; it is shared and not changed. An empty id
// closes it.
type Inspect struct {
	Transaction api.TransactionID
	Among       []api.TransactionID
}

func (in Inspect) Check(tx *Table) kernel.Verdict {
	if in.Transaction == "" && len(in.Among) > 0 {
		return kernel.Verdict{Reason: tx.Lang.T("this is no transaction: there is nothing to open")}
	}
	return kernel.Verdict{}
}

func (in Inspect) Start(tx *Table) (kernel.Topic, []kernel.Effect) {
	return tx.inspect(in)
}

// Step requests a transaction that is so many places older than
// the inspected one, or newer.
type Step struct{ By int }

func (in Step) Check(tx *Table) kernel.Verdict {
	if _, ok := tx.stepped(in.By); !ok {
		return kernel.Verdict{Reason: tx.Lang.T("no further transaction in the list")}
	}
	return kernel.Verdict{}
}

func (in Step) Start(tx *Table) (kernel.Topic, []kernel.Effect) {
	return tx.step(in), nil
}

// FollowLink requests the next of the transactions that the inspected one
// belongs with.
type FollowLink struct{}

func (FollowLink) Check(tx *Table) kernel.Verdict {
	if _, ok := tx.nextLink(); !ok {
		return kernel.Verdict{Reason: tx.Lang.T("no other transaction belongs with this one")}
	}
	return kernel.Verdict{}
}

func (FollowLink) Start(tx *Table) (kernel.Topic, []kernel.Effect) { return tx.followLink() }
