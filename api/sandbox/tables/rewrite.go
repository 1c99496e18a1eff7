package tables

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// grown reports whether the file has become much larger than its rows.
func (l *log) grown() bool { return l.size > 4*l.base+16<<20 }

// beside is where the rows are written before they replace what is in the file: the file itself stays, with
// its lock and all of its names. It is whole, or not to be used.
func (l *log) beside() string { return l.path + ".new" }

// rewrite replaces the file with its present rows. Nothing is appended while they lie beside it: they would win over
// that.
func (l *log) rewrite(tables []table) error {
	err := writeRows(l.beside(), tables)
	if err != nil {
		if left := os.Remove(l.beside()); left != nil && !errors.Is(left, os.ErrNotExist) {
			l.broken = left
		}
	} else if err = l.finishRewrite(); err != nil {
		l.broken = err
	}
	if err != nil {
		return fmt.Errorf("write all rows: %w", err)
	}
	return nil
}

// writeRows writes all rows to a file of their own, with the empty frame at the end.
func writeRows(path string, tables []table) (err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) //nolint:gosec // The path is beside the caller's own.
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, fullFrame)
	if _, err := out.WriteString(title); err != nil {
		return err
	}
	c := newWriter()
	flush := func() {
		if err == nil {
			_, err = out.Write(frame(c.buf))
		}
		c.buf = c.buf[:frameHead]
	}
	for _, t := range tables {
		t.write(func(code func(*Coder)) {
			if code(c); len(c.buf) > fullFrame {
				flush()
			}
		})
	}
	if len(c.buf) > frameHead {
		flush()
	}
	flush()
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	return err
}

// finishRewrite copies rows that were written beside the file into it: those of this process, or of one that was
// killed meanwhile.
func (l *log) finishRewrite() (err error) {
	rows, err := os.Open(l.beside())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	base, err := l.copyRows(rows)
	if err = errors.Join(err, rows.Close()); err != nil {
		return err
	}
	if base > 0 {
		l.base, l.size = base, base
	}
	return os.Remove(l.beside())
}

// copyRows copies a file of rows when it is whole, and returns its size, or else 0.
func (l *log) copyRows(rows *os.File) (int64, error) {
	info, err := rows.Stat()
	if err != nil {
		return 0, err
	}
	end := make([]byte, frameHead)
	if _, err := rows.ReadAt(end, max(0, info.Size()-frameHead)); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	if string(end) != string(frame(make([]byte, frameHead))) {
		return 0, nil
	}
	if err := l.file.Truncate(0); err != nil {
		return 0, err
	}
	if _, err := l.file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	if _, err := io.Copy(l.file, rows); err != nil {
		return 0, err
	}
	return info.Size(), l.file.Sync()
}
