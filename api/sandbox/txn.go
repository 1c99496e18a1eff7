package sandbox

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// txnPrefix begins the identifier of a transaction.
const txnPrefix = "txn_"

// txn is one row of the transactions, small because there may be a million. They are
// append-only, and at never falls from one to the next.
type txn struct {
	at             unit.Instant
	amount, after  unit.Cents
	card, merchant int32
	root           int32
	kind           uint8 // a sim.TxnType
	threeDS        uint8 // a sim.ThreeDS
	reason         uint8 // see reasonOf
}

// extra is what the API shows of a transaction beyond its row: the amount in another currency
// than USD, signed like the row's, and the free text of a decline. Most have none.
type extra struct {
	txn     int64
	foreign sim.Foreign
	text    string
}

// txnRow is a transaction with its merchant. The amount is
// signed: a settlement is negative and a refund positive; an authorization and a
// decline have the amount of the purchase and leave the balance unchanged. A reversal
// is an authorization with a negative amount (ASSUMED 16).
type txnRow struct {
	seq      int64
	card     int64
	kind     sim.TxnType
	amount   unit.Cents // USD
	foreign  sim.Foreign
	merchant sim.Merchant
	after    unit.Cents
	created  unit.Instant
	root     int64 // the authorization that it follows, or 0
	threeDS  sim.ThreeDS
	reason   string
	text     string // of a decline, for people
}

func (t *txnRow) isReversal() bool { return t.kind == sim.TxnAuthorization && t.amount < 0 }

// txnAt returns a transaction that is there.
func (s *Server) txnAt(seq int64) *txnRow {
	t, _ := s.txns.At(seq)
	m, _ := s.merchants.At(int64(t.merchant))
	row := &txnRow{
		seq: seq, card: int64(t.card), kind: sim.TxnType(t.kind), amount: t.amount, merchant: m, after: t.after, created: t.at,
		root: int64(t.root), threeDS: sim.ThreeDS(t.threeDS), reason: reasonOf(t.reason),
	}
	x := s.extraOf(seq)
	row.foreign, row.text = x.foreign, x.text
	return row
}

func (s *Server) extraOf(seq int64) extra {
	if list := s.extras.From(extra{txn: seq}); len(list) > 0 && list[0].txn == seq {
		return list[0]
	}
	return extra{}
}

// transaction is the contract's Transaction.
type transaction struct {
	ID       string       `json:"id"`
	Card     string       `json:"card_id"`
	Type     string       `json:"type"`
	Amount   unit.Cents   `json:"amount"`
	Currency string       `json:"currency"`
	Merchant sim.Merchant `json:"merchant"`
	After    unit.Cents   `json:"balance_after"`
	Created  unit.Instant `json:"created_at"`
}

func (s *Server) transactionBody(t *txnRow) transaction {
	amount, currency := t.amount, "USD"
	if t.foreign.Code != "" {
		amount, currency = t.foreign.Amount, t.foreign.Code
	}
	return transaction{
		ID: s.world.ID(txnPrefix, t.seq), Card: s.world.ID(cardPrefix, t.card), Type: t.kind.String(), Amount: amount,
		Currency: currency, Merchant: t.merchant, After: t.after, Created: t.created,
	}
}

// transactionDetail is the contract's transaction detail (ASSUMED 27).
type transactionDetail struct {
	transaction
	MCC     string `json:"mcc"`
	ThreeDS string `json:"three_ds_status"`
	Reason  string `json:"decline_reason,omitempty"`
	// Failure has the text of a decline that has no reason of the list.
	Failure  *failure `json:"failure,omitempty"`
	Timeline []step   `json:"timeline"`
}

type failure struct {
	Message string `json:"message"`
}

type step struct {
	Status string       `json:"status"`
	At     unit.Instant `json:"at"`
}

// Reasons says which declines tell their reason. Servers differ in that: the contract
// does not list the fields of a detail.
type Reasons string

