package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	_ "modernc.org/sqlite" // The driver registers itself as "sqlite".
)

// database is one SQLite file, or one database in memory. All writes share one
// connection, so that no write ever meets another; in memory, reads do too,
// because there the connection is the database.
type database struct {
	writer *sql.DB
	reader *statements
	lock   *fileLock // nil in memory
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
		return &database{writer: db, reader: newStatements(db)}, nil
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

// fileURI names a file to SQLite, whatever characters its name has.
func fileURI(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

func openFile(path, pragmas string) (*database, error) {
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
	return &database{writer: writer, reader: newStatements(reader)}, nil
}

func (d *database) close() error {
	err := d.writer.Close()
	if d.reader.DB != d.writer {
		err = errors.Join(d.reader.Close(), err)
	}
	if d.lock != nil {
		err = errors.Join(err, d.lock.release())
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

// scanner is a row that is read.
type scanner interface{ Scan(dest ...any) error }

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

// scanSeq reads a row of one whole number.
func scanSeq(r *sql.Rows, seq *int64) error { return r.Scan(seq) }

// countOf counts the rows of a clause that begins with the table's name.
// Clauses are made of constants; what comes from outside is in args.
func countOf(ctx context.Context, q querier, clause string, args ...any) (int64, error) {
	counts, err := collect(ctx, q, scanSeq, "SELECT count(*) FROM "+clause, args...)
	if err != nil {
		return 0, err
	}
	return counts[0], nil
}
