package sandbox

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"

	_ "modernc.org/sqlite" // The driver registers itself as "sqlite".
)

//go:embed schema.sql
var schemaSQL string

//go:embed indexes.sql
var indexSQL string

// database is one SQLite file, or one database in memory. All writes share one
// connection, so that no write ever meets another; in memory, reads do too,
// because there the connection is the database.
type database struct {
	writer, reader *sql.DB
}

// readers is how many reads of a file run at the same time.
const readers = 4

func openDatabase(path string) (*database, error) {
	if path == "" {
		db, err := sql.Open("sqlite", ":memory:?_txlock=immediate")
		if err != nil {
			return nil, fmt.Errorf("open database in memory: %w", err)
		}
		db.SetMaxOpenConns(1)
		return &database{writer: db, reader: db}, nil
	}
	// With WAL and synchronous=NORMAL a committed write survives the death of
	// the process, and reads do not wait for writes.
	const pragmas = "?_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)" +
		"&_pragma=synchronous(NORMAL)&_pragma=cache_size(-32768)"
	// The file holds codes and signing secrets.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // The path is the caller's own.
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := file.Close(); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	name := "file:" + (&url.URL{Path: path}).EscapedPath()
	writer, err := sql.Open("sqlite", name+pragmas)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	writer.SetMaxOpenConns(1)
	reader, err := sql.Open("sqlite", name+pragmas+"&_pragma=query_only(1)")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open database: %w", err), writer.Close())
	}
	reader.SetMaxOpenConns(readers)
	reader.SetMaxIdleConns(readers)
	return &database{writer: writer, reader: reader}, nil
}

func (d *database) close() error {
	err := d.writer.Close()
	if d.reader != d.writer {
		err = errors.Join(d.reader.Close(), err)
	}
	if err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

// transact runs fn in a write transaction, which is kept only when fn gives no
// error. It goes on to its end when ctx is cancelled: who sent a request and
// left does not leave half of it behind.
func (d *database) transact(ctx context.Context, fn func(context.Context, *sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("begin write: %w", err)
	}
	ctx = context.WithoutCancel(ctx)
	tx, err := d.writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin write: %w", err)
	}
	if err := fn(ctx, tx); err != nil {
		if undo := tx.Rollback(); undo != nil {
			return errors.Join(err, fmt.Errorf("roll back write: %w", undo))
		}
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit write: %w", err)
	}
	return nil
}

// querier is what reads need: the reading pool, or a write transaction that
// has to see its own changes.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// collect reads all rows of a query with scan.
func collect[T any](ctx context.Context, q querier, scan func(*sql.Rows, *T) error, query string, args ...any) (list []T, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("query rows: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	list = []T{}
	for rows.Next() {
		var item T
		if err := scan(rows, &item); err != nil {
			return nil, fmt.Errorf("scan row: %w", err)
		}
		list = append(list, item)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	return list, nil
}

// countOf counts the rows of a clause that begins with the table's name.
// Clauses are made of constants; what comes from outside is in args.
func countOf(ctx context.Context, q querier, clause string, args ...any) (int64, error) {
	counts, err := collect(ctx, q, scanSeq, "SELECT count(*) FROM "+clause, args...)
	if err != nil {
		return 0, err
	}
	return counts[0], nil
}
