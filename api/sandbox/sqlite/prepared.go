package sqlite

import (
	"context"
	"database/sql"
	"sync"
)

// prepared is a pool of connections that prepares each query once: a list that
// is polled every second costs SQLite more to parse than to execute. The
// statements are closed with the database.
type prepared struct {
	*sql.DB
	mu         sync.Mutex
	statements map[string]*sql.Stmt
}

// maxPrepared bounds the statements in memory: queries that contain row numbers
// are without number.
const maxPrepared = 64

func newPrepared(db *sql.DB) *prepared {
	return &prepared{DB: db, statements: make(map[string]*sql.Stmt)}
}

// QueryContext runs a query that returns rows.
func (s *prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if stmt := s.statement(ctx, query); stmt != nil {
		return stmt.QueryContext(ctx, args...)
	}
	return s.DB.QueryContext(ctx, query, args...)
}

// QueryRowContext runs a query that returns at most one row.
func (s *prepared) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if stmt := s.statement(ctx, query); stmt != nil {
		return stmt.QueryRowContext(ctx, args...)
	}
	return s.DB.QueryRowContext(ctx, query, args...)
}

// statement returns the prepared statement of a query, or nil when there is no
// room for another one or the query cannot be prepared; running the query then
// reports the error.
func (s *prepared) statement(ctx context.Context, query string) *sql.Stmt {
	stmt, more := s.cached(query, nil)
	if stmt != nil || !more {
		return stmt
	}
	// Outside of the lock: a free connection can take a while.
	stmt, err := s.PrepareContext(ctx, query)
	if err != nil {
		return nil
	}
	if first, _ := s.cached(query, stmt); first != stmt {
		_ = stmt.Close() // Another goroutine was faster, or the cache is full.
		return first
	}
	return stmt
}

// cached returns the cached statement of a query, after adding stmt if it is the
// first and there is room, and reports whether there is room for more.
func (s *prepared) cached(query string, stmt *sql.Stmt) (*sql.Stmt, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.statements[query]; first != nil {
		return first, true
	}
	more := len(s.statements) < maxPrepared
	if stmt != nil && more {
		s.statements[query] = stmt
		return stmt, true
	}
	return nil, more
}
