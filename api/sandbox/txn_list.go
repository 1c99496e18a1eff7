package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/memo"
	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// txnFilter is the filter of a list of transactions. Rows are numbered without gaps
// in the order of time, so a range of time is a range of rows.
type txnFilter struct {
	first, last int64 // rows, both included
	card        int64
	kind        sim.TxnType
	merchants   []int64 // nil for all
	least, most unit.Cents
	bounded     bool // least and most apply
	closed      bool // the range ends: rows to come are not in it
}

type txnPage struct {
	Data       []transaction `json:"data"`
	Pagination struct {
		Page  int64 `json:"page"`
		Size  int64 `json:"per_page"`
		Total int64 `json:"total"`
	} `json:"pagination"`
}

func listTransactions(ctx context.Context, s *Server, req *request) (any, error) {
	q, err := wire.ParseQuery(req.query)
	if err != nil {
		return nil, err
	}
	list := txnPage{Data: []transaction{}}
	p := q.Page(50)
	f, some, err := s.txnFilter(ctx, q)
	if err != nil {
		return nil, err
	}
	list.Pagination.Page, list.Pagination.Size = p.Number, p.Size
	if !some {
		return list, nil
	}
	total, err := s.countTransactions(ctx, &f)
	if err != nil {
		return nil, err
	}
	list.Pagination.Total = total
	if p.Offset() >= total {
		return list, nil
	}
	rows, err := s.readTransactions(ctx, f, p, total)
	for i := range rows {
		list.Data = append(list.Data, s.transactionBody(&rows[i]))
	}
	return list, err
}

// txnFilter returns the filter of a query. some is false when nothing can match.
func (s *Server) txnFilter(ctx context.Context, q *wire.Query) (f txnFilter, some bool, err error) {
	from, hasFrom := q.From("from")
	to, hasTo := q.To("to")
	f.kind = sim.TxnTypeOf(q.Choice("type", "", "authorization", "settlement", "refund", "decline"))
	least, hasLeast := q.Least("min_amount")
	most, hasMost := q.Most("max_amount")
	if q.Err != nil {
		return f, false, q.Err
	}
	if f.bounded = hasLeast || hasMost; f.bounded {
		f.least, f.most = -unit.MaxCents, unit.MaxCents
		if hasLeast {
			f.least = least
		}
		if hasMost {
			f.most = most
		}
	}
	if id := q.Text("card_id"); id != "" {
		if f.card, some = s.world.Seq(cardPrefix, id); !some {
			return f, false, nil
		}
	}
	if !hasFrom {
		from = 0
	}
	if f.closed = hasTo; !hasTo {
		to = unit.Forever
	}
	row := s.db.Reader.QueryRowContext(ctx, `SELECT
		coalesce((SELECT seq FROM transactions WHERE created_at >= ?1 ORDER BY created_at, seq LIMIT 1), 1),
		coalesce((SELECT seq FROM transactions WHERE created_at <= ?2 ORDER BY created_at DESC, seq DESC LIMIT 1), 0)
		WHERE EXISTS (SELECT 1 FROM transactions WHERE created_at BETWEEN ?1 AND ?2)`, from, to)
	if err := row.Scan(&f.first, &f.last); err != nil {
		return f, false, ignoreNoRows(err)
	}
	if name := q.Text("merchant"); name != "" {
		if err := s.matchMerchants(ctx, &f, name); err != nil || len(f.merchants) == 0 {
			return f, false, err
		}
	}
	return f, true, nil
}

func ignoreNoRows(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return fmt.Errorf("read range: %w", err)
}

// matchMerchants sets the merchants with name anywhere in theirs (ASSUMED 13).
func (s *Server) matchMerchants(ctx context.Context, f *txnFilter, name string) error {
	ids, err := sqlite.Collect(ctx, s.db.Reader, func(r *sql.Rows, id *int64) error { return r.Scan(id) },
		`SELECT id FROM merchants WHERE instr(name_key, ?) > 0`, fold(name))
	f.merchants = ids
	return err
}

// where returns the conditions of a filter. Only numbers in it come from outside.
func (f *txnFilter) where() string {
	conditions := []string{fmt.Sprintf("t.seq BETWEEN %d AND %d", f.first, f.last)}
	if f.card != 0 {
		conditions = append(conditions, fmt.Sprintf("t.card = %d", f.card))
	}
	if f.kind != 0 {
		conditions = append(conditions, fmt.Sprintf("t.type = %d", f.kind))
	}
	if len(f.merchants) == 1 {
		conditions = append(conditions, fmt.Sprintf("t.merchant = %d", f.merchants[0]))
	} else if f.merchants != nil {
		ids := make([]string, len(f.merchants))
		for i, id := range f.merchants {
			ids[i] = strconv.FormatInt(id, 10)
		}
		conditions = append(conditions, "t.merchant IN ("+strings.Join(ids, ",")+")")
	}
	if f.bounded {
		conditions = append(conditions, fmt.Sprintf("t.amount BETWEEN %d AND %d", f.least, f.most))
	}
	return strings.Join(conditions, " AND ")
}