// The choices. Some is two of three.
const (
	ReasonsAll  Reasons = "all"
	ReasonsSome Reasons = "some"
	ReasonsNone Reasons = "none"
)

func (r Reasons) known() bool {
	return r == "" || r == ReasonsAll || r == ReasonsSome || r == ReasonsNone
}

// tellsReason reports whether the detail of a declined transaction has its reason.
func (s *Server) tellsReason(seq int64) bool {
	switch s.reasons {
	case ReasonsNone:
		return false
	case ReasonsSome:
		return s.world.Digest("reason", seq)[0]%3 > 0
	default:
		return true
	}
}

func getTransaction(s *Server, req *request) (any, error) {
	seq, ok := s.world.Seq(txnPrefix, req.id)
	if !ok || seq > s.txns.Len() {
		return nil, wire.NotFound("transaction")
	}
	t := s.txnAt(seq)
	d := transactionDetail{
		transaction: s.transactionBody(t), MCC: t.merchant.MCC, ThreeDS: t.threeDS.String(), Timeline: s.timeline(t),
	}
	if s.tellsReason(seq) {
		d.Reason = t.reason
	}
	if t.text != "" {
		d.Failure = &failure{t.text}
	}
	return d, nil
}

// timeline returns the steps of the authorization that a transaction belongs to, or
// the one step of a transaction without one.
func (s *Server) timeline(t *txnRow) (steps []step) {
	root := t.root
	if root == 0 {
		root = t.seq
	}
	for _, one := range s.family(root) {
		st := step{Status: one.kind.Step(), At: one.created}
		if one.isReversal() {
			st.Status = "reversed"
		}
		steps = append(steps, st)
	}
	return steps
}

// family returns a transaction and those that follow it.
func (s *Server) family(root int64) (list []*txnRow) {
	first, _ := s.txns.At(root)
	rows := s.txnsOfCard(int64(first.card))
	for _, seq := range from(rows, root) {
		if t, _ := s.txns.At(int64(seq)); int64(seq) == root || int64(t.root) == root {
			list = append(list, s.txnAt(int64(seq)))
		}
	}
	return list
}

// appendTxn stores a transaction of a card with figures that are up to date, and
// counts it on the card.
func (c *change) appendTxn(k *sim.Card, t *txnRow) {
	t.card, t.after, t.created = k.Seq, k.Balance, c.now
	k.Count++
	if t.kind != sim.TxnRefund && !t.isReversal() {
		k.LastUsed = c.now
	}
	t.seq = c.s.txns.Add(c.tx, txn{
		at: t.created, amount: t.amount, after: t.after, card: int32(t.card), merchant: c.merchantID(t.merchant),
		root: int32(t.root), kind: uint8(t.kind), threeDS: uint8(t.threeDS), reason: reasonNumber(t.reason),
	})
	if t.seq >= sim.MaxSeq {
		c.fail(errors.New("insert transaction: the world is full"))
	}
	if t.foreign.Code != "" || t.text != "" {
		c.s.extras.Insert(c.tx, extra{t.seq, t.foreign, t.text})
	}
	shown := c.s.transactionBody(t)
	c.emit("transaction."+t.kind.Step(), shown.ID, shown)
}

// merchantID returns the row of a merchant, inserting it when it is new.
func (c *change) merchantID(m sim.Merchant) int32 {
	if id, known := c.s.merchantIDs[m]; known {
		return id
	}
	return int32(c.s.merchants.Add(c.tx, m))
}

// txnFilter says which transactions are listed, whenever they were.
type txnFilter struct {
	card        int64
	kind        sim.TxnType
	merchant    string // anywhere in the name (ASSUMED 13)
	least, most unit.Cents
}

// all is the filter that everything matches.
func all() txnFilter { return txnFilter{least: -unit.MaxCents, most: unit.MaxCents} }

