package state

import (
	"errors"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txlink"
)

const (
	// detailFresh is how long a transaction read in full is not read again.
	detailFresh = time.Minute
	// detailPause keeps who goes through transactions quickly from reading each.
	detailPause = 250 * time.Millisecond
	// detailAgain is the pause before a failed read is tried again.
	detailAgain = 5 * time.Second
	// detailsKept bounds how many are held.
	detailsKept = 200
)

// errOther says that the answer is about another transaction.
var errOther = errors.New("the answer is about another transaction")

// detail is a transaction in full, and when it was read.
type detail struct {
	api.TransactionDetail
	at time.Time
}

// detailBook is the one transaction a person looks at closely, and those
// looked at before.
type detailBook struct {
	id    api.TransactionID
	among []api.TransactionID // newest first
	asked Seq                 // the request under way, 0 for none
	err   error
	due   time.Time // when to read it; zero: not planned
	read  map[api.TransactionID]detail
}

// Detailed is what is known of the transaction that is looked at.
type Detailed struct {
	ID api.TransactionID
	// Row is the transaction as the list gave it; false when no list has it.
	Row   api.Transaction
	Known bool
	// Detail is nil until it has been read in full, Err is why it could not be.
	Detail *api.TransactionDetail
	Err    error
	// At counts from 1 the place among the Of transactions that next and
	// previous go through.
	At, Of int
}

// Detailed reports on the transaction that is looked at; its id is empty when
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
	for _, rows := range [...][]api.Transaction{s.Txns.feed.rows(), s.Info.inspector.txns, s.Older.search.rows()} {
		for i := len(rows) - 1; i >= 0; i-- {
			if rows[i].ID == id {
				return rows[i], true
			}
		}
	}
	full, ok := s.Txns.detail.read[id]
	return full.Transaction, ok
}

// DeclineReason is why a transaction was declined, where it was read in full;
// empty where that is not known.
func (tx *TxnsTable) DeclineReason(id api.TransactionID) string {
	return string(tx.detail.read[id].DeclineReason)
}

// lookAt begins to look at a transaction; an empty id ends it.
func (s *Store) lookAt(in InspectTransaction) (Topic, []Effect) {
	topics, effects := s.Secrets.hide()
	b := &s.Txns.detail
	b.id, b.among, b.asked, b.err, b.due = in.Transaction, in.Among, 0, nil, time.Time{}
	if b.id == "" || s.Txns.detailKnown() {
		return topics | TopicInspector, effects
	}
	return topics | TopicInspector, append(effects, s.Txns.askDetail())
}

// lookOn goes to the next transaction, or to the one before.
func (s *Store) lookOn(in StepTransaction) (Topic, []Effect) {
	b := &s.Txns.detail
	at := slices.Index(b.among, b.id)
	to := max(0, min(at+in.By, len(b.among)-1))
	if at < 0 || to == at {
		return 0, nil
	}
	topics, effects := s.Secrets.hide()
	b.id, b.asked, b.err, b.due = b.among[to], 0, nil, time.Time{}
	if !s.Txns.detailKnown() {
		b.due = s.now.Add(detailPause)
	}
	return topics | TopicInspector, effects
}

// detailKnown tells whether the transaction was read lately.
func (tx *TxnsTable) detailKnown() bool {
	d, ok := tx.detail.read[tx.detail.id]
	return ok && poll.Elapsed(d.at, tx.now) < detailFresh
}

func (tx *TxnsTable) askDetail() Effect {
	b := &tx.detail
	b.asked, b.due = tx.nextSeq(), time.Time{}
	return FetchTransaction{Seq: b.asked, Transaction: b.id}
}

// refreshDetail asks for the transaction when that is due.
func (tx *TxnsTable) refreshDetail(now time.Time) {
	if b := &tx.detail; b.id != "" && b.asked == 0 && !b.due.IsZero() && poll.Reached(now, b.due) {
		tx.wants = append(tx.wants, tx.askDetail())
	}
}

func (tx *TxnsTable) detailLoaded(ev TransactionLoaded) Topic {
	b := &tx.detail
	if ev.Detail.ID != ev.Transaction {
		return tx.detailFailed(ev.Seq, errOther, ev.At)
	}
	if len(b.read) >= detailsKept || b.read == nil {
		b.read = make(map[api.TransactionID]detail)
	}
	b.read[ev.Transaction] = detail{ev.Detail, ev.At}
	if ev.Seq != b.asked {
		return 0
	}
	b.asked, b.err = 0, nil
	return TopicInspector
}

// detailFailed tries again later, unless the API said that it would refuse
// again.
func (tx *TxnsTable) detailFailed(seq Seq, err error, at time.Time) Topic {
	b := &tx.detail
	if b.asked != seq {
		return 0
	}
	b.asked, b.err = 0, err
	if !refusesRequest(err) {
		b.due = at.Add(max(detailAgain, retryAfter(err)))
	}
	return TopicInspector
}