// unfiltered reports whether the filter is only a range of rows.
func (f *txnFilter) unfiltered() bool {
	return f.card == 0 && f.kind == 0 && f.merchants == nil && !f.bounded
}

// key returns the name of a filter in memory. A range that still grows has no last
// row.
func (f *txnFilter) key() string {
	open := *f
	if !f.closed {
		open.last = 0
	}
	return open.where()
}

// index returns the index that finds the rows of a filter. ordered reports whether
// it has them in the order of time.
func (f *txnFilter) index() (name string, ordered bool) {
	switch {
	case f.card != 0:
		return "INDEXED BY transactions_by_card", true
	case len(f.merchants) == 1:
		return "INDEXED BY transactions_by_merchant", true
	case f.merchants != nil:
		return "INDEXED BY transactions_by_merchant", false
	case f.bounded:
		return "INDEXED BY transactions_by_amount", false
	case f.kind != 0:
		return "INDEXED BY transactions_by_type", true
	}
	return "NOT INDEXED", true
}

// remembers reports whether counts of a filter are worth a place in memory:
// counting again costs more.
func (s *Server) remembers(f *txnFilter) bool {
	return !f.unfiltered() && f.card == 0 && f.last-f.first+1 >= s.counts.MinRows
}

// countTransactions returns the number of rows of a filter. Rows never change, so
// only the ones after the last count are counted. When another request has counted
// further meanwhile, the range of the filter grows to that.
func (s *Server) countTransactions(ctx context.Context, f *txnFilter) (int64, error) {
	if f.unfiltered() {
		return f.last - f.first + 1, nil
	}
	if !s.remembers(f) {
		index, _ := f.index()
		return sqlite.Count(ctx, s.db.Reader, "transactions t "+index+" WHERE "+f.where())
	}
	key := f.key()
	known, upTo := s.counts.Txns(key)
	part := *f
	part.first = max(f.first, upTo+1)
	if part.first > part.last {
		f.last = max(f.last, upTo)
		return known, nil
	}
	index, _ := part.index()
	if part.last-part.first < s.counts.MinRows {
		index = "NOT INDEXED"
	}
	more, err := sqlite.Count(ctx, s.db.Reader, "transactions t "+index+" WHERE "+part.where())
	if err != nil {
		return 0, err
	}
	s.counts.SetTxns(key, known+more, f.last)
	return known + more, nil
}

// readTransactions returns one page, newest first (ASSUMED 14). The rows before it
// are skipped from the nearest known place: either end, or an earlier page.
func (s *Server) readTransactions(ctx context.Context, f txnFilter, p wire.Page, total int64) ([]txnRow, error) {
	skip, take, order := p.Offset(), min(p.Size, total-p.Offset()), "DESC"
	older := total - skip - take
	if f.unfiltered() {
		f.last, skip = f.last-skip, 0
	}
	if skip > older {
		skip, order = older, "ASC"
	}
	key := ""
	if s.remembers(&f) {
		key = f.key()
		first, last := f.first, f.last
		for _, m := range s.counts.Marks(key) {
			if newer := m.Older - older - take; newer >= 0 && newer < skip {
				skip, order, f.first, f.last = newer, "DESC", first, m.Row-1
			} else if m.Older <= older && older-m.Older < skip {
				skip, order, f.first, f.last = older-m.Older, "ASC", m.Row, last
			}
		}
	}
	index, ordered := f.index()
	// Sorting costs as much as there are matches; reading all rows until the page
	// is full costs more the rarer they are.
	if span := f.last - f.first + 1; !ordered && total*total > span*(skip+take) {
		index = "NOT INDEXED"
	}
	// Only row numbers are sorted and skipped; an index often holds all of it.
	rows, err := sqlite.Collect(ctx, s.db.Reader, scanTxn, txnSelect+`
		(SELECT t.seq AS found FROM transactions t `+index+` WHERE `+f.where()+` ORDER BY t.seq `+order+` LIMIT ? OFFSET ?)
		JOIN transactions t ON t.seq = found`+txnJoins+`ORDER BY t.seq DESC`, take, skip)
	if err == nil && key != "" && len(rows) > 0 {
		s.counts.AddMark(key, memo.Mark{Older: older, Row: rows[len(rows)-1].seq})
	}
	return rows, err
}

func scanTxn(r *sql.Rows, t *txnRow) error { return t.scan(r) }
