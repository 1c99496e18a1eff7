package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/config/private"
)

// compactFrom is the size in bytes from which the file is rewritten although
// something in it is pending.
const compactFrom = 1 << 20

// Open reads the journal at path and is ready to append to it. With an empty
// path nothing is kept: for a world that ends with the program. A file that
// somebody else could have written is refused: what it holds would be sent.
func Open(path string, now func() time.Time) (*Journal, error) {
	j := &Journal{now: now, open: make(map[api.IdempotencyKey]bool)}
	if path == "" {
		return j, nil
	}
	if err := j.take(path); err != nil {
		return nil, fmt.Errorf("open journal: %w", errors.Join(err, j.Close()))
	}
	return j, nil
}

// take reads the file, tidies it while no other run uses it, and opens it.
func (j *Journal) take(path string) error {
	dir := filepath.Dir(path)
	if err := private.MkdirAll(dir); err != nil {
		return err
	}
	lock, err := private.OpenAppend(path + ".lock")
	if err != nil {
		return err
	}
	j.lock = lock
	alone, err := claim(lock)
	if err != nil {
		return err
	}
	left, size, err := j.load(path)
	if err != nil {
		return err
	}
	if alone {
		if err := j.compact(path, left, size); err != nil {
			return err
		}
		// From here on no other run may replace the file.
		if err := share(lock); err != nil {
			return err
		}
	}
	f, err := private.OpenAppend(path)
	if err != nil {
		return err
	}
	j.file = f
	return private.SyncDir(dir)
}

// load finds the operations that have no answer, in the order they began. A
// torn last line, from a crash in the middle of a write, is a record that was
// never acted on: its request is sent only after the line is whole on disk.
func (j *Journal) load(path string) (left []record, size int, err error) {
	file, err := private.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	size = len(file.Data)
	j.torn = size > 0 && file.Data[size-1] != '\n'
	if left, err = pending(file.Data); err != nil {
		return nil, 0, err
	}
	for _, r := range left {
		j.open[r.Key] = true
		j.ops = append(j.ops, state.Op{
			Kind: r.Kind, Card: r.Card, Amount: r.Amount, Name: r.Name, Key: r.Key, At: r.Started, Tries: 1,
			Write: &api.Write{Method: r.Method, Route: r.Route, Path: r.Path, Body: r.Body},
		})
	}
	return left, size, nil
}

// pending gives the beginnings that have no end. Lines that are no records
// are passed over.
func pending(data []byte) ([]record, error) {
	open := make(map[api.IdempotencyKey]record)
	var order []api.IdempotencyKey
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var r record
		if json.Unmarshal(lines.Bytes(), &r) != nil {
			continue
		}
		switch r.What {
		case begun:
			open[r.Key] = r
			order = append(order, r.Key)
		case api.Done.String(), api.Refused.String(), dismissed:
			delete(open, r.Key)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read lines: %w", err)
	}
	var left []record
	for _, key := range order {
		if r, ok := open[key]; ok {
			left = append(left, r)
			delete(open, key)
		}
	}
	return left, nil
}

// compact rewrites the file with what is pending when all else fills it, as a
// whole: a crash leaves the old file or the new one.
func (j *Journal) compact(path string, left []record, size int) error {
	if size == 0 || len(left) > 0 && size <= compactFrom {
		return nil
	}
	var data []byte
	for _, r := range left {
		line, err := r.line()
		if err != nil {
			return err
		}
		data = append(data, line...)
	}
	if err := private.WriteFile(path, data); err != nil {
		return err
	}
	j.torn = false
	return nil
}
