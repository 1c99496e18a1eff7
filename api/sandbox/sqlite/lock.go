package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// fileLock prevents a second server on the same file: each would simulate its own
// traffic, out of the order of time. It is an exclusive transaction on an empty
// database beside the file, so it works wherever SQLite does and ends with the
// process. The file itself is locked as well where it can be: links give it other names.
type fileLock struct {
	db   *sql.DB
	tx   *sql.Tx
	file *os.File // nil where files are not locked
}

// lockFile locks a file, or fails at once when it is locked.
func lockFile(path string) (*fileLock, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if err := makePrivate(path + ".lock"); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", fileURI(path+".lock")+"?_txlock=exclusive")
	if err != nil {
		return nil, fmt.Errorf("lock database: %w", err)
	}
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock database, which another sandbox may be using: %w", err), db.Close())
	}
	l := &fileLock{db: db, tx: tx}
	if l.file, err = lockItself(path); err != nil {
		return nil, errors.Join(fmt.Errorf("lock database, which another sandbox may be using: %w", err), l.release())
	}
	return l, nil
}

func (l *fileLock) release() error {
	err := errors.Join(l.tx.Rollback(), l.db.Close())
	if l.file != nil {
		err = errors.Join(err, l.file.Close())
	}
	if err != nil {
		return fmt.Errorf("unlock database: %w", err)
	}
	return nil
}

// makePrivate creates a file that only its owner may read: it holds codes and
// signing secrets.
func makePrivate(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // The path is the caller's own.
	if err != nil {
		return fmt.Errorf("make file: %w", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("make file: %w", err)
	}
	return nil
}