// LedBy finds the challenge that most likely led to a transaction, the
// counterpart of Led.
func (co *CodesTable) LikelyTransactionOf(t Transaction) (Ended, bool) {
	for _, e := range co.codes.ended {
		if e.Card != t.CardID || e.Merchant != t.Merchant.Name {
			continue
		}
		if led, ok := co.LikelyTransaction(e); ok && led.ID == t.ID {
			return e, true
		}
	}
	return Ended{}, false
}

// Declines counts how often the cards of a BIN were asked to pay in the last
// 24 hours, and how often that was refused, whatever the reason.
type Declines struct {
	Declined, Asked int
	// Cards is how many cards of the BIN are not terminated.
	Cards int
}

// Rate is the part refused in percent; false when nothing was asked.
func (d Declines) Rate() (percent float64, ok bool) {
	if d.Asked == 0 {
		return 0, false
	}
	return 100 * float64(d.Declined) / float64(d.Asked), true
}

// DeclinesByBIN counts over the feed of the last 24 hours: declines, against
// them and authorizations. It walks that part of the feed, so it is for when
// the feed has changed and not for each frame.
func (tx *TxnsTable) DeclinesByBIN() map[api.BINID]Declines {
	out := make(map[api.BINID]Declines)
	for _, r := range tx.cards.rows() {
		if r.status.text() != api.CardTerminated {
			d := out[r.bin.text()]
			d.Cards++
			out[r.bin.text()] = d
		}
	}
	rows := tx.feed.rows()[tx.feed.window:]
	for i := range rows {
		t := &rows[i]
		if t.Type != api.TransactionDecline && t.Type != api.TransactionAuthorization {
			continue
		}
		r := tx.cards.get(t.CardID)
		if r == nil {
			continue
		}
		d := out[r.bin.text()]
		d.Asked++
		if t.Type == api.TransactionDecline {
			d.Declined++
		}
		out[r.bin.text()] = d
	}
	return out
}

func (tx *TxnsTable) transactionsSince(id api.CardID, from time.Time) []api.Transaction {
	var out []api.Transaction
	rows := tx.feed.rows()
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

// Related is a transaction that another most likely belongs with.
type Related = txlink.Related

const (
	// linkReach is how many rows of the feed are looked through before and after
	// a transaction, linkAmong how many of the card's are paired.
	linkReach = 20_000
	linkAmong = 2000
)

// Linked gives what a transaction belongs with, oldest first: the hold, the
// settlement that took its place and the refund of that, but for itself. It
// looks through what is held around it, so it is for one transaction at a time,
// of which the answer is kept. The slice is the store's own.
func (inf *InfoTable) Linked(t Transaction) []Related {
	if l := &inf.txns.links; !l.known || !sameTransaction(l.of, t) {
		*l = links{known: true, of: t, found: inf.link(t)}
	}
	return inf.txns.links.found
}

// links is what one transaction belongs with, as long as no rows or steps are
// read and no other card is looked at.
type links struct {
	known bool
	of    Transaction
	found []Related
}

func (inf *InfoTable) link(t Transaction) []Related {
	return txlink.Link(t, inf.nearby(t), inf.txns.detail.read[t.ID].Timeline)
}

// nearby are the transactions of a card that are held about the time of one,
// oldest first.
func (inf *InfoTable) nearby(t Transaction) []api.Transaction {
	from, to := t.CreatedAt.Add(-txlink.Within), t.CreatedAt.Add(txlink.Within)
	own := func(r *api.Transaction) bool {
		return r.CardID == t.CardID && !r.CreatedAt.Before(from) && !r.CreatedAt.After(to)
	}
	fed, at := inf.txns.feed.rows(), before(inf.txns.feed.rows(), t)
	var rows []api.Transaction
	for i := max(0, at-linkReach); i < min(len(fed), at+linkReach); i++ {
		if own(&fed[i]) {
			rows = append(rows, fed[i])
		}
	}
	slices.Reverse(rows)
	more := []api.Transaction{t}
	if inf.inspector.card == t.CardID {
		for i := range inf.inspector.txns {
			if r := &inf.inspector.txns[i]; own(r) && r.ID != t.ID {
				more = append(more, *r)
			}
		}
	}
	rows = withRows(newestFirst(more), rows)
	slices.Reverse(rows)
	if extra := len(rows) - linkAmong; extra > 0 {
		first := max(0, min(before(rows, t)-linkAmong/2, extra))
		rows = rows[first : first+linkAmong]
	}
	return rows
}

// followLink goes to the next of those that the transaction belongs with, from
// the last back to the first.
func (s *Store) followLink() (Topic, []Effect) {
	next, ok := s.nextLink()
	if !ok {
		return 0, nil
	}
	return s.lookAt(InspectTransaction{Transaction: next, Among: s.Txns.detail.among})
}

func (s *Store) nextLink() (api.TransactionID, bool) {
	d := s.Detailed()
	if !d.Known {
		return "", false
	}
	links := s.Info.Linked(d.Row)
	for _, l := range links {
		if !transactionBefore(l.Row, d.Row) {
			return l.Row.ID, true
		}
	}
	if len(links) == 0 {
		return "", false
	}
	return links[0].Row.ID, true
}
