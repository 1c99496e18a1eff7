package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// bulk inserts many rows with few statements.
type bulk struct {
	tx      *sql.Tx
	into    string
	width   int
	full    *sql.Stmt
	pending []any
}

const bulkRows = 60

func newBulk(tx *sql.Tx, into string, width int) *bulk {
	return &bulk{tx: tx, into: into, width: width, pending: make([]any, 0, bulkRows*width)}
}

func (b *bulk) statement(rows int) string {
	row := "(?" + strings.Repeat(",?", b.width-1) + ")"
	return "INSERT INTO " + b.into + " VALUES " + row + strings.Repeat(","+row, rows-1)
}

func (b *bulk) add(ctx context.Context, values ...any) (err error) {
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

func (b *bulk) flush(ctx context.Context) error {
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
