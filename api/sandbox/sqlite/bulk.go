package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// Bulk inserts many rows with few statements.
type Bulk struct {
	tx      *sql.Tx
	into    string
	width   int
	full    *sql.Stmt
	pending []any
}

const bulkRows = 60

// NewBulk returns an inserter into a table, named with or without its columns, of
// rows with width values. Call Flush at the end.
func NewBulk(tx *sql.Tx, into string, width int) *Bulk {
	return &Bulk{tx: tx, into: into, width: width, pending: make([]any, 0, bulkRows*width)}
}

func (b *Bulk) statement(rows int) string {
	row := "(?" + strings.Repeat(",?", b.width-1) + ")"
	return "INSERT INTO " + b.into + " VALUES " + row + strings.Repeat(","+row, rows-1)
}

// Add inserts one row, now or with a later one.
func (b *Bulk) Add(ctx context.Context, values ...any) (err error) {
	b.pending = append(b.pending, values...)
	if len(b.pending) < bulkRows*b.width {
		return nil
	}
	if b.full == nil {
		if b.full, err = b.tx.PrepareContext(ctx, b.statement(bulkRows)); err != nil {
			return fmt.Errorf("prepare rows: %w", err)
		}
	}
	_, err = b.full.ExecContext(ctx, b.pending...)
	b.pending = b.pending[:0]
	if err != nil {
		return fmt.Errorf("insert rows: %w", err)
	}
	return nil
}

// Flush inserts the rows that are left.
func (b *Bulk) Flush(ctx context.Context) error {
	var err error
	if len(b.pending) > 0 {
		_, err = b.tx.ExecContext(ctx, b.statement(len(b.pending)/b.width), b.pending...)
	}
	if b.full != nil {
		err = errors.Join(err, b.full.Close())
	}
	if err != nil {
		return fmt.Errorf("insert rows: %w", err)
	}
	return nil
}
