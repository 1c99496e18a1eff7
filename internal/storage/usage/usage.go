// Package usage stores the requests of the last hour and shares them between the
// processes of this machine that use the same key: the limit is the key's, not a
// process's, and does not start again with a restart.
//
// Each process writes a file of its own and reads those of the others, so that none
// waits for another and a crash leaves what was sent.
package usage

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// version is that of a file, to be raised when an older program would misread it.
const version = 1

// document is a file.
type document struct {
	Version  int            `json:"version"`
	Requests []budget.Entry `json:"requests"`
}

// Share is this process's file among those of a key.
type Share struct {
	// Alive reports whether a process runs: one that was killed has not said that it
	// ended.
	Alive func(pid int) bool

	dir string
	own string

	mu   sync.Mutex
	text []byte                // what is written; reused
	seen map[string]othersFile // by its name
}

// othersFile is a file of another process as it was last read: most are of one that
// ended, and stay as they are.
type othersFile struct {
	info    fs.FileInfo
	entries []budget.Entry
}

// remembered is how long a file counts: the longest limit's window.
const remembered = time.Hour

// running is how fresh a file must be for its process to be running: each
// writes its own several times as often.
const running = 45 * time.Second

// suffix is of a process's file, ended of one whose process is over.
const (
	suffix = ".json"
	ended  = "ended-"
)

// Open opens the folder of a key at an origin. Its name is a digest of the key, whose
// randomness cannot be searched.
func Open(dir, origin string, key api.APIKey, pid int, now time.Time) (*Share, error) {
	sum := sha256.New()
	sum.Write([]byte(origin + "\n"))
	sum.Write(key.Bytes())
	dir = filepath.Join(dir, "usage", hex.EncodeToString(sum.Sum(nil)[:12]))
	if err := fsafe.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("share usage: %w", err)
	}
	// A process number is used again: the time makes the name this process's.
	own := strconv.Itoa(pid) + "-" + strconv.FormatInt(now.UnixNano(), 36) + suffix
	return &Share{Alive: alive, dir: dir, own: own, seen: make(map[string]othersFile)}, nil
}

// Sync stores what this process sent in the last hour and returns what the others
// sent, and how many of them are running. A process calls it every few seconds, so
// that the others know that it runs.
func (s *Share) Sync(now time.Time, own []budget.Entry) (others []budget.Entry, programs int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = appendDocument(s.text[:0], own)
	// It is written every few seconds: should the machine crash, the server counts.
	path := filepath.Join(s.dir, s.own)
	if err := fsafe.ReplaceFile(path, s.text); err != nil {
		return nil, 0, fmt.Errorf("share usage: %w", err)
	}
	// Its age is by the clock that it is compared with, whatever the disk's server has.
	if err := os.Chtimes(path, now, now); err != nil {
		return nil, 0, fmt.Errorf("share usage: %w", err)
	}
	return s.others(now)
}

// appendDocument appends what a file holds. It is written every few seconds, with an entry for each ten seconds of an
// hour and lane, and was a third of what a quiet program computed: with encoding/json a Sync takes 2.4 times as long.
func appendDocument(b []byte, own []budget.Entry) []byte {
	b = strconv.AppendInt(append(b, `{"version":`...), version, 10)
	b = append(b, `,"requests":[`...)
	for i, e := range own {
		if i > 0 {
			b = append(b, ',')
		}
		b = e.Start.AppendFormat(append(b, `{"start":"`...), time.RFC3339Nano)
		b = strconv.AppendQuote(append(b, `","lane":`...), e.Lane) // A lane's name is a plain word.
		b = strconv.AppendInt(append(b, `,"kind":`...), int64(e.Kind), 10)
		if e.User {
			b = append(b, `,"user":true`...)
		}
		b = append(strconv.AppendInt(append(b, `,"count":`...), int64(e.Count), 10), '}')
	}
	return append(b, "]}\n"...)
}

// Once stores a single request of the user's for a lane, of a process that sends no
// other with the key.
func (s *Share) Once(now time.Time, lane string) error {
	_, _, err := s.Sync(now, []budget.Entry{{Start: now.UTC(), Lane: lane, User: true, Count: 1}})
	return errors.Join(err, s.Leave())
}

// Leave marks that this process has ended; what it sent counts on.
func (s *Share) Leave() error {
	err := os.Rename(filepath.Join(s.dir, s.own), filepath.Join(s.dir, ended+s.own))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("share usage: %w", err)
	}
	return nil
}

// others reads every file but this process's own. A file that cannot be read
// counts nothing: it is torn. One of a newer program is an error: it sends requests that
// this one cannot count.
func (s *Share) others(now time.Time) (all []budget.Entry, programs int, err error) {
	files, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, 0, fmt.Errorf("share usage: %w", err)
	}
	maps.DeleteFunc(s.seen, func(name string, _ othersFile) bool {
		return !slices.ContainsFunc(files, func(f fs.DirEntry) bool { return f.Name() == name })
	})
	var parts [][]budget.Entry
	for _, f := range files {
		if f.Name() == s.own || !strings.HasSuffix(f.Name(), suffix) {
			continue
		}
		info, err := f.Info()
		if err != nil {
			continue // It has just gone.
		}
		age := now.Sub(info.ModTime())
		if age > remembered {
			if err := os.Remove(filepath.Join(s.dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, 0, fmt.Errorf("share usage: %w", err)
			}
			continue
		}
		entries, err := s.entriesOf(f.Name(), info)
		if errors.Is(err, format.ErrNewer) {
			return nil, 0, err
		}
		if err != nil {
			continue
		}
		parts = append(parts, entries)
		if age < running && s.runs(f.Name()) {
			programs++
		}
	}
	return slices.Concat(parts...), programs, nil
}

// runs reports whether the process of a file runs.
func (s *Share) runs(name string) bool {
	number, _, _ := strings.Cut(name, "-")
	pid, err := strconv.Atoi(number)
	return err == nil && s.Alive(pid)
}

// entriesOf reads a file, unless it is as it was. It is replaced as a whole when it
// changes.
func (s *Share) entriesOf(name string, info fs.FileInfo) ([]budget.Entry, error) {
	if f, ok := s.seen[name]; ok && os.SameFile(f.info, info) && f.info.ModTime().Equal(info.ModTime()) && f.info.Size() == info.Size() {
		return f.entries, nil
	}
	entries, err := s.read(name)
	if err == nil {
		s.seen[name] = othersFile{info, entries}
	}
	return entries, err
}

func (s *Share) read(name string) ([]budget.Entry, error) {
	file, err := fsafe.Read(filepath.Join(s.dir, name))
	if err != nil {
		return nil, fmt.Errorf("share usage: %w", err)
	}
	var doc document
	if err := json.Unmarshal(file.Data, &doc); err != nil {
		return nil, fmt.Errorf("share usage: %w", err)
	}
	if err := format.Check(doc.Version, version); err != nil {
		return nil, fmt.Errorf("share usage: %s: %w", filepath.Join(s.dir, name), err)
	}
	return doc.Requests, nil
}
