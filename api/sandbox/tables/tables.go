// Package tables keeps a world in memory, as rows of structs. A transaction changes it wholly or
// not at all, and every change is appended to a log file before it is answered. It knows no table.
package tables

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
)

// DB is a set of tables, in memory alone or with a log file.
type DB struct {
	mu     sync.RWMutex
	tables []table
	log    *log // nil in memory
}

// table is what the log needs of a table.
type table interface {
	// read does what one record of the log says.
	read(c *Coder)
	// write writes the records that make the table from nothing, each with one call of record.
	write(record func(func(*Coder)))
}

// Open loads a file, or creates it; "" is memory alone. The tables have been made before. It reports
// whether they are empty because the file is new: [DB.Fill] is next. A file is locked until Close, and
// Open fails at once when another process has it.
func (d *DB) Open(path string) (fresh bool, err error) {
	if path == "" {
		return true, nil
	}
	l, err := openLog(path)
	if err != nil {
		return false, err
	}
	if fresh, err = l.load(d.tables); err != nil {
		return false, errors.Join(err, l.close())
	}
	d.log = l
	return fresh, nil
}

// Close closes the file. Changes fail from then on.
func (d *DB) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.log == nil {
		return nil
	}
	return d.log.close()
}

// View runs fn while nothing changes. What it takes along must be copied, unless it is never changed.
func (d *DB) View(fn func() error) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return fn()
}

// Fill makes the first rows, without a way back.
func (d *DB) Fill(fn func(*Tx) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := fn(&Tx{fills: true}); err != nil || d.log == nil {
		return err
	}
	return d.log.rewrite(d.tables)
}

// Tx is one transaction. It has the tables for itself.
type Tx struct {
	undo   []func()
	fills  bool // there is no way back
	record *Coder
}

// Transact runs fn in a transaction, which is undone when fn fails or panics, or when the log cannot be
// written. A transaction that has begun is not cancelled with ctx: a client that disconnects leaves no
// half-done request.
func (d *DB) Transact(ctx context.Context, fn func(*Tx) error) (err error) {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("begin write: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	tx, done := &Tx{}, false
	if d.log != nil {
		tx.record = newWriter()
	}
	defer func() {
		for i := len(tx.undo) - 1; !done && i >= 0; i-- {
			tx.undo[i]()
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if tx.record != nil && len(tx.record.buf) > frameHead {
		if err := d.log.append(tx.record.buf); err != nil {
			return err
		}
	}
	done = true
	return nil
}

// Tidy writes the file anew when it is much larger than its rows.
func (d *DB) Tidy() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.log == nil || !d.log.grown() {
		return nil
	}
	return d.log.rewrite(d.tables)
}

// changed keeps the way back of one change, and writes it down.
func (tx *Tx) changed(undo func(), code func(*Coder)) {
	if !tx.fills {
		tx.undo = append(tx.undo, undo)
	}
	if tx.record != nil {
		code(tx.record)
	}
}

// Peek loads a file that another DB may be using, as far as it is written, and leaves it as it is.
func (d *DB) Peek(path string) error {
	file, err := os.Open(path) //nolint:gosec // The path is the caller's own.
	if err != nil {
		return fmt.Errorf("open world: %w", err)
	}
	info, err := file.Stat()
	if err == nil {
		_, _, err = replay(file, info.Size(), d.tables)
	}
	return errors.Join(err, file.Close())
}
