package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// txnFilter is what a list of transactions is narrowed to. Rows are numbered
// without gaps in the order of time, so that a range of time is a range of
// rows.
type txnFilter struct {
	first, last int64 // rows, both included
	card        int64
	kind        sim.TxnType
	merchants   []int64 // nil for all
	least, most unit.Cents
	bounded     bool // least and most apply
	closed      bool // last was asked for: rows to come are not in the range
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
		list.Data = append(list.Data, s.shownTransaction(&rows[i]))
	}
	return list, err
}

// txnFilter reads the parameters of a list. some is false when nothing can
// match.
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
		to = unit.Instant(unit.MaxCents)
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

// matchMerchants finds the merchants with name anywhere in theirs (ASSUMED 13).
func (s *Server) matchMerchants(ctx context.Context, f *txnFilter, name string) error {
	ids, err := sqlite.Collect(ctx, s.db.Reader, func(r *sql.Rows, id *int64) error { return r.Scan(id) },
		`SELECT id FROM merchants WHERE instr(name_key, ?) > 0`, fold(name))
	f.merchants = ids
	return err
}

// where gives the conditions of a filter. Nothing in it comes from outside but
// numbers.
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

// unfiltered tells that a range of rows is all that is asked for.
func (f *txnFilter) unfiltered() bool {
	return f.card == 0 && f.kind == 0 && f.merchants == nil && !f.bounded
}

// key names a filter in memory. What is still growing has no last row.
func (f *txnFilter) key() string {
	open := *f
	if !f.closed {
		open.last = 0
	}
	return open.where()
}

// index names the index that finds the rows of a filter. ordered tells that it
// gives them in the order of time.
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
