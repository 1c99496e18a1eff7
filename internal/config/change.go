package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// CheckName returns why a name is none for a profile.
func CheckName(name string) error { return named().check(name) }

// Change replaces the file by what change makes of it, unless that would not be
// valid. A file that is not there is made, with mode 0600. The error is
// ProblemErrors for what would be wrong in it.
func (s Source) Change(change func(doc []byte) ([]byte, error)) error {
	before, err := s.read()
	if err != nil {
		return fmt.Errorf("change configuration: %w", err)
	}
	defer clear(before)
	after, err := change(bytes.Clone(before))
	if err != nil {
		return fmt.Errorf("change configuration: %w", err)
	}
	defer clear(after)
	if bytes.Equal(before, after) {
		return nil
	}
	settings, problems := parse(filepath.Base(s.Path), after)
	if len(problems) > 0 {
		return problems
	}
	if s.Check != nil {
		if err := s.Check(settings); err != nil {
			return err
		}
	}
	dir := filepath.Dir(s.Path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := fsafe.MkdirAll(dir); err != nil {
			return fmt.Errorf("change configuration: %w", err)
		}
	}
	// An editor may have saved it meanwhile: its text goes first.
	again, err := s.read()
	defer clear(again)
	if err != nil || !bytes.Equal(before, again) {
		return errors.Join(errors.New("change configuration: the file changed meanwhile, try again"), err)
	}
	return fsafe.WriteFile(s.Path, after)
}

func (s Source) read() ([]byte, error) {
	file, err := fsafe.Read(s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return file.Data, err
}
