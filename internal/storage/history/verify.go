package history

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// Report is the result of a verification.
type Report struct {
	// Lines are the records, Cut the lines that a crash has left unfinished.
	Lines, Cut, Parts int
	First, Last       time.Time
	// Head is the hash of the last line, hex. Compared with a noted one it shows whether
	// lines are missing at the end.
	Head string
}

// BrokenError is where the chain breaks.
type BrokenError struct {
	File string
	Line int // from 1
	// Damaged reports whether the line itself is not as it was written.
	Damaged bool
}

// Error names the line.
func (e *BrokenError) Error() string {
	if e.Damaged {
		return fmt.Sprintf("%s line %d is not as it was written", e.File, e.Line)
	}
	return fmt.Sprintf("%s line %d does not follow the line before: one of them was changed, or lines were put in or taken out", e.File, e.Line)
}

// Verify follows the chain through all parts. The error is a *BrokenError
// where it breaks.
func (l *Log) Verify() (r Report, err error) {
	if l.cfg.Dir == "" {
		return Report{}, nil
	}
	defer l.alone()()
	err = l.reading(func() (err error) {
		r, err = verify(l.cfg.Dir)
		return err
	})
	if err != nil {
		return r, fmt.Errorf("verify history: %w", err)
	}
	return r, nil
}

func verify(dir string) (r Report, err error) {
	paths, err := parts(dir)
	if err != nil {
		return r, err
	}
	for _, path := range paths {
		file, err := fsafe.Read(path)
		if err != nil {
			return r, err
		}
		all, err := split(file.Data)
		if err != nil {
			return r, fmt.Errorf("%s: %w", path, err)
		}
		r.Parts++
		for _, s := range all {
			if s.damaged {
				return r, &BrokenError{File: filepath.Base(path), Line: s.number, Damaged: true}
			}
			if s.hash == "" {
				r.Cut++
				continue
			}
			if s.Prev != r.Head {
				return r, &BrokenError{File: filepath.Base(path), Line: s.number}
			}
			if r.Lines == 0 {
				r.First = s.At
			}
			r.Lines++
			r.Last, r.Head = s.At, s.hash
		}
	}
	return r, nil
}
