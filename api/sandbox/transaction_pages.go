package sandbox

import (
	"context"
	"database/sql"

	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// remembered tells whether what is found out about a filter is worth keeping:
// it costs more than to find it out again.
func (m *countMemo) remembered(f *txnFilter) bool {
	return !f.unfiltered() && f.card == 0 && f.last-f.first+1 >= m.worth
}

// countTransactions counts the rows of a filter. What was counted once is only
// counted on from there, because rows are never changed. When somebody else
// has counted further meanwhile, the filter's range grows to that.
func (s *Server) countTransactions(ctx context.Context, f *txnFilter) (int64, error) {
	if f.unfiltered() {
		return f.last - f.first + 1, nil
	}
	if !s.counts.remembered(f) {
		index, _ := f.index()
		return sqlite.Count(ctx, s.db.Reader, "transactions t "+index+" WHERE "+f.where())
	}
	key := f.key()
	known, upTo := s.counts.transactions(key)
	part := *f
	part.first = max(f.first, upTo+1)
	if part.first > part.last {
		f.last = max(f.last, upTo)
		return known, nil
	}
	index, _ := part.index()
	if part.last-part.first < s.counts.worth {
		index = "NOT INDEXED"
	}
	more, err := sqlite.Count(ctx, s.db.Reader, "transactions t "+index+" WHERE "+part.where())
	if err != nil {
		return 0, err
	}
	s.counts.keepTransactions(key, known+more, f.last)
	return known + more, nil
}

// readTransactions reads one page, newest first (ASSUMED 14). The rows before
// it are skipped from where that is shortest: either end, or a page that was
// read before.
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
	if s.counts.remembered(&f) {
		key = f.key()
		first, last := f.first, f.last
		for _, m := range s.counts.marks(key) {
			if newer := m.older - older - take; newer >= 0 && newer < skip {
				skip, order, f.first, f.last = newer, "DESC", first, m.row-1
			} else if m.older <= older && older-m.older < skip {
				skip, order, f.first, f.last = older-m.older, "ASC", m.row, last
			}
		}
	}
	index, ordered := f.index()
	// Sorting costs as much as there are matches; walking through all rows
	// until the page is full costs more the rarer they are.
	if span := f.last - f.first + 1; !ordered && total*total > span*(skip+take) {
		index = "NOT INDEXED"
	}
	// Only row numbers are sorted and skipped; an index often holds all of it.
	rows, err := sqlite.Collect(ctx, s.db.Reader, scanTxn, txnSelect+`
		(SELECT t.seq AS found FROM transactions t `+index+` WHERE `+f.where()+` ORDER BY t.seq `+order+` LIMIT ? OFFSET ?)
		JOIN transactions t ON t.seq = found JOIN merchants m ON m.id = t.merchant ORDER BY t.seq DESC`, take, skip)
	if err == nil && key != "" && len(rows) > 0 {
		s.counts.mark(key, txnMark{older: older, row: rows[len(rows)-1].seq})
	}
	return rows, err
}

func scanTxn(r *sql.Rows, t *txnRow) error { return t.scan(r) }
