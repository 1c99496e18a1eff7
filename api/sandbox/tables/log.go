package tables

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// A file is a line that says what it is, all rows, an empty frame, and what changed since: one frame a
// transaction. A frame has its length, its checksum and its records. A process that is killed leaves a part of a
// frame at most, which the next one cuts off: nothing of it was answered.
const (
	format    = 2
	title     = "cardtop world 2\n"
	frameHead = 8
	maxFrame  = 1 << 28
	fullFrame = 1 << 16 // of the rows at the start
)

// checksum is of no records anything but zero: that is what room that was never written to has.
func checksum(records []byte) uint32 {
	return crc32.Update(0x63617264, crc32.MakeTable(crc32.Castagnoli), records)
}

// log is the open file.
type log struct {
	file       *os.File
	path       string
	size, base int64 // of the whole, and of what it began with
	broken     error // nothing can be appended
}

func openLog(path string) (*log, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // What lies beside the file is there under all links to it.
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // The path is the caller's own.
	if err != nil {
		return nil, fmt.Errorf("open world: %w", err)
	}
	switch locked, err := lock(file); {
	case err != nil:
		return nil, errors.Join(fmt.Errorf("lock world: %w", err), file.Close())
	case !locked:
		return nil, errors.Join(errors.New("lock world: another sandbox is using the file"), file.Close())
	}
	return &log{file: file, path: path}, nil
}

func (l *log) close() error {
	if errors.Is(l.broken, os.ErrClosed) {
		return nil
	}
	l.broken = os.ErrClosed
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("close world: %w", err)
	}
	return nil
}

// load reads the file, and cuts off what is no whole frame. fresh reports that there is nothing in it.
func (l *log) load(tables []table) (fresh bool, err error) {
	if err := l.finishRewrite(); err != nil {
		return false, err
	}
	info, err := l.file.Stat()
	if err != nil {
		return false, fmt.Errorf("read world: %w", err)
	}
	if info.Size() == 0 {
		return true, nil
	}
	if l.base, l.size, err = replay(l.file, info.Size(), tables); err != nil {
		return false, err
	}
	if l.base == 0 {
		return false, errors.New("read world: the file has only a part of one")
	}
	if err := l.file.Truncate(l.size); err != nil {
		return false, fmt.Errorf("cut world: %w", err)
	}
	return false, nil
}

// replay reads all whole frames. base is where the rows at the start end, 0 when they do not, and end is where the frames do.
func replay(file io.ReadSeeker, size int64, tables []table) (base, end int64, err error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, 0, fmt.Errorf("read world: %w", err)
	}
	in := bufio.NewReaderSize(file, fullFrame)
	if err := readTitle(in); err != nil {
		return 0, 0, err
	}
	c, head, frame := &Coder{names: map[string]string{}}, make([]byte, frameHead), []byte(nil)
	for end = int64(len(title)); ; {
		if _, err := io.ReadFull(in, head); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return base, end, nil
		} else if err != nil {
			return 0, 0, fmt.Errorf("read world: %w", err)
		}
		length := int64(binary.LittleEndian.Uint32(head))
		next := end + frameHead + length
		if length > maxFrame || next > size {
			return base, end, nil
		}
		if int64(cap(frame)) < length {
			frame = make([]byte, length, length+length/2)
		}
		frame = frame[:length]
		if _, err := io.ReadFull(in, frame); err != nil {
			return 0, 0, fmt.Errorf("read world: %w", err)
		}
		if binary.LittleEndian.Uint32(head[4:]) != checksum(frame) {
			if rest, err := io.ReadAll(in); err != nil || len(bytes.Trim(rest, "\x00")) > 0 {
				return 0, 0, errors.Join(errors.New("read world: the file is damaged"), err)
			}
			return base, end, nil // It was the last one; what follows was never written to.
		}
		if !c.apply(frame, tables) {
			return 0, 0, errors.New("read world: the file has a record that is none")
		}
		if end = next; length == 0 {
			base = end
		}
	}
}

// readTitle returns an error for a file that is no world of this format.
func readTitle(in *bufio.Reader) error {
	begin, _ := in.Peek(len(title)) // A file of fewer bytes is no world either.
	found, text := 0, string(begin)
	switch n, _ := fmt.Sscanf(text, "cardtop world %d\n", &found); {
	case text == title:
		_, err := in.Discard(len(title))
		return err
	case n == 1:
		return fmt.Errorf("read world: its format is %d, this cardtop reads %d: use the one that wrote it, or another file", found, format)
	case len(text) > 13 && text[:13] == "SQLite format":
		return fmt.Errorf("read world: its format is 1, in SQLite, this cardtop reads %d: use the one that wrote it, or another file", format)
	}
	return errors.New("read world: the file holds something else")
}

// frame writes the head of a frame, for whose records newWriter has left room.
func frame(buf []byte) []byte {
	binary.LittleEndian.PutUint32(buf, uint32(len(buf)-frameHead))
	binary.LittleEndian.PutUint32(buf[4:], checksum(buf[frameHead:]))
	return buf
}

// append writes what a transaction changed. What was written of it is cut off when it fails.
func (l *log) append(buf []byte) error {
	if l.broken != nil {
		return fmt.Errorf("write world: %w", l.broken)
	}
	n, err := l.file.WriteAt(frame(buf), l.size)
	if err != nil {
		if cut := l.file.Truncate(l.size); cut != nil {
			l.broken = cut
		}
		return fmt.Errorf("write world: %w", err)
	}
	l.size += int64(n)
	return nil
}

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
