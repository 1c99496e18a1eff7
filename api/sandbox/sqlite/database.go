// Package sqlite opens one SQLite file or one database in memory, and runs
// reads, write transactions and bulk inserts on it. It knows no table.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	_ "modernc.org/sqlite" // The driver registers itself as "sqlite".
)

// DB is one SQLite file, or one database in memory. All writes share one
// connection, so that they never run at the same time; in memory, reads share it
// too, because there the connection is the database.
type DB struct {
	Writer *sql.DB
	Reader *prepared
	lock   *fileLock // nil in memory
}

// readers is how many reads of a file run at the same time.
const readers = 4

// Open opens the file at path, or a database in memory for "". A file is locked
// until Close; Open fails at once when another process has it.
func Open(path string) (*DB, error) {
	if path == "" {
		db, err := sql.Open("sqlite", ":memory:?_txlock=immediate")
		if err != nil {
			return nil, fmt.Errorf("open database in memory: %w", err)
		}
		db.SetMaxOpenConns(1)
		return &DB{Writer: db, Reader: newPrepared(db)}, nil
	}
	// With WAL and synchronous=NORMAL a committed write survives the death of
	// the process, and reads do not wait for writes.
	const pragmas = "?_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)" +
		"&_pragma=synchronous(NORMAL)&_pragma=cache_size(-32768)"
	lock, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	d, err := openFile(path, pragmas)
	if err != nil {
		return nil, errors.Join(err, lock.release())
	}
	d.lock = lock
	return d, nil
}

// fileURI returns the SQLite URI of a path, with special characters escaped.
func fileURI(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

func openFile(path, pragmas string) (*DB, error) {
	if err := makePrivate(path); err != nil {
		return nil, err
	}
	name := fileURI(path)
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
	return &DB{Writer: writer, Reader: newPrepared(reader)}, nil
}

// Close closes all connections and releases the lock.
func (d *DB) Close() error {
	err := d.Writer.Close()
	if d.Reader.DB != d.Writer {
		err = errors.Join(d.Reader.Close(), err)
	}
	if d.lock != nil {
		err = errors.Join(err, d.lock.release())
	}
	if err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

// Transact runs fn in a write transaction, and commits it unless fn returns an
// error. A transaction that has begun is not cancelled with ctx: a client that
// disconnects leaves no half-done request.
func (d *DB) Transact(ctx context.Context, fn func(context.Context, *sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("begin write: %w", err)
	}
	ctx = context.WithoutCancel(ctx)
	tx, err := d.Writer.BeginTx(ctx, nil)
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

// Querier runs queries: [DB.Reader], or a write transaction that has to see its
// own changes.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Row is a row of a result.
type Row interface{ Scan(dest ...any) error }

// Collect returns all rows of a query, each read by scan.
func Collect[T any](ctx context.Context, q Querier, scan func(*sql.Rows, *T) error, query string, args ...any) (list []T, err error) {
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

// ScanInt reads a row that is one integer, for [Collect].
func ScanInt(r *sql.Rows, seq *int64) error { return r.Scan(seq) }

// Count returns the number of rows of a clause, which begins with the table's
// name. Clauses are constants; input goes into args.
func Count(ctx context.Context, q Querier, clause string, args ...any) (int64, error) {
	counts, err := Collect(ctx, q, ScanInt, "SELECT count(*) FROM "+clause, args...)
	if err != nil {
		return 0, err
	}
	return counts[0], nil
}
