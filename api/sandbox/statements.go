package sandbox

import (
	"context"
	"database/sql"
	"sync"
)

// statements reads with statements that are prepared once: a list that is asked
// for every second costs SQLite more to understand than to answer. They are
// closed with the database.
type statements struct {
	*sql.DB
	mu    sync.Mutex
	known map[string]*sql.Stmt
}

// maxStatements bounds how many are kept: those that hold the numbers of rows
// are of no end.
const maxStatements = 64

func newStatements(db *sql.DB) *statements {
	return &statements{DB: db, known: make(map[string]*sql.Stmt)}
}

// QueryContext reads rows.
func (s *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if stmt := s.prepared(ctx, query); stmt != nil {
		return stmt.QueryContext(ctx, args...)
	}
	return s.DB.QueryContext(ctx, query, args...)
}

// QueryRowContext reads one row.
func (s *statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if stmt := s.prepared(ctx, query); stmt != nil {
		return stmt.QueryRowContext(ctx, args...)
	}
	return s.DB.QueryRowContext(ctx, query, args...)
}

// prepared gives the statement of a query; nil when it is not kept, or cannot be
// prepared: then the query tells why.
func (s *statements) prepared(ctx context.Context, query string) *sql.Stmt {
	stmt, more := s.kept(query, nil)
	if stmt != nil || !more {
		return stmt
	}
	// The connection may be another's for a while: nobody waits for it here.
	stmt, err := s.PrepareContext(ctx, query)
	if err != nil {
		return nil
	}
	if first, _ := s.kept(query, stmt); first != stmt {
		_ = stmt.Close() // Another was faster, or the last place is taken.
		return first
	}
	return stmt
}

// kept gives the statement that is kept of a query, that one if it is the first
// and there is room, and tells whether there is room for more.
func (s *statements) kept(query string, stmt *sql.Stmt) (*sql.Stmt, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.known[query]; first != nil {
		return first, true
	}
	more := len(s.known) < maxStatements
	if stmt != nil && more {
		s.known[query] = stmt
		return stmt, true
	}
	return nil, more
}