type txnPage struct {
	Data       []transaction `json:"data"`
	Pagination struct {
		Page  int64 `json:"page"`
		Size  int64 `json:"per_page"`
		Total int64 `json:"total"`
	} `json:"pagination"`
}

func listTransactions(s *Server, req *request) (any, error) {
	q, err := wire.ParseQuery(req.query)
	if err != nil {
		return nil, err
	}
	list := txnPage{Data: []transaction{}}
	p := q.Page(50)
	first, last := s.span(q)
	f, some := s.txnFilter(q)
	if q.Err != nil {
		return nil, q.Err
	}
	list.Pagination.Page, list.Pagination.Size = p.Number, p.Size
	if !some {
		return list, nil
	}
	total, row := last-first+1, func(i int64) int64 { return first + i }
	if f != all() {
		found := from(s.matchTxns(f), first)
		found = found[:len(found)-len(from(found, last+1))]
		total, row = int64(len(found)), func(i int64) int64 { return int64(found[i]) }
	}
	list.Pagination.Total = total
	// Newest first (ASSUMED 14).
	for i := p.Offset(); i < min(p.Offset()+p.Size, total); i++ {
		list.Data = append(list.Data, s.transactionBody(s.txnAt(row(total-1-i))))
	}
	return list, nil
}

// span returns the first and the last row of the time that a query asks for. Rows are in the
// order of time.
func (s *Server) span(q *wire.Query) (first, last int64) {
	since, _ := q.From("from")
	until, bounded := q.To("to")
	if !bounded {
		until = unit.Forever
	}
	list := s.txns.Rows()
	before := sort.Search(len(list), func(i int) bool { return list[i].at >= since })
	upTo := sort.Search(len(list), func(i int) bool { return list[i].at > until })
	return int64(before) + 1, int64(max(before, upTo))
}

// txnFilter returns the filter of a query. some is false when nothing can match.
func (s *Server) txnFilter(q *wire.Query) (f txnFilter, some bool) {
	f = all()
	f.kind = sim.TxnTypeOf(q.Choice("type", "", "authorization", "settlement", "refund", "decline"))
	if least, bounded := q.Least("min_amount"); bounded {
		f.least = least
	}
	if most, bounded := q.Most("max_amount"); bounded {
		f.most = most
	}
	f.merchant = fold(q.Text("merchant"))
	if id := q.Text("card_id"); id != "" {
		if f.card, some = s.world.Seq(cardPrefix, id); !some {
			return f, false
		}
	}
	return f, true
}

// matchTxns returns the rows of the transactions that match a filter, the oldest first.
func (s *Server) matchTxns(f txnFilter) []int32 {
	ofCard := all()
	if ofCard.card = f.card; f == ofCard {
		return s.txnsOfCard(f.card)
	}
	return s.txnsLike.Of(f, s.txns.Len(), func(found []int32, after int64) []int32 {
		rows, named := s.txns.Rows(), s.merchantsNamed(f.merchant)
		fits := func(t *txn) bool {
			return (f.kind == 0 || f.kind == sim.TxnType(t.kind)) && t.amount >= f.least && t.amount <= f.most && named[t.merchant-1]
		}
		if f.card != 0 {
			for _, seq := range from(s.txnsOfCard(f.card), after+1) {
				if fits(&rows[seq-1]) {
					found = append(found, seq)
				}
			}
			return found
		}
		for i := int(after); i < len(rows); i++ {
			if fits(&rows[i]) {
				found = append(found, int32(i+1))
			}
		}
		return found
	})
}

// merchantsNamed reports of each merchant whether a text is anywhere in its name.
func (s *Server) merchantsNamed(text string) []bool {
	fits := make([]bool, s.merchants.Len())
	for i, m := range s.merchants.Rows() {
		fits[i] = strings.Contains(fold(m.Name), text)
	}
	return fits
}

// from returns the rows from one on.
func from(rows []int32, first int64) []int32 {
	i, _ := slices.BinarySearch(rows, int32(first))
	return rows[i:]
}
