package journal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
)

// longestLine is more than any record: a request's body is at most 1 MiB
// (ASSUMED 24).
const longestLine = 2 << 20

// damagedSuffix ends the name of a copy of a file with damaged lines. No run takes it over.
const damagedSuffix = suffix + ".damaged"

// flaw is a line that is not as it was written; 0 when whole lines are missing.
type flaw struct {
	line         int
	card, amount string
}

func flawed(number int, raw []byte) flaw {
	card, amount := format.Legible(raw)
	return flaw{number, card, amount}
}

// read reads the lines of a file and returns the flaws in it. Lines that were moved or
// doubled are read as they were written. A torn last line, from a crash during a write, is
// a record that was never acted on: its request is sent only after the line is on disk.
func (t *table) read(data []byte) (flaws []flaw, err error) {
	var sealed, old []record
	var oldLines []flaw
	number := 0
	for raw := range bytes.Lines(data) {
		number++
		if len(raw) > longestLine {
			return nil, errors.New("read lines: one is too long")
		}
		line := bytes.TrimSuffix(raw, []byte("\n"))
		if len(line) == 0 || len(line) == len(raw) && format.IsCut(line) {
			continue
		}
		r, kind := parse(line, t.account)
		if kind == format.Damaged {
			flaws = append(flaws, flawed(number, line))
			continue
		}
		if err := format.Check(r.Version, version); err != nil {
			return nil, err
		}
		if kind == format.Intact {
			sealed = append(sealed, r)
		} else {
			old, oldLines = append(old, r), append(oldLines, flawed(number, line))
		}
	}
	if len(sealed) > 0 { // A release that wrote no checksums wrote none of this file.
		old, flaws = nil, append(flaws, oldLines...)
	}
	slices.SortStableFunc(sealed, func(a, b record) int { return cmp.Compare(a.Number, b.Number) })
	sealed = slices.CompactFunc(sealed, func(a, b record) bool { return a.Number == b.Number })
	if n := len(sealed); n > 0 && sealed[n-1].Number > n+len(flaws) {
		flaws = append(flaws, flaw{})
	}
	for _, r := range slices.Concat(old, sealed) {
		t.note(r)
	}
	return flaws, nil
}

// parse decodes a line. One that decodes without being what this program, or an earlier
// release, writes is damaged.
func parse(line []byte, account string) (r record, kind format.Line) {
	kind = format.CheckLine(line, account)
	decode := json.Unmarshal
	if kind == format.Unsealed {
		decode = format.Strict
		var v struct {
			Version int `json:"v"`
		}
		if json.Unmarshal(line, &v) == nil && v.Version > version {
			return record{Version: v.Version}, kind
		}
	}
	known := []string{begun, state.OpStatusDone, state.OpStatusRefused, state.OpStatusUnknown, state.OpStatusDismissed}
	if kind == format.Damaged || decode(line, &r) != nil || r.Key == "" || !slices.Contains(known, r.What) {
		return record{}, format.Damaged
	}
	return r, kind
}

// Damage lists the records of all runs that are damaged, as the files have them now.
func (j *Journal) Damage() ([]state.Damage, error) {
	if j.dir == "" {
		return nil, nil
	}
	return readDamage(j.dir, j.path, j.account)
}

// ReadDamage lists the same below the folder of a profile: it writes nothing.
func ReadDamage(dir string) ([]state.Damage, error) {
	account, err := accounts.ID(dir)
	if err != nil {
		return nil, err
	}
	return readDamage(filepath.Join(dir, folder), "", account)
}

// readDamage leaves out the file of a run itself, which knows what it wrote.
func readDamage(dir, own, account string) ([]state.Damage, error) {
	found, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read journals: %w", err)
	}
	var all []state.Damage
	for _, e := range found {
		path := filepath.Join(dir, e.Name())
		if path == own || !strings.HasSuffix(path, suffix) && !strings.HasSuffix(path, damagedSuffix) {
			continue
		}
		file, err := fsafe.Read(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // Its run has just ended.
		}
		if err != nil {
			return all, fmt.Errorf("read journals: %w", err)
		}
		flaws, err := newTable(account).read(file.Data)
		if err != nil {
			return all, fmt.Errorf("read %s: %w", path, err)
		}
		all = append(all, damageIn(path, flaws)...)
	}
	return all, nil
}

func damageIn(path string, flaws []flaw) (all []state.Damage) {
	if len(flaws) == 0 {
		return nil
	}
	d := state.Damage{Path: path, Removable: strings.HasSuffix(path, damagedSuffix)}
	if info, err := os.Lstat(path); err == nil {
		d.At = info.ModTime()
	}
	for _, f := range flaws {
		d.Line, d.Card, d.Amount = f.line, api.CardID(f.card), api.Text(f.amount)
		all = append(all, d)
	}
	return all
}
